//! The settings that are tried.

use rres_format::AssetKind;
use rres_settings::toml_string;

use super::files::{Files, Measured};
use super::goal::Goal;

/// A setting to try.
pub(super) struct Trial {
    /// What it changes. Of one aspect, a rule has one setting.
    aspect: Aspect,
    /// The table of a rule that its keys are in; empty for the rule itself.
    table: &'static str,
    /// Its keys and their values in that table. [`ATLAS`] stands for the name of an atlas of the folder.
    keys: &'static str,
    /// The kinds of assets that it is for; empty for all.
    kinds: &'static [AssetKind],
    /// What it loses, in words; `None` if nothing.
    loss: Option<&'static str>,
    /// The goals that it may serve.
    goals: &'static [Goal],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aspect {
    Storage,
    Texture,
    Resolution,
    /// The depth, rate, channels and format of sounds: several at once would only save the more the worse a sound gets.
    Samples,
    Vertices,
    Animations,
}

/// The key of what makes blocks of pictures.
const BLOCKS: &str = "format = \"block\"";

/// What stands for the name of an atlas, in quotes.
const ATLAS: &str = "ATLAS";

/// The name of an atlas in its folder.
const ATLAS_NAME: &str = "sprites";

/// The most bytes in memory that images of an atlas have on average: 256 by 256 pixels.
const MOST_OF_ATLAS_IMAGE: u64 = 256 << 10;

/// The fewest images that are worth an atlas.
const FEWEST_OF_ATLAS: usize = 4;

/// Every trial, those without loss first. What is never tried is resolution below 2048 pixels: how large a picture is on the screen, only the
/// game knows.
static TRIALS: [Trial; 14] = [
    Trial {
        aspect: Aspect::Storage,
        table: "",
        keys: "profile = \"size\"",
        kinds: &[],
        loss: None,
        goals: &[Goal::Size],
    },
    Trial {
        aspect: Aspect::Storage,
        table: "",
        keys: "profile = \"speed\"",
        kinds: &[],
        loss: None,
        goals: &[Goal::Load],
    },
    Trial {
        aspect: Aspect::Samples,
        table: "sound",
        keys: "store = \"pcm\"",
        kinds: &[AssetKind::Sound],
        loss: None,
        goals: &[Goal::Load],
    },
    Trial {
        aspect: Aspect::Texture,
        table: "image",
        keys: "atlas = ATLAS",
        kinds: &[AssetKind::Image],
        loss: Some("`Id<Image>` becomes `Id<Sprite>`"),
        goals: &[Goal::Size, Goal::Load, Goal::Textures],
    },
    Trial {
        aspect: Aspect::Texture,
        table: "image",
        keys: BLOCKS,
        kinds: &[AssetKind::Image],
        loss: Some("blocks (feature `gpu`)"),
        goals: &[Goal::Size, Goal::Load, Goal::Memory, Goal::Vram],
    },
    Trial {
        aspect: Aspect::Texture,
        table: "image",
        keys: "format = \"block\", rdo = 1.0",
        kinds: &[AssetKind::Image],
        loss: Some("blocks (feature `gpu`)"),
        goals: &[Goal::Size, Goal::Load],
    },
    Trial {
        aspect: Aspect::Resolution,
        table: "image",
        keys: "fit = 2048",
        kinds: &[AssetKind::Image],
        loss: Some("pixels beyond 2048"),
        goals: &[Goal::Size, Goal::Load, Goal::Memory, Goal::Vram],
    },
    Trial {
        aspect: Aspect::Samples,
        table: "sound",
        keys: "sample = \"i16\"",
        kinds: &[AssetKind::Sound],
        loss: Some("depth beyond 16 bits"),
        goals: &[Goal::Size, Goal::Load, Goal::Memory],
    },
    Trial {
        aspect: Aspect::Samples,
        table: "sound",
        keys: "rate = 22050",
        kinds: &[AssetKind::Sound],
        loss: Some("what is above 10 kHz"),
        goals: &[Goal::Size, Goal::Load, Goal::Memory],
    },
    Trial {
        aspect: Aspect::Samples,
        table: "sound",
        keys: "channels = \"mono\"",
        kinds: &[AssetKind::Sound],
        loss: Some("left and right"),
        goals: &[Goal::Size, Goal::Load, Goal::Memory],
    },
    Trial {
        aspect: Aspect::Samples,
        table: "sound",
        keys: "format = \"qoa\"",
        kinds: &[AssetKind::Sound],
        loss: Some("detail (feature `qoa`)"),
        goals: &[Goal::Size],
    },
    Trial {
        aspect: Aspect::Samples,
        table: "sound",
        keys: "format = \"opus\"",
        kinds: &[AssetKind::Sound],
        loss: Some("detail (features `opus`)"),
        goals: &[Goal::Size],
    },
    Trial {
        aspect: Aspect::Vertices,
        table: "model",
        keys: "positions = \"unorm16\", normal_format = \"snorm16\", tex_coord_format = \"unorm16\"",
        kinds: &[AssetKind::Model],
        loss: Some("bits of vertices"),
        goals: &[Goal::Size, Goal::Load, Goal::Memory, Goal::Vram],
    },
    Trial {
        aspect: Aspect::Animations,
        table: "model",
        keys: "animation_error = \"0.1 mm\"",
        kinds: &[AssetKind::Model],
        loss: Some("0.1 mm of animations"),
        goals: &[Goal::Size, Goal::Memory],
    },
];

