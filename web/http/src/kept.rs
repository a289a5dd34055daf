//! Which ranges of a pack are kept from an earlier start.

use std::ops::Range;

/// Where ranges are kept, and how much.
#[derive(Clone, Debug)]
pub(crate) struct Keep {
    pub(crate) place: String,
    /// The most bytes of a pack.
    pub(crate) limit: u64,
}

/// The ranges of one version of a pack that are kept, those first that were not used for the longest time.
#[derive(Debug)]
pub(crate) struct KeptRanges {
    ranges: Vec<Range<u64>>,
    limit: u64,
}

/// What comes next of a range.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The first part of it is in this kept range.
    Kept(Range<u64>),
    /// This much of it is not kept.
    Missing(Range<u64>),
}

impl KeptRanges {
    /// Returns no ranges. At most `limit` bytes will be kept.
    pub(crate) fn new(limit: u64) -> Self {
        Self { ranges: Vec::new(), limit }
    }

    pub(crate) fn add(&mut self, range: Range<u64>) {
        if !range.is_empty() && !self.ranges.contains(&range) {
            self.ranges.push(range);
        }
    }

    /// Whether a range may be kept. One that is longer than the limit would evict all others. The front is always kept.
    pub(crate) fn may_keep(&self, range: &Range<u64>) -> bool {
        range.start == 0 || range.end - range.start <= self.limit
    }

    pub(crate) fn clear(&mut self) {
        self.ranges.clear();
    }

    pub(crate) fn remove(&mut self, range: &Range<u64>) {
        self.ranges.retain(|kept| kept != range);
    }

    /// Notes that a range was used.
    pub(crate) fn used(&mut self, range: &Range<u64>) {
        if let Some(at) = self.ranges.iter().position(|kept| kept == range) {
            self.ranges[at..].rotate_left(1);
        }
    }

    /// Removes ranges until no more is kept than may be, and returns them: those first that were not used for the longest time. The front
    /// stays, without which nothing else is of use.
    pub(crate) fn evict(&mut self) -> Vec<Range<u64>> {
        let mut bytes: u64 = self.ranges.iter().map(|range| range.end - range.start).sum();
        let limit = self.limit;
        let evicted = self.ranges.extract_if(.., |range| {
            let is_evicted = bytes > limit && range.start > 0;
            if is_evicted {
                bytes -= range.end - range.start;
            }
            is_evicted
        });
        evicted.collect()
    }

    /// Returns the kept ranges that share a byte with `range`.
    pub(crate) fn overlapping(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        self.ranges.iter().filter(|kept| kept.start < range.end && range.start < kept.end).cloned().collect()
    }

    /// Returns what comes next of a range, which must not be empty.
    pub(crate) fn next(&self, range: &Range<u64>) -> Step {
        let here = self.ranges.iter().filter(|kept| kept.contains(&range.start)).max_by_key(|kept| kept.end);
        match here {
            Some(kept) => Step::Kept(kept.clone()),
            None => {
                let later = self.ranges.iter().map(|kept| kept.start).filter(|start| range.contains(start)).min();
                Step::Missing(range.start..later.unwrap_or(range.end))
            }
        }
    }
}

/// FNV-1a. It tells packs and their versions apart; checksums in the pack tell whether bytes are right.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The name under which a range is kept.
pub(crate) fn name(range: &Range<u64>) -> String {
    format!("{}-{}", range.start, range.end)
}

/// The range of a name.
pub(crate) fn range(name: &str) -> Option<Range<u64>> {
    let (start, end) = name.split_once('-')?;
    Some(start.parse().ok()?..end.parse().ok()?).filter(|range| !range.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_put_together_from_what_is_kept_and_what_is_missing() {
        let mut kept = KeptRanges::new(u64::MAX);
        [10..20, 15..40, 60..70].into_iter().for_each(|range| kept.add(range));
        assert_eq!(kept.next(&(0..100)), Step::Missing(0..10));
        assert_eq!(kept.next(&(10..100)), Step::Kept(10..20));
        assert_eq!(kept.next(&(16..100)), Step::Kept(15..40));
        assert_eq!(kept.next(&(40..100)), Step::Missing(40..60));
        assert_eq!(kept.next(&(70..100)), Step::Missing(70..100));
        kept.remove(&(15..40));
        assert_eq!(kept.next(&(20..30)), Step::Missing(20..30));
        assert_eq!(kept.overlapping(&(19..61)), [10..20, 60..70]);
    }

    #[test]
    fn what_was_not_used_for_the_longest_time_makes_room() {
        let mut kept = KeptRanges::new(100);
        [0..30, 30..60, 60..90].into_iter().for_each(|range| kept.add(range));
        assert!(kept.evict().is_empty());
        kept.used(&(30..60));
        kept.add(90..130);
        assert_eq!(kept.evict().first(), Some(&(60..90)));
        kept.add(200..400);
        assert_eq!(kept.evict(), [30..60, 90..130, 200..400], "the front stays");
        assert_eq!(kept.next(&(0..400)), Step::Kept(0..30));
    }

    #[test]
    fn names_lead_back_to_ranges() {
        assert_eq!(range(&name(&(5..99))), Some(5..99));
        assert_eq!((range("9-5"), range("x-5"), range("5")), (None, None, None));
    }
}
