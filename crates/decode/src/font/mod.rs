//! A TTF or OTF font → glyphs of the sizes and characters that are asked for, each size with its atlas.
//!
//! A size is the height from the font's ascent to its descent in pixels, as in raylib and rrespacker. Offsets are
//! relative to the top of the line. The first font of a collection is used, and of a variable font the default
//! instance, unless an axis is moved.

mod atlas;
mod axes;
mod bounded;
mod characters;
mod colored;
mod coverage;
mod effort;
mod field;
mod instance;
mod kern;
mod line;
mod outline;
mod style;
mod subset;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use fontdue::{Font, FontSettings as Outlines};
use ttf_parser::{Face, GlyphId};

use self::atlas::{Draw, Page};
pub use self::axes::Axis;
pub use self::colored::GlyphPicture;
use self::coverage::Coverage;
pub use self::field::DistanceField;
use self::field::Field;
pub use self::line::LineMetrics;
use self::line::{Extent, Line};
use crate::{DecodeError, FontError};
use rres_format::chunk::glyphs::{FontStyle, Glyph};
use rres_format::chunk::kerning::Kerning;
use rres_format::index::GlyphForm;

/// The tables of a font file. Glyphs are drawn from them.
///
/// ```
/// use rres_decode::{FontDrawing, FontFile, DecodeError};
///
/// /// Draws the digits of a font, 24 pixels high with a pixel around each.
/// fn digits(file: &[u8]) -> Result<Vec<u8>, DecodeError> {
///     let font = FontFile::open(file)?;
///     let drawing = FontDrawing { sizes: vec![24], padding: 1, ..FontDrawing::default() };
///     let strikes = font.draw(&('0'..='9').collect::<Vec<_>>(), &drawing)?;
///     Ok(strikes[0].pages[0].pixels.clone())
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
    /// Whether the outlines differ from the file's: the axes are elsewhere, or they have a form that the rasteriser does not read.
    is_instance: bool,
}

/// The smallest weight of a bold font: semi-bold.
const BOLD: f32 = 600.0;

/// How glyphs are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontDrawing {
    /// Heights from ascent to descent, in pixels.
    pub sizes: Vec<u32>,
    /// Empty pixels around a glyph.
    pub padding: u32,
    /// The most pixels that a page of an atlas may be wide and high. Rounded down to a power of two of at most 8192.
    pub page_edge: u32,
    /// Draws distances instead of coverage.
    pub field: Option<DistanceField>,
    /// The difference of distance between the values 0 and 255 of a field, in pixels. At least 1.
    pub range: u32,
}

impl Default for FontDrawing {
    fn default() -> Self {
        Self { sizes: vec![32], padding: 2, page_edge: atlas::MAX_EDGE, field: None, range: 4 }
    }
}

/// The glyphs of a font at one size.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FontStrike {
    /// The height from ascent to descent, in pixels.
    pub size: u32,
    /// From the top of a line to its baseline, in pixels.
    pub ascent: f32,
    /// From one baseline to the next, in pixels.
    pub line_height: f32,
    /// The pages of the atlas, at least one. Characters ascend from page to page.
    pub pages: Vec<FontPage>,
}

/// Some glyphs of a font, and the pixels that they have in an image.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FontPage {
    /// In ascending order of the characters that were asked for.
    pub glyphs: Vec<Glyph>,
    /// Width of the page in pixels, a power of two of at most 8192.
    pub width: u32,
    /// Height of the page in pixels, as the width.
    pub height: u32,
    /// Bytes of a pixel: 1, or 4 for [`DistanceField::Multi`] and of [`FontFile::draw_in_color`].
    pub channels: usize,
    /// The pixels, rows from the top: 0 outside of glyphs, 255 inside; in colours RGBA with straight alpha.
    pub pixels: Vec<u8>,
}

impl<'a> FontFile<'a> {
    /// Reads the tables of a font.
    ///
    /// # Errors
    /// If a table that is needed is missing or damaged, or the font has no characters.
    pub fn open(file: &'a [u8]) -> Result<Self, DecodeError> {
        // The parser jumps to the first font of a collection, and panics in debug builds if that is far outside of the file.
        if let Some([b't', b't', b'c', b'f', _, _, _, _, _, _, _, _, offset @ ..]) = file.first_chunk::<16>()
            && u32::from_be_bytes(*offset) as usize > file.len()
        {
            return Err(damaged("is a damaged font: its first font is outside of the file"));
        }
        let face = Face::parse(file, 0)
            .map_err(|found| damaged(format!("is a damaged font: its tables cannot be read ({found})")))?;
        let characters = characters::characters(&face)?;
        if characters.is_empty() {
            return Err(damaged("is a font without characters"));
        }
        let extent = Extent::of(&face);
        let units = extent.units();
        if units < 1.0 {
            return Err(damaged(format!("has lines of {units} units from ascent to descent")));
        }
        let is_instance = face.tables().glyf.is_none() && face.tables().cff.is_none();
        Ok(Self { face, style: style::style(file), extent, characters, is_instance })
    }

