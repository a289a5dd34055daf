//! How many bytes an update takes in a store that keeps files as blocks.
//!
//! Two models of such a store, both with blocks of 1 MiB that are known by their contents. The first one cuts every file at
//! multiples of 1 MiB, so whatever moves is new. The second one looks for the old blocks at every offset of the new files.
//! Steam documents that it splits files into chunks of roughly 1 MB, and that it searches an update for chunks that match
//! the build before (partner.steamgames.com/doc/sdk/uploading, "Building Efficient Depots"); it compresses new chunks.

use std::collections::{HashMap, HashSet};

/// The size of a block in bytes.
pub(super) const BLOCK: usize = 1 << 20;

/// What a store lacks of the new files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Missing {
    /// Bytes to download.
    pub(super) bytes: u64,
    /// In a store with fixed blocks: the number of blocks to download.
    pub(super) blocks: usize,
    /// In a store with fixed blocks: the number of all blocks.
    pub(super) all_blocks: usize,
}

/// Returns what is missing if every file is cut at multiples of the block size.
pub(super) fn in_fixed_blocks(old: &[&[u8]], new: &[&[u8]]) -> Missing {
    let mut known: HashSet<[u8; 32]> = blocks(old).map(hash).collect();
    let mut missing = Missing::default();
    for block in blocks(new) {
        missing.all_blocks += 1;
        // A block that occurs twice is downloaded once.
        if known.insert(hash(block)) {
            missing.blocks += 1;
            missing.bytes += block.len() as u64;
        }
    }
    missing
}

/// Returns what is missing if the blocks of the old files are found at any offset of the new ones.
pub(super) fn in_moved_blocks(old: &[&[u8]], new: &[&[u8]]) -> u64 {
    let known = KnownBlocks::new(old);
    new.iter().map(|file| known.missing(file)).sum()
}

fn blocks<'b>(files: &'b [&'b [u8]]) -> impl Iterator<Item = &'b [u8]> {
    files.iter().flat_map(|file| file.chunks(BLOCK))
}

fn hash(block: &[u8]) -> [u8; 32] {
    blake3::hash(block).into()
}

/// The blocks of the old files, by a hash that can be rolled along a file.
struct KnownBlocks {
    full: HashMap<u64, HashSet<[u8; 32]>>,
    /// The ends of files, which are shorter than a block.
    ends: HashSet<[u8; 32]>,
    /// Which of the upper bits of the hashes occur: most offsets need no other lookup.
    filter: Vec<bool>,
}

/// The number of upper bits of a hash that the filter has.
const FILTER_BITS: u32 = 18;

/// The multiplier of the rolling hash: odd, with bits everywhere.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl KnownBlocks {
    fn new(old: &[&[u8]]) -> Self {
        let mut known = Self { full: HashMap::new(), ends: HashSet::new(), filter: vec![false; 1 << FILTER_BITS] };
        for block in blocks(old) {
            if block.len() == BLOCK {
                let rolled = rolling(block);
                known.filter[(rolled >> (64 - FILTER_BITS)) as usize] = true;
                known.full.entry(rolled).or_default().insert(hash(block));
            } else {
                known.ends.insert(hash(block));
            }
        }
        known
    }

    /// Returns the bytes of a file that are in no known block.
    fn missing(&self, file: &[u8]) -> u64 {
        let leaving = (1..BLOCK).fold(1u64, |power, _| power.wrapping_mul(FACTOR));
        let (mut at, mut missing) = (0, 0);
        let mut rolled = None;
        while at + BLOCK <= file.len() {
            let block = &file[at..at + BLOCK];
            let current = rolled.unwrap_or_else(|| rolling(block));
            if self.has(current, block) {
                at += BLOCK;
                rolled = None;
                continue;
            }
            let next = file.get(at + BLOCK).copied().unwrap_or(0);
            let without = current.wrapping_sub(value(block[0]).wrapping_mul(leaving));
            rolled = Some(without.wrapping_mul(FACTOR).wrapping_add(value(next)));
            at += 1;
            missing += 1;
        }
        let mut end = file.len() - at;
        // The end of the file, if the last block that was found leaves just that.
        if end > 0 && self.ends.contains(&hash(&file[at..])) {
            end = 0;
        }
        missing + end as u64
    }

    fn has(&self, rolled: u64, block: &[u8]) -> bool {
        self.filter[(rolled >> (64 - FILTER_BITS)) as usize]
            && self.full.get(&rolled).is_some_and(|hashes| hashes.contains(&hash(block)))
    }
}

/// Returns the hash of a block that [`KnownBlocks::missing`] rolls along.
fn rolling(block: &[u8]) -> u64 {
    block.iter().fold(0, |hash: u64, byte| hash.wrapping_mul(FACTOR).wrapping_add(value(*byte)))
}

/// Returns what a byte adds to the hash; a byte of zero has to count.
fn value(byte: u8) -> u64 {
    u64::from(byte) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(len: usize, seed: u64) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn what_moves_is_new_in_fixed_blocks_only() {
        let old = noise(3 * BLOCK + 500, 1);
        assert_eq!(in_fixed_blocks(&[&old], &[&old]), Missing { bytes: 0, blocks: 0, all_blocks: 4 });
        assert_eq!(in_moved_blocks(&[&old], &[&old]), 0);
        let moved = [&noise(100, 2)[..], &old].concat();
        let all = Missing { bytes: moved.len() as u64, blocks: 4, all_blocks: 4 };
        assert_eq!(in_fixed_blocks(&[&old], &[&moved]), all);
        assert_eq!(in_moved_blocks(&[&old], &[&moved]), 100);
        let mut changed = old.clone();
        changed[BLOCK + 7] ^= 1;
        assert_eq!(in_fixed_blocks(&[&old], &[&changed]).bytes, BLOCK as u64);
        assert_eq!(in_moved_blocks(&[&old], &[&changed]), BLOCK as u64);
    }

    #[test]
    fn a_block_is_downloaded_once_and_may_come_from_another_file() {
        let (a, b) = (noise(BLOCK, 1), noise(BLOCK, 2));
        assert_eq!(in_fixed_blocks(&[&a], &[&[&b[..], &b].concat()]).bytes, BLOCK as u64);
        assert_eq!(in_fixed_blocks(&[&a, &b], &[&[&b[..], &a].concat()]).bytes, 0);
        assert_eq!(in_moved_blocks(&[&a, &b], &[&[&b[..], &a].concat()]), 0);
        assert_eq!(in_fixed_blocks(&[], &[]), Missing::default());
    }
}
