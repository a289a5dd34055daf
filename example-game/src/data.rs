//! Makes types of the game's own from data files: the tuning table (CSV), colours (JSON), gusts (floats) and words
//! (`key = text`).
//!
//! The store makes each value once, and again when its file changes. It adds the path to their errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Error, Result, bail, ensure};
use macroquad::color::{Color, WHITE};
use rres_runtime::{FromAsset, Handle, Raw, Store, Text};
use serde::Deserialize;

use crate::assets::{data, text};
use crate::level::Level;
use crate::loading::LEVELS;
use crate::world::Rules;

/// The longest edge of textures on machines with little video memory, in pixels.
pub(crate) const SMALL_TEXTURES: u32 = 160;

/// Numbers that decide how the game feels; `data/tuning.csv` has the unit of each.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Tuning {
    pub(crate) lift: f32,
    pub(crate) drag: f32,
    pub(crate) sink: f32,
    pub(crate) gust: f32,
    pub(crate) radius: f32,
    pub(crate) magnet: f32,
    pub(crate) hearts: u32,
    pub(crate) mercy: f32,
    pub(crate) strike_every: f32,
    pub(crate) strike_for: f32,
}

impl FromAsset for Tuning {
    type Source = Raw;
    type Error = Error;

    fn from_asset(raw: &Raw, _: &Store) -> Result<Self> {
        let mut values = serde_json::Map::new();
        for (line, row) in (1..).zip(std::str::from_utf8(raw.bytes())?.lines()).skip(1) {
            let [name, value, _unit] = row.split(',').collect::<Vec<_>>()[..] else {
                bail!("line {line}: \"{row}\" does not have the form name,value,unit");
            };
            let number: Option<serde_json::Number> = value.trim().parse().ok();
            let number = number.with_context(|| format!("line {line}: {name} is \"{value}\", expected a number"))?;
            values.insert(name.to_owned(), number.into());
        }
        let tuning: Self = serde_json::from_value(values.into())?;
        ensure!((1..=9).contains(&tuning.hearts), "hearts is {}, expected 1 to 9", tuning.hearts);
        ensure!(tuning.strike_every >= 0.1, "strike_every is {}, expected at least 0.1", tuning.strike_every);
        Ok(tuning)
    }
}

/// Colours by sky and by role.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Palette(BTreeMap<String, BTreeMap<String, Hex>>);

/// A colour as `#rrggbb`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
struct Hex(Color);

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        value.map(|value| Self(Color::from_hex(value))).ok_or_else(|| format!("\"{text}\" is not a colour #rrggbb"))
    }
}

impl FromAsset for Palette {
    type Source = Raw;
    type Error = Error;

    fn from_asset(raw: &Raw, _: &Store) -> Result<Self> {
        Ok(serde_json::from_slice(raw.bytes())?)
    }
}

impl Palette {
    /// Returns the colour of `role` under a sky, or white if the palette has none, so that a new sky can be tried at
    /// once.
    pub(crate) fn color(&self, sky: &str, role: &str) -> Color {
        self.0.get(sky).and_then(|roles| roles.get(role)).map_or(WHITE, |hex| hex.0)
    }
}

/// How strongly the wind pushes along a level, from −1 to 1. The values repeat after the last one.
#[derive(Clone, Debug)]
pub(crate) struct Gusts(Vec<f32>);

impl FromAsset for Gusts {
    type Source = Raw;
    type Error = Error;

    fn from_asset(raw: &Raw, _: &Store) -> Result<Self> {
        let (floats, rest) = raw.bytes().as_chunks::<4>();
        ensure!(rest.is_empty() && !floats.is_empty(), "has {} bytes, expected 4 per number", raw.bytes().len());
        Ok(Self(floats.iter().map(|raw| f32::from_le_bytes(*raw).clamp(-1.0, 1.0)).collect()))
    }
}

impl Gusts {
    /// Returns the push at a distance from the start.
    pub(crate) fn at(&self, x: f32) -> f32 {
        let place = (x / 40.0).max(0.0);
        let value = |i: usize| self.0[i % self.0.len()];
        let (whole, part) = (place as usize, place.fract());
        value(whole) * (1.0 - part) + value(whole + 1) * part
    }
}

/// Codes of the languages, in the order of the key L.
pub(crate) const LANGUAGES: [&str; 6] = ["en", "de", "fr", "es", "el", "ja"];

/// All texts of one language.
#[derive(Clone, Debug)]
pub(crate) struct Words(pub(crate) BTreeMap<String, String>);

impl FromAsset for Words {
    type Source = Text;
    type Error = Error;

    fn from_asset(text: &Text, _: &Store) -> Result<Self> {
        let mut words = BTreeMap::new();
        for (line, content) in (1..).zip(text.as_str().trim_start_matches('\u{feff}').lines()) {
            if !content.is_empty() && !content.starts_with('#') {
                let (key, value) =
                    content.split_once('=').with_context(|| format!("line {line}: expected key = text"))?;
                words.insert(key.trim().to_owned(), value.trim().to_owned());
            }
        }
        Ok(Self(words))
    }
}

impl Words {
    /// Loads the words of each language.
    pub(crate) fn load(store: &Store) -> Result<Vec<Handle<Self>>> {
        let ids = [text::EN_TXT, text::DE_TXT, text::FR_TXT, text::ES_TXT, text::EL_TXT, text::JA_TXT];
        ids.into_iter().map(|id| Ok(store.load(id.into_type())?)).collect()
    }

    /// Returns the text for a key, or the key itself if the translation lacks it.
    pub(crate) fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.0.get(key).map_or(key, String::as_str)
    }
}

/// Returns the number of the language with this code. Without a code, the environment decides, or else it is the first.
pub(crate) fn language(code: Option<&str>) -> usize {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let wanted = code.map(str::to_owned).or_else(|| ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(variable));
    LANGUAGES.iter().position(|known| wanted.as_ref().is_some_and(|wanted| wanted.starts_with(known))).unwrap_or(0)
}

/// The assets that the rules of a level are made from.
#[derive(Clone, Debug)]
pub(crate) struct RuleAssets {
    level: Handle<Level>,
    tuning: Handle<Tuning>,
    gusts: Handle<Gusts>,
}

impl RuleAssets {
    pub(crate) fn load(store: &Store, level: usize) -> Result<Self> {
        let level = store.load(LEVELS[level].map)?;
        Ok(Self {
            level,
            tuning: store.load(data::TUNING_CSV.into_type())?,
            gusts: store.load(data::GUSTS_DAT.into_type())?,
        })
    }

    /// Returns the rules as they are now.
    pub(crate) fn rules(&self) -> Rules {
        Rules { level: self.level.get(), tuning: self.tuning.get(), gusts: self.gusts.get() }
    }
}

/// Reads the credits, which are a link: the pack contains only the path of the file. `None` if this machine does not
/// have the file.
pub(crate) fn credits(store: &Store) -> Result<Option<Arc<str>>> {
    let file = store.load(data::CREDITS_TXT).and_then(|link| store.follow(&link.get()));
    Ok(file.ok().and_then(|file| std::fs::read_to_string(file).ok()).map(Arc::from))
}
