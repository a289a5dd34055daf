//! Values that are fine one by one and make no sense together.
//!
//! Within one rule everything is checked. Values from several rules meet only when an asset is imported: then
//! [`Settings::contradiction`] says what remains.

use std::ops::Range;

use rres_format::AssetKind;

use super::error::Source;
use super::fields::{Field, Written};
use super::pattern::Pattern;
use super::types::{Compat, Compression, PixelFormatChoice, Settings, SoundStore};

impl Compression {
    /// The levels that the compressor has. `None`: it has none.
    pub const fn levels(self) -> Option<(i32, i32)> {
        match self {
            Self::Deflate => Some((1, 9)),
            Self::Zstd => Some((1, 22)),
            Self::None | Self::Lz4 | Self::Qoi => None,
        }
    }
}

impl Settings {
    /// What contradicts itself when these settings are used for an asset of kind `kind`, as a message that starts
    /// with the keys, and `None` when nothing does. Call [`Settings::fill`] before.
    pub fn contradiction(&self, kind: AssetKind) -> Option<String> {
        let compression = self.compression.unwrap_or(Compression::None);
        if compression == Compression::Qoi {
            if kind != AssetKind::Image {
                return Some(qoi_kind(kind));
            }
            if let Some(message) = self.image.format.and_then(qoi_format) {
                return Some(message);
            }
        }
        if let Some(message) = self.level.and_then(|level| level_range(compression, level)) {
            return Some(message);
        }
        match kind {
            AssetKind::Image if self.image.premultiply => self.image.format.and_then(premultiply_format),
            AssetKind::Sound if self.sound.store == SoundStore::Source && self.sound.sample.is_some() => {
                Some(SOURCE_SAMPLE.into())
            }
            _ => None,
        }
    }
}

const SOURCE_SAMPLE: &str =
    "`sound.sample` has no effect with `sound.store` = \"source\", which keeps the file as it is";

fn qoi_kind(kind: AssetKind) -> String {
    format!("`compression` = \"qoi\" is for images only, found kind \"{kind}\"")
}

fn qoi_format(format: PixelFormatChoice) -> Option<String> {
    let is_known = matches!(format, PixelFormatChoice::Rgb8 | PixelFormatChoice::Rgba8);
    let message = "`compression` = \"qoi\" holds rgb8 and rgba8 only, found `image.format`";
    (!is_known).then(|| format!("{message} = \"{}\"", format.name()))
}

fn premultiply_format(format: PixelFormatChoice) -> Option<String> {
    use PixelFormatChoice::{Gray8, R32F, Rgb8, Rgb32F, Rgb565};
    let has_alpha = !matches!(format, Gray8 | Rgb565 | Rgb8 | R32F | Rgb32F);
    (!has_alpha).then(|| format!("`image.premultiply` needs alpha, which `image.format` = \"{}\" lacks", format.name()))
}

fn level_range(compression: Compression, level: i32) -> Option<String> {
    let name = compression.name();
    match compression.levels() {
        None => Some(format!("`level` has no effect with `compression` = \"{name}\", which has no levels")),
        Some((low, high)) if !(low..=high).contains(&level) => {
            Some(format!("`level` = {level} is out of range for `compression` = \"{name}\", expected {low} to {high}"))
        }
        Some(_) => None,
    }
}

/// What `[pack]` and the rules share: a compressor with its level, under `compat`.
pub(super) fn check_compression(
    source: &mut Source<'_>,
    compression: Option<(&Range<usize>, Compression)>,
    level: Option<(&Range<usize>, i32)>,
    compat: Option<Compat>,
) {
    let Some((at, compression)) = compression else { return };
    if let Some((level_at, message)) = level.and_then(|(at, level)| Some((at, level_range(compression, level)?))) {
        contradiction(source, level_at, &message, None);
    }
    if compat == Some(Compat::Raylib) && compression == Compression::Zstd {
        let message = "`compression` = \"zstd\" cannot be read with `compat` = \"raylib\"";
        contradiction(source, at, message, Some("use deflate, lz4, qoi or none"));
    }
}

