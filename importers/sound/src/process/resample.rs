//! Samples at one rate → samples at another, by a windowed sinc.
//!
//! Each sample is the sum of the samples around it, weighted by a filter which removes what the lower rate cannot hold: up
//! to 90 % of the highest frequency nothing is lost, and everything beyond it is 135 dB quieter, which is less than floats of 24 bits
//! hold. The sums are in 64 bits and in a fixed order.

use super::kernel::{kaiser, sinc};
use crate::cues::frames_at;

/// Zeros of the filter on each side of its middle.
const ZEROS: usize = 96;
/// The shape of the window: how much of what should be removed remains.
const BETA: f64 = 14.5;
/// The place of the filter's half height, as a part of the highest frequency.
const CUTOFF: f64 = 0.952;

/// The most taps of all positions: rates without a common divisor, such as 44,101 and 192,000 Hz, take 37 million.
const MAX_TAPS: usize = 1 << 26;

/// The filter from one rate to another.
pub(in super::super) struct Resampler {
    /// The rates, without common divisors.
    from: usize,
    to: usize,
    /// Taps on each side.
    half: usize,
    frames: usize,
    /// The taps of each position between two frames, in the order of their use.
    phases: Vec<f64>,
}

impl Resampler {
    /// Computes the filter for a sound of `frames`; `None` if it had too many taps.
    pub(in super::super) fn new(from: u32, to: u32, frames: usize) -> Option<Self> {
        let divisor = gcd(from, to);
        let count = frames_at(frames as u64, from, to) as usize;
        let (from, to) = ((from / divisor) as usize, (to / divisor) as usize);
        // A multiple of 4, so that there are whole groups of 8 taps.
        let half = (ZEROS * from.max(to)).div_ceil(to).next_multiple_of(4);
        let scale = (to as f64 / from as f64).min(1.0);
        let taps = to.min(count).checked_mul(2 * half).filter(|taps| *taps <= MAX_TAPS)?;
        let mut phases = Vec::with_capacity(taps);
        for n in 0..to.min(count) {
            let start = phases.len();
            let offset = (n * from % to) as f64 / to as f64;
            phases.extend((0..2 * half).map(|tap| {
                let distance = (tap as f64 - (half - 1) as f64 - offset) * scale;
                sinc(distance * CUTOFF) * kaiser(distance / ZEROS as f64, BETA)
            }));
            // So that what does not change stays as it is.
            let sum: f64 = phases[start..].iter().sum();
            phases[start..].iter_mut().for_each(|tap| *tap /= sum);
        }
        Some(Self { from, to, half, frames: count, phases })
    }

    /// Resamples one channel. Before and after it is silence, or itself if it is played in a cycle.
    pub(in super::super) fn resample(&self, plane: &[f32], is_cyclic: bool) -> Vec<f32> {
        if plane.is_empty() {
            return Vec::new();
        }
        let mut padded = vec![0.0f64; plane.len() + 2 * self.half + 2];
        if is_cyclic {
            let first = plane.len() - self.half % plane.len();
            padded.iter_mut().zip(plane.iter().cycle().skip(first)).for_each(|(out, sample)| *out = (*sample).into());
        } else {
            padded[self.half..].iter_mut().zip(plane).for_each(|(out, sample)| *out = (*sample).into());
        }
        let taps = 2 * self.half;
        let sample = |n: usize| {
            let phase = n % self.to * taps;
            let start = (n as u64 * self.from as u64 / self.to as u64) as usize + 1;
            weighted_sum(&self.phases[phase..phase + taps], &padded[start..start + taps]) as f32
        };
        (0..self.frames).map(sample).collect()
    }
}

/// The sum in eight parts, which the processor adds at the same time. Written out, because build scripts are rarely optimised.
fn weighted_sum(taps: &[f64], samples: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    for (&[a, b, c, d, e, f, g, h], &[p, q, r, s, t, u, v, w]) in taps.as_chunks().0.iter().zip(samples.as_chunks().0) {
        sums[0] += a * p;
        sums[1] += b * q;
        sums[2] += c * r;
        sums[3] += d * s;
        sums[4] += e * t;
        sums[5] += f * u;
        sums[6] += g * v;
        sums[7] += h * w;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}
