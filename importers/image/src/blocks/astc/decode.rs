//! The blocks that this encoder writes → pixels, to measure how good they are.

use super::levels::{CHANNELS, WEIGHTS};
use super::sequence::RANGES;
use super::shape::{Channels, Division, Grid, MAX_TEXELS};
use super::subsets::Patterns;

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
    let (grid, planes) = Grid::of_code(field(0, 11), edge)?;
    let (pattern, channels) = match field(11, 2) {
        0 => (None, field(13, 4)),
        // Both subsets have channels of the same kind.
        1 if field(23, 2) == 0 => (Some(field(13, 10) as usize), field(25, 4)),
        _ => return None,
    };
    let channels = Channels::ALL.into_iter().find(|of| of.code() == channels)?;
    let size = grid.size(planes);
    if grid.len() * planes > 64 || size > 96 {
        return None;
    }
    let plane = (planes == 2).then(|| field(126 - size, 2) as usize);
    let division = Division { pattern, plane };

    let mut weights = vec![0; grid.len() * planes];
    // Weights begin at the other end.
    grid.range().load(bits.reverse_bits(), &mut weights);
    let values = &WEIGHTS[grid.weights].values;
    let mut spread = [[0; MAX_TEXELS]; 2];
    for (number, spread) in spread.iter_mut().enumerate().take(planes) {
        let of_plane: Vec<u8> =
            weights.iter().skip(number).step_by(planes).map(|weight| values[usize::from(*weight)]).collect();
        grid.spread(&of_plane, spread);
    }
    let range = grid.channels(channels, division)?;
    let len = 2 * channels.stored().len();
    let mut stored = vec![0; len * division.subsets()];
    RANGES[range].load(bits >> division.head(), &mut stored);
    stored.iter_mut().for_each(|channel| *channel = CHANNELS[range].values[usize::from(*channel)]);
    let ends: Vec<_> = stored.chunks(len).map(|pairs| ends(channels, pairs)).collect::<Option<_>>()?;
    let subset = |at: usize| pattern.map_or(0, |number| Patterns::of(edge).pattern(number) >> at & 1) as usize;
    Some((0..edge * edge).map(|at| between(ends[subset(at)], division, |plane| spread[plane][at])).collect())
}

/// The two colours that are stored as pairs of channels.
pub(super) fn ends(channels: Channels, pairs: &[u8]) -> Option<[[u8; 4]; 2]> {
    let sum = |end: usize| pairs.iter().skip(end).step_by(2).take(3).map(|channel| u32::from(*channel)).sum::<u32>();
    if channels.stored().len() >= 3 && sum(1) < sum(0) {
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

/// The colour between two, at the weight of each plane, as ASTC rounds linear colours to 8 bits.
pub(super) fn between([low, high]: [[u8; 4]; 2], division: Division, weight: impl Fn(usize) -> u8) -> [u8; 4] {
    std::array::from_fn(|channel| {
        let weight = u32::from(weight(division.plane_of(channel)));
        let [low, high] = [low, high].map(|end| u32::from(end[channel]) * 0x101);
        ((low * (64 - weight) + high * weight + 32) >> 14) as u8
    })
}
