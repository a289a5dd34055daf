//! Which of two subsets each pixel of a block belongs to: 1,024 patterns that ASTC computes from a number.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::line::{Sums, Vector};
use crate::astc_pattern::subset;

/// The number of patterns.
const COUNT: usize = 1024;

/// The patterns of blocks with one edge.
pub(super) struct Patterns {
    /// For each pattern, the pixels of the second subset as bits, row by row.
    second: Vec<u64>,
    /// The numbers of the patterns that differ from all before, whichever subset is the first one. Those with an empty subset are left out: they are
    /// single colours.
    different: Vec<usize>,
}

static PATTERNS: LazyLock<[Patterns; 3]> = LazyLock::new(|| [4, 6, 8].map(Patterns::compute));

impl Patterns {
    /// The patterns of blocks with this edge.
    pub(super) fn of(edge: usize) -> &'static Self {
        &PATTERNS[match edge {
            4 => 0,
            6 => 1,
            _ => 2,
        }]
    }

    fn compute(edge: usize) -> Self {
        let pattern = |seed: u32| {
            let is_second =
                |at: usize| subset(seed, 2, ((at % edge) as u32, (at / edge) as u32), edge * edge < 31) == 1;
            (0..edge * edge).fold(0, |bits, at| bits | u64::from(is_second(at)) << at)
        };
        let second: Vec<u64> = (0..COUNT as u32).map(pattern).collect();
        let all = u64::MAX >> (64 - edge * edge);
        let mut known = HashSet::from([0]);
        let different = (0..COUNT).filter(|number| known.insert(second[*number].min(second[*number] ^ all))).collect();
        Self { second, different }
    }

    /// The subset of each pixel.
    pub(super) fn pattern(&self, number: usize) -> u64 {
        self.second[number]
    }

    /// Of these patterns those whose subsets are nearest to two lines.
    pub(super) fn flattest(&self, numbers: Vec<usize>, vectors: &[Vector], most: usize) -> Vec<usize> {
        let sums = Sums::of(vectors);
        let all = u64::MAX >> (64 - vectors.len());
        let error = |number: usize| {
            let second = self.pattern(number);
            // The smaller group takes less time.
            let is_small = second.count_ones() as usize * 2 <= vectors.len();
            sums.off_lines(if is_small { second } else { second ^ all })
        };
        let mut errors: Vec<(f32, usize)> = numbers.into_iter().map(|number| (error(number), number)).collect();
        errors.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        errors.truncate(most);
        errors.into_iter().map(|(_, number)| number).collect()
    }

    /// The numbers of the patterns that divide a block most nearly as `wanted` does, whichever subset is the first one, in any order.
    pub(super) fn nearest(&self, wanted: u64, texels: usize, most: usize) -> Vec<usize> {
        let differing = |bits: u64| {
            let count = (bits ^ wanted).count_ones();
            count.min(texels as u32 - count)
        };
        let distance = |number: &usize| (differing(self.second[*number]), *number);
        let mut found: Vec<(u32, usize)> = self.different.iter().map(distance).collect();
        if most < found.len() {
            found.select_nth_unstable(most);
            found.truncate(most);
        }
        found.into_iter().map(|(_, number)| number).collect()
    }
}
