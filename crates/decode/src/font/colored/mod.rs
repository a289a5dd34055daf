//! Coloured glyphs: pictures, and layers, which are outlines of other glyphs in one colour each. Glyphs without colours become white, so that
//! all pages have one form.

mod draw;
mod palette;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ttf_parser::GlyphId;

use self::draw::{Colored, bleed};
use self::palette::{Colors, Palette};
use super::coverage::Coverage;
use super::{DecodeError, FontDrawing, FontError, FontFile, FontStrike, damaged, effort, outline};

/// Most pixels of all layers of a size: as many as four atlases of the largest size have.
const MAX_LAYER_PIXELS: u64 = 1 << 30;

/// The picture of a glyph in a font file, and where it is drawn at a size.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GlyphPicture<'a> {
    /// The number of the glyph in the font.
    pub glyph: u16,
    /// A PNG file.
    pub png: &'a [u8],
    /// Width and height that the file states for the picture, in pixels.
    pub stored: (u32, u32),
    /// Width and height at which the glyph is drawn, in pixels: at least 1.
    pub drawn: (u32, u32),
    /// From the pen on the baseline to the left edge.
    pub left: i32,
    /// From the pen on the baseline up to the lower edge.
    pub bottom: i32,
}

impl<'a> FontFile<'a> {
    /// Returns whether one of these characters has a coloured glyph that [`FontFile::draw_in_color`] draws: a PNG of the table `CBDT` or
    /// `sbix`, or layers of `COLR` version 0.
    ///
    /// # Errors
    /// If these tables are damaged, or have more than is read.
    pub fn is_colored(&self, characters: &[char]) -> Result<bool, DecodeError> {
        let glyphs = self.glyphs_of(characters);
        let mut palette = Palette::new(&self.face, f64::from(u16::MAX), glyphs.len())?;
        for (_, glyph) in glyphs {
            if let Some(Colors::Picture(_) | Colors::Layers(_)) = palette.colors(glyph)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the characters whose glyphs are coloured and would be blank, with the table that has them: they have no outline, and
    /// either colours are not drawn, or they are of a form that is not read.
    ///
    /// # Errors
    /// As [`FontFile::is_colored`].
    pub fn color_only(&self, characters: &[char], in_color: bool) -> Result<Vec<(char, &'static str)>, DecodeError> {
        let glyphs = self.glyphs_of(characters);
        let mut palette = Palette::new(&self.face, f64::from(u16::MAX), glyphs.len())?;
        let mut found = Vec::new();
        for (character, glyph) in glyphs {
            let table = match palette.colors(glyph)? {
                Some(Colors::Unread(table)) => table,
                Some(Colors::Picture(_)) if !in_color => palette.picture_table(),
                Some(Colors::Layers(_)) if !in_color => "COLR",
                _ => continue,
            };
            if outline::contours(&self.face, glyph).is_empty() {
                found.push((character, table));
            }
        }
        Ok(found)
    }

    /// Draws these characters at each size as [`FontFile::draw`] does, but in colours: pages have four channels, red, green, blue and alpha.
    /// `decode` makes the pixels of a picture, as many as [`GlyphPicture::drawn`] says, four bytes each with rows from the top. Glyphs
    /// without colours are white, as are layers that have the colour of the text. Invisible pixels beside visible ones have their colour.
    ///
    /// Advances come from the table `hmtx`. [`FontDrawing::field`] does not apply.
    ///
    /// # Errors
    /// As [`FontFile::draw`]; the first error of `decode`; if there are more pictures or layers than are read.
    pub fn draw_in_color<E: From<DecodeError>>(
        &self,
        characters: &[char],
        drawing: &FontDrawing,
        mut decode: impl FnMut(&GlyphPicture<'a>) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<FontStrike>, E> {
        let characters = self.glyphs_of(characters);
        let numbers: BTreeSet<u16> = characters.iter().map(|(_, glyph)| *glyph).collect();
        let em = f64::from(self.face.units_per_em());
        let units = f64::from(self.extent.units());
        let mut colors_of_sizes = Vec::new();
        for size in &drawing.sizes {
            let mut palette = Palette::new(&self.face, f64::from(*size) * em / units, numbers.len())?;
            let mut colors = BTreeMap::new();
            for glyph in &numbers {
                if let Some(found) = palette.colors(*glyph)? {
                    colors.insert(*glyph, found);
                }
            }
            colors_of_sizes.push(colors);
        }
        // Layers are the same at all sizes. A glyph counts each time that it is a layer.
        let layers = colors_of_sizes.iter().take(1).flat_map(BTreeMap::values).flat_map(Colors::layers);
        let outlines: Vec<u16> =
            [0].into_iter().chain(numbers.iter().copied()).chain(layers.map(|layer| layer.glyph)).collect();
        let pixels_per_unit = drawing.sizes.iter().map(|size| f64::from(*size)).sum::<f64>() / units;
        if !effort::is_bounded(&self.face, &outlines, pixels_per_unit, false) {
            return Err(damaged("has outlines so complex that drawing them would not end").into());
        }
        let once: BTreeSet<u16> = outlines.iter().copied().filter(|glyph| *glyph > 0).collect();
        // The rasteriser keeps the outlines of characters; which ones does not matter.
        let listed: Vec<(char, u16)> = ('\u{10000}'..).zip(once).collect();
        let font = self.rasteriser(&listed, &outlines, &drawing.sizes)?;
        let mut strikes = Vec::new();
        for (size, glyphs) in drawing.sizes.iter().zip(&colors_of_sizes) {
            let pixels_per_unit = *size as f32 / self.extent.units();
            let advance =
                |glyph: u16| f32::from(self.face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0)) * pixels_per_unit;
            let pixels_per_em = *size as f32 * self.face.units_per_em() as f32 / self.extent.units();
            let mut colored = Colored {
                coverage: Coverage { font: &font, pixels_per_em },
                glyphs,
                advance: &advance,
                decode: RefCell::new(&mut decode),
                failed: RefCell::new(None),
            };
            let area: u64 = glyphs.values().flat_map(Colors::layers).map(|layer| colored.area(layer)).sum();
            if area > MAX_LAYER_PIXELS {
                let detail = format!("coloured layers of {area} pixels at {size} px, {MAX_LAYER_PIXELS} are drawn");
                return Err(DecodeError::Font(FontError::TooLarge(detail.into())).into());
            }
            let mut strike = self.strike(*size, &colored, &characters, drawing)?;
            if let Some(error) = colored.failed.get_mut().take() {
                return Err(error);
            }
            strike.pages.iter_mut().for_each(|page| bleed(&mut page.pixels, page.width as usize));
            strikes.push(strike);
        }
        Ok(strikes)
    }
}
