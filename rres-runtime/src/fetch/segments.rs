//! The segments of a pack that are here: what each request brought.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::bytes::AssetBytes;
use crate::source::content::Part;

/// The file offset of a segment, and a number: what is read again may begin at the same offset.
pub(super) type SegmentId = (u32, u64);

#[derive(Default)]
pub(super) struct Segments {
    segments: BTreeMap<SegmentId, Segment>,
    /// The bytes of all segments.
    bytes: u64,
    /// The bytes of segments that somebody holds.
    held: u64,
    /// Counts uses, to find the segment that was not used for the longest time.
    clock: u64,
}

struct Segment {
    bytes: AssetBytes,
    /// The file offsets of the resources in it that were checked and are right.
    checked: BTreeSet<u32>,
    holds: usize,
    used: u64,
}

impl Segments {
    /// Adds a segment, none of whose resources was checked.
    pub(super) fn insert(&mut self, start: u32, bytes: AssetBytes) -> SegmentId {
        self.clock += 1;
        self.bytes += bytes.len() as u64;
        let id = (start, self.clock);
        self.segments.insert(id, Segment { bytes, checked: BTreeSet::new(), holds: 0, used: self.clock });
        id
    }

    /// Finds a segment that has the resource in a range, and whose bytes of it are right.
    pub(super) fn find(&self, range: &Range<u32>) -> Option<SegmentId> {
        let mut around = self.around(range);
        around.find(|(_, segment)| segment.checked.contains(&range.start)).map(|(id, _)| id)
    }

    /// Finds a segment that has a range, whose bytes were not checked or are damaged.
    pub(super) fn find_unchecked(&self, range: &Range<u32>) -> Option<SegmentId> {
        self.around(range).next().map(|(id, _)| id)
    }

    fn around(&self, range: &Range<u32>) -> impl Iterator<Item = (SegmentId, &Segment)> {
        let (end, before) = (u64::from(range.end), ..=(range.start, u64::MAX));
        let before = self.segments.range(before).rev().map(|(id, segment)| (*id, segment));
        before.filter(move |((start, _), segment)| u64::from(*start) + segment.bytes.len() as u64 >= end)
    }

    /// Notes that the resource at a file offset is right.
    pub(super) fn set_checked(&mut self, id: SegmentId, offset: u32) {
        if let Some(segment) = self.segments.get_mut(&id) {
            segment.checked.insert(offset);
        }
    }

    /// Returns a segment.
    pub(super) fn part(&self, id: SegmentId) -> Part<'static> {
        Part { bytes: Cow::Owned(self.segments[&id].bytes.clone()), start: id.0 }
    }

    /// Returns a segment, and counts that as a use.
    pub(super) fn use_part(&mut self, id: SegmentId) -> Part<'static> {
        self.clock += 1;
        let now = self.clock;
        self.segments.entry(id).and_modify(|segment| segment.used = now);
        self.part(id)
    }

    /// Keeps a segment until [`Self::let_go`] is called as often.
    pub(super) fn hold(&mut self, id: SegmentId) {
        let Some(segment) = self.segments.get_mut(&id) else { return };
        if segment.holds == 0 {
            self.held += segment.bytes.len() as u64;
        }
        segment.holds += 1;
    }

    pub(super) fn let_go(&mut self, ids: &[SegmentId]) {
        for id in ids {
            let Some(segment) = self.segments.get_mut(id) else { continue };
            segment.holds -= 1;
            if segment.holds == 0 {
                self.held -= segment.bytes.len() as u64;
            }
        }
    }

    /// Returns how many bytes somebody holds.
    pub(super) fn held(&self) -> u64 {
        self.held
    }

    /// Frees segments that nobody holds, those first that were not used for the longest time, until the rest is within `kept`.
    pub(super) fn evict(&mut self, kept: u64) {
        while self.bytes > kept {
            let free = self.segments.iter().filter(|(_, segment)| segment.holds == 0);
            let Some(oldest) = free.min_by_key(|(_, segment)| segment.used).map(|(id, _)| *id) else { return };
            if let Some(segment) = self.segments.remove(&oldest) {
                self.bytes -= segment.bytes.len() as u64;
            }
        }
    }
}
