//! A TTF or OTF font → glyphs of the sizes and characters that are asked for, each size with its atlas.
//!
//! A size is the height from the font's ascent to its descent in pixels, as in raylib and rrespacker. Offsets are
//! relative to the top of the line. The first font of a collection and the default instance of a variable font are used.

mod atlas;
mod bounded;
mod coverage;
mod effort;
mod style;
mod subset;

use std::collections::BTreeMap;
use std::fmt;

use fontdue::{Font, FontSettings as Outlines};
use ttf_parser::Face;

use self::atlas::Atlas;
use super::{FontError, SourceError};
use crate::chunk::glyphs::{FontStyle, Glyph};

/// The tables of a font file. Glyphs are drawn from them.
///
/// ```
/// use rres_format::source::{FontFile, SourceError};
///
/// /// Draws the digits of a font, 24 pixels high with a pixel around each.
/// fn digits(file: &[u8]) -> Result<Vec<u8>, SourceError> {
///     let font = FontFile::open(file)?;
///     let strikes = font.draw(&('0'..='9').collect::<Vec<_>>(), &[24], 1)?;
///     Ok(strikes[0].coverage.clone())
/// }
///
/// let error = digits(b"\0\x01\0\0").unwrap_err();
/// assert!(error.to_string().starts_with("is a damaged font: "));
/// ```
pub struct FontFile<'a> {
    face: Face<'a>,
    style: FontStyle,
    extent: Extent,
    /// Each character with the number of its glyph; at least one.
    characters: BTreeMap<char, u16>,
}

/// The glyphs of a font at one size, and the pixels that they have in an atlas.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FontStrike {
    /// The height from ascent to descent, in pixels.
    pub size: u32,
    /// From the top of a line to its baseline, in pixels.
    pub ascent: f32,
    /// From one baseline to the next, in pixels.
    pub line_height: f32,
    /// In ascending order of the characters that were asked for.
    pub glyphs: Vec<Glyph>,
    /// Width of the atlas in pixels, a power of two of at most 8192.
    pub width: u32,
    /// Height of the atlas in pixels, as the width.
    pub height: u32,
    /// One byte per pixel, rows from the top: 0 outside of glyphs, 255 inside.
    pub coverage: Vec<u8>,
}

impl<'a> FontFile<'a> {
    /// Reads the tables of a font.
    ///
    /// # Errors
    /// If a table that is needed is missing or damaged, or the font has no characters.
    pub fn open(file: &'a [u8]) -> Result<Self, SourceError> {
        // The parser jumps to the first font of a collection, and panics in debug builds if that is far outside of the file.
        if let Some([b't', b't', b'c', b'f', _, _, _, _, _, _, _, _, offset @ ..]) = file.first_chunk::<16>()
            && u32::from_be_bytes(*offset) as usize > file.len()
        {
            return Err(damaged("is a damaged font: its first font is outside of the file"));
        }
        let face = Face::parse(file, 0)
            .map_err(|found| damaged(format!("is a damaged font: its tables cannot be read ({found})")))?;
        let characters = coverage::characters(&face)?;
        if characters.is_empty() {
            return Err(damaged("is a font without characters"));
        }
        let extent = Extent::of(&face);
        let units = extent.units();
        if units < 1.0 {
            return Err(damaged(format!("has lines of {units} units from ascent to descent")));
        }
        Ok(Self { face, style: style::style(file), extent, characters })
    }

