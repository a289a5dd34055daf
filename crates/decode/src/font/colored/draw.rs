//! Glyphs in colours: pictures, layers one over the other, and outlines in white.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ttf_parser::RgbaColor;

use super::super::atlas::{Bounds, Draw};
use super::super::coverage::Coverage;
use super::GlyphPicture;
use super::palette::{Colors, Layer};

/// Makes the pixels of a picture: RGBA, as many as it is drawn with.
pub(super) type Decode<'d, 'a, E> = dyn FnMut(&GlyphPicture<'a>) -> Result<Vec<u8>, E> + 'd;

/// A font at one size, drawn in colours.
pub(super) struct Colored<'a, 'd, E> {
    pub(super) coverage: Coverage<'d>,
    /// Glyphs without colours are not in here.
    pub(super) glyphs: &'d BTreeMap<u16, Colors<'a>>,
    /// Advances of glyphs, which a glyph without outline also has.
    pub(super) advance: &'d dyn Fn(u16) -> f32,
    pub(super) decode: RefCell<&'d mut Decode<'d, 'a, E>>,
    /// The first failure. After it nothing is decoded.
    pub(super) failed: RefCell<Option<E>>,
}

impl<E> Colored<'_, '_, E> {
    /// The rectangle around all layers.
    fn layers_bounds(&self, layers: &[Layer]) -> Bounds {
        let all = layers.iter().map(|layer| self.coverage.bounds(layer.glyph)).filter(|b| b.width > 0 && b.height > 0);
        let edges = |b: Bounds| {
            let (left, bottom) = (i64::from(b.left), i64::from(b.bottom));
            [left, bottom, left + b.width as i64, bottom + b.height as i64]
        };
        let around = |a: [i64; 4], b: [i64; 4]| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
        let Some([left, bottom, right, top]) = all.map(edges).reduce(around) else { return Bounds::default() };
        Bounds {
            left: left as i32,
            bottom: bottom as i32,
            width: (right - left) as usize,
            height: (top - bottom) as usize,
            advance: 0.0,
        }
    }

    /// The pixels that a layer is drawn with.
    pub(super) fn area(&self, layer: &Layer) -> u64 {
        let Bounds { width, height, .. } = self.coverage.bounds(layer.glyph);
        (width as u64).saturating_mul(height as u64)
    }

    /// Layers one over the other. Numbers are mixed as they are, as other programs do for this table.
    fn blend(&self, layers: &[Layer]) -> Vec<u8> {
        let around = self.layers_bounds(layers);
        // Colours times alpha.
        let mut mixed = vec![[0.0f32; 4]; around.width * around.height];
        for layer in layers {
            let bounds = self.coverage.bounds(layer.glyph);
            if bounds.width == 0 || bounds.height == 0 {
                continue;
            }
            let drawn = self.coverage.draw(layer.glyph);
            let x = (bounds.left - around.left) as usize;
            let y = around.height - bounds.height - (bounds.bottom - around.bottom) as usize;
            let RgbaColor { red, green, blue, alpha } = layer.color;
            let color = [red, green, blue].map(|v| f32::from(v) / 255.0);
            for (row, drawn) in drawn.chunks_exact(bounds.width).enumerate() {
                let to = &mut mixed[(y + row) * around.width + x..][..bounds.width];
                for (pixel, coverage) in to.iter_mut().zip(drawn) {
                    let alpha = f32::from(alpha) * f32::from(*coverage) / (255.0 * 255.0);
                    let [r, g, b] = color.map(|v| v * alpha);
                    let over = |below: f32, above: f32| above + below * (1.0 - alpha);
                    *pixel = [over(pixel[0], r), over(pixel[1], g), over(pixel[2], b), over(pixel[3], alpha)];
                }
            }
        }
        let byte = |v: f32| (v * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
        let straight = |[r, g, b, a]: [f32; 4]| match byte(a) {
            0 => [0; 4],
            alpha => [byte(r / a), byte(g / a), byte(b / a), alpha],
        };
        mixed.into_iter().flat_map(straight).collect()
    }
}

impl<E> Draw for Colored<'_, '_, E> {
    fn channels(&self) -> usize {
        4
    }

    fn bounds(&self, glyph: u16) -> Bounds {
        let advance = (self.advance)(glyph);
        match self.glyphs.get(&glyph) {
            Some(Colors::Picture(picture)) => Bounds {
                left: picture.left,
                bottom: picture.bottom,
                width: picture.drawn.0 as usize,
                height: picture.drawn.1 as usize,
                advance,
            },
            Some(Colors::Layers(layers)) => Bounds { advance, ..self.layers_bounds(layers) },
            Some(Colors::Unread(_)) | None => Bounds { advance, ..self.coverage.bounds(glyph) },
        }
    }

    fn draw(&self, glyph: u16) -> Vec<u8> {
        match self.glyphs.get(&glyph) {
            Some(Colors::Picture(picture)) => {
                if self.failed.borrow().is_some() {
                    return Vec::new();
                }
                let mut decode = self.decode.borrow_mut();
                (**decode)(picture).unwrap_or_else(|error| {
                    self.failed.replace(Some(error));
                    Vec::new()
                })
            }
            Some(Colors::Layers(layers)) => self.blend(layers),
            Some(Colors::Unread(_)) | None => {
                self.coverage.draw(glyph).into_iter().flat_map(|coverage| [255, 255, 255, coverage]).collect()
            }
        }
    }
}

/// Gives the invisible pixels of a page the average colour of the visible ones beside them, so that a sampler that blends neighbours makes no
/// dark edge. Other invisible pixels become black.
pub(super) fn bleed(pixels: &mut [u8], width: usize) {
    let height = pixels.len() / (width.max(1) * 4);
    let from = |above: &[u8], x: usize| -> Option<[u32; 4]> {
        let pixel = above.get(x * 4..x * 4 + 4)?;
        (pixel[3] > 0).then(|| [u32::from(pixel[0]), u32::from(pixel[1]), u32::from(pixel[2]), 1])
    };
    // Invisible pixels do not change what others become, so rows can be changed one by one.
    for y in 0..height {
        for x in 0..width {
            let at = (y * width + x) * 4;
            if pixels[at + 3] > 0 {
                continue;
            }
            let rows = y.saturating_sub(1)..(y + 2).min(height);
            let columns = x.saturating_sub(1)..(x + 2).min(width);
            let near = rows.flat_map(|row| columns.clone().map(move |column| row * width + column));
            let sum = near
                .filter_map(|i| from(pixels, i))
                .fold([0; 4], |sum: [u32; 4], near| std::array::from_fn(|i| sum[i] + near[i]));
            let count = sum[3].max(1);
            for i in 0..3 {
                pixels[at + i] = ((sum[i] + count / 2) / count) as u8;
            }
        }
    }
}
