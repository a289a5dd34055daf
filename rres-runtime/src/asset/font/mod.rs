//! Fonts: glyphs drawn at build time, with an atlas of one or more pages per size.

mod metrics;
mod source;

use std::sync::Arc;

use rres_format::chunk::glyphs::{FontStyle, Glyph, GlyphsView};
use rres_format::chunk::kerning::Kerning;
use rres_format::index::{GlyphForm, MetaKey};
use rres_format::{AssetKind, FourCc};

pub use self::metrics::LineMetrics;
use super::{Asset, FromResource, Image};
use crate::error::{Error, ErrorKind, Result};
use crate::resource::{Chunk, LoadedResource};

/// A font, drawn at one or more sizes.
///
/// The build draws it, by the settings `font.size` and `font.chars`. A TTF or OTF that another program packed as a file loads as
/// a font, too, with the feature `font`: 32 pixels high, with the characters that raylib draws by default, which are the characters of
/// ASCII. `Font::draw` makes others.
#[derive(Clone, Debug)]
pub struct Font {
    strikes: Vec<Strike>,
    kerning: Arc<Kerning>,
}

/// The glyphs of a font at one size, and the atlas that holds their pixels.
#[derive(Clone, Debug)]
pub struct Strike {
    size: u32,
    padding: u32,
    style: FontStyle,
    line: LineMetrics,
    /// In ascending order of their codepoints.
    glyphs: Vec<Glyph>,
    /// The page of each glyph.
    pages_of: Vec<u16>,
    pages: Vec<Image>,
    kerning: Arc<Kerning>,
    form: GlyphForm,
    range: Option<f32>,
}

impl Font {
    /// Returns the sizes that the font was drawn at, in the order of the settings.
    pub fn strikes(&self) -> &[Strike] {
        &self.strikes
    }

    /// Returns the strike whose size is nearest to `pixels`, the larger one if two are equally near.
    pub fn strike(&self, pixels: u32) -> &Strike {
        let nearest = self.strikes.iter().min_by_key(|s| (s.size.abs_diff(pixels), u32::MAX - s.size));
        nearest.expect("a font has at least one strike")
    }

    /// Returns how much nearer (below 0) or farther the two characters stand than the advance of the first one says, as a part of the
    /// size of the text: times 32, it is pixels of text of 32 pixels. [`Strike::kerning`] has it in pixels of the strike.
    pub fn kerning(&self, first: char, second: char) -> f32 {
        f32::from(self.kerning.between(first, second)) / self.kerning.units().max(1.0)
    }
}

