//! Blocks that compress better: a block may repeat an earlier one, or a part of it, if the error that this adds is worth
//! the bytes that a compressor such as zstd saves.
//!
//! This is the choice of least *error + λ × bytes* (rate-distortion optimisation). The bytes are an estimate: what a
//! compressor has seen a few blocks before costs it [`MATCH`] bytes, and everything else as many as there are.

use std::collections::VecDeque;

use rres_format::chunk::image::PixelFormat;

use super::Texels;
use super::quality::squared_error;

/// How many earlier blocks are candidates.
const WINDOW: usize = 24;

/// The bytes that a match of any length costs a compressor.
const MATCH: usize = 3;

/// The places to divide a block into a part that it repeats and a part of its own: colours and indices.
fn parts(format: PixelFormat) -> &'static [(usize, usize)] {
    match format {
        PixelFormat::DXT1_RGB | PixelFormat::ETC2_RGB => &[(0, 4), (4, 8)],
        PixelFormat::BC4 | PixelFormat::EAC_R11 => &[(0, 2), (2, 8)],
        PixelFormat::BC5 | PixelFormat::EAC_RG11 => &[(0, 8), (8, 16), (2, 8), (10, 16)],
        PixelFormat::DXT5_RGBA | PixelFormat::ETC2_EAC_RGBA => &[(0, 8), (8, 16), (12, 16), (8, 12)],
        // Most blocks of BC7 have their indices in the second half.
        _ => &[(0, 8), (8, 16)],
    }
}

/// A block of 8 or 16 bytes, with zeros behind it.
type Block = [u8; 16];

/// Replaces blocks of one level by cheaper ones. `texels` returns the pixels of a block by its number.
pub(super) fn optimise(blocks: &mut [u8], format: PixelFormat, lambda: f32, texels: impl Fn(usize) -> Texels) {
    let size = format.pixel_block().map_or(16, |block| block.size as usize);
    let mut earlier: VecDeque<Block> = VecDeque::new();
    for (number, stored) in blocks.chunks_exact_mut(size).enumerate() {
        let mut block = Block::default();
        block[..size].copy_from_slice(stored);
        let known = earlier.iter().position(|other| *other == block);
        if known.is_none() {
            block = cheapest(block, &earlier, format, lambda, &texels(number));
            stored.copy_from_slice(&block[..size]);
        }
        // The last use of a block is the nearest one. One that repeats already, as in empty areas, stays as it is.
        earlier.retain(|other| *other != block);
        earlier.push_back(block);
        if earlier.len() > WINDOW {
            earlier.pop_front();
        }
    }
}

/// The block itself, an earlier one, or a mixture of both.
fn cheapest(block: Block, earlier: &VecDeque<Block>, format: PixelFormat, lambda: f32, texels: &Texels) -> Block {
    let size = format.pixel_block().map_or(16, |block| block.size as usize);
    let cost_of_byte = lambda * 16.0 * tolerance(texels);
    let cost = |candidate: &Block, bytes: usize| {
        squared_error(format, &candidate[..size], texels) as f32 + cost_of_byte * bytes as f32
    };
    let mut best = (cost(&block, size), block);
    let mut consider = |candidate: Block, bytes: usize| {
        let cost = cost(&candidate, bytes);
        if cost < best.0 {
            best = (cost, candidate);
        }
    };
    for other in earlier {
        consider(*other, MATCH);
        for &(start, end) in parts(format) {
            let mut mixed = block;
            mixed[start..end].copy_from_slice(&other[start..end]);
            consider(mixed, MATCH + size - (end - start));
        }
    }
    best.1
}

/// How much error a block hides, from a tenth to 1: little where it is smooth, since there the eye sees blocks.
fn tolerance(texels: &Texels) -> f32 {
    let spread = (0..4).map(|channel| {
        let values = texels.iter().map(|texel| texel[channel]);
        let (low, high) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
        high - low
    });
    (f32::from(spread.max().unwrap_or(0)) / 48.0).clamp(0.1, 1.0)
}
