//! Sounds → files that Bevy plays. It panics when it plays another one.

use std::io::Error;

use rres_runtime::Sound;
use rres_runtime::asset::Samples;

/// The file that the pack keeps, if Bevy has a decoder for its format, or a WAV file of the samples. `None` if no WAV file can hold them.
pub(crate) fn sound_file(sound: &Sound) -> Result<Option<Vec<u8>>, Error> {
    let wave = |sound: &Sound| sound.to_wav().map(|wave| wave.into_owned());
    match sound.samples() {
        Samples::Encoded { bytes, .. } if has_decoder(bytes) => Ok(Some(bytes.to_vec())),
        Samples::Encoded { .. } => sound.decoded().map(|decoded| wave(&decoded)).map_err(Error::other),
        _ => Ok(wave(sound)),
    }
}

/// Whether Bevy has a feature that decodes a file: MP3, FLAC, WAV, and OGG with Vorbis.
fn has_decoder(file: &[u8]) -> bool {
    let is_mp3 = file.starts_with(b"ID3") || matches!(file, [0xff, second, ..] if second & 0xe6 == 0xe2);
    is_mp3 || file.starts_with(b"fLaC") || file.starts_with(b"RIFF") || is_vorbis(file)
}

/// The first packet says what an OGG file has, and begins in its first page.
fn is_vorbis(file: &[u8]) -> bool {
    let packet = || {
        let page = file.strip_prefix(b"OggS")?;
        let segments = usize::from(*page.get(22)?);
        page.get(23 + segments..)
    };
    packet().is_some_and(|packet| packet.starts_with(b"\x01vorbis"))
}
