//! TTF and OTF → for each size a strike: FNTG, the glyph table, linked to IMGE, the atlas (gray 255, alpha = coverage).
//!
//! `rres-format` draws the glyphs, as the runtime draws glyphs of fonts that other programs pack as files. Each strike is a
//! separate chain of linked chunks, so that readers that expect one atlas per font load the first.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use rres_format::chunk::glyphs::{FontStyle, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::source::{FontError, FontFile, FontStrike, SourceError};
use rres_format::{AssetKind, FourCc};

use super::sniff::{Content, sniff, store_raw};
use super::{Block, ImportError, ImportedResource, Importer, Source};
use crate::note::Note;
use crate::settings::{AssetType, Chosen};

/// The largest number of strikes of one font.
const MAX_STRIKES: usize = 32;

pub(super) struct FontImporter;

impl Importer for FontImporter {
    fn name(&self) -> &str {
        AssetKind::Font.name()
    }

    fn types(&self) -> Vec<AssetType> {
        vec![AssetKind::Font.into()]
    }

    fn version(&self) -> u32 {
        3
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        let (bytes, settings) = (source.bytes, source.settings);
        // Two copies of the tables with outlines, the atlases, and the outlines of the drawn glyphs: a megabyte per
        // thousand glyphs is usual.
        let pixels: u64 = settings.font.size.iter().map(|size| u64::from(*size) * u64::from(*size)).sum();
        let glyphs = (bytes.len() as u64 / 200).min(settings.font.most_characters());
        (bytes.len() as u64).saturating_mul(2).saturating_add(glyphs.saturating_mul(pixels * 8 + 8192))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<ImportedResource>, ImportError> {
        let settings = &source.settings.font;
        let sizes = settings.size.as_slice();
        if sizes.len() > MAX_STRIKES {
            let error = ImportError::new(format!("{} sizes are configured, {MAX_STRIKES} are supported", sizes.len()));
            return Err(error.with_help("list fewer under font = { size = … } in assets.toml"));
        }
        check_content(source.bytes, source.path)?;
        let font = FontFile::open(source.bytes).map_err(explain)?;
        let has: BTreeSet<char> = font.characters().collect();
        let chosen = settings.choose(&has);
        let characters: Vec<char> = chosen.characters.iter().copied().collect();
        let strikes = font.draw(&characters, sizes, settings.padding).map_err(explain)?;
        let mut meta = Meta::default();
        if let Some(first) = strikes.first() {
            meta.set_f32(MetaKey::ASCENT, first.ascent);
            meta.set_f32(MetaKey::LINE_HEIGHT, first.line_height);
        }
        let blocks = strikes.iter().flat_map(|strike| blocks(strike, settings.padding, font.style())).collect();
        let summary = summary(characters.len(), chosen.missing, sizes);
        let notes = note(&chosen, has.len()).into_iter().collect();
        Ok(vec![ImportedResource { meta, notes, ..ImportedResource::new(AssetKind::Font, blocks, summary) }])
    }
}

/// What a user should know about the choice of characters.
fn note(chosen: &Chosen, all: usize) -> Option<Note> {
    let count = chosen.characters.len();
    let help =
        "choose others with font = { chars = … }: \"all\", a script such as \"japanese\", or the characters themselves";
    let note = if chosen.is_fallback {
        Note::new("the font has none of the characters that are asked for; others of it are stored")
            .with_detail(format!("{count} of {all}"))
    } else if chosen.is_partial {
        Note::new("the font has more characters than \"auto\" takes, and most are not stored")
            .with_detail(format!("{count} of {all}"))
    } else if chosen.misses_much {
        Note::new("the font lacks characters that are asked for")
            .with_detail(format!("{count} of {}", count + chosen.missing))
    } else {
        return None;
    };
    Some(note.with_help(help))
}

/// Detects fonts of other formats, so that the error is not about a missing table.
fn check_content(bytes: &[u8], path: &str) -> Result<(), ImportError> {
    const OTHERS: &[(&[u8], &str)] = &[
        (b"wOF2", "a WOFF2 font"),
        (b"wOFF", "a WOFF font"),
        (b"%!PS-AdobeFont", "a PostScript Type 1 font"),
        (b"\x80\x01", "a PostScript Type 1 font"),
        (b"\x01fcp", "a PCF bitmap font"),
        (b"STARTFONT", "a BDF bitmap font"),
        (b"info face=", "an AngelCode bitmap font"),
        (b"BMF", "an AngelCode bitmap font"),
    ];
    if rres_format::source::is_font(bytes) {
        return Ok(());
    }
    let raw = store_raw(path);
    if let Some((_, name)) = OTHERS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Err(ImportError::new(format!("is {name}")).with_help(format!("convert it to TTF or OTF, or {raw}")));
    }
    match sniff(bytes) {
        Some(content) if content != Content::Ttf => Err(content.refuse("a font", path)),
        _ if bytes.is_empty() => Err(ImportError::new("is empty (0 bytes)").with_help("save it again")),
        _ => Err(ImportError::new("is not a TTF or OTF font").with_help(raw)),
    }
}

/// The error of a font that cannot be drawn, with what to do.
fn explain(error: SourceError) -> ImportError {
    let message = error.to_string();
    match error {
        SourceError::Font(FontError::TooLarge(_)) => ImportError::new(message)
            .with_help("ask for a smaller size or fewer characters with font = { … } in assets.toml"),
        SourceError::Font(FontError::NoOutlines) => {
            ImportError::new(message).with_help("use a TTF or OTF with plain outlines")
        }
        _ => ImportError::damaged(message),
    }
}

/// The two chunks of one size.
fn blocks(strike: &FontStrike, padding: u32, style: FontStyle) -> [Block; 2] {
    let props = ImageProps { width: strike.width, height: strike.height, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
    let table = Block::new(FourCc::FNTG, glyphs_block(strike.size, padding, style, &strike.glyphs));
    let image = Block { linked: false, ..Block::new(FourCc::IMGE, props.block(&strike.gray_alpha())) };
    [table, image]
}

fn summary(glyphs: usize, missing: usize, sizes: &[u32]) -> String {
    let sizes = sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let noun = if glyphs == 1 { "glyph" } else { "glyphs" };
    let mut summary = format!("{glyphs} {noun} at {sizes} px");
    if missing > 0 {
        summary += &format!(", {missing} missing");
    }
    summary
}
