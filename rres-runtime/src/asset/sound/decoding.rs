//! The samples of a kept file, decoded while they are read.

use std::fmt;

use rres_decode::{DecodeError, SampleForm, SoundStream};
use rres_format::chunk::PayloadView;
use rres_format::chunk::seek::{SeekPoint, SeekView};

use crate::bytes::AssetBytes;
use crate::error::Result;

/// The places in a file at which decoding can start.
#[derive(Clone, Debug)]
pub(crate) struct SeekTable {
    /// A SEEK block, which was checked.
    block: AssetBytes,
}

impl SeekTable {
    pub(crate) fn new(block: AssetBytes) -> Result<Self> {
        SeekView::parse(PayloadView::parse(&block)?)?;
        Ok(Self { block })
    }

    /// The frames that a decoder makes before the first one of the sound.
    pub(super) fn skipped_frames(&self) -> Option<u32> {
        self.view().map(|table| table.skipped_frames())
    }

    fn view(&self) -> Option<SeekView<'_>> {
        PayloadView::parse(&self.block).and_then(SeekView::parse).ok()
    }
}

/// A file and the place in it. The decoder is made when it is needed, so a copy of the file is cheap.
pub(super) struct Decoding {
    file: AssetBytes,
    table: SeekTable,
    /// The sample of the sound that is read next.
    position: u64,
    /// The samples of the sound.
    len: u64,
    channels: u32,
    state: Option<State>,
    error: Option<DecodeError>,
}

/// A decoder, and what it made last.
struct State {
    stream: SoundStream<AssetBytes>,
    /// The first sample of `packet`, counted as a decoder makes them from the start of the file.
    start: u64,
    packet: Vec<f32>,
}

impl Decoding {
    /// Returns the samples of a file of this many frames.
    pub(super) fn new(file: AssetBytes, table: SeekTable, frames: u64, channels: u32) -> Self {
        let len = frames.saturating_mul(channels.into());
        Self { file, table, position: 0, len, channels, state: None, error: None }
    }

    /// Why the sound ended early.
    pub(super) fn error(&self) -> Option<&DecodeError> {
        self.error.as_ref()
    }

    /// The number of samples that are left; 0 after an error.
    pub(super) fn left(&self) -> usize {
        let left = if self.error.is_some() { 0 } else { self.len - self.position };
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    pub(super) fn seek(&mut self, sample: u64) {
        self.position = sample.min(self.len);
        self.error = None;
    }

    /// The next sample.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn read_f32(&mut self, out: &mut [f32]) -> usize {
        let mut read = 0;
        while read < out.len() && self.left() > 0 {
            if let Err(error) = self.advance() {
                (self.error, self.state) = (Some(error), None);
                break;
            }
            let next = self.next_sample();
            let Some(State { start, packet, .. }) = &self.state else { break };
            // `advance` has made it a sample of the packet.
            let samples = &packet[(next - start) as usize..];
            let len = samples.len().min(out.len() - read).min(self.left());
            out[read..read + len].copy_from_slice(&samples[..len]);
            read += len;
            self.position += len as u64;
        }
        read
    }

    /// The next sample, counted as a decoder makes them from the start of the file.
    fn next_sample(&self) -> u64 {
        let skipped = self.table.view().map_or(0, |table| table.skipped_frames());
        self.position.saturating_add(u64::from(skipped) * u64::from(self.channels))
    }

    /// Decodes packets until one of them has the next sample.
    fn advance(&mut self) -> std::result::Result<(), DecodeError> {
        let (next, channels) = (self.next_sample(), u64::from(self.channels));
        let point = self.table.view().and_then(|table| table.before(next / channels));
        let first = SeekPoint { frame: 0, offset: 0, skip: 0 };
        let SeekPoint { frame, offset, skip } = point.unwrap_or(first);
        // Reading on never starts again, whatever the table says.
        let is_ahead = |State { start, packet, .. }: &State| {
            let end = start + packet.len() as u64;
            next >= *start && (next <= end || frame.saturating_mul(channels) <= end)
        };
        let state = match self.state.take() {
            Some(state) if is_ahead(&state) => self.state.insert(state),
            other => {
                let stream = self.stream_at(other, offset)?;
                // A damaged table can ask for more frames than precede the point.
                let start = frame.saturating_sub(skip.into()).saturating_mul(channels);
                self.state.insert(State { stream, start, packet: Vec::new() })
            }
        };
        while next - state.start >= state.packet.len() as u64 {
            state.start += state.packet.len() as u64;
            let (form, format) = (state.stream.form(), state.stream.format().name());
            let samples = state.stream.next_packet()?.ok_or(DecodeError::EndsEarly { format })?;
            to_f32(form, samples, &mut state.packet);
        }
        Ok(())
    }

    /// A decoder that starts at this byte of the file: the former one, or the first one.
    fn stream_at(
        &self,
        former: Option<State>,
        offset: u32,
    ) -> std::result::Result<SoundStream<AssetBytes>, DecodeError> {
        let head_size = self.table.view().map_or(0, |table| table.head_size());
        let Some(mut stream) = former.map(|state| state.stream) else {
            let mut stream = SoundStream::open(self.file.clone())?;
            if stream.channels() != self.channels {
                let detail = format!("it has {} channels, the index says {}", stream.channels(), self.channels);
                let format = stream.format().name();
                return Err(DecodeError::Damaged { format, part: "its head", detail });
            }
            if offset > 0 {
                stream.start_at(offset, head_size)?;
            }
            return Ok(stream);
        };
        stream.start_at(offset, head_size)?;
        Ok(stream)
    }
}

/// Converts little-endian samples.
fn to_f32(form: SampleForm, samples: &[u8], out: &mut Vec<f32>) {
    out.clear();
    match form {
        SampleForm::U8 => out.extend(samples.iter().map(|sample| super::samples::of_u8(*sample))),
        SampleForm::I16 => {
            let (samples, _) = samples.as_chunks();
            out.extend(samples.iter().map(|sample| super::samples::of_i16(i16::from_le_bytes(*sample))));
        }
        _ => {
            let (samples, _) = samples.as_chunks();
            out.extend(samples.iter().map(|sample| f32::from_le_bytes(*sample)));
        }
    }
}

/// Without the decoder, which the copy makes when it is read.
impl Clone for Decoding {
    fn clone(&self) -> Self {
        let (file, table, error) = (self.file.clone(), self.table.clone(), self.error.clone());
        Self { file, table, error, state: None, ..*self }
    }
}

impl fmt::Debug for Decoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stream = self.state.as_ref().map(|state| &state.stream);
        f.debug_struct("Decoding").field("file", &self.file).field("stream", &stream).finish_non_exhaustive()
    }
}