/// Reports what contradicts itself in the rule `fields` for the files of `pattern`.
pub(super) fn check_rule(source: &mut Source<'_>, pattern: &Pattern, fields: &[Written], compat: Option<Compat>) {
    fn find<'f, T>(fields: &'f [Written], pick: impl Fn(&'f Field) -> Option<T>) -> Option<(&'f Range<usize>, T)> {
        fields.iter().find_map(|written| Some((&written.at, pick(&written.field)?)))
    }
    let kind = find(fields, |field| if let Field::Kind(kind) = field { Some(*kind) } else { None });
    let compression = find(fields, |field| if let Field::Compression(one) = field { Some(*one) } else { None });
    let level = find(fields, |field| if let Field::Level(level) = field { Some(*level) } else { None });
    let format = find(fields, |field| if let Field::Format(format) = field { *format } else { None });
    let premultiply = find(fields, |field| (*field == Field::Premultiply(true)).then_some(()));
    let mipmaps = find(fields, |field| (*field == Field::Mipmaps(true)).then_some(()));
    let ignore = find(fields, |field| (*field == Field::Ignore(true)).then_some(()));
    let source_store = find(fields, |field| (*field == Field::Store(SoundStore::Source)).then_some(()));
    let sample = find(fields, |field| matches!(field, Field::Sample(Some(_))).then_some(()));

    if ignore.is_some() {
        if let Some(other) = fields.iter().find(|written| !matches!(written.field, Field::Ignore(_))) {
            contradiction(source, &other.at, "the rule has `ignore` = true, and ignored files have no settings", None);
        }
        return;
    }
    if !pattern.is_literal() {
        for written in fields {
            let key = match written.field {
                Field::Id(_) => "id",
                Field::Rename(_) => "rename",
                _ => continue,
            };
            let message = format!("`{key}` is for one asset, and \"{}\" can match several", pattern.as_str());
            contradiction(source, &written.at, &message, Some("write a rule with the whole path of the file"));
        }
    }
    check_tables(source, pattern, fields, kind.map(|(_, kind)| kind));
    if let Some((at, Compression::Qoi)) = compression {
        let other = fields.iter().find_map(|written| written.field.table_kind().filter(|one| *one != AssetKind::Image));
        let kind = kind.map(|(_, kind)| kind).or_else(|| extension_kind(pattern)).or(other);
        if let Some(kind) = kind.filter(|kind| *kind != AssetKind::Image) {
            contradiction(source, at, &qoi_kind(kind), None);
        }
        if let Some((at, message)) = format.and_then(|(at, format)| Some((at, qoi_format(format)?))) {
            contradiction(source, at, &message, None);
        }
    }
    check_compression(source, compression, level, compat);
    if let (Some((at, ())), Some(message)) = (premultiply, format.and_then(|(_, format)| premultiply_format(format))) {
        contradiction(source, at, &message, None);
    }
    if let (Some(_), Some((at, ()))) = (source_store, sample) {
        contradiction(source, at, SOURCE_SAMPLE, None);
    }
    if let (Some(Compat::Raylib), Some((at, ()))) = (compat, mipmaps) {
        let message = "`image.mipmaps` = true cannot be read with `compat` = \"raylib\", which knows one level";
        contradiction(source, at, message, None);
    }
}

/// Tables such as `image` in a rule for another kind of asset. One error per table.
fn check_tables(source: &mut Source<'_>, pattern: &Pattern, fields: &[Written], kind: Option<AssetKind>) {
    let extension = extension_kind(pattern);
    let Some(actual) = kind.or(extension) else { return };
    let mut told = None;
    for written in fields {
        let Some(table) = written.field.table_kind() else { continue };
        // Models hold images.
        let fits = table == actual || (table == AssetKind::Image && actual == AssetKind::Model);
        if fits || told == Some(table) {
            continue;
        }
        told = Some(table);
        if kind.is_some() {
            let message = format!("`{table}` has no effect with `kind` = \"{actual}\"");
            contradiction(source, &written.at, &message, None);
        } else {
            let message = format!("`{table}` has no effect on \"{}\": the kind is \"{actual}\"", pattern.as_str());
            let help = format!("if it is to become one: `kind` = \"{table}\" in the same rule");
            contradiction(source, &written.at, &message, Some(&help));
        }
    }
}

/// The kind that the extension of a glob leaves no doubt about.
fn extension_kind(pattern: &Pattern) -> Option<AssetKind> {
    let extension = pattern.as_str().rsplit_once('.')?.1.to_ascii_lowercase();
    match extension.as_str() {
        "png" | "jpg" | "jpeg" | "bmp" | "tga" | "gif" | "hdr" | "qoi" | "dds" => Some(AssetKind::Image),
        "wav" | "ogg" | "mp3" | "flac" => Some(AssetKind::Sound),
        "ttf" | "otf" => Some(AssetKind::Font),
        "gltf" | "glb" => Some(AssetKind::Model),
        _ => None,
    }
}

pub(super) fn contradiction(source: &mut Source<'_>, at: &Range<usize>, message: &str, help: Option<&str>) {
    source.push(at, format!("contradictory values: {message}"), help.map(str::to_owned));
}
