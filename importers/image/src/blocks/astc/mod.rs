//! RGBA8 → ASTC, the block formats of new phones: blocks of 4×4, 6×6 or 8×8 pixels in 16 bytes.
//!
//! Of what ASTC can do, blocks use one or two subsets, one or two planes of weights, and channels from 0 to 255.

mod choose;
mod decode;
mod encode;
mod fit;
mod inverse;
mod levels;
mod line;
mod sequence;
mod shape;
mod subsets;

use rres_format::chunk::image::PixelFormat;
use rres_settings::BlockEffort;

use self::encode::Encoder;

/// The width and height of the blocks of a format that this encoder writes; `None` for others.
pub(super) fn edge(format: PixelFormat) -> Option<usize> {
    match format {
        PixelFormat::ASTC_4X4_RGBA => Some(4),
        PixelFormat::ASTC_6X6_RGBA => Some(6),
        PixelFormat::ASTC_8X8_RGBA => Some(8),
        _ => None,
    }
}

/// Encodes a level of RGBA8 with blocks of this edge. The last column and row are repeated up to whole blocks.
pub(super) fn encode(pixels: &[u8], (width, height): (usize, usize), edge: usize, effort: BlockEffort, out: &mut [u8]) {
    let (pixels, _) = pixels.as_chunks::<4>();
    let encoder = Encoder::of(edge, effort);
    let mut texels = Vec::with_capacity(edge * edge);
    let across = width.div_ceil(edge);
    for (number, block) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let (left, top) = (number % across * edge, number / across * edge);
        texels.clear();
        for y in (top..top + edge).map(|y| y.min(height - 1)) {
            texels.extend((left..left + edge).map(|x| pixels[y * width + x.min(width - 1)]));
        }
        *block = encoder.encode(&texels);
    }
}

/// Decodes a level with blocks of this edge.
pub(super) fn decode(blocks: &[u8], (width, height): (usize, usize), edge: usize) -> Vec<[u8; 4]> {
    let mut out = vec![[0; 4]; width * height];
    let across = width.div_ceil(edge);
    for (number, block) in blocks.as_chunks::<16>().0.iter().enumerate() {
        let (left, top) = (number % across * edge, number / across * edge);
        let texels = decode::decode(*block, edge);
        for (y, row) in texels.chunks_exact(edge).enumerate().take(height.saturating_sub(top)) {
            let count = edge.min(width - left);
            out[(top + y) * width + left..][..count].copy_from_slice(&row[..count]);
        }
    }
    out
}