/// Settings that are tried together, as one rule: one or more trials of different aspects, in the order of [`TRIALS`].
#[derive(Clone)]
pub(super) struct Candidate(Vec<&'static Trial>);

impl Candidate {
    /// Each trial that suits these files, alone.
    pub(super) fn singles(goal: Goal, measured: &Measured) -> impl Iterator<Item = Self> {
        TRIALS.iter().filter(move |trial| trial.suits(goal, measured)).map(|trial| Self(vec![trial]))
    }

    /// Both together; `None` if they set the same.
    pub(super) fn with(&self, other: &Self) -> Option<Self> {
        let is_free = |trial: &&Trial| self.0.iter().all(|own| own.aspect != trial.aspect);
        let place = |trial: &&'static Trial| TRIALS.iter().position(|known| known.keys == trial.keys);
        other.0.iter().all(is_free).then(|| {
            let mut both = [self.0.as_slice(), &other.0].concat();
            both.sort_by_key(place);
            Self(both)
        })
    }

    /// Whether it has all settings of another one.
    pub(super) fn contains(&self, other: &Self) -> bool {
        other.0.iter().all(|trial| self.0.iter().any(|own| own.keys == trial.keys))
    }

    /// The keys as they stand in a rule of `assets.toml`, one a line.
    pub(super) fn keys(&self, files: &Files) -> String {
        let mut lines: Vec<(&str, String)> = Vec::new();
        for trial in &self.0 {
            let keys = trial.keys.replace(ATLAS, &toml_string(&atlas_of(files)));
            match lines.iter_mut().find(|(table, _)| !table.is_empty() && *table == trial.table) {
                Some((_, line)) => *line += &format!(", {keys}"),
                None => lines.push((trial.table, keys)),
            }
        }
        let line = |(table, keys): (&str, String)| match table {
            "" => keys,
            _ => format!("{table} = {{ {keys} }}"),
        };
        lines.into_iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// What it loses, in words; `None` if nothing.
    pub(super) fn loss(&self) -> Option<String> {
        let losses: Vec<&str> = self.0.iter().filter_map(|trial| trial.loss).collect();
        (!losses.is_empty()).then(|| losses.join(", "))
    }

    /// Whether it makes blocks of pictures.
    pub(super) fn makes_blocks(&self) -> bool {
        self.0.iter().any(|trial| trial.keys.contains(BLOCKS))
    }

    /// The path of the atlas that it makes of the files.
    pub(super) fn atlas(&self, files: &Files) -> Option<String> {
        let has_atlas = self.0.iter().any(|trial| trial.keys.contains(ATLAS));
        has_atlas.then(|| format!("{}.atlas", atlas_of(files)))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.contains(other)
    }
}

impl Trial {
    fn suits(&self, goal: Goal, measured: &Measured) -> bool {
        let is_its_kind = self.kinds.is_empty() || self.kinds.iter().any(|kind| measured.kinds.contains(kind));
        is_its_kind && self.goals.contains(&goal) && (!self.keys.contains(ATLAS) || suits_atlas(measured))
    }
}

/// Whether images are small and many, and the only ones of their folder, so that the atlas is theirs alone.
fn suits_atlas(measured: &Measured) -> bool {
    let is_small = measured.decoded <= measured.assets as u64 * MOST_OF_ATLAS_IMAGE;
    let are_images = measured.kinds == [AssetKind::Image] && !measured.is_of_library;
    are_images && measured.assets >= FEWEST_OF_ATLAS && is_small && !measured.has_other_images
}

/// The name of an atlas of these files. It is in their folder, so that no other folder has it.
fn atlas_of(Files { folder, .. }: &Files) -> String {
    if folder.is_empty() { ATLAS_NAME.to_owned() } else { format!("{folder}/{ATLAS_NAME}") }
}
