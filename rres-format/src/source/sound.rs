//! A sound file → its samples, interleaved, in the form that packs use.

use core::fmt;

use super::SourceError;
use crate::closed_enum::closed_enum;

closed_enum! {
    /// The format of a sound file that packs keep.
    pub enum SoundFormat: u32 {
        /// Vorbis in Ogg.
        Ogg = 1, "OGG Vorbis";
        /// MPEG layer 3.
        Mp3 = 2, "MP3";
        /// FLAC.
        Flac = 3, "FLAC";
        /// PCM in RIFF: only in packs of other programs.
        Wav = 4, "WAV";
        /// Opus in Ogg.
        Opus = 5, "OGG Opus";
    }
}

closed_enum! {
    /// The form of a decoded sample, as WAVE chunks store it; its number is the size in bits.
    pub enum SampleForm: u32 {
        /// Unsigned; silence is 128.
        U8 = 8, "u8";
        /// Signed, little-endian.
        I16 = 16, "i16";
        /// From -1 to 1, little-endian.
        F32 = 32, "f32";
    }
}

impl SoundFormat {
    /// Returns the format of a file, by its first bytes.
    pub fn of(file: &[u8]) -> Option<Self> {
        match file {
            [b'O', b'g', b'g', b'S', ..] if is_opus(file) => Some(Self::Opus),
            [b'O', b'g', b'g', b'S', ..] => Some(Self::Ogg),
            [b'f', b'L', b'a', b'C', ..] => Some(Self::Flac),
            _ if is_wav(file) => Some(Self::Wav),
            [b'I', b'D', b'3', ..] => Some(Self::Mp3),
            // The mark of a frame, then version and layer. Layer 3 has the number 1.
            [0xff, second, ..] if second & 0xe6 == 0xe2 => Some(Self::Mp3),
            _ => None,
        }
    }

    /// Returns the feature of `rres-format` and `rres-runtime` that decodes the format.
    pub const fn feature(self) -> &'static str {
        match self {
            Self::Ogg => "ogg",
            Self::Mp3 => "mp3",
            Self::Flac => "flac",
            Self::Wav => "wav",
            Self::Opus => "opus",
        }
    }

    /// Returns whether that feature is enabled.
    pub const fn is_enabled(self) -> bool {
        match self {
            Self::Ogg => cfg!(feature = "ogg"),
            Self::Mp3 => cfg!(feature = "mp3"),
            Self::Flac => cfg!(feature = "flac"),
            Self::Wav => cfg!(feature = "wav"),
            Self::Opus => cfg!(feature = "opus"),
        }
    }
}

/// What the first bytes of a WAV are: `RIFF`, or the names of files whose sizes have 64 bits.
const WAV_MARKS: [&[u8]; 3] = [b"RIFF", b"RF64", b"BW64"];

/// Whether a file begins like a WAV.
pub fn is_wav(file: &[u8]) -> bool {
    WAV_MARKS.iter().any(|mark| file.starts_with(mark)) && file.get(8..12) == Some(b"WAVE")
}

/// Whether the first packet of an Ogg file is the head of Opus.
fn is_opus(file: &[u8]) -> bool {
    let start = file.get(26).map_or(0, |parts| 27 + usize::from(*parts));
    file.get(start..).is_some_and(|packet| packet.starts_with(b"OpusHead"))
}

impl SampleForm {
    /// Returns the number of bytes.
    pub const fn size(self) -> usize {
        self as usize / 8
    }
}

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
    pub(super) format: SoundFormat,
    pub(super) file: &'a [u8],
    pub(super) sample_rate: u32,
    pub(super) channels: u32,
    /// The form that keeps the depth of the file.
    pub(super) natural_form: SampleForm,
}

impl<'a> SoundFile<'a> {
    /// Reads the head of a file, whose format is known from its first bytes.
    ///
    /// # Errors
    /// If the format is unknown or its feature is disabled, and if the head is damaged.
    pub fn open(file: &'a [u8]) -> Result<Self, SourceError> {
        let unknown = || SourceError::UnknownFormat { start: file.get(..4).unwrap_or(file).into() };
        let format = SoundFormat::of(file).ok_or_else(unknown)?;
        if !format.is_enabled() {
            return Err(SourceError::NoDecoder { format: format.name(), feature: format.feature() });
        }
        Self::open_as(file, format)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        for (start, format) in [
            (&b"OggS\0\x02"[..], Some(SoundFormat::Ogg)),
            (b"fLaC\0", Some(SoundFormat::Flac)),
            (b"OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead", Some(SoundFormat::Opus)),
            (b"ID3\x04", Some(SoundFormat::Mp3)),
            (b"\xff\xfb\x90", Some(SoundFormat::Mp3)),
            (b"\xff\xf3\x90", Some(SoundFormat::Mp3)),
            // Layer 2, a JPEG, and nothing.
            (b"\xff\xfd\x90", None),
            (b"\xff\xd8\xff", None),
            (b"RIFF", None),
            (b"RIFF\x24\0\0\0WAVEfmt ", Some(SoundFormat::Wav)),
            (b"RF64\xff\xff\xff\xffWAVEds64", Some(SoundFormat::Wav)),
            (b"", None),
        ] {
            assert_eq!(SoundFormat::of(start), format, "{start:?}");
        }
    }
}
