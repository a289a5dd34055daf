//! QOA, the "Quite OK Audio Format" → samples of 16 bits.
//!
//! A file is a head and frames of up to 5,120 samples a channel. Each frame begins with the state of the decoder, so decoding can start
//! at any of them. A slice of 8 bytes has 20 samples of a channel: how far each one is from what the four samples before it predict. The
//! format is at <https://qoaformat.org>.

mod predictor;
mod reader;

use std::ops::ControlFlow;

pub use self::predictor::{DEQUANTIZED, Predictor};
pub(crate) use self::reader::QoaReader;
use crate::DecodeError;
use crate::form::{SampleForm, append_i16};
use rres_format::SoundFormat;

/// The name in messages.
const FORMAT: &str = SoundFormat::Qoa.name();

/// Samples of a channel in a slice.
pub const SLICE_SAMPLES: usize = 20;
/// Most samples of a channel in a frame.
pub const MAX_FRAME_SAMPLES: usize = 256 * SLICE_SAMPLES;
/// Most channels.
pub const MAX_CHANNELS: usize = 8;
/// Bytes of the head of a file, and of that of a frame.
pub const HEAD_SIZE: usize = 8;
/// Bytes of the state of a channel: four samples and four weights.
pub const STATE_SIZE: usize = 16;

/// A file whose head and whose first frame's head were read.
pub(crate) struct QoaFile<'a> {
    file: &'a [u8],
    frames: u32,
    first: FrameHead,
}

/// What a frame says before its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FrameHead {
    channels: usize,
    rate: u32,
    /// Samples of each channel.
    samples: usize,
    /// Bytes of the frame, its head included.
    size: usize,
}

impl<'a> QoaFile<'a> {
    pub(crate) fn open(file: &'a [u8]) -> Result<Self, DecodeError> {
        let Some(&[_, _, _, _, a, b, c, d]) = file.first_chunk::<HEAD_SIZE>() else { return Err(ends_early()) };
        let frames = u32::from_be_bytes([a, b, c, d]);
        if frames == 0 {
            let detail = "a stream without a length".to_owned();
            return Err(DecodeError::Unsupported { format: FORMAT, detail });
        }
        let first = FrameHead::read(file, HEAD_SIZE)?.ok_or_else(ends_early)?;
        Ok(Self { file, frames, first })
    }

    pub(crate) fn sample_rate(&self) -> u32 {
        self.first.rate
    }

    pub(crate) fn channels(&self) -> u32 {
        self.first.channels as u32
    }

    /// The number of samples of a channel that the head states.
    pub(crate) fn stated_frames(&self) -> u64 {
        self.frames.into()
    }

    /// The number of samples of a channel, by the heads of all frames.
    pub(crate) fn frames(&self) -> Result<u64, DecodeError> {
        let (mut at, mut count) = (HEAD_SIZE, 0u64);
        while let Some(head) = self.first.next(self.file, at)? {
            (at, count) = (at + head.size, count + head.samples as u64);
        }
        match count {
            count if count < self.stated_frames() => Err(ends_early()),
            count if count > self.stated_frames() => {
                Err(damaged("its head", format!("it states {} frames, and there are {count}", self.frames)))
            }
            count => Ok(count),
        }
    }

    /// Passes the samples of each frame to `take`, until that breaks.
    pub(crate) fn each_packet(
        &self,
        form: SampleForm,
        mut take: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), DecodeError> {
        self.frames()?;
        let mut reader = QoaReader::open(self.file, 0)?;
        let mut out = Vec::new();
        while reader.next(self.file, form, &mut out)? {
            if take(&out).is_break() {
                break;
            }
            out.clear();
        }
        Ok(())
    }
}

impl FrameHead {
    /// Reads the head of the frame at `at`, all of which is in the file; `None` at the end.
    fn read(file: &[u8], at: usize) -> Result<Option<Self>, DecodeError> {
        let rest = file.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(None);
        }
        let Some(&[channels, rate @ .., s, t, u, v]) = rest.first_chunk::<HEAD_SIZE>() else {
            return Err(ends_early());
        };
        let [a, b, c] = rate;
        let (rate, channels) = (u32::from_be_bytes([0, a, b, c]), usize::from(channels));
        let (samples, size) = (usize::from(u16::from_be_bytes([s, t])), usize::from(u16::from_be_bytes([u, v])));
        if rate == 0 || !(1..=MAX_CHANNELS).contains(&channels) || !(1..=MAX_FRAME_SAMPLES).contains(&samples) {
            let detail = format!("one has {samples} samples of {channels} channels at {rate} Hz");
            return Err(damaged("its frames", detail));
        }
        let expected = frame_size(channels, samples);
        if size != expected {
            return Err(damaged(
                "its frames",
                format!("one states {size} bytes, and {samples} samples take {expected}"),
            ));
        }
        if rest.len() < size {
            return Err(ends_early());
        }
        Ok(Some(Self { channels, rate, samples, size }))
    }

    /// Reads the head of another frame, which has the same rate and the same channels.
    fn next(&self, file: &[u8], at: usize) -> Result<Option<Self>, DecodeError> {
        let Some(next) = Self::read(file, at)? else { return Ok(None) };
        if (next.rate, next.channels) != (self.rate, self.channels) {
            let (rate, channels) = (self.rate, self.channels);
            let detail =
                format!("it changes from {channels} channels at {rate} Hz to {} at {} Hz", next.channels, next.rate);
            return Err(damaged("its frames", detail));
        }
        Ok(Some(next))
    }
}

/// Bytes of a frame of so many samples a channel.
pub const fn frame_size(channels: usize, samples: usize) -> usize {
    HEAD_SIZE + channels * (STATE_SIZE + 8 * samples.div_ceil(SLICE_SAMPLES))
}

/// Decodes a whole frame, whose head is `head`, into interleaved samples.
fn decode_frame(frame: &[u8], head: FrameHead, out: &mut Vec<i16>) {
    let FrameHead { channels, samples, .. } = head;
    let (states, slices) = frame[HEAD_SIZE..].split_at(channels * STATE_SIZE);
    let mut predictors: Vec<Predictor> = states.as_chunks::<STATE_SIZE>().0.iter().map(Predictor::read).collect();
    out.clear();
    out.resize(samples * channels, 0);
    for (i, slice) in slices.as_chunks::<8>().0.iter().enumerate() {
        let (channel, start) = (i % channels, i / channels * SLICE_SAMPLES);
        let Some(predictor) = predictors.get_mut(channel) else { return };
        let mut bits = u64::from_be_bytes(*slice);
        let dequantized = &DEQUANTIZED[(bits >> 60) as usize];
        bits <<= 4;
        for frame in start..samples.min(start + SLICE_SAMPLES) {
            out[frame * channels + channel] = predictor.advance(dequantized[(bits >> 61) as usize]);
            bits <<= 3;
        }
    }
}

fn ends_early() -> DecodeError {
    DecodeError::EndsEarly { format: FORMAT }
}

fn damaged(part: &'static str, detail: String) -> DecodeError {
    DecodeError::Damaged { format: FORMAT, part, detail }
}

#[cfg(test)]
mod tests;