    /// Returns the characters of the font, ascending.
    pub fn characters(&self) -> impl Iterator<Item = char> + '_ {
        self.characters.keys().copied()
    }

    /// Returns whether the font is bold or italic.
    pub fn style(&self) -> FontStyle {
        self.style
    }

    /// Returns the axes of a variable font, in the order of the file; none of another font.
    pub fn axes(&self) -> Vec<Axis> {
        axes::axes(&self.face)
    }

    /// Returns the named instances of a variable font, each with a value for each axis.
    pub fn instances(&self) -> Vec<(String, Vec<f32>)> {
        axes::instances(&self.face)
    }

    /// Moves an axis of a variable font, so that glyphs are drawn with that weight or width. The value is limited to the range of the axis.
    /// Whether the font has the axis.
    pub fn set_axis(&mut self, tag: [u8; 4], value: f32) -> bool {
        let is_known = self.axes().iter().any(|axis| axis.tag == tag);
        let is_set = is_known && self.face.set_variation(ttf_parser::Tag::from_bytes(&tag), value).is_some();
        self.is_instance |= is_set;
        // What the file says is about its default instance.
        let is_plain = matches!(self.style, FontStyle::REGULAR | FontStyle::UNDEFINED);
        match &tag {
            b"wght" if is_set && value >= BOLD => self.style = FontStyle::BOLD,
            b"wght" if is_set && self.style == FontStyle::BOLD => self.style = FontStyle::REGULAR,
            b"ital" if is_set && is_plain && value > 0.0 => self.style = FontStyle::ITALIC,
            b"slnt" if is_set && is_plain && value != 0.0 => self.style = FontStyle::ITALIC,
            _ => {}
        }
        is_set
    }

    /// Returns the line metrics at a size, in pixels.
    pub fn line_metrics(&self, size: u32) -> LineMetrics {
        line::metrics(&self.face, &self.extent, size)
    }

    /// Returns the exact advances of these characters, and which pairs of them are kerned: by GPOS, or else by the `kern` table. The
    /// second value tells whether the tables have so much that it was left out.
    pub fn kerning(&self, characters: &[char]) -> (Kerning, bool) {
        let glyphs: Vec<(u32, u16, f32)> = self
            .glyphs_of(characters)
            .into_iter()
            .map(|(character, glyph)| {
                let advance = self.face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0);
                (u32::from(character), glyph, f32::from(advance))
            })
            .collect();
        let numbers: BTreeSet<u16> = glyphs.iter().map(|glyph| glyph.1).collect();
        let found = kern::pairs(&self.face, &numbers);
        let pairs = found.pairs.into_iter().map(|((left, right), value)| (left, right, value));
        (Kerning::new(self.extent.units(), glyphs, pairs), found.is_cut)
    }

    /// The characters of these that the font has, ascending, with their glyphs.
    fn glyphs_of(&self, characters: &[char]) -> Vec<(char, u16)> {
        let mut characters: Vec<(char, u16)> =
            characters.iter().filter_map(|c| Some((*c, *self.characters.get(c)?))).collect();
        characters.sort_unstable();
        characters.dedup();
        characters
    }

    /// Draws these characters at each size, if the font has them.
    ///
    /// # Errors
    /// If outlines are damaged, missing or would take minutes, and if a glyph does not fit a page or all do not fit memory.
    pub fn draw(&self, characters: &[char], drawing: &FontDrawing) -> Result<Vec<FontStrike>, DecodeError> {
        let characters = self.glyphs_of(characters);
        let sizes = &drawing.sizes;
        let pixels_per_unit = sizes.iter().map(|size| f64::from(*size)).sum::<f64>() / f64::from(self.extent.units());
        // The rasteriser draws glyph 0, which replaces missing ones, in any case.
        let glyphs: Vec<u16> = std::iter::once(0).chain(characters.iter().map(|(_, glyph)| *glyph)).collect();
        if !effort::is_bounded(&self.face, &glyphs, pixels_per_unit, drawing.field.is_some()) {
            return Err(damaged("has outlines so complex that drawing them would not end"));
        }
        let Some(form) = drawing.field else {
            let font = self.rasteriser(&characters, &glyphs, sizes)?;
            let em = f32::from(self.face.units_per_em());
            let strike = |size: &u32| {
                let pixels_per_em = *size as f32 * em / self.extent.units();
                self.strike(*size, &Coverage { font: &font, pixels_per_em }, &characters, drawing)
            };
            return sizes.iter().map(strike).collect();
        };
        let numbers: BTreeSet<u16> = characters.iter().map(|(_, glyph)| *glyph).collect();
        let numbers: Vec<u16> = numbers.into_iter().collect();
        let strike = |size: &u32| {
            let pixels_per_unit = f64::from(*size) / f64::from(self.extent.units());
            let field = Field::new(&self.face, &numbers, pixels_per_unit, form, drawing.range);
            self.strike(*size, &field, &characters, drawing)
        };
        sizes.iter().map(strike).collect()
    }

    fn rasteriser(&self, characters: &[(char, u16)], glyphs: &[u16], sizes: &[u32]) -> Result<Font, DecodeError> {
        let largest = sizes.iter().copied().max().unwrap_or_default();
        // Outlines are converted to line segments that are fine enough for this scale and all smaller ones. Those for the size itself
        // make a dot of a few pixels a tenth smaller.
        // Substitutions (ligatures) cannot be stored.
        let outlines =
            Outlines { collection_index: 0, scale: (16 * largest.max(40)) as f32, load_substitutions: false };
        let too_far = || damaged("has outlines that reach more than four ems at these axis values");
        let own = match self.is_instance {
            true => instance::tables(&self.face, glyphs).ok_or_else(too_far)?,
            false => Vec::new(),
        };
        Font::from_bytes(subset::subset(self.face.raw_face(), &own, characters), outlines).map_err(|found| {
            let found = found.trim_end_matches('.').to_lowercase();
            damaged(format!("is a damaged font: its outlines cannot be read ({found})"))
        })
    }

    fn strike(
        &self,
        size: u32,
        pen: &dyn Draw,
        characters: &[(char, u16)],
        drawing: &FontDrawing,
    ) -> Result<FontStrike, DecodeError> {
        let line = Line::new(&self.extent, size);
        let pages = atlas::pages(pen, characters, drawing.padding, drawing.page_edge).map_err(|overflow| {
            let detail = format!("{} glyphs at {size} px, {overflow}", characters.len());
            DecodeError::Font(FontError::TooLarge(detail.into()))
        })?;
        // Whole pixels, so that the distance between glyphs does not depend on the position of the pen.
        let baseline = line.ascent.round() as i32;
        let page = |page: Page| FontPage {
            glyphs: page.glyphs(baseline),
            width: page.width,
            height: page.height,
            channels: pen.channels(),
            pixels: page.pixels,
        };
        let pages: Vec<FontPage> = pages.into_iter().map(page).collect();
        let has_pixels = pages.iter().flat_map(|page| &page.glyphs).any(|glyph| glyph.width > 0);
        if !has_pixels && characters.iter().any(|(c, _)| !c.is_whitespace()) {
            return Err(DecodeError::Font(FontError::NoOutlines(self.other_tables().into())));
        }
        Ok(FontStrike { size, ascent: line.ascent, line_height: line.height, pages })
    }

    /// The tables that may have glyphs of another kind, as a list.
    fn other_tables(&self) -> String {
        let has = |tag: &[u8; 4]| subset::table(self.face.raw_face(), tag).is_some();
        let tables: [(&[u8; 4], &str); 7] = [
            (b"COLR", "COLR (coloured layers)"),
            (b"CBDT", "CBDT (coloured bitmaps)"),
            (b"sbix", "sbix (pictures)"),
            (b"SVG ", "SVG (drawings)"),
            (b"EBDT", "EBDT (bitmaps)"),
            (b"bdat", "bdat (bitmaps)"),
            (b"EBSC", "EBSC (scaled bitmaps)"),
        ];
        let found: Vec<&str> = tables.into_iter().filter(|(tag, _)| has(tag)).map(|(_, name)| name).collect();
        if found.is_empty() { "no other table with glyphs".to_owned() } else { found.join(", ") }
    }
}

