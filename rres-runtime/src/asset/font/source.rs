//! A TTF or OTF that a pack contains as a file → a font.

use rres_decode::is_font;
use rres_format::FourCc;
use rres_format::chunk::raw::RawView;

use crate::error::Result;
use crate::resource::Chunk;

/// The bytes in a RAWD chunk, if they begin like a font.
pub(super) fn font_file(chunk: &Chunk) -> Option<Result<&[u8]>> {
    if chunk.kind != FourCc::RAWD {
        return None;
    }
    let bytes = chunk.payload().and_then(|payload| Ok(RawView::parse(payload)?.bytes()));
    Some(bytes).filter(|bytes| bytes.as_ref().map_or(true, |bytes| is_font(bytes)))
}

#[cfg(not(feature = "font"))]
impl super::Font {
    pub(super) fn from_source(_: &[u8], _: &crate::resource::LoadedResource<'_>) -> Result<Self> {
        Err(rres_decode::DecodeError::NoDecoder { format: "TTF or OTF", feature: "font" }.into())
    }
}

#[cfg(feature = "font")]
mod drawn {
    use std::sync::Arc;

    use rres_decode::{FontDrawing, FontFile, FontPage};
    use rres_format::Limits;
    use rres_format::chunk::image::{ImageProps, PixelFormat};
    use rres_format::index::{GlyphForm, Meta};

    use super::super::{Font, Image, LineMetrics, Strike};
    use crate::bytes::{AssetBytes, Backing};
    use crate::error::{Error, Result};
    use crate::resource::LoadedResource;

    /// The size of a font if nothing says another, in pixels.
    const SIZE: u32 = 32;
    /// Empty pixels around a glyph, as many as the build leaves.
    const PADDING: u32 = 2;
    /// Most characters of a font that is not one of letters.
    const MAX_CHARACTERS: usize = 1500;

    impl Font {
        pub(in super::super) fn from_source(file: &[u8], resource: &LoadedResource<'_>) -> Result<Self> {
            let font = FontFile::open(file)?;
            let ascii: Vec<char> = font.characters().filter(|c| (' '..='~').contains(c)).collect();
            // A font of symbols has its own characters, or a few beside those.
            let has_letters = ascii.iter().filter(|c| c.is_ascii_alphabetic()).count() >= 26;
            let characters = if has_letters { ascii } else { font.characters().take(MAX_CHARACTERS).collect() };
            of_file(&font, &[SIZE], &characters, resource.limits)
        }

        /// Draws these characters of a TTF or OTF font at these sizes, in pixels from ascent to descent. Characters that the
        /// font does not have are left out.
        ///
        /// The build does that for fonts in the assets directory; this is for fonts that the player chooses, and for
        /// those that other programs packed as files.
        ///
        /// ```
        /// use rres_runtime::{Font, Raw};
        ///
        /// /// The glyphs of a text in a font that a mod brings.
        /// fn title_font(file: &Raw, title: &str) -> rres_runtime::Result<Font> {
        ///     Font::draw(file, &[48], &title.chars().collect::<Vec<_>>())
        /// }
        /// ```
        ///
        /// # Errors
        /// If `sizes` is empty, the file is not a font or is damaged, has no outlines, or would take minutes to draw, and if the
        /// glyphs of a size do not fit an atlas of 8192 pixels.
        pub fn draw(file: &[u8], sizes: &[u32], characters: &[char]) -> Result<Self> {
            let font = FontFile::open(file)?;
            of_file(&font, sizes, characters, Limits::DEFAULT)
        }
    }

    fn of_file(font: &FontFile<'_>, sizes: &[u32], characters: &[char], limits: Limits) -> Result<Font> {
        if sizes.is_empty() {
            let detail = "no size to draw it at, expected at least one".to_owned();
            return Err(Error::from(rres_format::Error::Inconsistent { what: "font", detail }));
        }
        let drawing = FontDrawing { sizes: sizes.to_vec(), padding: PADDING, ..FontDrawing::default() };
        let drawn = font.draw(characters, &drawing)?;
        let pages = drawn.iter().flat_map(|strike| &strike.pages);
        let size = pages.map(|page| page.pixels.len() as u64 * 2).sum();
        limits.check_decoded("the size of the decoded font in bytes", size)?;
        let kerning = Arc::new(font.kerning(characters).0);
        let strikes = drawn.into_iter().map(|strike| {
            let line = font.line_metrics(strike.size);
            let mut made = Strike {
                size: strike.size,
                padding: PADDING,
                style: font.style(),
                line: LineMetrics {
                    ascent: strike.ascent,
                    line_height: strike.line_height,
                    descent: line.descent,
                    cap_height: line.cap_height,
                    x_height: line.x_height,
                    underline: line.underline,
                    underline_thickness: line.underline_thickness,
                },
                glyphs: Vec::new(),
                pages_of: Vec::new(),
                pages: Vec::new(),
                kerning: kerning.clone(),
                form: GlyphForm::Coverage,
                range: None,
            };
            for page in strike.pages {
                let image = image(&page);
                made.add_page(page.glyphs, image);
            }
            made
        });
        Ok(Font { strikes: strikes.collect(), kerning: kerning.clone() })
    }

    fn image(page: &FontPage) -> Image {
        let props = ImageProps { width: page.width, height: page.height, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
        Image::new(props, AssetBytes::new(Backing::Owned(page.stored().into())), &Meta::default())
    }
}
