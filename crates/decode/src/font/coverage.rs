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
        // The rasteriser places outlines from the top of the pixels. Its `ymin` is a pixel lower if the bottom is a little below a whole
        // number and rounding has lost that.
        let (bottom, height) = (metrics.bounds.ymin, metrics.bounds.height);
        let space = (1.0 - height.fract() - bottom.fract()).fract();
        let space = if space.is_sign_negative() { space + 1.0 } else { space };
        let top = (bottom + height + space).round() as i32;
        Bounds {
            left: metrics.xmin,
            bottom: top.saturating_sub(metrics.height as i32),
            width: metrics.width,
            height: metrics.height,
            advance: metrics.advance_width,
        }
    }

    fn draw(&self, glyph: u16) -> Vec<u8> {
        self.font.rasterize_indexed(glyph, self.pixels_per_em).1
    }
}
