//! What it takes to draw glyphs, found by walking their outlines: fonts that would take minutes are refused before.
//!
//! A Chinese font of 20,000 glyphs at 64 pixels takes a tenth of each limit.

use std::collections::HashMap;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::bounded::{bounded, stop};
use super::subset::table;

/// Most lines and curves of all glyphs.
const MAX_SEGMENTS: u64 = 20_000_000;
/// Most lines and curves of a glyph whose distance field is drawn: each is compared with all others near it.
const MAX_OF_FIELD: u64 = 4_096;
/// Most pixels that all lines pass, at all sizes together.
const MAX_LENGTH: f64 = 2e9;
/// The farthest coordinate, in units of the font: numbers of 16 bits, moved and scaled. Beyond, curves cannot be divided.
const MAX_COORDINATE: f32 = (1 << 17) as f32;
/// Most bytes of outlines. The outline of a part of a glyph counts each time that the part is used.
const MAX_OUTLINE_BYTES: u64 = 1 << 28;
/// How deep the parser follows parts of parts.
const MAX_DEPTH: u8 = 32;

/// Whether the glyphs can be drawn within the limits; `pixels_per_unit` is the sum of all sizes, and `has_fields` is whether they are drawn as
/// distance fields.
pub(super) fn is_bounded(face: &Face<'_>, glyphs: &[u16], pixels_per_unit: f64, has_fields: bool) -> bool {
    let mut parts = Parts::of(face);
    let mut bytes = 0u64;
    let fits = glyphs.iter().all(|glyph| {
        bytes = bytes.saturating_add(parts.as_mut().map_or(0, |parts| parts.size(*glyph, 0)));
        bytes <= MAX_OUTLINE_BYTES
    });
    let mut effort = Effort { max_length: MAX_LENGTH / pixels_per_unit.max(1e-6), ..Effort::default() };
    fits && bounded(|| {
        for glyph in glyphs {
            let all = if has_fields { MAX_OF_FIELD } else { MAX_SEGMENTS };
            effort.max_segments = MAX_SEGMENTS.min(effort.segments + all);
            let _ = face.outline_glyph(GlyphId(*glyph), &mut effort);
        }
    })
    .is_some()
}

/// The outlines of a TrueType font.
struct Parts<'a> {
    loca: &'a [u8],
    glyf: &'a [u8],
    is_long: bool,
    /// By glyph and depth.
    known: HashMap<(u16, u8), u64>,
}

impl<'a> Parts<'a> {
    fn of(face: &Face<'a>) -> Option<Self> {
        let table = |tag| table(face.raw_face(), tag);
        let is_long = table(b"head")?.get(50..52)? != [0, 0];
        Some(Self { loca: table(b"loca")?, glyf: table(b"glyf")?, is_long, known: HashMap::new() })
    }

    /// Bytes of a glyph's outline and of its parts.
    fn size(&mut self, glyph: u16, depth: u8) -> u64 {
        if depth >= MAX_DEPTH {
            return 1;
        }
        if let Some(size) = self.known.get(&(glyph, depth)) {
            return *size;
        }
        let outline = self.outline(glyph).unwrap_or_default();
        let mut size = 1 + outline.len() as u64;
        for part in parts(outline) {
            size = size.saturating_add(self.size(part, depth + 1));
        }
        self.known.insert((glyph, depth), size);
        size
    }

    fn outline(&self, glyph: u16) -> Option<&'a [u8]> {
        let offset = |number: usize| -> Option<usize> {
            Some(match self.is_long {
                true => u32::from_be_bytes(self.loca.get(number * 4..)?.first_chunk().copied()?) as usize,
                false => usize::from(u16_at(self.loca, number * 2)?) * 2,
            })
        };
        self.glyf.get(offset(glyph.into())?..offset(usize::from(glyph) + 1)?)
    }
}

/// The glyphs that the outline of a glyph is put together of.
fn parts(outline: &[u8]) -> Vec<u16> {
    let is_composite = outline.first().is_some_and(|first| first & 0x80 != 0);
    let (mut parts, mut at) = (Vec::new(), 10);
    while is_composite && let (Some(flags), Some(glyph)) = (u16_at(outline, at), u16_at(outline, at + 2)) {
        parts.push(glyph);
        // Its place, in words or bytes; one scale, two or a matrix.
        at += 4 + if flags & 1 == 0 { 2 } else { 4 };
        at += match flags & 0xc8 {
            0x08 => 2,
            0x40 => 4,
            0x80 => 8,
            _ => 0,
        };
        if flags & 0x20 == 0 {
            break;
        }
    }
    parts
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

/// The work of drawing, summed up over outlines.
#[derive(Default)]
struct Effort {
    segments: u64,
    max_segments: u64,
    /// In units of the font.
    length: f64,
    max_length: f64,
    last: (f32, f32),
}

impl Effort {
    fn go(&mut self, x: f32, y: f32) {
        // Also false for NaN.
        let is_near = |v: f32| v.abs() <= MAX_COORDINATE;
        self.length += f64::from((x - self.last.0).abs() + (y - self.last.1).abs());
        self.segments += 1;
        if !is_near(x) || !is_near(y) || self.segments > self.max_segments || self.length > self.max_length {
            stop();
        }
        self.last = (x, y);
    }
}

impl OutlineBuilder for Effort {
    fn move_to(&mut self, x: f32, y: f32) {
        self.last = (x, y);
        self.go(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.go(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.go(x1, y1);
        self.go(x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.go(x1, y1);
        self.go(x2, y2);
        self.go(x, y);
    }

    fn close(&mut self) {}
}
