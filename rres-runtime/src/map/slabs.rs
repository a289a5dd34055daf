//! Memory for decoded blocks, cut from slabs in large pages.
//!
//! A block that is just allocated is written once, and with pages of 4 KiB every page of it is a page fault: a quarter to a third of
//! the time of loading pictures. A large page is 512 of them at once. Blocks of 4 MiB and more have pages of their own; smaller ones share
//! the pages of a slab. What is freed is used again, and a slab without blocks is given back.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::slice;
use std::sync::{Arc, Mutex};

use super::large_pages;
use crate::sync::lock;

/// Blocks of at least this size are cut from slabs. Of smaller ones, many fit into a page anyway.
const LEAST: usize = 16 << 10;
/// Blocks of this size or larger have pages of their own.
const MOST: usize = 4 << 20;
/// A program that loads less than this altogether does not need a page of 2 MiB for it.
const FROM_HEAP: usize = 2 << 20;
const SLAB: usize = 8 << 20;
/// What blocks are rounded up to.
const GRANULE: usize = 2 << 10;
/// The words of a map with a bit for each granule.
const WORDS: usize = SLAB / GRANULE / 64;

/// The slabs of this process.
static POOL: Mutex<Pool> = Mutex::new(Pool { asked: 0, slabs: Vec::new() });

struct Pool {
    /// How many bytes have been asked for, up to `FROM_HEAP`.
    asked: usize,
    slabs: Vec<Arc<Slab>>,
}

struct Slab {
    pages: memmap2::MmapRaw,
    used: Mutex<Used>,
}

/// Which granules of a slab belong to a piece.
struct Used {
    bits: [u64; WORDS],
    /// No run of free granules is longer.
    longest: usize,
}

/// A part of a slab that nothing else refers to.
pub(crate) struct Piece {
    slab: Arc<Slab>,
    /// The first byte in the slab, a multiple of `GRANULE`.
    start: usize,
    len: usize,
}

impl Piece {
    /// Returns `len` bytes with any contents, or `None` if the heap is the better place for them or the system has no large pages.
    pub(crate) fn allocate(len: usize) -> Option<Self> {
        if !cfg!(target_os = "linux") || !(LEAST..MOST).contains(&len) {
            return None;
        }
        let count = len.div_ceil(GRANULE);
        let mut pool = lock(&POOL);
        if pool.asked < FROM_HEAP {
            pool.asked += len;
            return None;
        }
        // The newest one has the most space as long as nothing is freed.
        let found = pool.slabs.iter().rev().find_map(|slab| Some((slab, lock(&slab.used).take(count)?)));
        let (slab, first) = match found {
            Some((slab, first)) => (Arc::clone(slab), first),
            None => {
                let slab = Arc::new(Slab::new()?);
                let first = lock(&slab.used).take(count)?;
                pool.slabs.push(Arc::clone(&slab));
                (slab, first)
            }
        };
        Some(Self { slab, start: first * GRANULE, len })
    }
}

impl Deref for Piece {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `Used::take` has returned granules within the slab that were free, and has marked them as used until this piece is dropped.
        // So the bytes are within the pages, which live as long as `self.slab`, and no other piece contains them. They are
        // initialised, since anonymous pages are zeros until they are written. They are only written through `&mut self`.
        unsafe { slice::from_raw_parts(self.slab.pages.as_ptr().add(self.start), self.len) }
    }
}

