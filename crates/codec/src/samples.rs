//! Sections of 16-bit samples: residuals of a polynomial prediction, split into a byte that zstd compresses and low bits that
//! nothing compresses.
//!
//! This is what lossless codecs of sound do, with zstd in place of their Rice codes. Frames form blocks of [`BLOCK`]. The content
//! of a section is
//!
//! | part | contents |
//! |---|---|
//! | history | the [`HISTORY`] frames before the section, oldest first; zeros where there are none |
//! | forms | two bytes for each channel of each block: order and stereo mode (bits 0 to 3 and 4 to 7), and the number of low bits |
//! | low bits | for each channel of each block, see [`lanes`] |
//! | frame | the high bytes, in the same order |
//!
//! A residual is the difference of the given order, wrapped to 16 bits and folded: 0, -1, 1, -2, … become 0, 1, 2, 3, ….

use crate::{Coder, DecodeFrame, Scratch};

/// Frames of a block.
pub(crate) const BLOCK: usize = 4096;

/// The highest order of a difference, and as many frames of history.
pub(crate) const HISTORY: usize = 4;

/// Rows of low bits; see [`lanes`].
pub(crate) const ROWS: usize = 16;

/// The most channels of a section. More than that are not sound as players know it.
pub const MAX_CHANNELS: usize = 8;

/// The bytes of a form.
const FORM: usize = 2;

/// How two channels are stored. The format defines the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stereo {
    /// As they are.
    LeftRight = 0,
    /// `left` and `side`, which is `left - right`.
    LeftSide = 1,
    /// `right + (side >> 1)` and `side`.
    MidSide = 2,
}

impl Stereo {
    pub(crate) const ALL: [Self; 3] = [Self::LeftRight, Self::LeftSide, Self::MidSide];

    pub(crate) fn split(self, left: i16, right: i16) -> [i16; 2] {
        let side = left.wrapping_sub(right);
        match self {
            Self::LeftRight => [left, right],
            Self::LeftSide => [left, side],
            Self::MidSide => [right.wrapping_add(side >> 1), side],
        }
    }

    #[inline(always)]
    fn join(self, first: i16, second: i16) -> [i16; 2] {
        match self {
            Self::LeftRight => [first, second],
            Self::LeftSide => [first, first.wrapping_sub(second)],
            Self::MidSide => {
                let right = first.wrapping_sub(second >> 1);
                [second.wrapping_add(right), right]
            }
        }
    }
}

/// The form of a channel of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) order: u8,
    /// Of the first channel; others have [`Stereo::LeftRight`].
    pub(crate) stereo: Stereo,
    pub(crate) low_bits: u8,
}

