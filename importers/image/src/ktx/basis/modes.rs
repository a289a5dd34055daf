//! The modes of UASTC, and which subset each pixel of a block is in.

use crate::astc_pattern::subset;

/// A mode.
pub(super) struct Mode {
    /// The bits that a block in this mode begins with, and how many they are.
    pub(super) code: u128,
    pub(super) len: u32,
    /// How many bits of advice for other formats follow.
    pub(super) hints: u32,
    pub(super) subsets: usize,
    pub(super) planes: usize,
    /// Grey and alpha, or colours with or without alpha.
    pub(super) channels: usize,
    /// The bits of a weight.
    pub(super) weight: u32,
    /// A channel of a colour is a digit of this base and this many bits. Base 1 is bits alone.
    pub(super) base: u8,
    pub(super) bits: u32,
}

/// The mode of blocks in one colour, which have nothing else.
pub(super) const SOLID: usize = 8;

pub(super) const MODES: [Mode; 19] = {
    const fn mode(
        code: (u128, u32),
        hints: u32,
        shape: (usize, usize, usize),
        weight: u32,
        (base, bits): (u8, u32),
    ) -> Mode {
        let (subsets, planes, channels) = shape;
        Mode { code: code.0, len: code.1, hints, subsets, planes, channels, weight, base, bits }
    }
    [
        mode((0x01, 4), 15, (1, 1, 3), 4, (3, 6)),
        mode((0x35, 6), 15, (1, 1, 3), 2, (1, 8)),
        mode((0x1d, 5), 15, (2, 1, 3), 3, (1, 4)),
        mode((0x03, 5), 15, (3, 1, 3), 2, (3, 2)),
        mode((0x13, 5), 15, (2, 1, 3), 2, (5, 3)),
        mode((0x0b, 5), 15, (1, 1, 3), 3, (1, 8)),
        mode((0x1b, 5), 15, (1, 2, 3), 2, (5, 5)),
        mode((0x07, 5), 15, (2, 1, 3), 2, (5, 3)),
        mode((0x17, 5), 0, (1, 1, 4), 0, (1, 8)),
        mode((0x0f, 5), 23, (2, 1, 4), 2, (1, 4)),
        mode((0x02, 3), 17, (1, 1, 4), 4, (3, 4)),
        mode((0x00, 2), 17, (1, 2, 4), 2, (3, 4)),
        mode((0x06, 3), 17, (1, 1, 4), 3, (3, 6)),
        mode((0x1f, 5), 23, (1, 2, 4), 1, (1, 8)),
        mode((0x0d, 5), 23, (1, 1, 4), 2, (1, 8)),
        mode((0x05, 7), 23, (1, 1, 2), 4, (1, 8)),
        mode((0x15, 6), 23, (2, 1, 2), 2, (1, 8)),
        mode((0x25, 6), 23, (1, 2, 2), 2, (1, 8)),
        mode((0x09, 4), 15, (1, 1, 3), 5, (1, 5)),
    ]
};

impl Mode {
    /// A channel of a colour in 8 bits, as ASTC widens it.
    pub(super) fn widen(&self, digit: u8, bits: u8) -> u8 {
        let low = u32::from(bits);
        // All bits but the lowest one, which reflects the range.
        let high = low >> 1;
        let (step, mixed) = match (self.base, self.bits) {
            (3, 2) => (93, high * 0b1_0001_0110),
            (3, 4) => (22, high << 6 | high),
            (3, 6) => (5, high << 4 | high >> 4),
            (5, 3) => (26, high << 7 | high << 1 | high >> 1),
            (5, 5) => (6, high << 5 | high >> 3),
            (_, 4) => return bits * 0x11,
            (_, 5) => return bits << 3 | bits >> 2,
            _ => return bits,
        };
        let mirror = if low & 1 == 1 { 0x1ff } else { 0 };
        let value = (u32::from(digit) * step + mixed) ^ mirror;
        (mirror & 0x80 | value >> 2) as u8
    }
}

/// The subset of each pixel of a block in this mode, whose pattern is read with `take`; `None` if such a pattern does not exist.
pub(super) fn pattern(mode: usize, take: &mut dyn FnMut(u32) -> u8) -> Option<[u8; 16]> {
    let (patterns, len): (&[_], _) = match mode {
        2 | 4 | 9 | 16 => (&TWO_AS_BC7_HAS, 5),
        3 => (&THREE, 4),
        7 => (&TWO_OF_THREE, 5),
        _ => return Some([0; 16]),
    };
    patterns.get(usize::from(take(len))).copied()
}

/// Patterns that ASTC and BC7 have in common, with the numbers of ASTC: of two subsets, of three, and of two that BC7 has as three.
const TWO_AS_BC7_HAS: [[u8; 16]; 30] = patterns(
    2,
    [
        28, 20, 16, 29, 91, 9, 107, 72, 149, 204, 50, 114, 496, 17, 78, 39, 252, 828, 43, 156, 116, 210, 476, 273, 684,
        359, 246, 195, 694, 524,
    ],
);
const THREE: [[u8; 16]; 11] = patterns(3, [260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254]);
const TWO_OF_THREE: [[u8; 16]; 19] =
    patterns(2, [36, 48, 61, 137, 161, 183, 226, 281, 302, 307, 479, 495, 593, 594, 605, 799, 812, 988, 993]);

const fn patterns<const COUNT: usize>(subsets: u32, numbers: [u32; COUNT]) -> [[u8; 16]; COUNT] {
    let mut patterns = [[0; 16]; COUNT];
    let mut i = 0;
    while i < COUNT {
        patterns[i] = partition(numbers[i], subsets);
        i += 1;
    }
    patterns
}

/// The pattern with this number of ASTC, of two or three subsets in a block of 4 × 4 pixels.
const fn partition(number: u32, subsets: u32) -> [u8; 16] {
    let mut pattern = [0; 16];
    let mut pixel = 0;
    while pixel < 16 {
        pattern[pixel] = subset(number, subsets, (pixel as u32 % 4, pixel as u32 / 4), true) as u8;
        pixel += 1;
    }
    pattern
}
