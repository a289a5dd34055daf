//! A block of UASTC: 16 pixels in one of 19 modes, each a choice of what ASTC can do.
//!
//! Pixels lie between two colours of their subset of the block. How far is stored as a weight for each pixel, or two: one
//! of them for a single channel.

use super::modes::{MODES, Mode, SOLID, pattern};
use super::{Damage, Texels};

/// Decodes a block.
pub(super) fn decode(block: [u8; 16]) -> Result<Texels, Damage> {
    let block = u128::from_le_bytes(block);
    let (number, mode) = MODES
        .iter()
        .enumerate()
        .find(|(_, mode)| block & ((1 << mode.len) - 1) == mode.code)
        .ok_or("has a block in a mode that UASTC has not")?;
    let mut fields = Fields { block, at: mode.len };
    if number == SOLID {
        return Ok([[fields.take(8), fields.take(8), fields.take(8), fields.take(8)]; 16]);
    }
    fields.at += mode.hints;
    let pattern =
        pattern(number, &mut |len| fields.take(len)).ok_or("has a block with a pattern that UASTC has not")?;
    let alone = match (mode.planes, mode.channels) {
        (1, _) => None,
        // Grey and alpha.
        (_, 2) => Some(3),
        _ => Some(usize::from(fields.take(2))),
    };
    let ends = read_ends(mode, &mut fields);
    let weights = read_weights(mode, &pattern, &mut fields);
    Ok(std::array::from_fn(|pixel| {
        let [low, high] = ends[usize::from(pattern[pixel])];
        std::array::from_fn(|channel| {
            let plane = usize::from(alone == Some(channel));
            between(low[channel], high[channel], weights[pixel][plane])
        })
    }))
}

/// The bits of a block from the lowest one up.
struct Fields {
    block: u128,
    at: u32,
}

impl Fields {
    /// The next bits, at most 8.
    fn take(&mut self, len: u32) -> u8 {
        let bits = (self.block >> self.at) & ((1 << len) - 1);
        self.at += len;
        bits as u8
    }
}

/// The two colours of each subset.
fn read_ends(mode: &Mode, fields: &mut Fields) -> [[[u8; 4]; 2]; 3] {
    let numbers = mode.channels * 2 * mode.subsets;
    // Digits of base 3 or 5 come first: five or three of them in 8 or 7 bits, and the last ones in fewer.
    let (base, group, group_len) = match mode.base {
        3 => (3, 5, 8),
        5 => (5, 3, 7),
        _ => (1, usize::MAX, 0),
    };
    let mut digits = [0; 18];
    for group in digits[..numbers].chunks_mut(group) {
        let mut packed = fields.take(match (base, group.len()) {
            (3, len @ 1..=4) => [2, 4, 5, 7][len - 1],
            (5, len @ 1..=2) => [3, 5][len - 1],
            _ => group_len,
        });
        for digit in group {
            (*digit, packed) = (packed % base, packed / base);
        }
    }
    let mut ends = [[[u8::MAX; 4]; 2]; 3];
    for (number, digit) in digits[..numbers].iter().enumerate() {
        let value = mode.widen(*digit, fields.take(mode.bits));
        let (subset, channel, end) = (number / 2 / mode.channels, number / 2 % mode.channels, number % 2);
        let color = &mut ends[subset][end];
        match (mode.channels, channel) {
            (2, 0) => color[..3].fill(value),
            (2, _) => color[3] = value,
            _ => color[channel] = value,
        }
    }
    ends
}

/// The weights of each pixel in 64ths, from 0 to 64. The first pixel of each subset has weights whose upper bit is 0.
fn read_weights(mode: &Mode, pattern: &[u8; 16], fields: &mut Fields) -> [[u8; 2]; 16] {
    let mut is_first = [true; 3];
    std::array::from_fn(|pixel| {
        let is_first = std::mem::take(&mut is_first[usize::from(pattern[pixel])]);
        let mut weights = [0; 2];
        for weight in &mut weights[..mode.planes] {
            let bits = fields.take(mode.weight - u32::from(is_first));
            // The bits are repeated to six of them, and one is added from the middle on.
            let repeated = match mode.weight {
                1 => bits * 0b11_1111,
                2 => bits * 0b01_0101,
                3 => bits * 0b00_1001,
                len => bits << (6 - len) | bits >> (2 * len - 6),
            };
            *weight = repeated + u8::from(repeated > 32);
        }
        weights
    })
}

/// The number at a weight between two, as ASTC rounds linear colours.
fn between(low: u8, high: u8, weight: u8) -> u8 {
    let weight = u32::from(weight);
    let wide = |end: u8| u32::from(end) * 0x101;
    ((wide(low) * (64 - weight) + wide(high) * weight + 32) >> 14) as u8
}
