//! A sound file → its samples, interleaved, in the form that packs use.

use core::fmt;

use rres_format::SoundFormat;

use crate::DecodeError;
use crate::form::SampleForm;

/// Which frames of those that a decoder makes, which it does not trim, are the sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of frames before the first one of the sound.
    pub skip: u64,
    /// The number of frames of the sound that can be decoded.
    pub frames: u64,
    /// How many more the file states: if this is not 0, it was cut or is damaged.
    pub missing: u64,
}

/// The head of a sound file. Its samples are decoded from this.
///
/// A decoder makes some frames before the first one of the sound, and may make more after the last: an encoder added them.
/// [`Self::decode_into`] leaves out as many as its arguments say. The build finds out how many when it stores the file.
pub struct SoundFile<'a> {
    pub(crate) format: SoundFormat,
    pub(crate) file: &'a [u8],
    pub(crate) sample_rate: u32,
    pub(crate) channels: u32,
    /// The form that keeps the depth of the file.
    pub(crate) natural_form: SampleForm,
}

impl<'a> SoundFile<'a> {
    /// Reads the head of a file, whose format is known from its first bytes.
    ///
    /// # Errors
    /// If the format is unknown or its feature is disabled, and if the head is damaged.
    pub fn open(file: &'a [u8]) -> Result<Self, DecodeError> {
        let format = Self::format_of(file)?;
        Self::open_as(file, format)
    }

    /// Returns the format of a file, by its first bytes.
    ///
    /// # Errors
    /// If the format is unknown or its feature is disabled.
    pub fn format_of(file: &[u8]) -> Result<SoundFormat, DecodeError> {
        let unknown = || DecodeError::UnknownFormat { start: file.get(..4).unwrap_or(file).into() };
        let format = SoundFormat::of(file).ok_or_else(unknown)?;
        let decoders = [
            (SoundFormat::Ogg, cfg!(feature = "ogg")),
            (SoundFormat::Mp3, cfg!(feature = "mp3")),
            (SoundFormat::Flac, cfg!(feature = "flac")),
            (SoundFormat::Wav, cfg!(feature = "wav")),
            (SoundFormat::Opus, cfg!(feature = "opus")),
            (SoundFormat::Qoa, cfg!(feature = "qoa")),
        ];
        let is_enabled = decoders.contains(&(format, true));
        if is_enabled { Ok(format) } else { Err(DecodeError::no_decoder(format)) }
    }

    /// Returns the format of the file.
    pub fn format(&self) -> SoundFormat {
        self.format
    }

    /// Returns the number of frames per second, which is not 0.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Returns the number of samples in a frame, from 1 to 255.
    pub fn channels(&self) -> u32 {
        self.channels
    }

    /// Returns the form that keeps the depth of the file. Formats without a depth have 16 bits.
    pub fn natural_form(&self) -> SampleForm {
        self.natural_form
    }

    /// Returns the bytes of a frame of samples in this form.
    pub fn frame_size(&self, form: SampleForm) -> usize {
        self.channels as usize * form.size()
    }
}

impl fmt::Debug for SoundFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, file, sample_rate, channels, natural_form } = self;
        f.debug_struct("SoundFile")
            .field("format", format)
            .field("bytes", &file.len())
            .field("sample_rate", sample_rate)
            .field("channels", channels)
            .field("natural_form", natural_form)
            .finish()
    }
}
