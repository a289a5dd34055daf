//! The resampler alone, for the benchmarks of this repository, which compare it with others.

use super::process::resample::Resampler;

/// A channel of samples at another rate, in Hz; `None` for rates that no filter is made for.
#[must_use]
pub fn resampled(samples: &[f32], from: u32, to: u32) -> Option<Vec<f32>> {
    Some(Resampler::new(from, to, samples.len())?.resample(samples, false))
}
