//! Fonts: for each character a picture and its place on the line.

use std::borrow::Cow;

use crate::error::{Error, WarningKind};
use crate::reader::Reader;
use crate::texture::heap_size;
use crate::types::Version;

/// The widest and highest glyph. The glyphs of `nbr` have a height of 256 pixels.
const MAX_SIDE: f32 = 65_535.0;

/// A character and ten metrics, as floats.
const LEAST_GLYPH: usize = 1 + 10 * 4;

/// A character and eleven metrics, as numbers of 16 bits.
const LEAST_OLD_GLYPH: usize = 1 + 11 * 2;

/// Pictures of characters. All metrics are in pixels, of a line 256 pixels high.
#[derive(Clone, Debug, PartialEq)]
pub struct Font<'a> {
    /// The glyphs, in the order of the file, which `nbr` does not determine.
    pub glyphs: Vec<Glyph<'a>>,
    /// From the baseline up to the top of the line.
    pub ascent: f32,
    /// From the baseline down to the bottom of the line; negative.
    pub descent: f32,
    /// From the bottom of a line to the top of the next one.
    pub line_gap: f32,
}

/// The picture of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyph<'a> {
    /// The character, which is one of ASCII in files of `nbr`.
    pub codepoint: u32,
    /// The width of the picture in pixels.
    pub width: u32,
    /// The height of the picture in pixels.
    pub height: u32,
    /// The box around the glyph. `nbr` scales it twice, so it is smaller than the picture.
    pub left: f32,
    /// The box around the glyph.
    pub right: f32,
    /// The box around the glyph.
    pub top: f32,
    /// The box around the glyph.
    pub bottom: f32,
    /// From the pen to the left side of the picture.
    pub offset_x: f32,
    /// From the baseline to the top of the picture, downwards; mostly negative.
    pub offset_y: f32,
    /// From the pen to the pen of the next glyph.
    pub advance_x: f32,
    /// From the pen to the left side of the shape.
    pub left_bearing: f32,
    /// How much of each pixel is covered, row by row from the top left: 0 to 255.
    pub pixels: Cow<'a, [u8]>,
}

/// What numbers the metrics are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Floats,
    /// Whole numbers of 16 bits, with one for kerning that was always 0.
    Shorts,
}

impl<'a> Font<'a> {
    /// The layout changed within version 0.8, so what fits the length of the file is taken; floats if neither does.
    pub(crate) fn parse(reader: &mut Reader<'a>, version: Version) -> Result<Self, Error> {
        let fits = |reader: &Reader<'a>, layout| {
            let mut trial = reader.trial();
            skip(&mut trial, layout).and_then(|()| trial.end()).is_ok()
        };
        // A file of floats that ends early may have the length of one with whole numbers, and says something else then.
        let fits_shorts = |reader: &Reader<'a>| fits(reader, Layout::Shorts) && are_shorts(&mut reader.trial());
        let layout = if version != Version::CURRENT || (!fits(reader, Layout::Floats) && fits_shorts(reader)) {
            Layout::Shorts
        } else {
            Layout::Floats
        };
        let at = reader.position();
        if layout == Layout::Shorts && version == Version::CURRENT {
            let text = "the metrics are whole numbers, as in files from before the 27th of December 2025";
            reader.warn(WarningKind::OldFont, at, "glyphs", text);
        }
        let count = reader.u32("number of glyphs")? as usize;
        let mut glyphs = Vec::with_capacity(reader.list(count, layout.least(), "glyphs")?);
        for number in 0..count {
            let at = reader.position();
            let glyph = Glyph::parse(reader, layout).map_err(|error| error.within("glyphs", number))?;
            if glyph.codepoint <= i8::MAX as u32 {
                glyphs.push(glyph);
                continue;
            }
            let codepoint = (glyph.codepoint as u8).cast_signed();
            let text = format!("{codepoint} is not a character; the glyph is left out");
            reader.warn(WarningKind::Codepoint, at, format!("glyphs[{number}].codepoint"), text);
        }
        let [ascent, descent, line_gap] = ["ascent", "descent", "line gap"].map(|field| layout.metric(reader, field));
        Ok(Self { glyphs, ascent: ascent?, descent: descent?, line_gap: line_gap? })
    }

    pub(crate) fn heap_size(&self) -> usize {
        let pixels = self.glyphs.iter().map(|glyph| heap_size(&glyph.pixels));
        self.glyphs.capacity() * size_of::<Glyph<'_>>() + pixels.sum::<usize>()
    }
}

/// Whether a font that has the length of one with whole numbers is one: its kerning is 0, and a picture has both sides or none.
fn are_shorts(reader: &mut Reader<'_>) -> bool {
    let count = reader.u32("").unwrap_or_default();
    count > 0 && (0..count).all(|_| is_short_glyph(reader).unwrap_or(false))
}

fn is_short_glyph(reader: &mut Reader<'_>) -> Result<bool, Error> {
    /// Left, right, top, bottom, x offset, y offset and advance.
    const METRICS: u64 = 7 * 2;
    reader.u8("")?;
    let (width, height) = (reader.u16("")?, reader.u16("")?);
    reader.take(METRICS, "")?;
    let kerning = reader.i16("")?;
    reader.i16("left bearing")?;
    reader.take(u64::from(width) * u64::from(height), "")?;
    Ok(kerning == 0 && (width == 0) == (height == 0))
}

/// Goes through a font without keeping anything.
fn skip(reader: &mut Reader<'_>, layout: Layout) -> Result<(), Error> {
    for _ in 0..reader.u32("")? {
        Glyph::parse(reader, layout)?;
    }
    for _ in 0..3 {
        layout.metric(reader, "")?;
    }
    Ok(())
}

impl Layout {
    fn least(self) -> usize {
        match self {
            Self::Floats => LEAST_GLYPH,
            Self::Shorts => LEAST_OLD_GLYPH,
        }
    }

    fn metric(self, reader: &mut Reader<'_>, field: &str) -> Result<f32, Error> {
        match self {
            Self::Floats => reader.f32(field),
            Self::Shorts => reader.i16(field).map(f32::from),
        }
    }

    fn side(self, reader: &mut Reader<'_>, field: &str) -> Result<u32, Error> {
        if self == Self::Shorts {
            return reader.u16(field).map(u32::from);
        }
        let at = reader.position();
        let side = reader.f32(field)?;
        // False for NaN.
        let is_good = (0.0..=MAX_SIDE).contains(&side) && side.fract() == 0.0;
        if is_good {
            Ok(side as u32)
        } else {
            Err(reader.invalid(at, field, side, format!("a whole number up to {MAX_SIDE}")))
        }
    }
}

impl<'a> Glyph<'a> {
    fn parse(reader: &mut Reader<'a>, layout: Layout) -> Result<Self, Error> {
        let codepoint = reader.u8("codepoint")?.into();
        let (width, height) = (layout.side(reader, "width")?, layout.side(reader, "height")?);
        let mut metric = |field| layout.metric(reader, field);
        let (left, right, top, bottom) = (metric("left")?, metric("right")?, metric("top")?, metric("bottom")?);
        let (offset_x, offset_y, advance_x) = (metric("x offset")?, metric("y offset")?, metric("advance")?);
        if layout == Layout::Shorts {
            metric("kerning")?;
        }
        let left_bearing = metric("left bearing")?;
        let pixels = reader.take(u64::from(width) * u64::from(height), "pixels")?.into();
        Ok(Self {
            codepoint,
            width,
            height,
            left,
            right,
            top,
            bottom,
            offset_x,
            offset_y,
            advance_x,
            left_bearing,
            pixels,
        })
    }
}
