//! Sounds: samples, or an encoded file kept as it is.

use std::time::Duration;

use rres_format::chunk::raw::RawView;
use rres_format::chunk::wave::{WaveProps, WaveView};
use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc};

use super::{Asset, Loaded};
use crate::data::Data;
use crate::error::{Error, Result};

/// A sound. What the build decoded is ready to play; what it kept in its source form (long music) goes to the
/// decoder of the game's audio library.
#[derive(Clone, Debug)]
pub struct Sound {
    data: Data,
    form: Form,
    frames: u64,
    sample_rate: u32,
    channels: u32,
    gain: f32,
    looped: bool,
}

#[derive(Clone, Debug)]
enum Form {
    U8,
    I16,
    F32,
    Encoded(Box<str>),
}

/// The samples of a sound, interleaved: one of each channel, then the next frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Samples<'a> {
    /// Unsigned, silence is 128.
    U8(&'a [u8]),
    /// Signed.
    I16(&'a [i16]),
    /// From -1 to 1.
    F32(&'a [f32]),
    /// A file of an audio format, still to be decoded.
    Encoded {
        /// Its extension with dot, as written: `.ogg`.
        extension: &'a str,
        /// The file.
        bytes: &'a [u8],
    },
}

impl Sound {
    /// The samples.
    pub fn samples(&self) -> Samples<'_> {
        match &self.form {
            Form::U8 => Samples::U8(&self.data),
            // Alignment was seen to when the sound was made.
            Form::I16 => Samples::I16(bytemuck::try_cast_slice(&self.data).unwrap_or_default()),
            Form::F32 => Samples::F32(bytemuck::try_cast_slice(&self.data).unwrap_or_default()),
            Form::Encoded(extension) => Samples::Encoded { extension, bytes: &self.data },
        }
    }

    /// The bytes of the samples, or of the encoded file, to keep without a copy.
    pub fn data(&self) -> Data {
        self.data.clone()
    }

    /// Number of frames, 0 where an encoded file does not say.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Frames per second.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Samples of one frame.
    pub fn channels(&self) -> u32 {
        self.channels
    }

    /// How long it takes to play.
    pub fn duration(&self) -> Duration {
        match self.sample_rate {
            0 => Duration::ZERO,
            rate => Duration::from_secs_f64(self.frames as f64 / f64::from(rate)),
        }
    }

    /// How much louder it is to be played, in decibels.
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// Whether it is to start again at its end.
    pub fn is_looped(&self) -> bool {
        self.looped
    }
}

impl Asset for Sound {
    const KIND: AssetKind = AssetKind::Sound;

    fn from_loaded(loaded: Loaded<'_>) -> Result<Self> {
        loaded.make(|loaded| {
            let gain = loaded.meta.get(MetaKey::GAIN).map_or(0.0, f32::from_bits);
            let looped = loaded.meta.get(MetaKey::LOOP) == Some(1);
            let number = |key| loaded.meta.get(key).unwrap_or(0);
            if let Ok(chunk) = loaded.chunk(FourCc::RAWD) {
                let view = RawView::parse(chunk.payload()?)?;
                return Ok(Self {
                    data: chunk.keep(view.bytes()),
                    form: Form::Encoded(String::from_utf8_lossy(view.extension()).into()),
                    frames: u64::from(number(MetaKey::FRAMES_HIGH)) << 32 | u64::from(number(MetaKey::FRAMES_LOW)),
                    sample_rate: number(MetaKey::SAMPLE_RATE),
                    channels: number(MetaKey::CHANNELS),
                    gain,
                    looped,
                });
            }
            let chunk = loaded.chunk(FourCc::WAVE)?;
            let view = WaveView::parse(chunk.payload()?)?;
            let WaveProps { frames, sample_rate, sample_size, channels } = view.props();
            let data = chunk.keep(view.samples());
            let (form, data) = match sample_size {
                8 => (Form::U8, data),
                16 => (Form::I16, data.aligned(2)),
                32 => (Form::F32, data.aligned(4)),
                bits => {
                    let detail = format!("{bits} bits per sample, expected 8, 16 or 32");
                    return Err(Error::from(rres_format::Error::Inconsistent { what: "sound", detail }));
                }
            };
            Ok(Self { data, form, frames: frames.into(), sample_rate, channels, gain, looped })
        })
    }
}
