//! The numbers of ASTC → what they mean: channels from 0 to 255, weights from 0 to 64.

use std::sync::LazyLock;

use super::sequence::{RANGES, Range};

/// The values of a range, and the numbers of those next to a value.
pub(super) struct Levels {
    /// What each number means.
    pub(super) values: Vec<u8>,
    /// The number of the nearest value, the smaller one of two.
    pub(super) nearest: Vec<u8>,
    /// The nearest value, by a number of 8 bits so that the compiler sees it to be in range.
    pub(super) rounded: [f32; 256],
    /// The number of the value that is as far from the other end.
    pub(super) mirrored: Vec<u8>,
}

/// Channels, for each range of at least 6 numbers; smaller ranges have none.
pub(super) static CHANNELS: LazyLock<Vec<Levels>> = LazyLock::new(|| of_ranges(21, 255, channel));

/// Weights, for each range of at most 32 numbers.
pub(super) static WEIGHTS: LazyLock<Vec<Levels>> = LazyLock::new(|| of_ranges(12, 64, weight));

/// The range of 6 numbers, the smallest one for channels.
pub(super) const LEAST_CHANNELS: usize = 4;

fn of_ranges(count: usize, peak: u8, value: fn(Range, u8) -> u8) -> Vec<Levels> {
    let of_range = |range: &Range| {
        let values: Vec<u8> = (0..range.count()).map(|number| value(*range, number as u8)).collect();
        let nearest = |to: u8| (0..values.len()).min_by_key(|number| values[*number].abs_diff(to)).unwrap_or(0) as u8;
        Levels {
            rounded: std::array::from_fn(|to| values[usize::from(nearest(to as u8))].into()),
            nearest: (0..=peak).map(nearest).collect(),
            mirrored: values.iter().map(|value| nearest(peak - value)).collect(),
            values,
        }
    };
    RANGES[..count].iter().map(of_range).collect()
}

fn channel(range: Range, number: u8) -> u8 {
    let low = u32::from(number) & ((1 << range.bits()) - 1);
    let digit = u32::from(number >> range.bits().min(7)) * u32::from(range.base() > 1);
    let high = low >> 1;
    let (step, mixed) = match (range.base(), range.bits()) {
        (3, 1) => (204, 0),
        (3, 2) => (93, high * 0b1_0001_0110),
        (3, 3) => (44, high << 7 | high << 2 | high),
        (3, 4) => (22, high << 6 | high),
        (3, 5) => (11, high << 5 | high >> 2),
        (3, 6) => (5, high << 4 | high >> 4),
        (5, 1) => (113, 0),
        (5, 2) => (54, high * 0b1_0000_1100),
        (5, 3) => (26, high << 7 | high << 1 | high >> 1),
        (5, 4) => (13, high << 6 | high >> 1),
        (5, 5) => (6, high << 5 | high >> 3),
        (1, bits) => return repeat(low, bits, 8),
        _ => return 0,
    };
    mirror(digit * step + mixed, low, 0x1ff, 0x80)
}

fn weight(range: Range, number: u8) -> u8 {
    let low = u32::from(number) & ((1 << range.bits()) - 1);
    let digit = u32::from(number >> range.bits()) * u32::from(range.base() > 1);
    let high = low >> 1;
    let value = match (range.base(), range.bits()) {
        (3, 0) => [0, 32, 63][digit as usize],
        (5, 0) => [0, 16, 32, 47, 63][digit as usize],
        (3, 1) => mirror(digit * 50, low, 0x7f, 0x20),
        (3, 2) => mirror(digit * 23 + high * 0b100_0101, low, 0x7f, 0x20),
        (3, 3) => mirror(digit * 11 + (high << 5 | high), low, 0x7f, 0x20),
        (5, 1) => mirror(digit * 28, low, 0x7f, 0x20),
        (5, 2) => mirror(digit * 13 + high * 0b100_0010, low, 0x7f, 0x20),
        (_, bits) => repeat(low, bits, 6),
    };
    value + u8::from(value > 32)
}

/// The lowest bit of a number says which end of the range it is counted from.
fn mirror(value: u32, low: u32, all: u32, upper: u32) -> u8 {
    let mask = if low & 1 == 1 { all } else { 0 };
    (mask & upper | (value ^ mask) >> 2) as u8
}

/// Repeats bits until there are `len` of them.
fn repeat(value: u32, bits: u32, len: u32) -> u8 {
    let (mut out, mut left) = (0, len);
    while left > 0 {
        let taken = left.min(bits);
        out = out << taken | value >> (bits - taken);
        left -= taken;
    }
    out as u8
}
