//! Sounds: samples, or an encoded file as it is.

mod reader;
mod samples;
mod source;

pub use reader::SampleReader;
pub use samples::Samples;

use std::time::Duration;

use rres_format::chunk::raw::RawView;
use rres_format::chunk::wave::{WaveProps, WaveView};
use rres_format::index::MetaKey;
use rres_format::source::SoundFormat;
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::bytes::AssetBytes;
use crate::error::{Error, Result};
use crate::resource::{Chunk, LoadedResource};

/// A sound: samples that are ready to play, or an encoded file.
///
/// | the source is | [`Self::samples`] are |
/// |---|---|
/// | a WAV, or an OGG, MP3 or FLAC of up to ten seconds | samples: [`Samples::I16`], [`Samples::F32`] or [`Samples::U8`] |
/// | an OGG, MP3 or FLAC of more than ten seconds, such as music | the file: [`Samples::Encoded`] |
/// | any of these with `sound.store = "pcm"`, or `"source"` | samples, or the file |
///
/// How to play it depends on the audio library:
///
/// - It takes samples: pass it the [`Self::reader`], which is an iterator of `f32`, with [`Self::sample_rate`] and
///   [`Self::channels`]. [`Self::decoded`] makes samples of a file, too, if they fit into memory.
/// - It decodes files, as kira and rodio do: pass it the bytes of [`Samples::Encoded`], or those of [`crate::Store::stream`],
///   which reads the file while it plays. Sounds that should always be files need `sound.store = "source"`.
///
/// What the pack stores may differ: it keeps the file of a short sound, too, if that is smaller, and loading decodes it.
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

/// How [`Sound::data`] is to be read. The data was aligned for `I16` and `F32` when the sound was made.
#[derive(Clone, Debug)]
enum Form {
    U8,
    I16,
    F32,
    Encoded(Box<str>),
}

impl Sound {
    /// Returns the samples.
    pub fn samples(&self) -> Samples<'_> {
        self.form.samples(&self.data)
    }

    /// Returns a reader that converts the samples to `f32` one by one; `None` if the sound is an encoded file.
    ///
    /// The reader shares the bytes of the sound: it can be moved to the thread that plays it, and nothing is copied.
    ///
    /// ```
    /// use rres_runtime::Sound;
    ///
    /// /// Adds a sound to what the sound card plays next.
    /// fn mix(sound: &Sound, output: &mut [f32]) {
    ///     let Some(samples) = sound.reader() else { return }; // a file for a decoder
    ///     output.iter_mut().zip(samples).for_each(|(out, sample)| *out += sample * sound.linear_gain());
    /// }
    /// ```
    pub fn reader(&self) -> Option<SampleReader> {
        SampleReader::new(self)
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

    /// Returns the playback gain, in decibels. The samples are stored without it.
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// Returns the playback gain as the factor to multiply samples by: 1 for 0 dB, about 2 for 6 dB.
    pub fn linear_gain(&self) -> f32 {
        10f32.powf(self.gain / 20.0)
    }

    /// Returns whether playback starts again at the end.
    pub fn is_looped(&self) -> bool {
        self.looped
    }
}

impl Form {
    fn samples<'a>(&'a self, data: &'a [u8]) -> Samples<'a> {
        match self {
            Self::U8 => Samples::U8(data),
            Self::I16 => Samples::I16(bytemuck::try_cast_slice(data).unwrap_or_default()),
            Self::F32 => Samples::F32(bytemuck::try_cast_slice(data).unwrap_or_default()),
            Self::Encoded(extension) => Samples::Encoded { extension, bytes: data },
        }
    }
}

impl Asset for Sound {
    const KIND: AssetKind = AssetKind::Sound;
}

impl FromResource for Sound {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let gain = resource.meta.get(MetaKey::GAIN).map_or(0.0, f32::from_bits);
        let looped = resource.meta.get(MetaKey::LOOP) == Some(1);
        if let Ok(chunk) = resource.chunk(FourCc::RAWD) {
            if resource.meta.get(MetaKey::SOUND_FORMAT).is_some() {
                return Self::from_source(chunk, resource);
            }
            return Self::encoded(chunk, &resource.meta);
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

    /// The file for the decoder of the game, or for [`Sound::decoded`].
    fn from_file(file: &Chunk, resource: &LoadedResource<'_>) -> Option<Result<Self>> {
        let bytes = || Ok(RawView::parse(file.payload()?)?.bytes());
        let is_sound = |bytes: Result<&[u8]>| bytes.map_or(true, |bytes| SoundFormat::of(bytes).is_some());
        (file.kind == FourCc::RAWD && is_sound(bytes())).then(|| Self::encoded(file, &resource.meta))
    }

    fn decoded_size(&self) -> u64 {
        self.data.len() as u64
    }
}