impl Form {
    fn parse([first, low_bits]: [u8; FORM], channels: usize) -> Result<Self, String> {
        let (order, stereo) = (first & 15, first >> 4);
        let stereo = Stereo::ALL.into_iter().find(|known| *known as u8 == stereo);
        match stereo.filter(|stereo| *stereo == Stereo::LeftRight || channels == 2) {
            Some(stereo) if usize::from(order) <= HISTORY && low_bits <= 15 => Ok(Self { order, stereo, low_bits }),
            _ => Err(format!("a block of samples in the unknown form {first}, {low_bits}")),
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; FORM] {
        [self.order | (self.stereo as u8) << 4, self.low_bits]
    }
}

/// The low bits of `n` residuals are in [`ROWS`] rows of this many, residual after residual. Number `i` of all rows share `low_bits`
/// numbers of 16 bits, from the lowest bit of the first row on. The first of these numbers of every `i` come first, then the second
/// of every `i`, and so on: that is how a vector unit unpacks many at once.
pub(crate) fn lanes(n: usize) -> usize {
    n.div_ceil(ROWS)
}

/// Decodes a section of `out.len() / channels / 2` frames.
pub(crate) fn decode(
    content: &[u8],
    channels: usize,
    out: &mut [u8],
    scratch: &mut Scratch,
    decode: &mut DecodeFrame<'_>,
) -> Result<(), String> {
    let cut_off = || "a section of samples is cut off".to_owned();
    let out = out.as_chunks_mut::<2>().0;
    let frames = out.len() / channels;
    let (history, rest) = content.split_at_checked(HISTORY * channels * 2).ok_or_else(cut_off)?;
    let forms_size = frames.div_ceil(BLOCK) * channels * FORM;
    let (forms, mut rest) = rest.split_at_checked(forms_size).ok_or_else(cut_off)?;
    let forms = forms.as_chunks().0.iter().map(|form| Form::parse(*form, channels)).collect::<Result<Vec<_>, _>>()?;
    let mut lows = Vec::with_capacity(forms.len());
    for (i, form) in forms.iter().enumerate() {
        let frames = BLOCK.min(frames - i / channels * BLOCK);
        let size = lanes(frames) * usize::from(form.low_bits) * 2;
        let (low, after) = rest.split_at_checked(size).ok_or_else(cut_off)?;
        lows.push(low);
        rest = after;
    }
    let highs = &mut scratch.coded;
    highs.resize(out.len(), 0);
    match decode(Coder::Zstd, rest, highs)? {
        found if found == highs.len() => {}
        found => return Err(format!("a frame of {found} bytes, expected {}", highs.len())),
    }
    let mut highs = highs.as_slice();
    let mut residuals = [0; BLOCK];
    let mut decoded = [[0_i16; BLOCK]; 2];
    let mut history: Vec<i16> = history.as_chunks::<2>().0.iter().map(|sample| i16::from_le_bytes(*sample)).collect();
    for (b, out) in out.chunks_mut(BLOCK * channels).enumerate() {
        let frames = out.len() / channels;
        let stereo = forms[b * channels].stereo;
        for channel in 0..channels {
            let at = b * channels + channel;
            let (high, after) = highs.split_at(frames);
            highs = after;
            let form = forms[at];
            unpack(high, lows[at], form.low_bits, &mut residuals);
            let before = core::array::from_fn(|i| match (channels, &history[i * channels..]) {
                (2, [left, right, ..]) => stereo.split(*left, *right)[channel],
                (_, frame) => frame[channel],
            });
            let samples = &mut decoded[channel % 2][..frames];
            sum(form.order, before, &residuals[..frames], samples);
            if channels != 2 {
                for (sample, frame) in samples.iter().zip(out.chunks_exact_mut(channels)) {
                    frame[channel] = sample.to_le_bytes();
                }
            }
        }
        if channels == 2 {
            let [first, second] = &decoded;
            match stereo {
                Stereo::LeftRight => join(out, first, second, |a, b| Stereo::LeftRight.join(a, b)),
                Stereo::LeftSide => join(out, first, second, |a, b| Stereo::LeftSide.join(a, b)),
                Stereo::MidSide => join(out, first, second, |a, b| Stereo::MidSide.join(a, b)),
            }
        }
        if let Some(start) = out.len().checked_sub(history.len()) {
            for (sample, bytes) in history.iter_mut().zip(&out[start..]) {
                *sample = i16::from_le_bytes(*bytes);
            }
        }
    }
    Ok(())
}

/// Puts two channels together.
#[inline(always)]
fn join(out: &mut [[u8; 2]], first: &[i16], second: &[i16], join: impl Fn(i16, i16) -> [i16; 2]) {
    for ((frame, first), second) in out.as_chunks_mut::<2>().0.iter_mut().zip(first).zip(second) {
        *frame = join(*first, *second).map(i16::to_le_bytes);
    }
}

/// Puts high bytes and low bits together and unfolds them.
fn unpack(high: &[u8], low: &[u8], low_bits: u8, residuals: &mut [i16; BLOCK]) {
    let lanes = lanes(high.len());
    let words = low.as_chunks::<2>().0;
    let mask = (1_u16 << low_bits) - 1;
    for (row, (high, residuals)) in high.chunks(lanes).zip(residuals.chunks_mut(lanes)).enumerate() {
        if low_bits == 0 {
            for (residual, high) in residuals.iter_mut().zip(high) {
                *residual = unfold((*high).into());
            }
            continue;
        }
        let bit = row * usize::from(low_bits);
        let (word, shift) = (bit / 16, (bit % 16) as u32);
        let here = &words[word * lanes..][..high.len()];
        // The last row uses all bits of its last word.
        let next = words.get((word + 1) * lanes..).and_then(|words| words.get(..high.len())).unwrap_or(here);
        let up = 15 - shift;
        for (((residual, high), here), next) in residuals.iter_mut().zip(high).zip(here).zip(next) {
            let low = u16::from_le_bytes(*here) >> shift | u16::from_le_bytes(*next) << 1 << up;
            *residual = unfold(u16::from(*high) << low_bits | low & mask);
        }
    }
}

/// 0, 1, 2, 3, … → 0, -1, 1, -2, ….
#[inline(always)]
fn unfold(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

/// Adds up residuals of order `order` after the samples `before`.
fn sum(order: u8, before: [i16; HISTORY], residuals: &[i16], out: &mut [i16]) {
    match order {
        0 => out.copy_from_slice(residuals),
        1 => sum_order::<1>(before, residuals, out),
        2 => sum_order::<2>(before, residuals, out),
        3 => sum_order::<3>(before, residuals, out),
        _ => sum_order::<4>(before, residuals, out),
    }
}

fn sum_order<const ORDER: usize>(mut before: [i16; HISTORY], residuals: &[i16], out: &mut [i16]) {
    // The last sample, the last difference, the last difference of differences, and so on.
    let mut state = [0_i16; ORDER];
    for (n, state) in state.iter_mut().enumerate() {
        *state = before[HISTORY - 1];
        for i in (1 + n..HISTORY).rev() {
            before[i] = before[i].wrapping_sub(before[i - 1]);
        }
    }
    for (out, residual) in out.iter_mut().zip(residuals) {
        let mut value = *residual;
        for state in state.iter_mut().rev() {
            *state = state.wrapping_add(value);
            value = *state;
        }
        *out = value;
    }
}
