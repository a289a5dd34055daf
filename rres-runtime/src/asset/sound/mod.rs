//! Sounds: samples, or an encoded file as it is.

mod decoding;
mod reader;
mod samples;
mod source;

pub(crate) use decoding::SeekTable;
pub use reader::SampleReader;
pub use samples::Samples;
pub(crate) use source::check_frames;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use rres_format::SoundFormat;
use rres_format::chunk::markers::MarkersView;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::wave::{WaveProps, WaveView};
use rres_format::index::MetaKey;
use rres_format::wav::wav_file;
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::bytes::AssetBytes;
use crate::error::{Error, Result};
use crate::resource::{Chunk, LoadedResource};

/// A sound: samples that are ready to play, or an encoded file.
///
/// | the source is | [`Self::samples`] are |
/// |---|---|
/// | a WAV, or an OGG, Opus, MP3 or FLAC of up to ten seconds | samples: [`Samples::I16`], [`Samples::F32`] or [`Samples::U8`] |
/// | an OGG, Opus, MP3 or FLAC of more than ten seconds, such as music | the file: [`Samples::Encoded`] |
/// | any of these with `sound.store = "pcm"`, or `"source"` | samples, or the file |
///
/// How to play it depends on the audio library:
///
/// - It takes samples: pass it the [`Self::reader`], which is an iterator of `f32`, with [`Self::sample_rate`] and
///   [`Self::channels`]. It decodes a file while it plays. [`Self::decoded`] makes samples of all of it, if they fit into memory.
/// - It decodes files, as kira and rodio do: pass it the bytes of [`Samples::Encoded`], or of [`crate::Store::stream`],
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
    playback: Playback,
    /// The frames that a decoder makes of an encoded file before the first one of the sound, if the build has found out.
    skipped_frames: Option<u32>,
    /// The places in an encoded file at which decoding can start.
    seek_table: Option<SeekTable>,
}

/// How to play the sound.
#[derive(Clone, Debug)]
struct Playback {
    gain: f32,
    looped: bool,
    loop_points: Option<Range<u64>>,
    priority: u32,
    falloff: f32,
    markers: Arc<[Marker]>,
}

/// A named place in a [`Sound`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marker {
    /// The frame before which it is.
    pub frame: u64,
    /// Its name; empty if it has none.
    pub name: Box<str>,
}

