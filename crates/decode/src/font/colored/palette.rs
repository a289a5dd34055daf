//! The colours of glyphs: pictures of the tables CBDT and sbix, and layers of COLR version 0.
//!
//! Pictures belong to a size, their strike. The smallest strike that is at least as large as the wanted size is taken, or else the largest.

use ttf_parser::colr::{ClipBox, CompositeMode, Paint, Painter};
use ttf_parser::{Face, GlyphId, RasterImageFormat, RgbaColor};

use super::super::bounded::{bounded, stop};
use super::super::subset::table;
use super::super::tables::Layout;
use super::super::{DecodeError, damaged};
use super::GlyphPicture;

/// Most strikes of a table.
const MAX_STRIKES: u32 = 64;
/// Most bytes that are read to find pictures: for each glyph, the parser goes through the table of their places.
const MAX_SEARCH: u64 = 1 << 34;
/// Most layers of all glyphs.
const MAX_LAYERS: usize = 1 << 18;
/// The longest edge of a picture in the file.
const MAX_EDGE: u32 = 1024;
/// Most pixels of all pictures in the file.
const MAX_PIXELS: u64 = 1 << 28;
/// The colour of layers that have the colour of the text.
const WHITE: RgbaColor = RgbaColor { red: 255, green: 255, blue: 255, alpha: 255 };

/// The colours of a glyph.
pub(super) enum Colors<'a> {
    Picture(GlyphPicture<'a>),
    /// From the lowest to the uppermost.
    Layers(Vec<Layer>),
    /// This table, which is not read.
    Unread(&'static str),
}

impl Colors<'_> {
    /// None of a picture.
    pub(super) fn layers(&self) -> &[Layer] {
        match self {
            Self::Layers(layers) => layers,
            _ => &[],
        }
    }
}

/// An outline in one colour.
#[derive(Clone, Copy)]
pub(super) struct Layer {
    pub(super) glyph: u16,
    pub(super) color: RgbaColor,
}

/// The coloured glyphs of a font at one size.
pub(super) struct Palette<'a, 'f> {
    face: &'f Face<'a>,
    pixels_per_em: f64,
    /// The strikes of sbix, the best one first.
    strikes: Vec<ttf_parser::sbix::Strike<'a>>,
    layers: usize,
    pixels: u64,
}

impl<'a, 'f> Palette<'a, 'f> {
    /// `count` is how many glyphs will be looked up.
    pub(super) fn new(face: &'f Face<'a>, pixels_per_em: f64, count: usize) -> Result<Self, DecodeError> {
        let places = |tag| table(face.raw_face(), tag).map_or(0, <[u8]>::len);
        let search = places(b"CBLC").max(places(b"EBLC")).max(places(b"bloc"));
        if (search as u64).saturating_mul(count as u64) > MAX_SEARCH {
            return Err(damaged(format!("has {search} bytes of places of pictures, too many for {count} glyphs")));
        }
        let mut strikes = Vec::new();
        if let Some(sbix) = face.tables().sbix {
            let count = sbix.strikes.len();
            if count > MAX_STRIKES {
                return Err(damaged(format!("has {count} strikes of pictures, {MAX_STRIKES} are read")));
            }
            strikes.extend((0..count).filter_map(|i| sbix.strikes.get(i)).filter(|strike| strike.pixels_per_em > 0));
            let wanted = rounded(pixels_per_em);
            // Larger ones ascend, then smaller ones descend.
            strikes.sort_by_key(|strike| match strike.pixels_per_em {
                ppem if ppem >= wanted => (false, ppem),
                ppem => (true, u16::MAX - ppem),
            });
        }
        Ok(Self { face, pixels_per_em, strikes, layers: 0, pixels: 0 })
    }

