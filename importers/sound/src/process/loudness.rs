//! How loud a sound is, according to EBU R 128 (ITU-R BS.1770), and the gain that makes it as loud as a rule asks for.

use super::Pcm;
use super::kernel::{sin_pi, sinc, tan_pi};
use crate::speakers::Speaker;

/// The energy of a block at -70 LUFS, below which it counts as silence.
const SILENCE: f64 = 1.172_465_304_582_296_4e-7;
/// The highest peak between the samples after the gain, in decibels of full scale.
const MAX_PEAK: f64 = -1.0;

/// The loudness of a sound that is not silent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Loudness {
    /// The integrated loudness, in LUFS.
    pub(in super::super) lufs: f64,
    /// The highest peak, between the samples as well: 1 is full scale.
    peak: f64,
}

/// A gain in decibels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Gain {
    pub(in super::super) decibels: f32,
    /// Whether more would be needed, but would clip.
    pub(in super::super) is_limited: bool,
}

impl Loudness {
    /// Measures a sound; `None` if it is silent.
    ///
    /// The standard measures blocks of 400 ms. A shorter sound is one block, as loud as if it went on like this.
    pub(in super::super) fn of(pcm: &Pcm) -> Option<Self> {
        let parts = Parts::of(pcm);
        let lufs = -0.691 + 10.0 * parts.integrated()?.log10();
        let peak = pcm.planes.iter().map(|plane| true_peak(plane)).fold(0.0, f64::max);
        Some(Self { lufs, peak })
    }

    /// The gain to `target` LUFS, in whole hundredths of a decibel, so that it does not depend on how a machine rounds logarithms.
    pub(in super::super) fn gain_to(self, target: f32) -> Gain {
        let (wanted, limit) = (f64::from(target) - self.lufs, MAX_PEAK - 20.0 * self.peak.log10());
        let decibels = ((wanted.min(limit) * 100.0 + 1e-6).floor() / 100.0) as f32;
        Gain { decibels, is_limited: wanted > limit }
    }
}

/// The energies of 100 ms each, weighted by frequency and channel.
struct Parts {
    /// Sums over whole parts.
    sums: Vec<f64>,
    /// The sum over all samples.
    total: f64,
    part: usize,
    frames: usize,
}

impl Parts {
    fn of(pcm: &Pcm) -> Self {
        let part = (pcm.rate as usize / 10).max(1);
        let frames = pcm.frames();
        let mut parts = Self { sums: vec![0.0; frames / part], total: 0.0, part, frames };
        for (channel, plane) in pcm.planes.iter().enumerate() {
            let speaker = pcm.speakers.as_ref().and_then(|speakers| speakers.get(channel).copied());
            let weight = match speaker {
                Some(Speaker::LowFrequency) => continue,
                Some(Speaker::LeftSurround | Speaker::RightSurround | Speaker::BackCenter) => 1.41,
                _ => 1.0,
            };
            let mut filters = [Filter::shelf(pcm.rate), Filter::high_pass(pcm.rate)];
            for (i, samples) in plane.chunks(part).enumerate() {
                let mut energy = 0.0;
                for sample in samples {
                    let filtered = filters.iter_mut().fold(f64::from(*sample), |sample, filter| filter.apply(sample));
                    energy += filtered * filtered;
                }
                parts.total += energy * weight;
                if let Some(sum) = parts.sums.get_mut(i) {
                    *sum += energy * weight;
                }
            }
        }
        parts
    }

    /// The mean energy of the blocks that count.
    fn integrated(&self) -> Option<f64> {
        let blocks: Vec<f64> = match self.sums.len() {
            0..4 => vec![self.total / self.frames.max(1) as f64],
            _ => self.sums.windows(4).map(|parts| parts.iter().sum::<f64>() / (4 * self.part) as f64).collect(),
        };
        let mean = |above: f64| {
            let loud = blocks.iter().filter(|energy| **energy >= above);
            let count = loud.clone().count();
            (count > 0).then(|| loud.sum::<f64>() / count as f64)
        };
        // Blocks that are 10 LU below the others do not count either.
        mean(SILENCE).and_then(|energy| mean(SILENCE.max(energy / 10.0)))
    }
}

