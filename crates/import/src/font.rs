//! Fonts that importers make: for each page FNTG, linked to IMGE, then KERN.

use std::collections::BTreeSet;

use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::kerning::Kerning;
use rres_format::index::{GlyphForm, Meta, MetaKey};
use rres_format::{AssetKind, FourCc};

use crate::{Asset, Block, ImportError};

/// Makes a font of drawn glyphs: pages, which are pictures with the places of glyphs on them, and measures.
///
/// A font has a strike for each size, and a strike has one page or more. Readers that expect one picture per font load the first page.
///
/// ```
/// use rres_format::chunk::glyphs::{FontStyle, Glyph};
/// use rres_format::chunk::image::PixelFormat;
/// use rres_import::FontBuilder;
///
/// let mut font = FontBuilder::new(FontStyle::REGULAR);
/// let dot = Glyph { codepoint: '.' as i32, width: 1, height: 1, offset_y: 7, advance_x: 2, ..Glyph::default() };
/// font.add_page(8, 0, &[dot], (1, 1), PixelFormat::GRAY_ALPHA8, &[255, 255])?;
/// let asset = font.with_line(7.0, 9.0).into_asset("1 glyph at 8 px")?;
/// # assert_eq!(asset.kind, rres_format::AssetKind::Font);
/// # Ok::<(), rres_import::ImportError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FontBuilder {
    style: FontStyle,
    blocks: Vec<Block>,
    meta: Meta,
    kerning: Option<Kerning>,
    /// The sizes so far.
    sizes: BTreeSet<u32>,
    /// The characters of the last size.
    characters: BTreeSet<i32>,
    last_size: u32,
}

impl FontBuilder {
    /// Creates a font without pages.
    pub fn new(style: FontStyle) -> Self {
        Self {
            style,
            blocks: Vec::new(),
            meta: Meta::default(),
            kerning: None,
            sizes: BTreeSet::new(),
            characters: BTreeSet::new(),
            last_size: 0,
        }
    }

    /// Adds a page with glyphs of a size in pixels. `padding` pixels around each glyph are empty. The picture has `width` × `height` pixels,
    /// row by row from the top: [`PixelFormat::GRAY_ALPHA8`], with gray 255 and the coverage in alpha, or [`PixelFormat::RGBA8`].
    /// Pages of a size follow one another.
    ///
    /// # Errors
    /// [`ImportError`] if the picture has another format or size, a glyph is not on it, is not a character or is in the strike
    /// already, or the size was complete before.
    pub fn add_page(
        &mut self,
        size: u32,
        padding: u32,
        glyphs: &[Glyph],
        (width, height): (u32, u32),
        format: PixelFormat,
        pixels: &[u8],
    ) -> Result<(), ImportError> {
        let bytes = match format {
            PixelFormat::GRAY_ALPHA8 => 2,
            PixelFormat::RGBA8 => 4,
            other => return Err(ImportError::new(format!("has a page of {other}, expected GRAY_ALPHA8 or RGBA8"))),
        };
        let expected = u128::from(width) * u128::from(height) * bytes;
        if pixels.len() as u128 != expected {
            let found = pixels.len();
            return Err(ImportError::new(format!(
                "has {found} bytes of a page, expected {width} × {height} × {bytes}"
            )));
        }
        if self.last_size != size || self.sizes.is_empty() {
            if !self.sizes.insert(size) {
                return Err(ImportError::new(format!("has pages of {size} px that do not follow one another")));
            }
            (self.last_size, self.characters) = (size, BTreeSet::new());
        }
        for glyph in glyphs {
            check_glyph(glyph, width, height)?;
            if !self.characters.insert(glyph.codepoint) {
                let message = format!("has two glyphs of U+{:04X} at {size} px", glyph.codepoint);
                return Err(ImportError::damaged(message));
            }
        }
        let props = ImageProps { width, height, format, mipmaps: 1 };
        self.blocks.push(Block::new(FourCc::FNTG, glyphs_block(size, padding, self.style, glyphs)));
        self.blocks.push(Block { linked: false, ..Block::new(FourCc::IMGE, props.block(pixels)) });
        Ok(())
    }

    /// Sets where the baseline is, in pixels from the top of a line, and the height of a line: at the size of the first page.
    #[must_use]
    pub fn with_line(self, ascent: f32, line_height: f32) -> Self {
        self.with_metric(MetaKey::ASCENT, ascent).with_metric(MetaKey::LINE_HEIGHT, line_height)
    }

