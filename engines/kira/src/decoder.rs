//! kira's interface to what decodes a sound while it plays.

use kira::Frame;
use rres_runtime::DecodeError;
use rres_runtime::asset::SampleReader;

use crate::frame;

/// How many frames kira gets at once: a fortieth of a second at 44.1 kHz.
const BLOCK: usize = 1024;

pub(crate) struct Decoder {
    reader: SampleReader,
    frames: usize,
    /// Where the samples of a block go before they are frames.
    samples: Box<[f32]>,
}

impl Decoder {
    /// `reader` is at the start of the sound.
    pub(crate) fn new(reader: SampleReader) -> Self {
        let channels = reader.channels().max(1) as usize;
        Self { frames: reader.len() / channels, samples: vec![0.0; BLOCK * channels].into(), reader }
    }
}

impl kira::sound::streaming::Decoder for Decoder {
    type Error = DecodeError;

    fn sample_rate(&self) -> u32 {
        self.reader.sample_rate()
    }

    fn num_frames(&self) -> usize {
        self.frames
    }

    fn decode(&mut self) -> Result<Vec<Frame>, DecodeError> {
        let read = self.reader.read_f32(&mut self.samples);
        if let Some(error) = self.reader.error() {
            return Err(error.clone());
        }
        Ok(self.samples[..read].chunks_exact(self.samples.len() / BLOCK).map(frame).collect())
    }

    fn seek(&mut self, frame: usize) -> Result<usize, DecodeError> {
        self.reader.seek(frame as u64);
        Ok(frame.min(self.frames))
    }
}
