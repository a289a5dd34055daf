//! Fonts: glyphs rasterised at build time, with one atlas per size.

mod source;

use rres_format::chunk::glyphs::{FontStyle, Glyph, GlyphsView};
use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource, Image};
use crate::error::{Error, ErrorKind, Result};
use crate::resource::{Chunk, LoadedResource};

/// A font, rasterised at one or more sizes.
///
/// The build rasterises it, by the settings `font.size` and `font.chars`. A TTF or OTF that another program packed as a file loads as
/// a font, too, with the feature `font`: 32 pixels high, with the characters that raylib draws by default, which are the characters of
/// ASCII. [`Font::draw`] makes others.
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
    /// In ascending order of their codepoints.
    glyphs: Vec<Glyph>,
    atlas: Image,
}

impl Font {
    /// Returns the sizes that the font was rasterised at, in the order of the settings.
    pub fn strikes(&self) -> &[Strike] {
        &self.strikes
    }

    /// Returns the strike whose size is nearest to `pixels`, the larger one if two are equally near.
    pub fn strike(&self, pixels: u32) -> &Strike {
        let nearest = self.strikes.iter().min_by_key(|s| (s.size.abs_diff(pixels), u32::MAX - s.size));
        nearest.expect("a font has at least one strike")
    }
}

impl Strike {
    /// Returns the size in pixels.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the number of empty pixels around each glyph in the atlas.
    pub fn padding(&self) -> u32 {
        self.padding
    }

    /// Returns the style of the font.
    pub fn style(&self) -> FontStyle {
        self.style
    }

    /// Returns the distance from the top of a line to its baseline, in pixels.
    pub fn ascent(&self) -> f32 {
        self.ascent
    }

    /// Returns the distance from one baseline to the next, in pixels.
    pub fn line_height(&self) -> f32 {
        self.line_height
    }

    /// Returns the pixels: gray and alpha. Alpha is the coverage.
    pub fn atlas(&self) -> &Image {
        &self.atlas
    }

    /// Returns the glyphs, in ascending order of their codepoints.
    pub fn glyphs(&self) -> &[Glyph] {
        &self.glyphs
    }

    /// Returns the glyph of a character; `None` if the font does not contain it.
    pub fn glyph(&self, character: char) -> Option<&Glyph> {
        let codepoint = (character as u32).cast_signed();
        self.glyphs.binary_search_by_key(&codepoint, |glyph| glyph.codepoint).ok().map(|i| &self.glyphs[i])
    }
}

impl Asset for Font {
    const KIND: AssetKind = AssetKind::Font;
}

impl FromResource for Font {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let mut strikes: Vec<Strike> = Vec::new();
        // Metrics are stored for the first strike and scale with the size.
        let metric = |key, size: u32, first: u32| {
            let value = resource.meta.get(key).map(f32::from_bits);
            value.map(|value| value * size as f32 / first.max(1) as f32)
        };
        for (i, chunk) in resource.chunks.iter().enumerate().filter(|(_, chunk)| chunk.kind == FourCc::FNTG) {
            let view = GlyphsView::parse(chunk.payload()?)?;
            let props = view.props();
            let mut glyphs: Vec<Glyph> = view.glyphs().collect();
            glyphs.sort_by_key(|glyph| glyph.codepoint);
            let atlas = resource.chunks.get(i + 1).filter(|next| next.kind == FourCc::IMGE);
            let atlas = atlas.ok_or_else(|| Error::new(ErrorKind::MissingChunk(FourCc::IMGE)))?;
            let atlas = Image::from_chunk(atlas, &resource.meta)?;
            check_places(&glyphs, &atlas)?;
            let first = strikes.first().map_or(props.base_size, |strike| strike.size);
            let size = props.base_size;
            strikes.push(Strike {
                size,
                padding: props.padding,
                style: props.style,
                ascent: metric(MetaKey::ASCENT, size, first).unwrap_or(size as f32 * 0.8),
                line_height: metric(MetaKey::LINE_HEIGHT, size, first).unwrap_or(size as f32 * 1.2),
                glyphs,
                atlas,
            });
        }
        match strikes.is_empty() {
            true => Err(Error::new(ErrorKind::MissingChunk(FourCc::FNTG))),
            false => Ok(Self { strikes }),
        }
    }

    /// The font that another program packed as a file.
    fn from_file(file: &Chunk, resource: &LoadedResource<'_>) -> Option<Result<Self>> {
        source::font_file(file).map(|found| Self::from_source(found?, resource))
    }

    fn decoded_size(&self) -> u64 {
        self.strikes.iter().map(|strike| strike.atlas.data().len() as u64).sum()
    }
}

/// Refuses glyphs that are not inside their atlas.
fn check_places(glyphs: &[Glyph], atlas: &Image) -> Result<()> {
    let is_inside = |start: i32, size: i32, edge: u32| {
        start >= 0 && size >= 0 && i64::from(start) + i64::from(size) <= i64::from(edge)
    };
    let (width, height) = (atlas.width(), atlas.height());
    let outside = glyphs
        .iter()
        .find(|glyph| !is_inside(glyph.x, glyph.width, width) || !is_inside(glyph.y, glyph.height, height));
    let Some(Glyph { codepoint, x, y, width: wide, height: high, .. }) = outside else { return Ok(()) };
    let detail = format!(
        "the glyph of {codepoint:#x} is {wide} × {high} pixels at {x}, {y}, outside its atlas of {width} × {height}"
    );
    Err(rres_format::Error::Inconsistent { what: "font", detail }.into())
}
