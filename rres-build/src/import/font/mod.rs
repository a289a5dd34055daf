//! TTF and OTF → for each size a strike: FNTG, the glyph table, linked to IMGE, the atlas (gray 255, alpha = coverage).
//!
//! A size is the height from the font's ascent to its descent in pixels, as in raylib and rrespacker. Offsets are
//! relative to the top of the line. Each strike is a separate chain of linked chunks, so that readers that expect one
//! atlas per font load the first. The first font of a collection and the default instance of a variable font are used.
//! rres cannot store kerning, hinting and colour, so these are left out.

mod atlas;
mod style;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use fontdue::{Font, FontSettings as Outlines};
use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc};

use self::atlas::Atlas;
use super::sniff::{Content, sniff, store_raw};
use super::{Block, ImportContext, ImportError, ImportedResource, Importer};

/// The largest number of strikes of one font.
const MAX_STRIKES: usize = 32;

pub(super) struct FontImporter;

impl Importer for FontImporter {
    fn version(&self) -> u32 {
        2
    }

    fn import(&self, source: &mut ImportContext<'_>) -> Result<Vec<ImportedResource>, ImportError> {
        let settings = &source.settings.font;
        let sizes = settings.size.as_slice();
        if sizes.len() > MAX_STRIKES {
            let error = ImportError::new(format!("{} sizes are configured, {MAX_STRIKES} are supported", sizes.len()));
            return Err(error.with_help("list fewer under font = { size = … } in assets.toml"));
        }
        check_content(source.bytes, source.path)?;
        let largest = sizes.iter().copied().max().unwrap_or_default();
        // Outlines are converted to line segments that are fine enough for this scale and all smaller ones.
        // Substitutions (ligatures) cannot be stored.
        let outlines = Outlines { collection_index: 0, scale: largest.max(40) as f32, load_substitutions: false };
        let font = Font::from_bytes(source.bytes, outlines).map_err(|found| {
            let found = found.trim_end_matches('.').to_lowercase();
            ImportError::new(format!("is a damaged font: {found}")).with_help("download or export it again")
        })?;

        let wanted = settings.characters();
        let characters = characters(&font, source.bytes, &wanted);
        if characters.is_empty() {
            let error = ImportError::new(format!("has none of the {} characters that are asked for", wanted.len()));
            return Err(error.with_help("set font = { chars = … } in assets.toml to characters that it has"));
        }
        let style = style::style(source.bytes);
        let mut meta = Meta::default();
        let mut blocks = Vec::with_capacity(sizes.len() * 2);
        for (i, size) in sizes.iter().enumerate() {
            let line = Line::new(&font, *size)?;
            if i == 0 {
                meta.set_f32(MetaKey::ASCENT, line.ascent);
                meta.set_f32(MetaKey::LINE_HEIGHT, line.height);
            }
            blocks.extend(strike(&font, &line, &characters, settings.padding, style)?);
        }
        let summary = summary(characters.len(), wanted.len() - characters.len(), sizes);
        Ok(vec![ImportedResource { meta, ..ImportedResource::new(AssetKind::Font, blocks, summary) }])
    }
}

/// The characters of `wanted` that the font has, each with its glyph index.
///
/// fontdue treats the codes of every character table as Unicode, even those of Mac Roman, where ™ is 0xaa: a font
/// without ª would show a ™ instead. So its list is used only for fonts without a Unicode table.
fn characters(font: &Font, bytes: &[u8], wanted: &BTreeSet<char>) -> Vec<(char, u16)> {
    let face = ttf_parser::Face::parse(bytes, 0).ok();
    let unicode = face
        .as_ref()
        .and_then(|face| face.tables().cmap)
        .filter(|cmap| cmap.subtables.into_iter().any(|table| table.is_unicode()));
    let number = |character: char| match (&face, unicode) {
        (Some(face), Some(_)) => face.glyph_index(character).map(|glyph| glyph.0),
        _ => Some(font.lookup_glyph_index(character)),
    };
    wanted.iter().filter_map(|c| Some((*c, number(*c).filter(|number| *number != 0)?))).collect()
}

/// Detects fonts of other formats, so that the error is not about a missing table.
fn check_content(bytes: &[u8], path: &str) -> Result<(), ImportError> {
    const READABLE: &[&[u8]] = &[b"\0\x01\0\0", b"OTTO", b"true", b"ttcf"];
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
    if READABLE.iter().any(|mark| bytes.starts_with(mark)) {
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

/// The line metrics at one size.
struct Line {
    size: u32,
    /// The size for the rasteriser: pixels per em.
    pixels_per_em: f32,
    /// From the top of the line to the baseline.
    ascent: f32,
    /// From baseline to baseline.
    height: f32,
}

impl Line {
    fn new(font: &Font, size: u32) -> Result<Self, ImportError> {
        let unscaled = font.horizontal_line_metrics(font.units_per_em());
        let extent = unscaled.map_or(0.0, |line| line.ascent - line.descent);
        if extent < 1.0 || !font.units_per_em().is_normal() {
            let error = ImportError::new(format!("has lines of {extent} units from ascent to descent"));
            return Err(error.with_help("it is damaged: download or export it again"));
        }
        let pixels_per_em = size as f32 * font.units_per_em() / extent;
        let scaled = font.horizontal_line_metrics(pixels_per_em);
        let (ascent, height) = scaled.map_or((0.0, 0.0), |line| (line.ascent, line.new_line_size));
        Ok(Self { size, pixels_per_em, ascent, height })
    }
}

/// The two chunks of one size.
fn strike(
    font: &Font,
    line: &Line,
    characters: &[(char, u16)],
    padding: u32,
    style: FontStyle,
) -> Result<[Block; 2], ImportError> {
    let atlas = Atlas::new(font, line.pixels_per_em, characters, padding).map_err(|overflow| {
        let (count, size) = (characters.len(), line.size);
        ImportError::new(format!("does not fit: {count} glyphs at {size} px, {overflow}"))
            .with_help("ask for a smaller size or fewer characters with font = { … } in assets.toml")
    })?;
    // Whole pixels, so that the distance between glyphs does not depend on the position of the pen.
    let baseline = line.ascent.round() as i32;
    let glyphs: Vec<Glyph> = characters.iter().map(|c| atlas.glyph(*c, baseline)).collect();
    let mut pixels = vec![0; atlas.coverage.len() * 2];
    for (pixel, coverage) in pixels.chunks_exact_mut(2).zip(&atlas.coverage) {
        pixel.copy_from_slice(&[0xff, *coverage]);
    }
    let has_pixels = glyphs.iter().any(|glyph| glyph.width > 0);
    if !has_pixels && characters.iter().any(|(c, _)| !c.is_whitespace()) {
        let error = ImportError::new("has characters but no outlines: a bitmap, colour or CFF2 font");
        return Err(error.with_help("use a TTF or OTF with plain outlines"));
    }
    let props = ImageProps { width: atlas.width, height: atlas.height, format: PixelFormat::GRAY_ALPHA, mipmaps: 1 };
    let table = Block::new(FourCc::FNTG, glyphs_block(line.size, padding, style, &glyphs));
    let image = Block { linked: false, ..Block::new(FourCc::IMGE, props.block(&pixels)) };
    Ok([table, image])
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