impl FontPage {
    /// Returns the pixels of the page as packs store them: gray, which is 255, and alpha, which is the coverage or the distance; of four
    /// channels as they are.
    pub fn stored(&self) -> Vec<u8> {
        if self.channels == 4 {
            return self.pixels.clone();
        }
        let mut pixels = vec![0xff; self.pixels.len() * 2];
        for (pixel, alpha) in pixels.chunks_exact_mut(2).zip(&self.pixels) {
            pixel[1] = *alpha;
        }
        pixels
    }
}

impl DistanceField {
    /// Returns how the index of a pack names the form.
    pub fn form(self) -> GlyphForm {
        match self {
            Self::Single => GlyphForm::Sdf,
            Self::Multi => GlyphForm::Msdf,
        }
    }
}

impl fmt::Debug for FontFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { style, characters, .. } = self;
        f.debug_struct("FontFile").field("style", style).field("characters", &characters.len()).finish_non_exhaustive()
    }
}

fn damaged(what: impl Into<Box<str>>) -> DecodeError {
    DecodeError::Font(FontError::Damaged(what.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_whose_first_font_is_outside_of_it_is_damaged() {
        let head = b"ttcf\0\x01\0\0\0\0\0\x01";
        for offset in [[0xff; 4], [0, 0, 0, 17], [0xff, 0xff, 0xff, 0xf0]] {
            let file = [&head[..], &offset, &[0; 64]].concat();
            assert!(matches!(FontFile::open(&file), Err(DecodeError::Font(FontError::Damaged(_)))), "{offset:?}");
        }
    }
}