/// How to read [`Sound::data`]. The data was aligned for `I16` and `F32` when the sound was made.
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

    /// Returns a reader of the samples as `f32`, one by one or in blocks.
    ///
    /// The reader shares the bytes of the sound: it can be moved to the thread that plays it, and nothing is copied. It decodes an
    /// encoded file packet by packet while it is read, and makes the samples that [`Self::decoded`] makes. `None` for such a file if
    /// the feature of its format (`ogg`, `opus`, `mp3`, `flac` or `qoa`) is disabled, or if the pack has no seek points for it, which
    /// `sound = { seek = true }` makes. See [`crate::Stream::samples`] for files that are not loaded.
    ///
    /// ```
    /// use rres_runtime::Sound;
    ///
    /// /// Adds a sound to what the sound card plays next.
    /// fn mix(sound: &Sound, output: &mut [f32]) {
    ///     let Some(samples) = sound.reader() else { return }; // a file that is not decoded
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

    /// Returns the sound as a `.wav` file, for audio libraries that take files only: its samples with a header, or the file that the pack
    /// keeps if that is a `.wav` already. `None` for an encoded file of another format, which [`Self::decoded`] decodes first, and for
    /// samples that no `.wav` file can hold: 4 GiB or more.
    ///
    /// ```
    /// use rres_runtime::Sound;
    ///
    /// fn file_for_the_player(sound: &Sound) -> rres_runtime::Result<Vec<u8>> {
    ///     match sound.to_wav() {
    ///         Some(file) => Ok(file.into_owned()),
    ///         None => Ok(sound.decoded()?.to_wav().unwrap_or_default().into_owned()),
    ///     }
    /// }
    /// ```
    pub fn to_wav(&self) -> Option<Cow<'_, [u8]>> {
        let sample_size = match self.samples() {
            Samples::U8(_) => 8,
            Samples::I16(_) => 16,
            Samples::F32(_) => 32,
            Samples::Encoded { extension, bytes } => {
                return extension.eq_ignore_ascii_case(".wav").then_some(Cow::Borrowed(bytes));
            }
        };
        let frames = u32::try_from(self.frames).ok()?;
        let props = WaveProps { frames, sample_rate: self.sample_rate, sample_size, channels: self.channels };
        wav_file(props, &self.data, &[]).ok().map(Cow::Owned)
    }

    /// Returns the number of frames; 0 if an encoded file does not record it.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the number of frames that a decoder makes of an encoded file before the first one of the sound; 0 if it is not recorded.
    #[doc(hidden)]
    pub fn skipped_frames(&self) -> u32 {
        self.skipped_frames.unwrap_or(0)
    }

    /// Returns the number of frames per second; of an encoded file that records nothing, what its head states; 0 if that cannot be read.
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
        self.playback.gain
    }

    /// Returns the playback gain as the factor to multiply samples by: 1 for 0 dB, about 2 for 6 dB.
    pub fn linear_gain(&self) -> f32 {
        10f32.powf(self.gain() / 20.0)
    }

    /// Returns whether playback starts again at the end.
    pub fn is_looped(&self) -> bool {
        self.playback.looped
    }

    /// Returns the frames that a looped sound repeats, after those before them were played once; `None` to repeat all of it.
    ///
    /// They come from the file: from the chunk `smpl` of a WAV, or from the comments `LOOPSTART` and `LOOPLENGTH` of an OGG or a FLAC.
    ///
    /// ```
    /// use rres_runtime::Sound;
    ///
    /// /// Returns the frame to play after `frame`; `None` at the end.
    /// fn next_frame(sound: &Sound, frame: u64) -> Option<u64> {
    ///     let repeated = sound.loop_points().unwrap_or(0..sound.frames());
    ///     match frame + 1 {
    ///         next if sound.is_looped() && next >= repeated.end => Some(repeated.start),
    ///         next => (next < sound.frames()).then_some(next),
    ///     }
    /// }
    /// ```
    pub fn loop_points(&self) -> Option<Range<u64>> {
        self.playback.loop_points.clone()
    }

    /// Returns the named places in the sound, ascending by frame.
    pub fn markers(&self) -> &[Marker] {
        &self.playback.markers
    }

    /// Returns the first marker of this name.
    pub fn marker(&self, name: &str) -> Option<&Marker> {
        self.markers().iter().find(|marker| &*marker.name == name)
    }

    /// Returns how important it is that the sound is heard if there are more sounds than can be played: the setting
    /// `sound.priority`, 0 by default.
    pub fn priority(&self) -> u32 {
        self.playback.priority
    }

    /// Returns how fast the sound fades with distance: the setting `sound.falloff`, 1 by default and 0 for a sound that does not
    /// fade.
    pub fn falloff(&self) -> f32 {
        self.playback.falloff
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
        if let Ok(chunk) = resource.chunk(FourCc::RAWD) {
            if resource.meta.get(MetaKey::SOUND_FORMAT).is_some() {
                return Self::from_source(chunk, resource);
            }
            return Self::kept(chunk, resource);
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
        let (frames, playback) = (frames.into(), Playback::new(resource, frames.into())?);
        Ok(Self { data, form, frames, sample_rate, channels, playback, skipped_frames: None, seek_table: None })
    }

    /// The file for the decoder of the game, or for [`Sound::decoded`].
    fn from_file(file: &Chunk, resource: &LoadedResource<'_>) -> Option<Result<Self>> {
        let bytes = || Ok(RawView::parse(file.payload()?)?.bytes());
        let is_sound = |bytes: Result<&[u8]>| bytes.map_or(true, |bytes| SoundFormat::of(bytes).is_some());
        (file.kind == FourCc::RAWD && is_sound(bytes())).then(|| Self::kept(file, resource))
    }

    fn decoded_size(&self) -> u64 {
        self.data.len() as u64
    }
}

impl Playback {
    fn new(resource: &LoadedResource<'_>, frames: u64) -> Result<Self> {
        let float = |key, default| resource.meta.get(key).map_or(default, f32::from_bits);
        let frame = |key| resource.meta.get(key).map(u64::from);
        let loop_points = frame(MetaKey::LOOP_START).zip(frame(MetaKey::LOOP_END)).map(|(start, end)| start..end);
        let markers = match resource.chunk(FourCc::MARK) {
            Ok(chunk) => {
                let view = MarkersView::parse(chunk.payload()?)?;
                view.markers().map(|marker| Marker { frame: marker.frame, name: marker.name.into() }).collect()
            }
            Err(_) => Arc::default(),
        };
        Ok(Self {
            gain: float(MetaKey::GAIN, 0.0),
            looped: resource.meta.get(MetaKey::LOOP) == Some(1),
            // A player must not be led out of the samples.
            loop_points: loop_points.filter(|points| !points.is_empty() && points.end <= frames),
            priority: resource.meta.get(MetaKey::PRIORITY).unwrap_or(0),
            falloff: float(MetaKey::FALLOFF, 1.0),
            markers,
        })
    }
}
