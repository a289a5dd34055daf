//! TTF and OTF → for each size a strike: FNTG, the glyph table, linked to IMGE, the atlas (gray 255, alpha = coverage).
//!
//! A size is the height from the font's ascent to its descent in pixels, as in raylib and rrespacker. Offsets are
//! relative to the top of the line. Each strike is a separate chain of linked chunks, so that readers that expect one
//! atlas per font load the first. The first font of a collection and the default instance of a variable font are used.
//! rres cannot store kerning, hinting and colour, so these are left out.

mod atlas;
mod bounded;
mod coverage;
mod effort;
mod style;
mod subset;
#[cfg(test)]
mod tests;

use fontdue::{Font, FontSettings as Outlines};
use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc};
use ttf_parser::Face;

use self::atlas::Atlas;
use super::sniff::{Content, sniff, store_raw};
use super::{Block, ImportContext, ImportError, ImportedResource, Importer};
use crate::note::Note;
use crate::settings::{Chosen, Settings};

/// The largest number of strikes of one font.
const MAX_STRIKES: usize = 32;

pub(super) struct FontImporter;

impl Importer for FontImporter {
    fn version(&self) -> u32 {
        3
    }

    fn memory(&self, bytes: &[u8], settings: &Settings) -> u64 {
        // Two copies of the tables with outlines, the atlases, and the outlines of what is drawn, of which a megabyte per
        // thousand glyphs is usual.
        let pixels: u64 = settings.font.size.iter().map(|size| u64::from(*size) * u64::from(*size)).sum();
        let glyphs = (bytes.len() as u64 / 200).min(settings.font.most_characters());
        (bytes.len() as u64).saturating_mul(2).saturating_add(glyphs.saturating_mul(pixels * 8 + 8192))
    }

    fn import(&self, source: &mut ImportContext<'_>) -> Result<Vec<ImportedResource>, ImportError> {
        let settings = &source.settings.font;
        let sizes = settings.size.as_slice();
        if sizes.len() > MAX_STRIKES {
            let error = ImportError::new(format!("{} sizes are configured, {MAX_STRIKES} are supported", sizes.len()));
            return Err(error.with_help("list fewer under font = { size = … } in assets.toml"));
        }
        check_content(source.bytes, source.path)?;
        let face = Face::parse(source.bytes, 0)
            .map_err(|found| ImportError::damaged(format!("is a damaged font: its tables cannot be read ({found})")))?;
        let has = coverage::characters(&face)?;
        if has.is_empty() {
            return Err(ImportError::damaged("is a font without characters"));
        }
        let chosen = settings.choose(&has.keys().copied().collect());
        let characters: Vec<(char, u16)> = chosen.characters.iter().map(|c| (*c, has[c])).collect();

        let extent = Extent::of(&face);
        let units = f32::from(extent.ascent) - f32::from(extent.descent);
        if units < 1.0 {
            return Err(ImportError::damaged(format!("has lines of {units} units from ascent to descent")));
        }
        let pixels_per_unit = sizes.iter().map(|size| f64::from(*size)).sum::<f64>() / f64::from(units);
        // The rasteriser draws glyph 0, which stands for what is missing, in any case.
        let glyphs: Vec<u16> = std::iter::once(0).chain(characters.iter().map(|(_, glyph)| *glyph)).collect();
        if !effort::is_bounded(&face, &glyphs, pixels_per_unit) {
            return Err(ImportError::damaged("has outlines so complex that drawing them would not end"));
        }

        let largest = sizes.iter().copied().max().unwrap_or_default();
        // Outlines are converted to line segments that are fine enough for this scale and all smaller ones.
        // Substitutions (ligatures) cannot be stored.
        let outlines = Outlines { collection_index: 0, scale: largest.max(40) as f32, load_substitutions: false };
        let font = Font::from_bytes(subset::subset(face.raw_face(), &characters), outlines).map_err(|found| {
            let found = found.trim_end_matches('.').to_lowercase();
            ImportError::damaged(format!("is a damaged font: its outlines cannot be read ({found})"))
        })?;
        let style = style::style(source.bytes);
        let mut meta = Meta::default();
        let mut blocks = Vec::with_capacity(sizes.len() * 2);
        for (i, size) in sizes.iter().enumerate() {
            let line = Line::new(&extent, font.units_per_em(), *size);
            if i == 0 {
                meta.set_f32(MetaKey::ASCENT, line.ascent);
                meta.set_f32(MetaKey::LINE_HEIGHT, line.height);
            }
            blocks.extend(strike(&font, &line, &characters, settings.padding, style)?);
        }
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
    fn new(extent: &Extent, units_per_em: f32, size: u32) -> Self {
        let units = f32::from(extent.ascent) - f32::from(extent.descent);
        let pixels = size as f32 / units;
        let ascent = f32::from(extent.ascent) * pixels;
        let height = (units + f32::from(extent.line_gap)) * pixels;
        Self { size, pixels_per_em: size as f32 * units_per_em / units, ascent, height }
    }
}

/// How far lines reach, in units of the font.
struct Extent {
    ascent: i16,
    descent: i16,
    line_gap: i16,
}

impl Extent {
    /// As FreeType chooses among the three that a font may give: a descent of 0 alone does not make another one better.
    fn of(face: &Face<'_>) -> Self {
        let hhea = face.tables().hhea;
        let os2 = face.tables().os2;
        let typographic = os2.map(|os2| Self {
            ascent: os2.typographic_ascender(),
            descent: os2.typographic_descender(),
            line_gap: os2.typographic_line_gap(),
        });
        let is_set = |extent: &Self| extent.ascent != 0 || extent.descent != 0;
        if os2.is_some_and(|os2| os2.use_typographic_metrics())
            && let Some(extent) = typographic
        {
            return extent;
        }
        let hhea = Self { ascent: hhea.ascender, descent: hhea.descender, line_gap: hhea.line_gap };
        let windows = || {
            let os2 = os2?;
            Some(Self { ascent: os2.windows_ascender(), descent: os2.windows_descender(), line_gap: 0 })
        };
        if is_set(&hhea) {
            return hhea;
        }
        typographic.filter(is_set).or_else(windows).unwrap_or(hhea)
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
    let props = ImageProps { width: atlas.width, height: atlas.height, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
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
