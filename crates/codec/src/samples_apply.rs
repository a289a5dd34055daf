//! 16-bit samples → the content of a section: the opposite of [`crate::samples::decode`].

use crate::samples::{BLOCK, Form, HISTORY, ROWS, Stereo, lanes};

/// The average high byte that is aimed at: large enough that the low bits are random, small enough that few are over 255.
const AVERAGE: u64 = 8;

/// The content of a section of samples, of which a part is still to be compressed.
#[derive(Clone, Debug, Default)]
pub struct EncodedSamples {
    /// What the content begins with.
    pub start: Vec<u8>,
    /// The high bytes. A frame of zstd with them is the end of the content.
    pub highs: Vec<u8>,
}

/// Encodes the frames of `samples` from `start` to `end`. A frame has a sample of each channel.
pub fn encode_samples(samples: &[i16], channels: usize, start: usize, end: usize) -> EncodedSamples {
    let mut out = Vec::new();
    for back in (1..=HISTORY).rev() {
        match start.checked_sub(back) {
            Some(at) => out.extend(samples[at * channels..][..channels].iter().flat_map(|sample| sample.to_le_bytes())),
            None => out.resize(out.len() + channels * 2, 0),
        }
    }
    let (mut forms, mut lows, mut highs) = (Vec::new(), Vec::new(), Vec::new());
    let mut signals: Vec<Signal> = (0..channels).map(|_| Signal::default()).collect();
    let mut stereo_signals = [Signal::default(), Signal::default()];
    let mut residuals = Vec::new();
    for start in (start..end).step_by(BLOCK) {
        let end = end.min(start + BLOCK);
        for (channel, signal) in signals.iter_mut().enumerate() {
            signal.fill(samples, channels, start, end, |frame| frame[channel]);
        }
        let [mid, side] = &mut stereo_signals;
        if channels == 2 {
            mid.fill(samples, 2, start, end, |frame| Stereo::MidSide.split(frame[0], frame[1])[0]);
            side.fill(samples, 2, start, end, |frame| Stereo::MidSide.split(frame[0], frame[1])[1]);
        }
        let (stereo, chosen): (_, Vec<&Signal>) = match &*signals {
            [left, right] => {
                let ways = [
                    (Stereo::LeftRight, [left, right]),
                    (Stereo::LeftSide, [left, &*side]),
                    (Stereo::MidSide, [&*mid, &*side]),
                ];
                let [first, ..] = ways;
                let best = ways.into_iter().min_by_key(|(_, [first, second])| first.bits + second.bits);
                let (stereo, signals) = best.unwrap_or(first);
                (stereo, signals.into())
            }
            signals => (Stereo::LeftRight, signals.iter().collect()),
        };
        for (channel, signal) in chosen.into_iter().enumerate() {
            signal.residuals(&mut residuals);
            let low_bits = low_bits(&residuals);
            let stereo = if channel == 0 { stereo } else { Stereo::LeftRight };
            forms.extend(Form { order: signal.order, stereo, low_bits }.to_bytes());
            highs.extend(residuals.iter().map(|residual| (residual >> low_bits) as u8));
            pack(&residuals, low_bits, &mut lows);
        }
    }
    out.extend(forms);
    out.extend(lows);
    EncodedSamples { start: out, highs }
}

/// A block of one channel, or of what is made of two, and the order with the smallest residuals.
#[derive(Default)]
struct Signal {
    /// The history, then the block.
    samples: Vec<i16>,
    order: u8,
    /// About how many bits the residuals take, in 16ths.
    bits: u64,
}

impl Signal {
    /// Takes one number of each frame from `start` to `end`, and of those before.
    fn fill(&mut self, samples: &[i16], channels: usize, start: usize, end: usize, of: impl Fn(&[i16]) -> i16) {
        let history = start.min(HISTORY);
        self.samples.clear();
        self.samples.resize(HISTORY - history, 0);
        self.samples.extend(samples[(start - history) * channels..end * channels].chunks_exact(channels).map(of));
        let mut sums = [0_u32; HISTORY + 1];
        for window in windows(&self.samples) {
            for (sum, difference) in sums.iter_mut().zip(differences(window)) {
                *sum += u32::from(fold(difference));
            }
        }
        let len = (end - start) as u64;
        let bits = sums.map(|sum| {
            // What a code for their average takes: the logarithm, between powers of two by a straight line.
            let average = u64::from(sum) * 16 / len.max(1) + 16;
            let whole = average.ilog2();
            len * (u64::from(whole) * 16 + ((average << 4 >> whole) & 15))
        });
        let best = (0..).zip(bits).min_by_key(|(_, bits)| *bits);
        (self.order, self.bits) = best.unwrap_or_default();
    }

    /// The residuals of the best order, folded.
    fn residuals(&self, out: &mut Vec<u16>) {
        let order = usize::from(self.order);
        out.clear();
        out.extend(windows(&self.samples).map(|window| fold(differences(window)[order])));
    }
}

/// Each sample after the history, with as many before it.
fn windows(samples: &[i16]) -> impl Iterator<Item = &[i16; HISTORY + 1]> {
    samples.windows(HISTORY + 1).filter_map(<[i16]>::first_chunk)
}

/// The differences of order 0 to [`HISTORY`] at the last of these samples.
#[inline(always)]
fn differences([a, b, c, d, e]: &[i16; HISTORY + 1]) -> [i16; HISTORY + 1] {
    let minus = |x: i16, y: i16| x.wrapping_sub(y);
    let first = [minus(*b, *a), minus(*c, *b), minus(*d, *c), minus(*e, *d)];
    let second = [minus(first[1], first[0]), minus(first[2], first[1]), minus(first[3], first[2])];
    let third = [minus(second[1], second[0]), minus(second[2], second[1])];
    [*e, first[3], second[2], third[1], minus(third[1], third[0])]
}

/// 0, -1, 1, -2, … → 0, 1, 2, 3, ….
#[inline(always)]
fn fold(difference: i16) -> u16 {
    (difference << 1 ^ difference >> 15) as u16
}

/// How many bits of these residuals go without compression.
fn low_bits(residuals: &[u16]) -> u8 {
    let sum: u64 = residuals.iter().map(|n| u64::from(*n)).sum();
    let average = sum / residuals.len().max(1) as u64 / AVERAGE;
    let wanted = average.checked_ilog2().unwrap_or(0);
    let largest = residuals.iter().copied().max().unwrap_or(0);
    // What is left has to fit into a byte.
    wanted.max((16 - largest.leading_zeros()).saturating_sub(8)) as u8
}

/// Appends the low bits of residuals.
fn pack(residuals: &[u16], low_bits: u8, out: &mut Vec<u8>) {
    let lanes = lanes(residuals.len());
    let bits = usize::from(low_bits);
    let mut words = vec![0_u16; lanes * bits];
    for (i, residual) in residuals.iter().enumerate() {
        let (row, lane) = (i / lanes, i % lanes);
        debug_assert!(row < ROWS);
        let low = u32::from(*residual) & ((1 << bits) - 1);
        let (word, shift) = (row * bits / 16, row * bits % 16);
        let shifted = low << shift;
        for (word, bits) in [(word, shifted as u16), (word + 1, (shifted >> 16) as u16)] {
            if bits != 0 {
                words[word * lanes + lane] |= bits;
            }
        }
    }
    out.extend(words.into_iter().flat_map(u16::to_le_bytes));
}
