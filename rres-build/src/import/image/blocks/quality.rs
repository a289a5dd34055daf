//! How far decoded blocks are from the pixels.

use rres_format::chunk::image::{ImageProps, PixelFormat};

use super::super::Decoded;

/// The quality of blocks without any error, in decibels.
pub(super) const EXACT: f64 = 99.0;

/// The peak signal-to-noise ratio of the first level, in decibels: 10 log10(255² / mean of the squared errors) over the
/// channels that the format has. The colours of invisible pixels do not count.
pub(super) fn psnr(pixels: &Decoded, blocks: &Decoded) -> f64 {
    let ImageProps { width, height, format, .. } = blocks.props;
    let (width, height) = (width as usize, height as usize);
    let Some(block_size) = format.pixel_block().map(|block| block.size as usize) else { return EXACT };
    let (channels, has_alpha) = match format {
        PixelFormat::BC4 => (1, false),
        PixelFormat::BC5 => (2, false),
        _ => (3, format.has_alpha()),
    };
    let across = width.div_ceil(4);
    let count = across * height.div_ceil(4);
    let (mut sum, mut numbers) = (0u64, 0u64);
    for (number, block) in blocks.data().chunks_exact(block_size).take(count).enumerate() {
        let (left, top) = (number % across * 4, number / across * 4);
        let decoded = decode(format, block);
        for (y, row) in decoded.as_chunks::<16>().0.iter().enumerate().take(height - top) {
            let at = ((top + y) * width + left) * 4;
            for (decoded, pixel) in
                row.as_chunks::<4>().0.iter().zip(pixels.data()[at..].as_chunks::<4>().0).take(width - left)
            {
                let is_visible = !has_alpha || pixel[3] > 0;
                let colors = if is_visible { channels } else { 0 };
                let error = |channel: usize| u64::from(decoded[channel].abs_diff(pixel[channel])).pow(2);
                sum += (0..colors).map(error).sum::<u64>() + if has_alpha { error(3) } else { 0 };
                numbers += colors as u64 + u64::from(has_alpha);
            }
        }
    }
    if sum == 0 {
        return EXACT;
    }
    (10.0 * (255.0f64 * 255.0 * numbers as f64 / sum as f64).log10()).min(EXACT)
}

/// The 16 pixels of a block as RGBA. One channel is in red, two are in red and green.
pub(super) fn decode(format: PixelFormat, block: &[u8]) -> [u8; 64] {
    let mut out = [0; 64];
    match format {
        PixelFormat::DXT1_RGB => bcdec_rs::bc1(block, &mut out, 16),
        PixelFormat::DXT5_RGBA => bcdec_rs::bc3(block, &mut out, 16),
        PixelFormat::BC7 => bcdec_rs::bc7(block, &mut out, 16),
        PixelFormat::BC4 => {
            let mut red = [0; 16];
            bcdec_rs::bc4(block, &mut red, 4, false);
            out.chunks_exact_mut(4).zip(red).for_each(|(pixel, red)| pixel[0] = red);
        }
        PixelFormat::BC5 => {
            let mut pairs = [0; 32];
            bcdec_rs::bc5(block, &mut pairs, 8, false);
            out.chunks_exact_mut(4)
                .zip(pairs.chunks_exact(2))
                .for_each(|(pixel, pair)| pixel[..2].copy_from_slice(pair));
        }
        _ => {}
    }
    out
}
