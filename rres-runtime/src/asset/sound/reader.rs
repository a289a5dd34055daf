//! The samples of a sound, one by one as `f32`: what audio libraries call a source.

use super::{Form, Sound};
use crate::bytes::AssetBytes;

/// Reads the samples of a [`Sound`] as floats from -1 to 1, interleaved, converting each when it is read.
///
/// It is an iterator, which most audio libraries take a sound from, and reads blocks with [`Self::read_f32`], which is
/// faster. Gain and looping are up to the player; see [`Sound::linear_gain`] and [`Sound::is_looped`].
#[derive(Clone, Debug)]
pub struct SampleReader {
    data: AssetBytes,
    /// Never [`Form::Encoded`].
    form: Form,
    /// The next sample.
    position: usize,
    sample_rate: u32,
    channels: u32,
}

impl SampleReader {
    pub(super) fn new(sound: &Sound) -> Option<Self> {
        let Sound { data, form, sample_rate, channels, .. } = sound.clone();
        let is_decoded = !matches!(form, Form::Encoded(_));
        is_decoded.then_some(Self { data, form, position: 0, sample_rate, channels })
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
        let read = self.form.samples(&self.data).read_f32(self.position, out);
        self.position += read;
        read
    }

    /// Continues with this frame, or at the end if there are fewer.
    pub fn seek(&mut self, frame: u64) {
        let sample = frame.saturating_mul(self.channels.into());
        self.position = usize::try_from(sample).unwrap_or(usize::MAX).min(self.sample_count());
    }

    /// Returns the number of frames per second.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Returns the number of samples in a frame.
    pub fn channels(&self) -> u32 {
        self.channels
    }

    fn sample_count(&self) -> usize {
        self.form.samples(&self.data).len()
    }
}

impl Iterator for SampleReader {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let mut sample = [0.0];
        (self.read_f32(&mut sample) == 1).then_some(sample[0])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.sample_count() - self.position;
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<f32> {
        self.position = self.position.saturating_add(n).min(self.sample_count());
        self.next()
    }
}

impl ExactSizeIterator for SampleReader {}
