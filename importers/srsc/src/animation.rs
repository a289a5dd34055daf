//! Animations, put together from their records.

use crate::body::Items;
use crate::error::Fault;
use crate::records::{AnimationInfo, Frame};

/// An animation: the records of one id.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation<'a> {
    /// The head.
    pub info: AnimationInfo<'a>,
    /// The frames of all nodes.
    pub frames: Items<'a, Frame>,
    /// The first frame and the number of frames of each node.
    pub ranges: Items<'a, [u32; 2]>,
}

impl<'a> Animation<'a> {
    /// Checks that the ranges are within the frames. The fault is about the record of the ranges.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        // Ranges may overlap, so the work of reading all of them is bounded.
        let work: u64 = self.ranges.iter().map(|[_, count]| u64::from(count)).sum();
        if work > self.frames.len() as u64 * 64 + 1024 {
            return Err(Fault::invalid("ranges", 2, format!("{work} frames in all"), "ranges that share few frames"));
        }
        for (number, [first, count]) in self.ranges.iter().enumerate() {
            let end = u64::from(first) + u64::from(count);
            if end > self.frames.len() as u64 {
                let expected = format!("at most {}, the number of frames", self.frames.len());
                return Err(Fault::invalid("ranges", 2 + 8 * number, format!("{first} to {end}"), expected));
            }
        }
        Ok(())
    }

    /// Returns the frames of a node; none beyond the last node.
    pub fn node(&self, number: usize) -> impl Iterator<Item = Frame> + use<'_, 'a> {
        let [first, count] = self.ranges.get(number).unwrap_or_default();
        (0..count).filter_map(move |frame| self.frames.get(first.saturating_add(frame) as usize))
    }
}