/// A filter of the second order.
struct Filter {
    b: [f64; 3],
    a: [f64; 2],
    state: [f64; 2],
}

impl Filter {
    /// The shelf that imitates a head. The numbers give the coefficients of the standard at 48 kHz, and their like at others.
    fn shelf(rate: u32) -> Self {
        const GAIN: f64 = 1.584_864_701_130_855;
        const GAIN_AT_MIDDLE: f64 = 1.258_720_930_232_562;
        const QUALITY: f64 = 0.707_175_236_955_419_6;
        // Sounds of a low rate have nothing that the shelf would raise.
        let k = tan_pi((1_681.974_450_955_533 / f64::from(rate)).min(0.45));
        let a0 = 1.0 + k / QUALITY + k * k;
        Self {
            b: [
                (GAIN + GAIN_AT_MIDDLE * k / QUALITY + k * k) / a0,
                2.0 * (k * k - GAIN) / a0,
                (GAIN - GAIN_AT_MIDDLE * k / QUALITY + k * k) / a0,
            ],
            a: [2.0 * (k * k - 1.0) / a0, (1.0 - k / QUALITY + k * k) / a0],
            state: [0.0; 2],
        }
    }

    /// Deep tones are hardly heard.
    fn high_pass(rate: u32) -> Self {
        const QUALITY: f64 = 0.500_327_037_323_877_3;
        let k = tan_pi((38.135_470_876_024_44 / f64::from(rate)).min(0.45));
        let a0 = 1.0 + k / QUALITY + k * k;
        let a = [2.0 * (k * k - 1.0) / a0, (1.0 - k / QUALITY + k * k) / a0];
        Self { b: [1.0, -2.0, 1.0], a, state: [0.0; 2] }
    }

    fn apply(&mut self, sample: f64) -> f64 {
        let middle = sample - self.a[0] * self.state[0] - self.a[1] * self.state[1];
        let out = self.b[0] * middle + self.b[1] * self.state[0] + self.b[2] * self.state[1];
        self.state = [middle, self.state[0]];
        out
    }
}

/// The highest peak of the curve through the samples, at four points for each.
fn true_peak(plane: &[f32]) -> f64 {
    const HALF: usize = 6;
    /// Samples that are looked at together.
    const PART: usize = 64;
    let taps: Vec<[f64; 2 * HALF]> = (1..4)
        .map(|quarter| {
            std::array::from_fn(|tap| {
                let distance = tap as f64 - (HALF - 1) as f64 - f64::from(quarter) / 4.0;
                let window = sin_pi((distance / HALF as f64 + 1.0) / 2.0);
                sinc(distance) * window * window
            })
        })
        .collect();
    // Between samples the curve is at most this many times as high as they are.
    let growth = taps.iter().map(|taps| taps.iter().map(|tap| tap.abs()).sum()).fold(1.0, f64::max);
    let highest = |samples: &[f32]| samples.iter().fold(0.0, |peak: f32, sample| peak.max(sample.abs()));
    let mut padded = vec![0.0; HALF - 1];
    padded.extend_from_slice(plane);
    padded.resize(padded.len() + HALF, 0.0);
    let mut peak = f64::from(highest(plane));
    for start in (0..plane.len()).step_by(PART) {
        let part = &padded[start..padded.len().min(start + PART + 2 * HALF - 1)];
        if f64::from(highest(part)) * growth <= peak {
            continue;
        }
        for samples in part.windows(2 * HALF) {
            for taps in &taps {
                let sum: f64 = taps.iter().zip(samples).map(|(tap, sample)| tap * f64::from(*sample)).sum();
                peak = peak.max(sum.abs());
            }
        }
    }
    peak
}