impl Strike {
    /// Returns the size in pixels: from the ascent of a line to its descent.
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
        self.line.ascent
    }

    /// Returns the distance from one baseline to the next, in pixels.
    pub fn line_height(&self) -> f32 {
        self.line.line_height
    }

    /// Returns the heights of a line and of its letters, and where an underline is.
    pub fn line_metrics(&self) -> LineMetrics {
        self.line
    }

    /// Returns the pixels of the first page: gray and alpha, or RGBA. Alpha is the coverage or the distance; see
    /// [`Self::form`].
    pub fn atlas(&self) -> &Image {
        &self.pages[0]
    }

    /// Returns all pages of the atlas, at least one. More than one if the glyphs did not fit the setting `font.atlas_size`.
    pub fn pages(&self) -> &[Image] {
        &self.pages
    }

    /// Returns the number of the page that contains a character, in [`Self::pages`]; `None` if the font does not contain it.
    pub fn page(&self, character: char) -> Option<usize> {
        self.find(character).map(|at| usize::from(self.pages_of[at]))
    }

    /// Returns what the pixels of the atlas mean.
    pub fn form(&self) -> GlyphForm {
        self.form
    }

    /// Returns the difference of distance between the values 0 and 255 of a distance field, in pixels of the atlas; `None` if the atlas
    /// has no distances.
    pub fn distance_range(&self) -> Option<f32> {
        self.range.filter(|_| matches!(self.form, GlyphForm::Sdf | GlyphForm::Msdf))
    }

    /// Returns the glyphs of all pages, in ascending order of their codepoints.
    pub fn glyphs(&self) -> &[Glyph] {
        &self.glyphs
    }

    /// Returns the glyph of a character; `None` if the font does not contain it.
    pub fn glyph(&self, character: char) -> Option<&Glyph> {
        self.find(character).map(|at| &self.glyphs[at])
    }

    /// Returns the exact distance from the pen before a character to the one after it, in pixels; [`Glyph::advance_x`] is rounded. `None`
    /// if the font does not contain it.
    pub fn advance(&self, character: char) -> Option<f32> {
        let glyph = self.glyph(character)?;
        let exact = self.kerning.advance(character).map(|units| units * self.pixels_per_unit());
        Some(exact.unwrap_or(glyph.advance_x as f32))
    }

    /// Returns how much is added to the advance of `first` if `second` follows, in pixels: below 0 if they stand nearer, and 0 for most
    /// pairs.
    pub fn kerning(&self, first: char, second: char) -> f32 {
        f32::from(self.kerning.between(first, second)) * self.pixels_per_unit()
    }

    /// Returns every kerned pair of characters, in order, with what is added in pixels. A font may have hundred thousands.
    pub fn kerned_pairs(&self) -> impl Iterator<Item = (char, char, f32)> + '_ {
        let scale = self.pixels_per_unit();
        self.kerning.pairs().map(move |(first, second, units)| (first, second, f32::from(units) * scale))
    }

    fn pixels_per_unit(&self) -> f32 {
        self.size as f32 / self.kerning.units().max(1.0)
    }

    fn find(&self, character: char) -> Option<usize> {
        let codepoint = (character as u32).cast_signed();
        self.glyphs.binary_search_by_key(&codepoint, |glyph| glyph.codepoint).ok()
    }

    /// Adds the glyphs of another page, after the others. [`Self::sort`] follows the last page.
    fn add_page(&mut self, glyphs: Vec<Glyph>, page: Image) {
        let number = self.pages.len() as u16;
        self.pages.push(page);
        self.pages_of.resize(self.glyphs.len() + glyphs.len(), number);
        self.glyphs.extend(glyphs);
    }

    /// Sorts the glyphs of several pages.
    fn sort(&mut self) {
        if self.pages.len() > 1 {
            let mut all: Vec<(Glyph, u16)> =
                std::mem::take(&mut self.glyphs).into_iter().zip(std::mem::take(&mut self.pages_of)).collect();
            all.sort_by_key(|(glyph, _)| glyph.codepoint);
            (self.glyphs, self.pages_of) = all.into_iter().unzip();
        }
    }
}

impl Asset for Font {
    const KIND: AssetKind = AssetKind::Font;
}

impl FromResource for Font {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let table = resource.chunks.iter().find(|chunk| chunk.kind == FourCc::KERN);
        let kerning = match table {
            Some(chunk) => Kerning::parse(chunk.payload()?)?,
            None => Kerning::default(),
        };
        let kerning = Arc::new(kerning);
        let number = |key| resource.meta.get(key).map(f32::from_bits);
        let form = resource.meta.get(MetaKey::GLYPH_FORM).and_then(GlyphForm::from_number).unwrap_or_default();
        let mut strikes: Vec<Strike> = Vec::new();
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
            // A pair of the same size as the one before is its next page.
            if let Some(last) = strikes.last_mut().filter(|last| last.size == size) {
                last.add_page(glyphs, atlas);
                continue;
            }
            strikes.push(Strike {
                size,
                padding: props.padding,
                style: props.style,
                line: metrics::line_metrics(&resource.meta, &glyphs, size, first),
                pages_of: vec![0; glyphs.len()],
                glyphs,
                pages: vec![atlas],
                kerning: kerning.clone(),
                form,
                range: number(MetaKey::DISTANCE_RANGE),
            });
        }
        strikes.iter_mut().for_each(Strike::sort);
        match strikes.is_empty() {
            true => Err(Error::new(ErrorKind::MissingChunk(FourCc::FNTG))),
            false => Ok(Self { strikes, kerning }),
        }
    }

    /// The font that another program packed as a file.
    fn from_file(file: &Chunk, resource: &LoadedResource<'_>) -> Option<Result<Self>> {
        source::font_file(file).map(|found| Self::from_source(found?, resource))
    }

    fn decoded_size(&self) -> u64 {
        self.strikes.iter().flat_map(|strike| &strike.pages).map(|page| page.data().len() as u64).sum()
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
