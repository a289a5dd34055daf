//! How far decoded blocks are from the pixels.

use rres_format::chunk::image::{ImageProps, PixelFormat};

use super::super::Decoded;

/// The quality of blocks without any error, in decibels.
pub(super) const EXACT: f64 = 99.0;

/// The pixels of a block, row by row.
pub(super) type Texels = [[u8; 4]; 16];

/// The peak signal-to-noise ratio of the first level, in decibels: 10 log10(255² / mean of the squared errors) over the
/// channels that the format has. The colours of invisible pixels do not count.
pub(super) fn psnr(pixels: &Decoded, blocks: &Decoded) -> f64 {
    let ImageProps { width, height, format, .. } = blocks.props;
    let (width, height) = (width as usize, height as usize);
    let Some(size) = format.pixel_block().map(|block| block.size as usize) else { return EXACT };
    let across = width.div_ceil(4);
    let count = across * height.div_ceil(4);
    let (mut sum, mut numbers) = (0u64, 0u64);
    for (number, block) in blocks.data().chunks_exact(size).take(count).enumerate() {
        let (left, top) = (number % across * 4, number / across * 4);
        let decoded = decode(format, block);
        for (y, row) in decoded.chunks_exact(4).enumerate().take(height - top) {
            let (pixels, _) = pixels.data()[((top + y) * width + left) * 4..].as_chunks::<4>();
            for (found, pixel) in row.iter().zip(pixels).take(width - left) {
                let (error, channels) = difference(format, *found, *pixel);
                (sum, numbers) = (sum + error, numbers + channels);
            }
        }
    }
    if sum == 0 {
        return EXACT;
    }
    (10.0 * (255.0f64 * 255.0 * numbers as f64 / sum as f64).log10()).min(EXACT)
}

/// The sum of the squared errors of a block.
pub(super) fn squared_error(format: PixelFormat, block: &[u8], texels: &Texels) -> u64 {
    decode(format, block).iter().zip(texels).map(|(found, texel)| difference(format, *found, *texel).0).sum()
}

/// The sum of the squared errors of the channels of a pixel that count, and their number.
fn difference(format: PixelFormat, found: [u8; 4], pixel: [u8; 4]) -> (u64, u64) {
    let colors = match format {
        PixelFormat::BC4 => 1,
        PixelFormat::BC5 => 2,
        _ if format.has_alpha() && pixel[3] == 0 => 0,
        _ => 3,
    };
    let error = |channel: usize| u64::from(found[channel].abs_diff(pixel[channel])).pow(2);
    let alpha = if format.has_alpha() { error(3) } else { 0 };
    ((0..colors).map(error).sum::<u64>() + alpha, colors as u64 + u64::from(format.has_alpha()))
}

/// The 16 pixels of a block as RGBA. One channel is in red, two are in red and green.
pub(super) fn decode(format: PixelFormat, block: &[u8]) -> Texels {
    let mut texels = [[0; 4]; 16];
    let out = texels.as_flattened_mut();
    match format {
        PixelFormat::DXT1_RGB => bcdec_rs::bc1(block, out, 16),
        PixelFormat::DXT5_RGBA => bcdec_rs::bc3(block, out, 16),
        PixelFormat::BC7 => bcdec_rs::bc7(block, out, 16),
        PixelFormat::BC4 => {
            let mut red = [0; 16];
            bcdec_rs::bc4(block, &mut red, 4, false);
            texels.iter_mut().zip(red).for_each(|(texel, red)| texel[0] = red);
        }
        PixelFormat::BC5 => {
            let mut pairs = [0; 32];
            bcdec_rs::bc5(block, &mut pairs, 8, false);
            texels.iter_mut().zip(pairs.chunks_exact(2)).for_each(|(texel, pair)| texel[..2].copy_from_slice(pair));
        }
        _ => {}
    }
    texels
}
