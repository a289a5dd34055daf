//! Which sources of a directory are imported: all, one of several shares, or a sample.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::mem::take;

use crate::pipeline::PlannedSource;

/// What a source costs whatever its size, in bytes that could be read in that time.
const COST_OF_A_FILE: u64 = 64 << 10;

/// Which sources of an assets directory are imported.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Portion {
    /// All of them.
    All,
    /// One of several shares of about the same number of bytes, for machines that import at the same time. Every source is in one of them.
    Share {
        /// The number of the share, from 1.
        number: usize,
        /// How many shares there are.
        of: usize,
    },
    /// Some of them, chosen by a hash of their paths, at least one.
    Sample {
        /// The share of the sources, from 0 to 1.
        fraction: f64,
        /// Another seed chooses others.
        seed: u64,
    },
}

impl Portion {
    /// Leaves those of `sources` that are in the portion, in their order.
    pub(super) fn choose(&self, sources: &mut Vec<PlannedSource>) {
        let sizes: Vec<(u64, &str)> = sources.iter().map(|of| (of.source.size, of.source.path.as_str())).collect();
        let chosen: HashSet<usize> = match self {
            Self::All => return,
            Self::Share { number, of } => share(&sizes, *number, *of),
            Self::Sample { fraction, seed } => sample(&sizes, *fraction, *seed),
        };
        let all = take(sources).into_iter().enumerate();
        sources.extend(all.filter(|(at, _)| chosen.contains(at)).map(|(_, source)| source));
    }
}

/// The largest first, each to the share that has least, so that no machine waits long for another.
fn share(sources: &[(u64, &str)], number: usize, of: usize) -> HashSet<usize> {
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|at| (Reverse(sources[*at].0), sources[*at].1));
    let mut costs = vec![0_u64; of.max(1)];
    let mut chosen = HashSet::new();
    for at in order {
        let least = (0..costs.len()).min_by_key(|share| costs[*share]).unwrap_or_default();
        costs[least] = costs[least].saturating_add(sources[at].0.saturating_add(COST_OF_A_FILE));
        if least + 1 == number {
            chosen.insert(at);
        }
    }
    chosen
}

fn sample(sources: &[(u64, &str)], fraction: f64, seed: u64) -> HashSet<usize> {
    let hash = |at: &usize| {
        *blake3::Hasher::new().update(&seed.to_le_bytes()).update(sources[*at].1.as_bytes()).finalize().as_bytes()
    };
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_cached_key(hash);
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of files, within its range"
    )]
    let count = ((sources.len() as f64 * fraction.clamp(0.0, 1.0)).ceil() as usize).max(1);
    order.truncate(count);
    order.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCES: [(u64, &str); 6] = [(9 << 20, "a"), (5 << 20, "b"), (4 << 20, "c"), (1, "d"), (1, "e"), (1, "f")];

    #[test]
    fn shares_are_whole_together_and_about_equal() {
        for of in 1..9 {
            let shares: Vec<_> = (1..=of).map(|number| share(&SOURCES, number, of)).collect();
            let mut all: Vec<usize> = shares.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2, 3, 4, 5], "{of}");
        }
        let bytes = |number| share(&SOURCES, number, 2).into_iter().map(|at| SOURCES[at].0).sum::<u64>();
        assert!(bytes(1).abs_diff(bytes(2)) < 4, "{} and {}", bytes(1), bytes(2));
    }

    #[test]
    fn a_sample_has_the_same_files_each_time_and_others_with_another_seed() {
        let names: Vec<String> = (0..1000).map(|at| format!("{at}.png")).collect();
        let sources: Vec<(u64, &str)> = names.iter().map(|name| (1, name.as_str())).collect();
        assert_eq!(sample(&sources, 0.01, 1), sample(&sources, 0.01, 1));
        assert_ne!(sample(&sources, 0.01, 1), sample(&sources, 0.01, 2));
        assert_eq!([0.0, 0.01, 1.0].map(|fraction| sample(&sources, fraction, 1).len()), [1, 10, 1000]);
        assert!(sample(&[], 0.5, 1).is_empty());
    }
}
