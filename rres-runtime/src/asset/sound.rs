//! Sounds: samples, or an encoded file as it is.

use std::time::Duration;

use rres_format::chunk::raw::RawView;
use rres_format::chunk::wave::{WaveProps, WaveView};
use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::bytes::AssetBytes;
use crate::error::{Error, Result};
use crate::resource::LoadedResource;

/// A sound. Short ones were decoded by the build and are ready to play. Long ones, such as music, stay encoded for the
/// decoder of the game's audio library.
#[derive(Clone, Debug)]
pub struct Sound {
    data: AssetBytes,
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

/// The samples of a sound, interleaved: one for each channel, then the next frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Samples<'a> {
    /// Unsigned; silence is 128.
    U8(&'a [u8]),
    /// Signed.
    I16(&'a [i16]),
    /// From -1 to 1.
    F32(&'a [f32]),
    /// An audio file that is not decoded.
    Encoded {
        /// Its extension with the dot, as written: `.ogg`.
        extension: &'a str,
        /// The contents of the file.
        bytes: &'a [u8],
    },
}

impl Sound {
    /// Returns the samples.
    pub fn samples(&self) -> Samples<'_> {
        match &self.form {
            Form::U8 => Samples::U8(&self.data),
            // The data was aligned when the sound was made.
            Form::I16 => Samples::I16(bytemuck::try_cast_slice(&self.data).unwrap_or_default()),
            Form::F32 => Samples::F32(bytemuck::try_cast_slice(&self.data).unwrap_or_default()),
            Form::Encoded(extension) => Samples::Encoded { extension, bytes: &self.data },
        }
    }

    /// Returns the bytes of the samples, or of the encoded file.
    pub fn data(&self) -> &AssetBytes {
        &self.data
    }

    /// Returns the number of frames; 0 if an encoded file does not record it.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the number of frames per second.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Returns the number of samples in a frame.
    pub fn channels(&self) -> u32 {
        self.channels
    }

    /// Returns the duration of the sound; 0 if the number of frames is not known.
    pub fn duration(&self) -> Duration {
        match self.sample_rate {
            0 => Duration::ZERO,
            rate => Duration::from_secs_f64(self.frames as f64 / f64::from(rate)),
        }
    }

    /// Returns the playback gain, in decibels.
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// Returns whether playback starts again at the end.
    pub fn is_looped(&self) -> bool {
        self.looped
    }
}

impl Asset for Sound {
    const KIND: AssetKind = AssetKind::Sound;
}

impl FromResource for Sound {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let gain = resource.meta.get(MetaKey::GAIN).map_or(0.0, f32::from_bits);
        let looped = resource.meta.get(MetaKey::LOOP) == Some(1);
        let number = |key| resource.meta.get(key).unwrap_or(0);
        if let Ok(chunk) = resource.chunk(FourCc::RAWD) {
            let view = RawView::parse(chunk.payload()?)?;
            return Ok(Self {
                data: chunk.share(view.bytes()),
                form: Form::Encoded(String::from_utf8_lossy(view.extension()).into()),
                frames: u64::from(number(MetaKey::FRAMES_HIGH)) << 32 | u64::from(number(MetaKey::FRAMES_LOW)),
                sample_rate: number(MetaKey::SAMPLE_RATE),
                channels: number(MetaKey::CHANNELS),
                gain,
                looped,
            });
        }
        let chunk = resource.chunk(FourCc::WAVE)?;
        let view = WaveView::parse(chunk.payload()?)?;
        let WaveProps { frames, sample_rate, sample_size, channels } = view.props();
        let data = chunk.share(view.samples());
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
    }
}
