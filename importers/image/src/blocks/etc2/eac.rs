//! 16 numbers of one channel → a block of EAC.

use super::by_columns;

/// For each table what the eight indices add, in multiples of the block's multiplier.
pub(super) const MODIFIERS: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// The numbers that a channel has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// 8 bits: the alpha of ETC2.
    Eight,
    /// 11 bits.
    Eleven,
}

impl Scale {
    /// The number that a base, a multiplier and a modifier mean.
    pub(super) fn value(self, base: i32, multiplier: i32, modifier: i32) -> i32 {
        match (self, multiplier) {
            (Self::Eight, _) => (base + modifier * multiplier).clamp(0, 255),
            (Self::Eleven, 0) => (base * 8 + 4 + modifier).clamp(0, 2047),
            (Self::Eleven, _) => (base * 8 + 4 + modifier * multiplier * 8).clamp(0, 2047),
        }
    }

    /// A number of 8 bits in this scale.
    fn of_byte(self, byte: u8) -> i32 {
        match self {
            Self::Eight => i32::from(byte),
            Self::Eleven => (i32::from(byte) * 2047 * 2 + 255) / (2 * 255),
        }
    }
}

/// Encodes a channel; the bytes of the block are in big-endian order.
pub(super) fn encode(scale: Scale, values: [u8; 16]) -> u64 {
    let wanted = values.map(|byte| scale.of_byte(byte));
    let (low, high) = values.iter().fold((255, 0), |(low, high), v| (i32::from(*v).min(low), i32::from(*v).max(high)));
    let mut best = (u32::MAX, 0, 0, 0);
    for (table, modifiers) in MODIFIERS.iter().enumerate() {
        let (down, up) = (modifiers[3], modifiers[7]);
        let guess = (high - low + (up - down) / 2) / (up - down);
        for multiplier in (guess - 1).max(0)..=(guess + 1).min(15) {
            // In the middle of the table is the middle of the numbers.
            let middle = (low + high - multiplier * (up + down)) / 2;
            for base in (middle - 2).max(0)..=(middle + 2).min(255) {
                let found = modifiers.map(|modifier| scale.value(base, multiplier, modifier));
                let error = |wanted: &i32| found.iter().map(|v| (v - wanted).unsigned_abs().pow(2)).min().unwrap_or(0);
                let mut sum = 0;
                for wanted in &wanted {
                    sum += error(wanted);
                    if sum >= best.0 {
                        break;
                    }
                }
                if sum < best.0 {
                    best = (sum, table, multiplier, base);
                }
            }
        }
        if best.0 == 0 {
            break;
        }
    }
    let (_, table, multiplier, base) = best;
    let mut block = (base as u64) << 56 | (multiplier as u64) << 52 | (table as u64) << 48;
    for (texel, wanted) in wanted.iter().enumerate() {
        let error = |index: &usize| {
            let found = scale.value(base, multiplier, MODIFIERS[table][*index]);
            (found - wanted).unsigned_abs()
        };
        let index = (0..8).min_by_key(error).unwrap_or(0);
        block |= (index as u64) << (45 - 3 * by_columns(texel));
    }
    block
}
