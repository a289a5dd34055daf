//! Ways to damage bytes: flip, set, cut, delete, insert, numbers at their limits, copy, swap, runs of zeros.

use std::ops::Range;

/// Random numbers that are the same on every machine (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    /// Numbers that depend on all of these.
    pub(crate) fn new(seeds: &[u64]) -> Self {
        let mut random = Self(0);
        for seed in seeds {
            random.0 = random.next() ^ seed;
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ number >> 31
    }

    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Damages `bytes` in one way, and returns what was done. Half of the places are in `heads`: file header, chunk headers, index.
pub(crate) fn apply(bytes: &mut Vec<u8>, heads: &[Range<usize>], random: &mut Random) -> String {
    let at = place(bytes.len(), heads, random);
    let len = 1 + random.below(64);
    let end = (at + len).min(bytes.len());
    match random.below(10) {
        0 | 1 => {
            let bit = random.below(8);
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at} flipped")
        }
        2 => {
            bytes[at] = random.next() as u8;
            format!("byte {at} set to {}", bytes[at])
        }
        3 => {
            bytes.truncate(at);
            format!("cut at {at}")
        }
        4 => {
            bytes.drain(at..end);
            format!("{at}..{end} deleted")
        }
        5 => {
            let filled = random.below(2) == 0;
            let new: Vec<u8> = (0..len).map(|_| if filled { random.next() as u8 } else { 0 }).collect();
            bytes.splice(at..at, new);
            format!("{len} bytes inserted at {at}, {}", if filled { "random" } else { "zeros" })
        }
        6 => {
            let value = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, bytes.len() as u32][random.below(6)];
            for (byte, new) in bytes[at..].iter_mut().zip(value.to_le_bytes()) {
                *byte = new;
            }
            format!("the number at {at} set to {value}")
        }
        7 => {
            let from = place(bytes.len(), heads, random).min(bytes.len() - (end - at));
            bytes.copy_within(from..from + (end - at), at);
            format!("{} bytes of {from} copied to {at}", end - at)
        }
        8 => {
            let other = place(bytes.len(), heads, random);
            let len = (end - at).min(bytes.len() - other);
            (0..len).for_each(|i| bytes.swap(at + i, other + i));
            format!("{len} bytes of {at} and {other} swapped")
        }
        _ => {
            bytes[at..end].fill(0);
            format!("{at}..{end} zeroed")
        }
    }
}

/// A place in `len` bytes.
fn place(len: usize, heads: &[Range<usize>], random: &mut Random) -> usize {
    let all: usize = heads.iter().map(|head| head.len()).sum();
    if all == 0 || random.below(2) == 0 {
        return random.below(len);
    }
    let mut at = random.below(all);
    for head in heads {
        if at < head.len() {
            return head.start + at;
        }
        at -= head.len();
    }
    0
}
