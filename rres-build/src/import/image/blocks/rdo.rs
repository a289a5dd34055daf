//! Blocks that compress better: a block may repeat an earlier one, or a part of it, if the error that this adds is worth
//! the bytes that a compressor such as zstd saves.
//!
//! This is the choice of least *error + λ × bytes* (rate-distortion optimisation). The bytes are an estimate: what a
//! compressor has seen a few blocks before costs it [`MATCH`] bytes, and everything else as many as there are.

use std::collections::VecDeque;

use rres_format::chunk::image::PixelFormat;

use super::quality::{Texels, squared_error};

/// How many earlier blocks are candidates.
const WINDOW: usize = 24;

/// The bytes that a match of any length costs a compressor.
const MATCH: usize = 3;

/// Where a block can be divided into a part that it repeats and a part of its own: colours and indices.
fn parts(format: PixelFormat) -> &'static [(usize, usize)] {
    match format {
        PixelFormat::DXT1_RGB => &[(0, 4), (4, 8)],
        PixelFormat::BC4 => &[(0, 2), (2, 8)],
        PixelFormat::BC5 => &[(0, 8), (8, 16), (2, 8), (10, 16)],
        PixelFormat::DXT5_RGBA => &[(0, 8), (8, 16), (12, 16), (8, 12)],
        // Most blocks of BC7 have their indices in the second half.
        _ => &[(0, 8), (8, 16)],
    }
}

/// Replaces blocks of one level by cheaper ones. `texels` returns the pixels of a block by its number.
pub(super) fn optimise(blocks: &mut [u8], format: PixelFormat, lambda: f32, texels: impl Fn(usize) -> Texels) {
    let size = format.pixel_block().map_or(16, |block| block.size as usize);
    let mut earlier: VecDeque<Vec<u8>> = VecDeque::new();
    for (number, block) in blocks.chunks_exact_mut(size).enumerate() {
        if let Some(known) = earlier.iter().position(|other| other[..] == *block) {
            // It repeats already, as the blocks of empty areas do.
            let known = earlier.remove(known);
            earlier.extend(known);
            continue;
        }
        let texels = texels(number);
        let cost_of_byte = lambda * 16.0 * tolerance(&texels);
        let cost = |candidate: &[u8], bytes: usize| {
            squared_error(format, candidate, &texels) as f32 + cost_of_byte * bytes as f32
        };
        let mut best = (cost(block, size), block.to_vec());
        let mut consider = |candidate: Vec<u8>, bytes: usize| {
            let cost = cost(&candidate, bytes);
            if cost < best.0 {
                best = (cost, candidate);
            }
        };
        for other in &earlier {
            consider(other.clone(), MATCH);
            for &(start, end) in parts(format) {
                let mut mixed = block.to_vec();
                mixed[start..end].copy_from_slice(&other[start..end]);
                consider(mixed, MATCH + size - (end - start));
            }
        }
        block.copy_from_slice(&best.1);
        // The last use of a block is the nearest one, here as above.
        earlier.retain(|other| other[..] != *block);
        earlier.push_back(best.1);
        if earlier.len() > WINDOW {
            earlier.pop_front();
        }
    }
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
