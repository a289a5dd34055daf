//! How far decoded blocks are from the pixels: PSNR and SSIM of the first level.
//!
//! Colours that are not visible do not count. Everything is summed in whole numbers, so that the results, and with them
//! the choices that depend on them, are the same on every machine.

use rres_format::chunk::image::{ImageProps, PixelFormat};

use super::super::Decoded;
use super::light::ToneMap;
use super::ssim::Windows;
use super::{Quality, Texels, astc, etc2};

/// The quality of blocks without any error, in decibels.
pub(super) const EXACT: f64 = 99.0;

/// A pixel as numbers that are compared: of the picture, and of its blocks.
type Pair = [[u16; 4]; 2];

/// Compares the first level of `pixels`, which are RGBA8, with the first level of `blocks`.
pub(super) fn of_colors(pixels: &Decoded, blocks: &Decoded) -> Quality {
    let format = blocks.props.format;
    let (source, _) = pixels.data().as_chunks::<4>();
    if let Some(edge) = astc::edge(format) {
        let size = (blocks.props.width as usize, blocks.props.height as usize);
        let first = size.0.div_ceil(edge) * size.1.div_ceil(edge) * 16;
        let decoded = astc::decode(&blocks.data()[..first], size, edge);
        return measure(blocks.props, 255, |_, at| {
            at.map(|at| at.map(|(index, _)| [source[index], decoded[index]].map(|pixel| pixel.map(u16::from))))
        });
    }
    measure(blocks.props, 255, |number, at| {
        let decoded = decode(format, block(blocks, number));
        at.map(|at| at.map(|(index, texel)| [source[index], decoded[texel]].map(|pixel| pixel.map(u16::from))))
    })
}

/// Compares the first level of `pixels`, which are RGBA32F, with the first level of `blocks`, both as a [`ToneMap`] shows them.
pub(super) fn of_light(pixels: &Decoded, blocks: &Decoded) -> Quality {
    let ImageProps { width, height, .. } = blocks.props;
    let source = pixels.data().as_chunks::<16>().0;
    let tones = ToneMap::of(&source[..width as usize * height as usize]);
    measure(blocks.props, u16::MAX, |number, at| {
        let decoded = super::light::decode(block(blocks, number));
        at.map(|at| at.map(|(index, texel)| [tones.of_pixel(&source[index]), tones.of_light(decoded[texel])]))
    })
}

/// The bytes of a block.
fn block(blocks: &Decoded, number: usize) -> &[u8] {
    let size = blocks.props.format.pixel_block().map_or(16, |block| block.size as usize);
    &blocks.data()[number * size..][..size]
}

/// Compares 4 × 4 pixels by 4 × 4 pixels. `pairs` is given the number of such a block and, for each of its pixels within the edges,
/// the number of the pixel in the picture and in the block.
fn measure(
    props: ImageProps,
    peak: u16,
    pairs: impl Fn(usize, [Option<(usize, usize)>; 16]) -> [Option<Pair>; 16],
) -> Quality {
    let ImageProps { width, height, format, .. } = props;
    let (width, height) = (width as usize, height as usize);
    let across = width.div_ceil(4);
    let (mut sum, mut numbers) = (0u64, 0u64);
    let mut windows = Windows::new(across, channels(format), peak);
    for number in 0..across * height.div_ceil(4) {
        let (left, top) = (number % across * 4, number / across * 4);
        let at = std::array::from_fn(|texel| {
            let (x, y) = (left + texel % 4, top + texel / 4);
            (x < width && y < height).then_some((y * width + x, texel))
        });
        let mut pairs = pairs(number, at);
        for [pixel, found] in pairs.iter_mut().flatten() {
            let counted = if hides_color(format, *pixel) {
                found[..3].copy_from_slice(&pixel[..3]);
                3..4
            } else {
                0..4
            };
            for channel in counted.filter(|channel| channels(format).contains(channel)) {
                sum += u64::from(found[channel].abs_diff(pixel[channel])).pow(2);
                numbers += 1;
            }
        }
        windows.add(&pairs);
    }
    let psnr = if sum == 0 {
        EXACT
    } else {
        (10.0 * (f64::from(peak).powi(2) * numbers as f64 / sum as f64).log10()).min(EXACT)
    };
    Quality { psnr, ssim: windows.mean() }
}

/// The channels that a format has.
fn channels(format: PixelFormat) -> &'static [usize] {
    match format {
        PixelFormat::BC4 | PixelFormat::EAC_R11 => &[0],
        PixelFormat::BC5 | PixelFormat::EAC_RG11 => &[0, 1],
        _ if format.has_alpha() => &[0, 1, 2, 3],
        _ => &[0, 1, 2],
    }
}

/// Whether nobody sees the colour of a pixel.
fn hides_color(format: PixelFormat, pixel: [u16; 4]) -> bool {
    format.has_alpha() && pixel[3] == 0
}

/// The sum of the squared errors of a block.
pub(super) fn squared_error(format: PixelFormat, block: &[u8], texels: &Texels) -> u64 {
    let error = |(found, texel): (&[u8; 4], &[u8; 4])| {
        let first = if hides_color(format, texel.map(u16::from)) { 3 } else { 0 };
        let counted = channels(format).iter().filter(|channel| **channel >= first);
        counted.map(|channel| u64::from(found[*channel].abs_diff(texel[*channel])).pow(2)).sum::<u64>()
    };
    decode(format, block).iter().zip(texels).map(error).sum()
}

/// The 16 pixels of a block as RGBA. One channel is in red, two are in red and green.
pub(super) fn decode(format: PixelFormat, block: &[u8]) -> Texels {
    if etc2::writes(format) {
        return etc2::decode(format, block);
    }
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