impl DerefMut for Piece {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`; and `&mut self` is the only way to these bytes.
        unsafe { slice::from_raw_parts_mut(self.slab.pages.as_mut_ptr().add(self.start), self.len) }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        let is_empty = {
            let mut used = lock(&self.slab.used);
            used.give_back(self.start / GRANULE, self.len.div_ceil(GRANULE));
            used.is_empty()
        };
        if is_empty {
            let mut pool = lock(&POOL);
            // One stays, so that a program that loads and drops one asset after another does not ask the system each time. Meanwhile, another
            // thread may have taken a piece of this slab; then it stays, too.
            let others = pool.slabs.len() > 1;
            pool.slabs.retain(|slab| !(others && Arc::ptr_eq(slab, &self.slab) && lock(&slab.used).is_empty()));
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Piece({} bytes)", self.len)
    }
}

impl Slab {
    fn new() -> Option<Self> {
        let used = Used { bits: [0; WORDS], longest: WORDS * 64 };
        Some(Self { pages: large_pages(SLAB)?.into(), used: Mutex::new(used) })
    }
}

impl Used {
    /// Marks the first run of `count` free granules as used, and returns its first one.
    fn take(&mut self, count: usize) -> Option<usize> {
        if count > self.longest {
            return None;
        }
        let (mut at, mut longest) = (0, 0);
        loop {
            let free = self.next(at, false);
            let end = self.next(free, true);
            if end - free >= count {
                self.mark(free, count, true);
                return Some(free);
            }
            longest = longest.max(end - free);
            if end == WORDS * 64 {
                self.longest = longest;
                return None;
            }
            at = end;
        }
    }

    fn give_back(&mut self, first: usize, count: usize) {
        self.mark(first, count, false);
        // An upper bound; the next search that fails finds the right one.
        self.longest = WORDS * 64;
    }

    fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }

    /// Returns the first granule from `from` on that is used or not, or the number of granules.
    fn next(&self, from: usize, used: bool) -> usize {
        let mut skip = from % 64;
        for (index, word) in self.bits.iter().enumerate().skip(from / 64) {
            let wanted = if used { *word } else { !*word };
            let rest = wanted >> skip << skip;
            if rest != 0 {
                return index * 64 + rest.trailing_zeros() as usize;
            }
            skip = 0;
        }
        WORDS * 64
    }

    fn mark(&mut self, first: usize, count: usize, used: bool) {
        for granule in first..first + count {
            let bit = 1u64 << (granule % 64);
            match used {
                true => self.bits[granule / 64] |= bit,
                false => self.bits[granule / 64] &= !bit,
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Loads and drops many blocks in an order that looks random. Each keeps its own bytes.
    #[test]
    fn pieces_never_overlap() {
        let mut random = 1u64;
        let mut below = |bound: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % bound
        };
        let mut held: Vec<(u8, Piece)> = Vec::new();
        for round in 0..2000 {
            if held.len() > 40 || (!held.is_empty() && below(3) == 0) {
                let (fill, piece) = held.swap_remove(below(held.len()));
                assert!(piece.iter().all(|byte| *byte == fill), "round {round}");
                continue;
            }
            let len = LEAST + below(if round % 10 == 0 { MOST - LEAST } else { 100_000 });
            if let Some(mut piece) = Piece::allocate(len) {
                assert_eq!(piece.len(), len);
                piece.fill(round as u8);
                held.push((round as u8, piece));
            }
        }
        assert!(held.iter().all(|(fill, piece)| piece.iter().all(|byte| byte == fill)));
        assert!(held.len() > 5);
    }

    #[test]
    fn small_and_large_blocks_are_not_cut_from_slabs() {
        assert!(Piece::allocate(LEAST - 1).is_none());
        assert!(Piece::allocate(MOST).is_none());
    }

    #[test]
    fn a_freed_run_is_found_again() {
        let mut used = Used { bits: [0; WORDS], longest: WORDS * 64 };
        let whole = WORDS * 64;
        assert_eq!(used.take(100), Some(0));
        assert_eq!(used.take(whole - 100), Some(100));
        assert_eq!(used.take(1), None);
        used.give_back(30, 50);
        assert_eq!(used.take(51), None);
        assert_eq!(used.longest, 50);
        assert_eq!(used.take(50), Some(30));
        used.give_back(0, whole);
        assert!(used.is_empty());
        assert_eq!(used.take(whole), Some(0));
    }
}
