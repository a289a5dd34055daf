//! Pairs of numbers, sorted, with the place at which the pairs of each first number begin.

/// A sorted list of pairs.
pub(super) struct Pairs {
    sorted: Vec<(u32, u32)>,
    /// For each first number where its pairs begin, and the end of the list.
    starts: Vec<u32>,
}

impl Pairs {
    /// Sorts pairs whose first numbers are below `count`.
    pub(super) fn new(pairs: impl Iterator<Item = (u32, u32)> + Clone, count: usize) -> Self {
        let mut starts = vec![0u32; count + 1];
        pairs.clone().for_each(|(first, _)| starts[first as usize + 1] += 1);
        for first in 0..count {
            starts[first + 1] += starts[first];
        }
        let mut next = starts.clone();
        let mut sorted = vec![(0, 0); starts[count] as usize];
        for pair in pairs {
            let place = &mut next[pair.0 as usize];
            sorted[*place as usize] = pair;
            *place += 1;
        }
        for ends in starts.windows(2) {
            sorted[ends[0] as usize..ends[1] as usize].sort_unstable();
        }
        Self { sorted, starts }
    }

    pub(super) fn all(&self) -> &[(u32, u32)] {
        &self.sorted
    }

    /// The pairs with this first number.
    pub(super) fn of(&self, first: u32) -> &[(u32, u32)] {
        let first = first as usize;
        &self.sorted[self.starts[first] as usize..self.starts[first + 1] as usize]
    }

    pub(super) fn has(&self, pair: (u32, u32)) -> bool {
        self.of(pair.0).binary_search(&pair).is_ok()
    }

    /// The second number of the only pair with this first number.
    pub(super) fn single(&self, first: u32) -> Option<u32> {
        match self.of(first) {
            [(_, second)] => Some(*second),
            _ => None,
        }
    }
}
