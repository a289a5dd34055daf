//! BMFont: a description in text, XML or binary form, and pictures of glyphs → glyph tables and atlases.
//!
//! Each picture becomes a page. Glyphs that are packed into single channels of a picture become a page for each channel.

mod binary;
mod description;
mod markup;
mod pages;

use std::collections::BTreeMap;

use rres_format::chunk::glyphs::{FontStyle, Glyph};
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::kerning::Kerning;
use rres_format::index::GlyphForm;
use rres_import::{Asset, FontBuilder, ImportError, Note, Source};

use self::description::{Channels, Description};

/// What binary descriptions begin with.
const BINARY: &[u8] = b"BMF";

/// Whether a file begins like a description.
pub(super) fn is_description(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    bytes.starts_with(BINARY)
        || start.starts_with(b"info ")
        || start.starts_with(b"<font")
        || start.starts_with(b"<?xml") && bytes[..bytes.len().min(4096)].windows(5).any(|word| word == b"<font")
}

pub(super) fn import(source: &mut Source<'_>) -> Result<Asset, ImportError> {
    let description = if source.bytes.starts_with(BINARY) {
        binary::read(source.bytes)?
    } else {
        let text = source.text()?;
        markup::read(text.strip_prefix('\u{feff}').unwrap_or(text))?
    };
    description.check()?;
    let pictures = pages::read(source, &description)?;
    let style = match (description.is_bold, description.is_italic) {
        (true, _) => FontStyle::BOLD,
        (false, true) => FontStyle::ITALIC,
        (false, false) => FontStyle::REGULAR,
    };
    // Glyphs by page and channel, in ascending order of characters.
    let mut groups: BTreeMap<(u32, Channels), Vec<Glyph>> = BTreeMap::new();
    for glyph in &description.glyphs {
        groups.entry((glyph.page, glyph.channels)).or_default().push(glyph.table_entry());
    }
    if groups.is_empty() {
        let error = ImportError::new("is a BMFont description without characters");
        return Err(error.with_help("export it again with the characters that the game needs"));
    }
    // Readers of one atlas load the first pair: the one with the first characters.
    let mut groups: Vec<((u32, Channels), Vec<Glyph>)> = groups.into_iter().collect();
    groups.iter_mut().for_each(|(_, glyphs)| glyphs.sort_by_key(|glyph| glyph.codepoint));
    groups.sort_by_key(|(key, glyphs)| (glyphs[0].codepoint, *key));
    let has_color = groups.iter().any(|((page, channels), _)| pictures.is_color(*page, *channels));
    let format = if has_color { PixelFormat::RGBA8 } else { PixelFormat::GRAY_ALPHA8 };
    let mut font = FontBuilder::new(style)
        .with_line(description.base, description.line_height)
        .with_kerning(kerning(&description));
    for ((page, channels), glyphs) in &groups {
        let pixels = pictures.pixels(*page, *channels, format);
        font.add_page(description.size, description.padding, glyphs, description.scale, format, &pixels)?;
    }
    font = match description.field {
        Some((form, range)) => font.with_distances(form, range),
        None if has_color => font.with_form(GlyphForm::Picture),
        None => font,
    };
    let count = description.glyphs.len();
    let nouns = (if count == 1 { "glyph" } else { "glyphs" }, if groups.len() == 1 { "page" } else { "pages" });
    let summary = format!("{count} {} at {} px on {} {}", nouns.0, description.size, groups.len(), nouns.1);
    let mut asset = font.into_asset(summary)?;
    if !description.rounded.is_empty() {
        let note =
            Note::new("parts of pixels in a BMFont description are rounded, except for the advance and the line");
        let keys: Vec<String> = description.rounded.iter().map(|key| format!("`{key}`")).collect();
        asset.notes.push(note.with_detail(keys.join(", ")));
    }
    Ok(asset)
}

fn kerning(description: &Description) -> Kerning {
    // There are at most 65,536 characters, which are their own glyphs.
    let number: BTreeMap<char, u16> =
        description.glyphs.iter().enumerate().map(|(i, glyph)| (glyph.character, i as u16)).collect();
    let glyphs = description.glyphs.iter().map(|glyph| {
        (u32::from(glyph.character), number.get(&glyph.character).copied().unwrap_or_default(), glyph.advance)
    });
    let pairs = description
        .kernings
        .iter()
        .filter_map(|(left, right, value)| Some((*number.get(left)?, *number.get(right)?, *value)));
    Kerning::new(description.size as f32, glyphs, pairs)
}

#[cfg(test)]
mod tests;
