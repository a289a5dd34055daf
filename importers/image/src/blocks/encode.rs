//! RGBA8 → blocks of colours, level by level.
//!
//! The encoder of BC1, BC3, BC4, BC5 and BC7 is `block_compression`, a port of Intel's kernels to Rust: one code path on every machine, with arithmetic
//! whose results IEEE 754 defines, so the same pixels become the same bytes everywhere.

use block_compression::CompressionVariant;
use block_compression::encode::compress_rgba8;
use rres_format::chunk::image::{ImageProps, PixelFormat, level_edge};
use rres_settings::ImageSettings;

use super::super::Decoded;
use super::whole::{EDGE, whole_blocks};
use super::{Texels, astc, bc7, etc2, flat, rdo};

/// Encodes all levels of RGBA8 pixels in the format of `blocks`.
pub(in super::super) fn levels(prepared: &Decoded, settings: &ImageSettings, blocks: &mut Decoded) {
    let ImageProps { width, height, format, mipmaps } = blocks.props;
    let size = format.pixel_block().map_or(16, |block| block.size as usize);
    let (mut pixels, mut to) = (prepared.data(), blocks.data_mut());
    for level in 0..mipmaps {
        let (width, height) = (level_edge(width, level) as usize, level_edge(height, level) as usize);
        let (own, smaller) = pixels.split_at(width * height * 4);
        if let Some(edge) = astc::edge(format) {
            let (out, rest) = to.split_at_mut(width.div_ceil(edge) * height.div_ceil(edge) * size);
            astc::encode(own, (width, height), edge, settings.effort, out);
            (pixels, to) = (smaller, rest);
            continue;
        }
        let whole = whole_blocks::<4>(own, width, height);
        let (across, down) = (width.next_multiple_of(EDGE), height.next_multiple_of(EDGE));
        let (out, rest) = to.split_at_mut(across / EDGE * (down / EDGE) * size);
        let texels = |number: usize| texels(&whole, across, number);
        match variant(format) {
            Some(variant) => compress_rgba8(variant, &whole, out, across as u32, down as u32, across as u32 * 4),
            None if format == PixelFormat::BC7 => bc7::encode(out, settings.effort, texels),
            None => {
                for (number, block) in out.chunks_exact_mut(size).enumerate() {
                    etc2::encode(format, &texels(number), settings.effort, block);
                }
            }
        }
        if let Some(start) = colors(format) {
            flat::improve(&whole, across, out, format, start);
        }
        if settings.rdo > 0.0 {
            rdo::optimise(out, format, settings.rdo, texels);
        }
        (pixels, to) = (smaller, rest);
    }
}

/// The place of the colours of BC1 in a block of a format that has them.
fn colors(format: PixelFormat) -> Option<usize> {
    match format {
        PixelFormat::DXT1_RGB => Some(0),
        PixelFormat::DXT5_RGBA => Some(8),
        _ => None,
    }
}

/// The variant of `block_compression`; `None` for formats that [`bc7`] and [`etc2`] encode.
fn variant(format: PixelFormat) -> Option<CompressionVariant> {
    Some(match format {
        PixelFormat::DXT1_RGB => CompressionVariant::BC1,
        PixelFormat::DXT5_RGBA => CompressionVariant::BC3,
        PixelFormat::BC4 => CompressionVariant::BC4,
        PixelFormat::BC5 => CompressionVariant::BC5,
        _ => return None,
    })
}

/// The pixels of a block of a level that is `width` pixels wide.
fn texels(pixels: &[u8], width: usize, number: usize) -> Texels {
    let across = width / EDGE;
    let first = number / across * EDGE * width + number % across * EDGE;
    let (pixels, _) = pixels.as_chunks::<4>();
    std::array::from_fn(|i| pixels[first + i / EDGE * width + i % EDGE])
}
