//! Sounds of rres packs for [rodio]: with their gain and their loop. `rres-runtime` decodes them, so rodio needs no decoder.
//!
//! ```
//! use rres_runtime::Sound;
//!
//! fn play(player: &rodio::Player, music: &Sound) -> Result<(), rres_runtime::Error> {
//!     player.append(rres_rodio::Source::new(music)?);
//!     Ok(())
//! }
//! ```

use std::num::NonZero;
use std::ops::Range;
use std::time::Duration;

use rodio::source::SeekError;
use rodio::{ChannelCount, SampleRate};
use rres_runtime::asset::SampleReader;
use rres_runtime::{Error, Sound};

/// How many samples are decoded at once.
const BLOCK: usize = 1024;

/// The samples of a sound, times its gain. A looped sound never ends: it plays up to the end of its loop, and then repeats the loop.
///
/// It shares the bytes of the asset, and decodes while it is played. Where a file is damaged, the sound ends; see [`Self::reader`].
#[derive(Clone, Debug)]
pub struct Source {
    reader: SampleReader,
    channels: ChannelCount,
    sample_rate: SampleRate,
    gain: f32,
    /// The samples that are repeated.
    repeated: Option<Range<u64>>,
    /// The number of the sample that the reader reads next.
    position: u64,
    block: Box<[f32]>,
    /// The part of the block that is not played yet.
    left: Range<usize>,
    /// The number of frames in the sound.
    frames: u64,
}

impl Source {
    /// Starts at the beginning of a sound.
    ///
    /// # Errors
    /// If the pack keeps the sound as a file, and the program lacks the feature of `rres-runtime` that decodes it.
    pub fn new(sound: &Sound) -> Result<Self, Error> {
        // Decoding it as a whole tells why it cannot be decoded.
        let reader = match sound.reader() {
            Some(reader) => reader,
            None => sound.decoded()?.reader().expect("a sound that was decoded has samples"),
        };
        let channels = u64::from(reader.channels());
        let frames = reader.len() as u64 / channels.max(1);
        let repeated = sound.loop_points().unwrap_or(0..frames);
        Ok(Self {
            channels: u16::try_from(channels).ok().and_then(NonZero::new).unwrap_or(NonZero::<u16>::MIN),
            sample_rate: NonZero::new(reader.sample_rate()).unwrap_or(NonZero::<u32>::MIN),
            gain: sound.linear_gain(),
            repeated: sound.is_looped().then_some(repeated.start * channels..repeated.end * channels),
            position: 0,
            block: Box::new([0.0; BLOCK]),
            left: 0..0,
            frames,
            reader,
        })
    }

    /// Returns what the samples are read from, and so why a damaged file has ended early.
    pub fn reader(&self) -> &SampleReader {
        &self.reader
    }

    /// Reads the next block; `false` at the end.
    fn refill(&mut self) -> bool {
        let end = self.repeated.as_ref().map_or(u64::MAX, |repeated| repeated.end);
        if self.position >= end {
            let start = self.repeated.as_ref().map_or(0, |repeated| repeated.start);
            self.go_to(start);
        }
        let count = (end - self.position).min(BLOCK as u64) as usize;
        let block = &mut self.block[..count];
        let read = self.reader.read_f32(block);
        block[..read].iter_mut().for_each(|sample| *sample *= self.gain);
        self.position += read as u64;
        self.left = 0..read;
        read > 0
    }

    /// Continues with this sample.
    fn go_to(&mut self, sample: u64) {
        self.reader.seek(sample / u64::from(self.channels.get()));
        self.position = sample;
        self.left = 0..0;
    }
}

impl Iterator for Source {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.left.is_empty() && !self.refill() {
            return None;
        }
        self.left.next().map(|at| self.block[at])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // A damaged file ends early.
        (0, self.repeated.is_none().then(|| self.left.len() + self.reader.len()))
    }
}

impl rodio::Source for Source {
    fn current_span_len(&self) -> Option<usize> {
        None // rate and channels stay as they are
    }

    fn channels(&self) -> ChannelCount {
        self.channels
    }

    fn sample_rate(&self) -> SampleRate {
        self.sample_rate
    }

    fn total_duration(&self) -> Option<Duration> {
        let seconds = self.frames as f64 / f64::from(self.sample_rate.get());
        self.repeated.is_none().then(|| Duration::from_secs_f64(seconds))
    }

    /// Continues at this time, or at the end of the sound if that is earlier.
    fn try_seek(&mut self, time: Duration) -> Result<(), SeekError> {
        let frame = (time.as_secs_f64() * f64::from(self.sample_rate.get())) as u64;
        let channels = u64::from(self.channels.get());
        // A seek may come between the samples of a frame, and the mixer takes the next one for the next channel. So does the sound that follows.
        let played = (self.position - self.left.len() as u64) % channels;
        let last = if played == 0 { self.frames } else { self.frames.saturating_sub(1) };
        self.go_to(frame.min(last) * channels);
        for _ in 0..played {
            self.next();
        }
        Ok(())
    }
}
