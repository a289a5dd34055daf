//! The first and the last frame of a sound that can be heard.

use std::ops::Range;

/// The frames from the first to the last one with a channel that is louder than `threshold`, in decibels of full scale. `None`
/// if there is none.
pub(super) fn audible(planes: &[Vec<f32>], threshold: f32) -> Option<Range<usize>> {
    let threshold = 10f64.powf(f64::from(threshold) / 20.0) as f32;
    let is_loud = |sample: &f32| sample.abs() > threshold;
    let first = planes.iter().filter_map(|plane| plane.iter().position(is_loud)).min()?;
    let last = planes.iter().filter_map(|plane| plane.iter().rposition(is_loud)).max()?;
    Some(first..last + 1)
}
