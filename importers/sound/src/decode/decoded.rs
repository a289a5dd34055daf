//! A decoded sound.

use rres_settings::SampleFormat;

use crate::samples::{self, HEAD};
use crate::speakers::Speaker;

/// A decoded sound: a WAVE block without its properties.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) rate: u32,
    pub(crate) channels: u32,
    pub(crate) frames: u32,
    pub(crate) sample: SampleFormat,
    /// The format that keeps the depth of the source.
    pub(crate) natural: SampleFormat,
    /// The places of the channels; `None` if the file does not name them.
    pub(crate) speakers: Option<Vec<Speaker>>,
    /// [`HEAD`] bytes reserved for the properties, then the samples.
    pub(crate) block: Vec<u8>,
}

impl Decoded {
    /// Removes the first `frames`.
    pub(super) fn drop_first(&mut self, frames: u32) {
        let frames = frames.min(self.frames);
        self.frames -= frames;
        self.block.drain(HEAD..HEAD + frames as usize * self.channels as usize * samples::size_of(self.sample));
    }

    /// Removes everything after the first `frames`.
    pub(super) fn shorten(&mut self, frames: u64) {
        if let Ok(frames) = u32::try_from(frames)
            && frames < self.frames
        {
            self.frames = frames;
            self.block.truncate(HEAD + frames as usize * self.channels as usize * samples::size_of(self.sample));
        }
    }
}