    /// Returns the characters of the font, ascending.
    pub fn characters(&self) -> impl Iterator<Item = char> + '_ {
        self.characters.keys().copied()
    }

    /// Returns whether the font is bold or italic.
    pub fn style(&self) -> FontStyle {
        self.style
    }

    /// Draws these characters at each size, if the font has them. `padding` is the number of empty pixels around
    /// a glyph.
    ///
    /// # Errors
    /// If outlines are damaged, missing or would take minutes, and if the glyphs of a size do not fit one atlas.
    pub fn draw(&self, characters: &[char], sizes: &[u32], padding: u32) -> Result<Vec<FontStrike>, SourceError> {
        let mut characters: Vec<(char, u16)> =
            characters.iter().filter_map(|c| Some((*c, *self.characters.get(c)?))).collect();
        characters.sort_unstable();
        characters.dedup();
        let pixels_per_unit = sizes.iter().map(|size| f64::from(*size)).sum::<f64>() / f64::from(self.extent.units());
        // The rasteriser draws glyph 0, which replaces missing ones, in any case.
        let glyphs: Vec<u16> = std::iter::once(0).chain(characters.iter().map(|(_, glyph)| *glyph)).collect();
        if !effort::is_bounded(&self.face, &glyphs, pixels_per_unit) {
            return Err(damaged("has outlines so complex that drawing them would not end"));
        }
        let largest = sizes.iter().copied().max().unwrap_or_default();
        // Outlines are converted to line segments that are fine enough for this scale and all smaller ones.
        // Substitutions (ligatures) cannot be stored.
        let outlines = Outlines { collection_index: 0, scale: largest.max(40) as f32, load_substitutions: false };
        let font = Font::from_bytes(subset::subset(self.face.raw_face(), &characters), outlines).map_err(|found| {
            let found = found.trim_end_matches('.').to_lowercase();
            damaged(format!("is a damaged font: its outlines cannot be read ({found})"))
        })?;
        sizes.iter().map(|size| self.strike(&font, *size, &characters, padding)).collect()
    }

    fn strike(
        &self,
        font: &Font,
        size: u32,
        characters: &[(char, u16)],
        padding: u32,
    ) -> Result<FontStrike, SourceError> {
        let line = Line::new(&self.extent, font.units_per_em(), size);
        let atlas = Atlas::new(font, line.pixels_per_em, characters, padding).map_err(|overflow| {
            let detail = format!("{} glyphs at {size} px, {overflow}", characters.len());
            SourceError::Font(FontError::TooLarge(detail.into()))
        })?;
        // Whole pixels, so that the distance between glyphs does not depend on the position of the pen.
        let baseline = line.ascent.round() as i32;
        let glyphs: Vec<Glyph> = characters.iter().map(|c| atlas.glyph(*c, baseline)).collect();
        let has_pixels = glyphs.iter().any(|glyph| glyph.width > 0);
        if !has_pixels && characters.iter().any(|(c, _)| !c.is_whitespace()) {
            return Err(SourceError::Font(FontError::NoOutlines));
        }
        let Atlas { width, height, coverage, .. } = atlas;
        Ok(FontStrike { size, ascent: line.ascent, line_height: line.height, glyphs, width, height, coverage })
    }
}

impl FontStrike {
    /// Returns the pixels of the atlas as packs store them: gray, which is 255, and alpha, which is the coverage.
    pub fn gray_alpha(&self) -> Vec<u8> {
        let mut pixels = vec![0xff; self.coverage.len() * 2];
        for (pixel, coverage) in pixels.chunks_exact_mut(2).zip(&self.coverage) {
            pixel[1] = *coverage;
        }
        pixels
    }
}

impl fmt::Debug for FontFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { style, characters, .. } = self;
        f.debug_struct("FontFile").field("style", style).field("characters", &characters.len()).finish_non_exhaustive()
    }
}

fn damaged(what: impl Into<Box<str>>) -> SourceError {
    SourceError::Font(FontError::Damaged(what.into()))
}

/// The line metrics at one size.
struct Line {
    /// The size for the rasteriser: pixels per em.
    pixels_per_em: f32,
    /// From the top of the line to the baseline.
    ascent: f32,
    /// From baseline to baseline.
    height: f32,
}

impl Line {
    fn new(extent: &Extent, units_per_em: f32, size: u32) -> Self {
        let units = extent.units();
        let pixels = size as f32 / units;
        let ascent = f32::from(extent.ascent) * pixels;
        let height = (units + f32::from(extent.line_gap)) * pixels;
        Self { pixels_per_em: size as f32 * units_per_em / units, ascent, height }
    }
}

/// How far lines reach, in units of the font.
struct Extent {
    ascent: i16,
    descent: i16,
    line_gap: i16,
}

impl Extent {
    /// From ascent to descent.
    fn units(&self) -> f32 {
        f32::from(self.ascent) - f32::from(self.descent)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_whose_first_font_is_outside_of_it_is_damaged() {
        let head = b"ttcf\0\x01\0\0\0\0\0\x01";
        for offset in [[0xff; 4], [0, 0, 0, 17], [0xff, 0xff, 0xff, 0xf0]] {
            let file = [&head[..], &offset, &[0; 64]].concat();
            assert!(matches!(FontFile::open(&file), Err(SourceError::Font(FontError::Damaged(_)))), "{offset:?}");
        }
    }
}