    /// Sets another length in pixels at the size of the first page, such as [`MetaKey::CAP_HEIGHT`].
    #[must_use]
    pub fn with_metric(mut self, key: MetaKey, pixels: f32) -> Self {
        self.meta.set_f32(key, pixels);
        self
    }

    /// Sets what the pixels of the pages are. Without, they are coverage.
    #[must_use]
    pub fn with_form(mut self, form: GlyphForm) -> Self {
        if form != GlyphForm::Coverage {
            self.meta.set(MetaKey::GLYPH_FORM, form as u32);
        }
        self
    }

    /// Sets that the pages are distance fields, whose values change over `range` pixels.
    #[must_use]
    pub fn with_distances(self, form: GlyphForm, range: f32) -> Self {
        self.with_form(form).with_metric(MetaKey::DISTANCE_RANGE, range)
    }

    /// Sets exact advances, and how much nearer or farther certain pairs are.
    #[must_use]
    pub fn with_kerning(self, kerning: Kerning) -> Self {
        Self { kerning: Some(kerning), ..self }
    }

    /// Makes the asset. `summary` is for the documentation of the constant: `95 glyphs at 16 px`.
    ///
    /// # Errors
    /// [`ImportError`] without a page.
    pub fn into_asset(self, summary: impl Into<String>) -> Result<Asset, ImportError> {
        let Self { mut blocks, meta, kerning, .. } = self;
        if blocks.is_empty() {
            return Err(ImportError::new("became a font without pages"));
        }
        blocks.extend(kerning.map(|table| Block { linked: false, ..Block::new(FourCc::KERN, table.block()) }));
        Ok(Asset { meta, ..Asset::new(AssetKind::Font, blocks, summary) })
    }
}

fn check_glyph(glyph: &Glyph, width: u32, height: u32) -> Result<(), ImportError> {
    let Glyph { x, y, width: wide, height: high, codepoint, .. } = *glyph;
    if u32::try_from(codepoint).ok().and_then(char::from_u32).is_none() {
        return Err(ImportError::damaged(format!("has a glyph of {codepoint:#x}, which is not a character")));
    }
    let is_inside =
        |start: i32, size: i32, edge: u32| start >= 0 && size >= 0 && i64::from(start) + i64::from(size) <= edge.into();
    if is_inside(x, wide, width) && is_inside(y, high, height) {
        return Ok(());
    }
    let place = format!("{wide} × {high} pixels at {x}, {y}, outside its page of {width} × {height}");
    Err(ImportError::damaged(format!("the glyph of U+{codepoint:04X} is {place}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(codepoint: i32) -> Glyph {
        Glyph { codepoint, x: 1, width: 1, height: 2, ..Glyph::default() }
    }

    #[test]
    fn wrong_pages_are_errors() {
        const GRAY: PixelFormat = PixelFormat::GRAY_ALPHA8;
        let mut font = FontBuilder::new(FontStyle::REGULAR);
        let mut add = |size, glyphs: &[Glyph], format, pixels: &[u8]| {
            font.add_page(size, 0, glyphs, (2, 2), format, pixels).err().map(|error| error.to_string())
        };
        assert_eq!(add(8, &[glyph(65), glyph(66)], GRAY, &[0; 8]), None);
        let cases = [
            (add(8, &[glyph(66)], GRAY, &[0; 8]), "has two glyphs of U+0042 at 8 px"),
            (add(8, &[], PixelFormat::RGB8, &[0; 12]), "expected GRAY_ALPHA8 or RGBA8"),
            (add(8, &[], GRAY, &[0; 7]), "has 7 bytes of a page, expected 2 × 2 × 2"),
            (add(8, &[glyph(0xD800)], GRAY, &[0; 8]), "has a glyph of 0xd800, which is not a character"),
            (
                add(8, &[Glyph { y: 1, ..glyph(67) }], GRAY, &[0; 8]),
                "the glyph of U+0043 is 1 × 2 pixels at 1, 1, outside",
            ),
        ];
        for (found, expected) in cases {
            assert!(found.as_ref().is_some_and(|found| found.contains(expected)), "{found:?}, expected {expected}");
        }
        assert_eq!(add(16, &[glyph(65)], GRAY, &[0; 8]), None);
        let late = add(8, &[glyph(68)], GRAY, &[0; 8]);
        assert_eq!(late.as_deref(), Some("has pages of 8 px that do not follow one another"));
        assert_eq!(font.into_asset("").unwrap().blocks.len(), 4);
        assert!(FontBuilder::new(FontStyle::REGULAR).into_asset("").is_err());
    }
}
