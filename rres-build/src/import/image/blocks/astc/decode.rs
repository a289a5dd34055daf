//! The blocks that this encoder writes → pixels, to measure how good they are.

use super::levels::{CHANNELS, WEIGHTS};
use super::sequence::RANGES;
use super::shape::{Channels, Grid, HEAD};

/// What a block in one colour begins with.
pub(super) const FLAT: u64 = 0xffff_ffff_ffff_fdfc;

/// Decodes a block with this edge, row by row. What this encoder does not write becomes transparent black.
pub(super) fn decode(block: [u8; 16], edge: usize) -> Vec<[u8; 4]> {
    let bits = u128::from_le_bytes(block);
    if bits as u64 == FLAT {
        return vec![[block[9], block[11], block[13], block[15]]; edge * edge];
    }
    colors(bits, edge).unwrap_or_else(|| vec![[0; 4]; edge * edge])
}

fn colors(bits: u128, edge: usize) -> Option<Vec<[u8; 4]>> {
    let field = |at: u32, len: u32| (bits >> at) as u32 & ((1 << len) - 1);
    let grid = Grid::of_code(field(0, 11), edge)?;
    let channels = Channels::ALL.into_iter().find(|channels| channels.code() == field(13, 4))?;
    if field(11, 2) != 0 || grid.len() > 64 {
        return None;
    }
    let mut weights = vec![0; grid.len()];
    // Weights begin at the other end.
    grid.range().load(bits.reverse_bits(), &mut weights);
    weights.iter_mut().for_each(|weight| *weight = WEIGHTS[grid.weights].values[usize::from(*weight)]);
    let range = grid.channels(channels)?;
    let mut stored = [0; 8];
    let stored = &mut stored[..2 * channels.count()];
    RANGES[range].load(bits >> HEAD, stored);
    stored.iter_mut().for_each(|channel| *channel = CHANNELS[range].values[usize::from(*channel)]);
    let ends = ends(channels, stored)?;
    let mut spread = Vec::new();
    grid.spread(&weights, &mut spread);
    Some(spread.into_iter().map(|weight| between(ends, weight)).collect())
}

/// The two colours that are stored as pairs of channels.
pub(super) fn ends(channels: Channels, pairs: &[u8]) -> Option<[[u8; 4]; 2]> {
    let sum = |end: usize| pairs.iter().skip(end).step_by(2).take(3).map(|channel| u32::from(*channel)).sum::<u32>();
    if channels.count() >= 3 && sum(1) < sum(0) {
        // These have another meaning.
        return None;
    }
    let end = |end: usize| {
        let channel = |number: usize| pairs[2 * number + end];
        match channels {
            Channels::Gray => [channel(0), channel(0), channel(0), u8::MAX],
            Channels::GrayAlpha => [channel(0), channel(0), channel(0), channel(1)],
            Channels::Rgb => [channel(0), channel(1), channel(2), u8::MAX],
            Channels::Rgba => [channel(0), channel(1), channel(2), channel(3)],
        }
    };
    Some([end(0), end(1)])
}

/// The colour at a weight between two, as ASTC rounds linear colours to 8 bits.
pub(super) fn between([low, high]: [[u8; 4]; 2], weight: u8) -> [u8; 4] {
    let weight = u32::from(weight);
    std::array::from_fn(|channel| {
        let [low, high] = [low, high].map(|end| u32::from(end[channel]) * 0x101);
        ((low * (64 - weight) + high * weight + 32) >> 14) as u8
    })
}
