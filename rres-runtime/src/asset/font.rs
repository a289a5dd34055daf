//! Fonts: glyphs baked at build time, one atlas per size.

use rres_format::chunk::glyphs::{FontStyle, Glyph, GlyphsView};
use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc};

use super::{Asset, Image, Loaded};
use crate::error::{Error, ErrorKind, Result};

/// A font, rasterised at one or more sizes.
#[derive(Clone, Debug)]
pub struct Font {
    strikes: Vec<Strike>,
}

/// The glyphs of a font at one size, and the atlas that holds their pixels.
#[derive(Clone, Debug)]
pub struct Strike {
    size: u32,
    padding: u32,
    style: FontStyle,
    ascent: f32,
    line_height: f32,
    /// Ascending by codepoint.
    glyphs: Vec<Glyph>,
    atlas: Image,
}

impl Font {
    /// The sizes it was rasterised at, in the order of the settings.
    pub fn strikes(&self) -> &[Strike] {
        &self.strikes
    }

    /// The strike whose size is nearest to `pixels`; the larger of two.
    pub fn strike(&self, pixels: u32) -> &Strike {
        let nearest = self.strikes.iter().min_by_key(|s| (s.size.abs_diff(pixels), u32::MAX - s.size));
        nearest.expect("a font without strikes is not made")
    }
}

impl Strike {
    /// Size in pixels.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Empty pixels around each glyph in the atlas.
    pub fn padding(&self) -> u32 {
        self.padding
    }

    /// Style of the font.
    pub fn style(&self) -> FontStyle {
        self.style
    }

    /// Pixels from the top of a line to its baseline.
    pub fn ascent(&self) -> f32 {
        self.ascent
    }

    /// Pixels from one baseline to the next.
    pub fn line_height(&self) -> f32 {
        self.line_height
    }

    /// The pixels: gray and alpha, where alpha is the coverage.
    pub fn atlas(&self) -> &Image {
        &self.atlas
    }

    /// The glyphs, ascending by codepoint.
    pub fn glyphs(&self) -> &[Glyph] {
        &self.glyphs
    }

    /// The glyph of a character.
    pub fn glyph(&self, character: char) -> Option<&Glyph> {
        let codepoint = (character as u32).cast_signed();
        self.glyphs.binary_search_by_key(&codepoint, |glyph| glyph.codepoint).ok().map(|i| &self.glyphs[i])
    }
}

impl Asset for Font {
    const KIND: AssetKind = AssetKind::Font;

    fn from_loaded(loaded: Loaded<'_>) -> Result<Self> {
        loaded.make(|loaded| {
            let mut strikes: Vec<Strike> = Vec::new();
            // Metrics are stored for the first strike; the others scale.
            let metric = |key, size: u32, first: u32| {
                let value = loaded.meta.get(key).map(f32::from_bits);
                value.map(|value| value * size as f32 / first.max(1) as f32)
            };
            for (i, chunk) in loaded.chunks.iter().enumerate().filter(|(_, chunk)| chunk.kind == FourCc::FNTG) {
                let view = GlyphsView::parse(chunk.payload()?)?;
                let props = view.props();
                let mut glyphs: Vec<Glyph> = view.glyphs().collect();
                glyphs.sort_by_key(|glyph| glyph.codepoint);
                let atlas = loaded.chunks.get(i + 1).filter(|next| next.kind == FourCc::IMGE);
                let atlas = atlas.ok_or_else(|| Error::new(ErrorKind::MissingChunk(FourCc::IMGE)))?;
                let first = strikes.first().map_or(props.base_size, |strike| strike.size);
                let size = props.base_size;
                strikes.push(Strike {
                    size,
                    padding: props.padding,
                    style: props.style,
                    ascent: metric(MetaKey::ASCENT, size, first).unwrap_or(size as f32 * 0.8),
                    line_height: metric(MetaKey::LINE_HEIGHT, size, first).unwrap_or(size as f32 * 1.2),
                    glyphs,
                    atlas: Image::from_chunk(atlas, &loaded.meta)?,
                });
            }
            match strikes.is_empty() {
                true => Err(Error::new(ErrorKind::MissingChunk(FourCc::FNTG))),
                false => Ok(Self { strikes }),
            }
        })
    }
}
