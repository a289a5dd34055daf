//! The formats of the sound files that packs keep, as the metadata of the front index stores them.

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
        /// QOA, the "Quite OK Audio Format".
        Qoa = 6, "QOA";
    }
}

impl SoundFormat {
    /// Returns the format of a file, by its first bytes.
    pub fn of(file: &[u8]) -> Option<Self> {
        match file {
            [b'O', b'g', b'g', b'S', ..] if is_opus(file) => Some(Self::Opus),
            [b'O', b'g', b'g', b'S', ..] => Some(Self::Ogg),
            [b'f', b'L', b'a', b'C', ..] => Some(Self::Flac),
            [b'q', b'o', b'a', b'f', ..] => Some(Self::Qoa),
            _ if is_wav(file) => Some(Self::Wav),
            [b'I', b'D', b'3', ..] => Some(Self::Mp3),
            // The mark of a frame, then version and layer. Layer 3 has the number 1.
            [0xff, second, ..] if second & 0xe6 == 0xe2 => Some(Self::Mp3),
            _ => None,
        }
    }

    /// Returns the feature of `rres-decode` and `rres-runtime` that decodes the format.
    pub const fn feature(self) -> &'static str {
        match self {
            Self::Ogg => "ogg",
            Self::Mp3 => "mp3",
            Self::Flac => "flac",
            Self::Wav => "wav",
            Self::Opus => "opus",
            Self::Qoa => "qoa",
        }
    }
}

/// What the first bytes of a WAV are: `RIFF`, or the names of files whose sizes have 64 bits.
const WAV_MARKS: [&[u8]; 3] = [b"RIFF", b"RF64", b"BW64"];

/// Whether a file begins like a WAV.
fn is_wav(file: &[u8]) -> bool {
    WAV_MARKS.iter().any(|mark| file.starts_with(mark)) && file.get(8..12) == Some(b"WAVE")
}

/// Whether the first packet of an Ogg file is the head of Opus.
fn is_opus(file: &[u8]) -> bool {
    let start = file.get(26).map_or(0, |parts| 27 + usize::from(*parts));
    file.get(start..).is_some_and(|packet| packet.starts_with(b"OpusHead"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        for (start, format) in [
            (&b"OggS\0\x02"[..], Some(SoundFormat::Ogg)),
            (b"fLaC\0", Some(SoundFormat::Flac)),
            (b"qoaf\0", Some(SoundFormat::Qoa)),
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
