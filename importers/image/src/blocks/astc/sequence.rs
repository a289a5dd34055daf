//! Sequences of small whole numbers as ASTC stores them: each is bits, or bits and a digit of base 3 or 5. Five digits of base 3 share
//! 8 bits, three of base 5 share 7.

use std::sync::LazyLock;

/// How many different numbers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    /// 3 or 5, or 1 without digits.
    base: u8,
    bits: u32,
}

/// All ranges, the smallest first.
pub(super) const RANGES: [Range; 21] = {
    const fn range(base: u8, bits: u32) -> Range {
        Range { base, bits }
    }
    [
        range(1, 1),
        range(3, 0),
        range(1, 2),
        range(5, 0),
        range(3, 1),
        range(1, 3),
        range(5, 1),
        range(3, 2),
        range(1, 4),
        range(5, 2),
        range(3, 3),
        range(1, 5),
        range(5, 3),
        range(3, 4),
        range(1, 6),
        range(5, 4),
        range(3, 5),
        range(1, 7),
        range(5, 5),
        range(3, 6),
        range(1, 8),
    ]
};

/// The smallest number of digits packed in 8 or 7 bits, by the digits from the first one.
static PACKED_3: LazyLock<Vec<u8>> = LazyLock::new(|| packed(3, 5, 8, digits_3));
static PACKED_5: LazyLock<Vec<u8>> = LazyLock::new(|| packed(5, 3, 7, digits_5));

fn packed<const LEN: usize>(base: usize, len: u32, bits: u32, unpack: fn(u8) -> [u8; LEN]) -> Vec<u8> {
    let mut packed = vec![0; base.pow(len)];
    for byte in (0..1u16 << bits).rev() {
        let digits = unpack(byte as u8);
        packed[number_of(&digits, base)] = byte as u8;
    }
    packed
}

fn number_of(digits: &[u8], base: usize) -> usize {
    digits.iter().rev().fold(0, |number, digit| number * base + usize::from(*digit))
}

impl Range {
    /// How many numbers there are.
    pub(super) fn count(self) -> usize {
        usize::from(self.base) << self.bits
    }

    pub(super) fn bits(self) -> u32 {
        self.bits
    }

    pub(super) fn base(self) -> u8 {
        self.base
    }

    /// The bits of a sequence of this many numbers.
    pub(super) fn size(self, len: usize) -> u32 {
        let len = len as u32;
        len * self.bits
            + match self.base {
                3 => (8 * len).div_ceil(5),
                5 => (7 * len).div_ceil(3),
                _ => 0,
            }
    }

    /// How many numbers share their digits, and how many bits of the digits follow each of them.
    fn group(self) -> (usize, &'static [u32]) {
        match self.base {
            3 => (5, &[2, 2, 1, 2, 1]),
            5 => (3, &[3, 2, 2]),
            _ => (1, &[0]),
        }
    }

    /// Stores a sequence from bit 0 up.
    pub(super) fn store(self, numbers: &[u8]) -> u128 {
        let (mut out, mut at) = (0, 0);
        let (len, follow) = self.group();
        for group in numbers.chunks(len) {
            let mut digits = [0; 5];
            for (digit, number) in digits.iter_mut().zip(group) {
                *digit = (u16::from(*number) >> self.bits) as u8;
            }
            let mut packed = match self.base {
                3 => PACKED_3[number_of(&digits, 3)],
                5 => PACKED_5[number_of(&digits[..3], 5)],
                _ => 0,
            };
            for (number, follow) in group.iter().zip(follow) {
                out |= u128::from(number & ((1u16 << self.bits) - 1) as u8) << at;
                out |= u128::from(packed & ((1 << follow) - 1)) << (at + self.bits);
                packed >>= follow;
                at += self.bits + follow;
            }
        }
        out
    }

    /// Reads a sequence from bit 0 up.
    pub(super) fn load(self, stored: u128, numbers: &mut [u8]) {
        let mut at = 0;
        let (len, follow) = self.group();
        for group in numbers.chunks_mut(len) {
            let (mut packed, mut shift) = (0, 0);
            for (number, follow) in group.iter_mut().zip(follow) {
                *number = (stored >> at) as u8 & ((1u16 << self.bits) - 1) as u8;
                packed |= ((stored >> (at + self.bits)) as u8 & ((1 << follow) - 1)) << shift;
                shift += follow;
                at += self.bits + follow;
            }
            let digits: &[u8] = match self.base {
                3 => &digits_3(packed),
                5 => &digits_5(packed),
                _ => &[0],
            };
            for (number, digit) in group.iter_mut().zip(digits) {
                *number |= (u16::from(*digit) << self.bits) as u8;
            }
        }
    }
}

/// The five digits of base 3 in 8 bits.
fn digits_3(packed: u8) -> [u8; 5] {
    let bit = |from: u8, at: u32| from >> at & 1;
    let (rest, upper) = if packed >> 2 & 7 == 7 {
        (packed >> 5 << 2 | packed & 3, [2, 2])
    } else if packed >> 5 & 3 == 3 {
        (packed & 31, [bit(packed, 7), 2])
    } else {
        (packed & 31, [packed >> 5 & 3, bit(packed, 7)])
    };
    let lower = if rest & 3 == 3 {
        [bit(rest, 3) << 1 | bit(rest, 2) & !bit(rest, 3), bit(rest, 4), 2]
    } else if rest >> 2 & 3 == 3 {
        [rest & 3, 2, 2]
    } else {
        [bit(rest, 1) << 1 | bit(rest, 0) & !bit(rest, 1), rest >> 2 & 3, bit(rest, 4)]
    };
    [lower[0], lower[1], lower[2], upper[0], upper[1]]
}

/// The three digits of base 5 in 7 bits.
fn digits_5(packed: u8) -> [u8; 3] {
    let bit = |at: u32| packed >> at & 1;
    if packed >> 1 & 3 == 3 && packed >> 5 & 3 == 0 {
        let last = bit(0) << 2 | (bit(4) & !bit(0)) << 1 | bit(3) & !bit(0);
        return [4, 4, last];
    }
    let (rest, last) = if packed >> 1 & 3 == 3 {
        ((packed >> 3 & 3) << 3 | (!packed >> 5 & 3) << 1 | bit(0), 4)
    } else {
        (packed & 31, packed >> 5 & 3)
    };
    if rest & 7 == 5 { [rest >> 3, 4, last] } else { [rest & 7, rest >> 3, last] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_of_every_range_and_length_come_back() {
        for range in RANGES {
            for len in 1..=17 {
                let numbers: Vec<_> = (0..len).map(|i| ((i * 37 + len * 11) % range.count()) as u8).collect();
                let size = range.size(len);
                // The head of a block takes some of its 128 bits.
                if size >= 128 {
                    continue;
                }
                let stored = range.store(&numbers);
                assert!(stored >> size == 0, "{range:?} {len}");
                let mut loaded = vec![0; len];
                range.load(stored, &mut loaded);
                assert_eq!(loaded, numbers, "{range:?}");
            }
        }
    }
}
