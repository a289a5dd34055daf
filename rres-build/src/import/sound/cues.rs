//! The loop points of a sound.

use std::ops::Range;

/// What a file says about places in its sound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cues {
    /// The frames to repeat.
    pub(super) loop_points: Option<Range<u64>>,
}

impl Cues {
    /// Moves the places as if only these frames were left.
    pub(super) fn cut(&mut self, kept: Range<u64>) {
        let within = |at: u64| at.clamp(kept.start, kept.end) - kept.start;
        let points = self.loop_points.take().map(|points| within(points.start)..within(points.end));
        self.loop_points = points.filter(|points| !points.is_empty());
    }

    /// Moves the places to another rate, at which the sound has this many frames.
    pub(super) fn scale(&mut self, from: u32, to: u32, frames: u64) {
        let scaled = |at: u64| frames_at(at, from, to).min(frames);
        let points = self.loop_points.take().map(|points| scaled(points.start)..scaled(points.end));
        self.loop_points = points.filter(|points| !points.is_empty());
    }
}

/// The number of frames, or the place of one, at another rate.
pub(super) fn frames_at(frames: u64, from: u32, to: u32) -> u64 {
    let frames = (u128::from(frames) * u128::from(to) + u128::from(from / 2)) / u128::from(from.max(1));
    u64::try_from(frames).unwrap_or(u64::MAX)
}
