//! Which ranges of a pack are kept from an earlier start.

use std::ops::Range;

/// The ranges of one version of a pack that are kept.
#[derive(Debug, Default)]
pub(crate) struct KeptRanges(Vec<Range<u64>>);

/// What comes next of a range.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The first part of it is in this kept range.
    Kept(Range<u64>),
    /// This much of it is not kept.
    Missing(Range<u64>),
}

impl KeptRanges {
    pub(crate) fn add(&mut self, range: Range<u64>) {
        if !range.is_empty() && !self.0.contains(&range) {
            self.0.push(range);
        }
    }

    pub(crate) fn remove(&mut self, range: &Range<u64>) {
        self.0.retain(|kept| kept != range);
    }

    /// Returns the kept ranges that share a byte with `range`.
    pub(crate) fn overlapping(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        self.0.iter().filter(|kept| kept.start < range.end && range.start < kept.end).cloned().collect()
    }

    /// Returns what comes next of a range, which must not be empty.
    pub(crate) fn next(&self, range: &Range<u64>) -> Step {
        let here = self.0.iter().filter(|kept| kept.contains(&range.start)).max_by_key(|kept| kept.end);
        match here {
            Some(kept) => Step::Kept(kept.clone()),
            None => {
                let later = self.0.iter().map(|kept| kept.start).filter(|start| range.contains(start)).min();
                Step::Missing(range.start..later.unwrap_or(range.end))
            }
        }
    }
}

/// A number that stands for a version of a pack: for the first bytes of it, in which its front index and its checksum are.
pub(crate) fn version(front: &[u8]) -> u64 {
    // FNV-1a. It tells versions apart; checksums in the pack tell whether bytes are right.
    front.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
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
        let mut kept = KeptRanges::default();
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
    fn names_lead_back_to_ranges() {
        assert_eq!(range(&name(&(5..99))), Some(5..99));
        assert_eq!((range("9-5"), range("x-5"), range("5")), (None, None, None));
    }
}
