//! The settings that are tried, each on all assets of its kinds at once.

use rres_format::AssetKind;
use rres_settings::{
    ImageFormat, NormalFormat, PositionFormat, Profile, Rule, SampleFormat, SoundChannels, TexCoordFormat,
};

/// A setting to try.
pub(super) struct Trial {
    /// Its keys in a rule of `assets.toml`.
    pub(super) keys: &'static str,
    /// The kinds of assets that it is for; empty for all.
    kinds: &'static [AssetKind],
    /// What it loses, in words; `None` if nothing.
    pub(super) loss: Option<&'static str>,
    /// The same in a rule of a build.
    pub(super) set: fn(Rule) -> Rule,
}

/// Every trial, those without loss first.
pub(super) const TRIALS: [Trial; 8] = [
    Trial { keys: "profile = \"size\"", kinds: &[], loss: None, set: |rule| rule.profile(Profile::Size) },
    Trial {
        keys: "image = { format = \"block\" }",
        kinds: &[AssetKind::Image],
        loss: Some("blocks of a GPU, at least 36 dB"),
        set: |rule| rule.image_format(ImageFormat::Block),
    },
    Trial {
        keys: "image = { format = \"block\", rdo = 1.0 }",
        kinds: &[AssetKind::Image],
        loss: Some("blocks of a GPU, at least 36 dB"),
        set: |rule| rule.image_format(ImageFormat::Block).image_rdo(1.0),
    },
    Trial {
        keys: "image = { fit = 2048 }",
        kinds: &[AssetKind::Image],
        loss: Some("pixels beyond 2048"),
        set: |rule| rule.image_fit(2048u32),
    },
    Trial {
        keys: "sound = { sample = \"i16\" }",
        kinds: &[AssetKind::Sound],
        loss: Some("depth beyond 16 bits"),
        set: |rule| rule.sound_sample(SampleFormat::I16),
    },
    Trial {
        keys: "sound = { rate = 22050 }",
        kinds: &[AssetKind::Sound],
        loss: Some("what is above 10 kHz"),
        set: |rule| rule.sound_rate(22_050),
    },
    Trial {
        keys: "sound = { channels = \"mono\" }",
        kinds: &[AssetKind::Sound],
        loss: Some("left and right"),
        set: |rule| rule.sound_channels(SoundChannels::Mono),
    },
    Trial {
        keys: "model = { positions = \"unorm16\", normal_format = \"snorm16\", tex_coord_format = \"unorm16\" }",
        kinds: &[AssetKind::Model],
        loss: Some("bits of vertices"),
        set: |rule| {
            rule.model_positions(PositionFormat::Unorm16)
                .model_normal_format(NormalFormat::Snorm16)
                .model_tex_coord_format(TexCoordFormat::Unorm16)
        },
    },
];

impl Trial {
    /// Whether it is for assets of this kind.
    pub(super) fn suits(&self, kind: Option<AssetKind>) -> bool {
        self.kinds.is_empty() || kind.is_some_and(|kind| self.kinds.contains(&kind))
    }
}
