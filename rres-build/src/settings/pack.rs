//! The tables `[pack]` and `[budget]`: what holds for the pack as a whole.

use toml::de::DeTable;

use super::contradictions::{check_compression, contradiction};
use super::error::{Position, Source};
use super::fields::read_level;
use super::pattern::Pattern;
use super::types::{Compat, Compression, Settings};
use super::walk::entries;

pub(super) const PACK_KEYS: &[&str] = &["name", "compression", "level", "compat", "directory", "split", "lock"];

/// Every file offset of rres is 32 bits wide; a set of packs goes beyond.
const MAX_SPLIT: u64 = 1 << 32;
/// Below this the headers would outweigh the assets.
const MIN_SPLIT: u64 = 4 << 10;

/// What holds for the pack as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackSettings {
    /// The file name without `.rres`. `None`: the builder's default.
    pub name: Option<String>,
    /// How chunks are compressed, where that pays. `None`: see [`PackSettings::compression`].
    pub compression: Option<Compression>,
    /// The level of that compressor. `None`: the compressor's default.
    pub level: Option<i32>,
    /// Readers that the pack is restricted to. `None`: ours.
    pub compat: Option<Compat>,
    /// Write the central directory, from which C readers learn file names. Default: `true`.
    pub directory: bool,
    /// Most bytes of one pack, beyond which a set of packs is written. `None`: as much as the format holds.
    pub split: Option<u64>,
    /// Keep the set of assets in a lock file, which debug builds watch instead of the contents. Default: `false`.
    pub lock: bool,
}

impl Default for PackSettings {
    fn default() -> Self {
        Self { name: None, compression: None, level: None, compat: None, directory: true, split: None, lock: false }
    }
}

impl PackSettings {
    /// The compression where no rule names one: zstd, or deflate for readers that do not know it.
    pub fn compression(&self) -> Compression {
        self.compression.unwrap_or(match self.compat {
            Some(Compat::Raylib) => Compression::Deflate,
            None => Compression::Zstd,
        })
    }
}

impl Settings {
    /// Fills in what no rule says with what the pack says, so that [`Settings::compression`] is never `None`.
    pub fn fill(&mut self, pack: &PackSettings) {
        let compression = *self.compression.get_or_insert(pack.compression());
        // A level means something else to another compressor.
        if compression == pack.compression() {
            self.level = self.level.or(pack.level);
        }
    }
}

/// The most bytes that some assets may take in the pack.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// `None`: all of them.
    pub(super) pattern: Option<Pattern>,
    pub(super) bytes: u64,
    pub(super) position: Position,
}

pub(super) fn read_pack(source: &mut Source<'_>, table: &DeTable<'_>) -> PackSettings {
    let mut pack = PackSettings::default();
    let (mut compression_at, mut level_at) = (None, None);
    for entry in entries(table) {
        let value = entry.value;
        match entry.key {
            "name" => {
                let name = source.string("name", value);
                if let Some(name) = name.filter(|name| !is_file_name(name)) {
                    let message = format!("unknown value \"{name}\" for `name`, expected a file name without a folder");
                    source.error_with_help(&value.span(), message, "such as \"game\"; `.rres` is added".into());
                }
                pack.name = name.map(str::to_owned);
            }
            "compression" => {
                pack.compression = source.choice("compression", value);
                compression_at = pack.compression.map(|compression| (entry.at.clone(), compression));
                if pack.compression == Some(Compression::Qoi) {
                    let help = "name it where images are: [\"**/*.png\"] compression = \"qoi\"";
                    let message = "`compression` = \"qoi\" is for images only, and a pack holds more";
                    contradiction(source, &entry.at, message, Some(help));
                }
            }
            "level" => {
                pack.level = read_level(source, value);
                level_at = pack.level.map(|level| (entry.at.clone(), level));
            }
            "compat" => pack.compat = source.choice("compat", value),
            "directory" => pack.directory = source.boolean("directory", value).unwrap_or(true),
            "split" => {
                pack.split = source.size("split", value);
                if let Some(split) = pack.split.filter(|split| !(MIN_SPLIT..=MAX_SPLIT).contains(split)) {
                    let message = format!("bad size {split} B for `split`, expected 4 KiB to 4 GiB");
                    source.error_with_help(&value.span(), message, "4 GiB is as much as one rres file can hold".into());
                }
            }
            "lock" => pack.lock = source.boolean("lock", value).unwrap_or(false),
            _ => source.unknown_key(&entry, "[pack]", PACK_KEYS),
        }
    }
    // Without a word about compression the level is the default compressor's.
    let default = level_at.as_ref().map(|(at, _)| (at.clone(), pack.compression()));
    let compression = compression_at.or(default);
    check_compression(
        source,
        compression.as_ref().map(|(at, compression)| (at, *compression)),
        level_at.as_ref().map(|(at, level)| (at, *level)),
        pack.compat,
    );
    pack
}

pub(super) fn read_budgets(source: &mut Source<'_>, table: &DeTable<'_>) -> Vec<Budget> {
    let mut budgets = Vec::new();
    for entry in entries(table) {
        let pattern = if entry.key == "total" { None } else { Some(source.pattern(&entry.at, entry.key)) };
        let bytes = source.size(entry.key, entry.value);
        let position = source.position(entry.at.start);
        match (pattern, bytes) {
            (Some(None), _) | (_, None) => {}
            (pattern, Some(bytes)) => budgets.push(Budget { pattern: pattern.flatten(), bytes, position }),
        }
    }
    budgets
}

impl Source<'_> {
    /// Compiles a glob, or says why not.
    pub(super) fn pattern(&mut self, at: &std::ops::Range<usize>, glob: &str) -> Option<Pattern> {
        Pattern::new(glob).map_err(|bad| self.push(at, bad.message, bad.help)).ok()
    }
}

/// Whether every system takes `name` as the name of a file.
fn is_file_name(name: &str) -> bool {
    let is_forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && !name.ends_with([' ', '.'])
        && !name.contains(is_forbidden)
}
