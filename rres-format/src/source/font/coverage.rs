//! Glyphs by the rasteriser: each byte is the part of a pixel that the glyph covers.

use fontdue::Font;

use super::atlas::{Bounds, Draw};

/// A font at one size.
pub(super) struct Coverage<'f> {
    pub(super) font: &'f Font,
    pub(super) pixels_per_em: f32,
}

impl Draw for Coverage<'_> {
    fn channels(&self) -> usize {
        1
    }

    fn bounds(&self, glyph: u16) -> Bounds {
        let metrics = self.font.metrics_indexed(glyph, self.pixels_per_em);
        Bounds {
            left: metrics.xmin,
            bottom: metrics.ymin,
            width: metrics.width,
            height: metrics.height,
            advance: metrics.advance_width,
        }
    }

    fn draw(&self, glyph: u16) -> Vec<u8> {
        self.font.rasterize_indexed(glyph, self.pixels_per_em).1
    }
}
