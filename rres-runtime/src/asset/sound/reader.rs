//! The samples of a sound, one by one as `f32`: what audio libraries call a source.

use rres_decode::{DecodeError, SoundFile};

use super::decoding::{Decoding, SeekTable};
use super::{Form, Sound};
use crate::bytes::AssetBytes;

/// Reads the samples of a [`Sound`] as floats from -1 to 1, interleaved, converting or decoding them when they are read.
///
/// It is an iterator, which most audio libraries take a sound from, and reads blocks with [`Self::read_f32`], which is
/// faster. Gain and looping are up to the player; see [`Sound::linear_gain`] and [`Sound::is_looped`].
///
/// The reader of a file that is decoded has a decoder of its own. Reading may allocate memory then. A damaged file ends the
/// sound where the damage is, and [`Self::error`] says why.
#[derive(Clone, Debug)]
pub struct SampleReader {
    source: Source,
    sample_rate: u32,
    channels: u32,
}

#[derive(Clone, Debug)]
enum Source {
    Stored {
        data: AssetBytes,
        /// Never [`Form::Encoded`].
        form: Form,
        /// The next sample.
        position: usize,
    },
    Encoded(Box<Decoding>),
}

impl SampleReader {
    pub(super) fn new(sound: &Sound) -> Option<Self> {
        let Sound { data, form, frames, sample_rate, channels, seek_table, .. } = sound.clone();
        if matches!(form, Form::Encoded(_)) {
            let is_decoded = SoundFile::format_of(&data).is_ok();
            return Self::of_file(data, seek_table.filter(|_| is_decoded)?, frames, (sample_rate, channels));
        }
        Some(Self { source: Source::Stored { data, form, position: 0 }, sample_rate, channels })
    }

    /// Returns the reader of a file of a known length, rate and number of channels.
    pub(crate) fn of_file(data: AssetBytes, table: SeekTable, frames: u64, props: (u32, u32)) -> Option<Self> {
        let (sample_rate, channels) = props;
        let decoding = || Decoding::new(data, table, frames, channels);
        (channels > 0 && frames > 0).then(|| Self {
            source: Source::Encoded(Box::new(decoding())),
            sample_rate,
            channels,
        })
    }

    /// Reads the next samples, and returns how many there were: fewer than `out` has room for only at the end.
    ///
    /// ```
    /// use rres_runtime::asset::SampleReader;
    ///
    /// /// Fills a block, starting again at the end: what a mixer does with a looped sound.
    /// fn fill(reader: &mut SampleReader, block: &mut [f32]) {
    ///     let read = reader.read_f32(block);
    ///     if read < block.len() {
    ///         reader.seek(0);
    ///         reader.read_f32(&mut block[read..]);
    ///     }
    /// }
    /// ```
    pub fn read_f32(&mut self, out: &mut [f32]) -> usize {
        match &mut self.source {
            Source::Stored { data, form, position } => {
                let read = form.samples(data).read_f32(*position, out);
                *position += read;
                read
            }
            Source::Encoded(decoding) => decoding.read_f32(out),
        }
    }

    /// Continues with this frame, or at the end if there are fewer.
    ///
    /// In a file that is decoded, the next read starts at the last place before the frame that the build has found, usually a
    /// second or less, and decodes from there.
    pub fn seek(&mut self, frame: u64) {
        self.seek_sample(frame.saturating_mul(self.channels.into()));
    }

    /// Returns why a file that is decoded ended early; `None` if it did not. [`Self::seek`] forgets it.
    pub fn error(&self) -> Option<&DecodeError> {
        match &self.source {
            Source::Stored { .. } => None,
            Source::Encoded(decoding) => decoding.error(),
        }
    }

    /// Returns the number of frames per second.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Returns the number of samples in a frame.
    pub fn channels(&self) -> u32 {
        self.channels
    }

    fn seek_sample(&mut self, sample: u64) {
        match &mut self.source {
            Source::Stored { data, form, position } => {
                *position = usize::try_from(sample).unwrap_or(usize::MAX).min(form.samples(data).len());
            }
            Source::Encoded(decoding) => decoding.seek(sample),
        }
    }

    fn next_sample(&self) -> u64 {
        match &self.source {
            Source::Stored { position, .. } => *position as u64,
            Source::Encoded(decoding) => decoding.position(),
        }
    }
}

impl Iterator for SampleReader {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let mut sample = [0.0];
        (self.read_f32(&mut sample) == 1).then_some(sample[0])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.source {
            Source::Stored { data, form, position } => form.samples(data).len() - position,
            Source::Encoded(decoding) => decoding.left(),
        };
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<f32> {
        self.seek_sample(self.next_sample().saturating_add(n as u64));
        self.next()
    }
}

impl ExactSizeIterator for SampleReader {}