    /// The colours of a glyph, `None` if it has none.
    pub(super) fn colors(&mut self, glyph: u16) -> Result<Option<Colors<'a>>, DecodeError> {
        let id = GlyphId(glyph);
        let tables = self.face.tables();
        let colr = tables.colr.filter(|colr| colr.contains(id));
        if colr.is_some_and(|colr| colr.is_simple()) {
            return self.layers_of(id).map(|layers| Some(Colors::Layers(layers)));
        }
        if let Some(picture) = self.picture(id)? {
            return Ok(Some(picture));
        }
        let svg = || tables.svg.is_some_and(|svg| svg.documents.find(id).is_some());
        Ok(match () {
            () if colr.is_some() => Some(Colors::Unread("COLR version 1 (gradients)")),
            () if svg() => Some(Colors::Unread("SVG (drawings)")),
            () => None,
        })
    }

    /// The table that pictures come from.
    pub(super) fn picture_table(&self) -> &'static str {
        if self.strikes.is_empty() { "CBDT" } else { "sbix" }
    }

    fn layers_of(&mut self, glyph: GlyphId) -> Result<Vec<Layer>, DecodeError> {
        let mut layers = Layers { most: MAX_LAYERS.saturating_sub(self.layers), glyph: None, layers: Vec::new() };
        let found = bounded(|| self.face.paint_color_glyph(glyph, 0, WHITE, &mut layers));
        match found {
            None => Err(damaged(format!("has more than {MAX_LAYERS} coloured layers"))),
            Some(None) => Err(damaged("is a damaged font: its table COLR names layers or colours that it lacks")),
            Some(Some(())) => {
                let count = self.face.number_of_glyphs();
                if let Some(layer) = layers.layers.iter().find(|layer| layer.glyph >= count) {
                    let detail = format!("its table COLR names glyph {} of {count}", layer.glyph);
                    return Err(damaged(format!("is a damaged font: {detail}")));
                }
                self.layers += layers.layers.len();
                Ok(layers.layers)
            }
        }
    }

    fn picture(&mut self, glyph: GlyphId) -> Result<Option<Colors<'a>>, DecodeError> {
        if self.strikes.is_empty() {
            // Bitmaps of EBDT and bdat have no colours.
            let found = self.face.tables().cbdt.and_then(|cbdt| cbdt.get(glyph, rounded(self.pixels_per_em)));
            return match found {
                Some(image) if image.format != RasterImageFormat::PNG => {
                    Ok(Some(Colors::Unread("CBDT with bitmaps that are not PNG")))
                }
                Some(image) => self.placed(glyph, &image, [0; 2]).map(|picture| Some(Colors::Picture(picture))),
                None => Ok(None),
            };
        }
        for strike in &self.strikes {
            if let Some(image) = strike.get(glyph) {
                // From the lower left corner of the outline, which the font may have for that only.
                let em = i32::from(self.face.units_per_em());
                let pixels = |units: i16| (i32::from(units) * i32::from(image.pixels_per_em)).div_euclid(em);
                let corner = self.face.tables().glyf.and_then(|glyf| glyf.bbox(glyph));
                let corner = corner.map_or([0; 2], |bounds| [pixels(bounds.x_min), pixels(bounds.y_min)]);
                return self.placed(glyph, &image, corner).map(|picture| Some(Colors::Picture(picture)));
            }
        }
        let other = sbix_format(self.face, glyph.0);
        Ok(other.map(|_| Colors::Unread("sbix with pictures that are not PNG")))
    }

    /// `corner` is the place that the place of the picture is relative to, in pixels of the strike.
    fn placed(
        &mut self,
        glyph: GlyphId,
        image: &ttf_parser::RasterGlyphImage<'a>,
        corner: [i32; 2],
    ) -> Result<GlyphPicture<'a>, DecodeError> {
        let stored = (u32::from(image.width), u32::from(image.height));
        let too_large =
            |what: &str| damaged(format!("has {what}: {}×{} pixels of glyph {}", stored.0, stored.1, glyph.0));
        if stored.0 == 0 || stored.1 == 0 || stored.0 > MAX_EDGE || stored.1 > MAX_EDGE {
            return Err(too_large(&format!("a picture that is empty, or wider or higher than {MAX_EDGE}")));
        }
        self.pixels += u64::from(stored.0) * u64::from(stored.1);
        if self.pixels > MAX_PIXELS {
            return Err(too_large(&format!("pictures of more than {MAX_PIXELS} pixels in all")));
        }
        let scale = self.pixels_per_em / f64::from(image.pixels_per_em.max(1));
        let edge = |edge: u32| (f64::from(edge) * scale).round().max(1.0) as u32;
        let place = |place: i16, corner: i32| ((f64::from(place) + f64::from(corner)) * scale).round() as i32;
        Ok(GlyphPicture {
            glyph: glyph.0,
            png: image.data,
            stored,
            drawn: (edge(stored.0), edge(stored.1)),
            left: place(image.x, corner[0]),
            bottom: place(image.y, corner[1]),
        })
    }
}

/// A size as the tables state theirs.
fn rounded(pixels_per_em: f64) -> u16 {
    pixels_per_em.round().clamp(1.0, f64::from(u16::MAX)) as u16
}

/// The format of a glyph's picture in any strike of sbix.
fn sbix_format(face: &Face<'_>, glyph: u16) -> Option<[u8; 4]> {
    let sbix = Layout(table(face.raw_face(), b"sbix")?);
    let format = |strike: usize| {
        let strike = sbix.far_part(8 + strike * 4)?;
        let at = 4 + usize::from(glyph) * 4;
        let (start, end) = (strike.u32(at)?, strike.u32(at + 4)?);
        // After the place of the picture.
        if end > start { strike.tag(start as usize + 4) } else { None }
    };
    (0..sbix.u32(4)?.min(MAX_STRIKES) as usize).find_map(format)
}

/// Collects the layers of a glyph.
struct Layers {
    most: usize,
    glyph: Option<u16>,
    layers: Vec<Layer>,
}

impl Painter<'_> for Layers {
    fn outline_glyph(&mut self, glyph: GlyphId) {
        self.glyph = Some(glyph.0);
    }

    fn paint(&mut self, paint: Paint<'_>) {
        if self.layers.len() >= self.most {
            stop();
        }
        if let (Some(glyph), Paint::Solid(color)) = (self.glyph.take(), paint) {
            self.layers.push(Layer { glyph, color });
        }
    }

    // Of version 1, whose glyphs are not painted.
    fn push_clip(&mut self) {}
    fn push_clip_box(&mut self, _: ClipBox) {}
    fn pop_clip(&mut self) {}
    fn push_layer(&mut self, _: CompositeMode) {}
    fn pop_layer(&mut self) {}
    fn push_transform(&mut self, _: ttf_parser::Transform) {}
    fn pop_transform(&mut self) {}
}
