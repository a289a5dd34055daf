//! Light in BC6H: floats of 32 bits → half floats → blocks, and what a viewer sees of both.

use block_compression::encode::compress_rgba16;
use block_compression::{BC6HSettings, CompressionVariant};
use half::f16;
use rres_format::chunk::image::{ImageProps, level_edge};
use rres_settings::{BlockEffort, ImageSettings};

use super::super::Decoded;
use super::choice::channels;
use super::whole::{EDGE, whole_blocks};

/// The largest half float.
pub(super) const LARGEST: f32 = 65504.0;

/// Encodes all levels of RGBA32F pixels.
pub(super) fn levels(prepared: &Decoded, settings: &ImageSettings, blocks: &mut Decoded) {
    let ImageProps { width, height, mipmaps, .. } = blocks.props;
    let variant = CompressionVariant::BC6H(match settings.effort {
        BlockEffort::Fast => BC6HSettings::fast(),
        BlockEffort::Best => BC6HSettings::slow(),
    });
    let (mut pixels, mut to) = (prepared.data(), blocks.data_mut());
    for level in 0..mipmaps {
        let (width, height) = (level_edge(width, level) as usize, level_edge(height, level) as usize);
        let (own, smaller) = pixels.split_at(width * height * 16);
        let whole = whole_blocks::<16>(own, width, height);
        let halves: Vec<f16> = whole.as_chunks::<16>().0.iter().flat_map(|pixel| channels(pixel).map(half)).collect();
        let (across, down) = (width.next_multiple_of(EDGE) as u32, height.next_multiple_of(EDGE) as u32);
        let (out, rest) = to.split_at_mut(variant.blocks_byte_size(across, down));
        compress_rgba16(variant, &halves, out, across, down, across * 4);
        (pixels, to) = (smaller, rest);
    }
}

/// The nearest half float that BC6H has: none is negative or infinite, and NaN becomes 0.
fn half(value: f32) -> f16 {
    // In software, since the conversion of a processor need not treat subnormal numbers alike.
    f16::from_f32_const(if value > 0.0 { value.min(LARGEST) } else { 0.0 })
}

/// The 16 pixels of a block.
pub(super) fn decode(block: &[u8]) -> [[f32; 3]; 16] {
    let mut colors = [[0.0; 3]; 16];
    bcdec_rs::bc6h_float(block, colors.as_flattened_mut(), EDGE * 3, false);
    colors
}

/// How light is shown, to compare it as the eye does: `sqrt(v / (v + m))`, where `m` is the median luminance of the picture.
///
/// This is the operator of Reinhard, for which the exposure of the picture does not matter, with a gamma of 2. It consists of
/// operations whose results IEEE 754 defines.
pub(super) struct ToneMap {
    middle: f32,
}

impl ToneMap {
    pub(super) fn of(pixels: &[[u8; 16]]) -> Self {
        // A few thousand pixels suffice.
        let step = (pixels.len() / 4096).max(1);
        let luminance = |pixel: &[u8; 16]| {
            let [r, g, b, _] = channels(pixel);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let mut lit: Vec<f32> =
            pixels.iter().step_by(step).map(luminance).filter(|v| v.is_normal() && *v > 0.0).collect();
        lit.sort_by(f32::total_cmp);
        Self { middle: lit.get(lit.len() / 2).copied().unwrap_or(1.0) }
    }

    /// The numbers of a pixel of the picture. The fourth is not compared.
    pub(super) fn of_pixel(&self, pixel: &[u8; 16]) -> [u16; 4] {
        let [r, g, b, _] = channels(pixel);
        self.of_light([r, g, b])
    }

    pub(super) fn of_light(&self, light: [f32; 3]) -> [u16; 4] {
        let [r, g, b] = light.map(|value| {
            let value = if value > 0.0 { value.min(LARGEST) } else { 0.0 };
            ((value / (value + self.middle)).sqrt() * f32::from(u16::MAX) + 0.5) as u16
        });
        [r, g, b, 0]
    }
}
