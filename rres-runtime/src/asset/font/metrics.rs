//! The heights of lines: from the metadata of a font, or else measured on its glyphs.

use rres_format::chunk::glyphs::Glyph;
use rres_format::index::{Meta, MetaKey};

/// Heights of a strike, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LineMetrics {
    /// From the top of a line to its baseline.
    pub ascent: f32,
    /// From the baseline to the lowest part of letters, above 0.
    pub descent: f32,
    /// From one baseline to the next.
    pub line_height: f32,
    /// Height of capital letters above the baseline.
    pub cap_height: f32,
    /// Height of small letters such as x above the baseline.
    pub x_height: f32,
    /// From the baseline down to the middle of an underline.
    pub underline: f32,
    /// Thickness of an underline.
    pub underline_thickness: f32,
}

impl LineMetrics {
    /// The empty space between the descent of a line and the ascent of the next one; below 0 if they overlap.
    pub fn line_gap(&self) -> f32 {
        self.line_height - self.ascent - self.descent
    }
}

/// The metrics of a strike. Metadata is about the first strike, and scales with the size.
pub(super) fn line_metrics(meta: &Meta, glyphs: &[Glyph], size: u32, first: u32) -> LineMetrics {
    let scale = size as f32 / first.max(1) as f32;
    let stored = |key| meta.get(key).map(|bits| f32::from_bits(bits) * scale);
    let size = size as f32;
    let ascent = stored(MetaKey::ASCENT).unwrap_or(size * 0.8);
    let height_of = |letter: char| {
        let glyph = glyphs.iter().find(|glyph| glyph.codepoint == (letter as u32).cast_signed())?;
        Some(ascent - glyph.offset_y as f32).filter(|height| *height > 0.0)
    };
    LineMetrics {
        ascent,
        descent: stored(MetaKey::DESCENT).unwrap_or_else(|| (size - ascent).max(0.0)),
        line_height: stored(MetaKey::LINE_HEIGHT).unwrap_or(size * 1.2),
        cap_height: stored(MetaKey::CAP_HEIGHT).or_else(|| height_of('H')).unwrap_or(ascent * 0.75),
        x_height: stored(MetaKey::X_HEIGHT).or_else(|| height_of('x')).unwrap_or(ascent * 0.55),
        underline: stored(MetaKey::UNDERLINE).unwrap_or(size * 0.1),
        underline_thickness: stored(MetaKey::UNDERLINE_THICKNESS).unwrap_or(size * 0.05),
    }
}
