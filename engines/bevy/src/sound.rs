//! Sounds → files that Bevy plays. It panics when it plays another one.

use std::io::Error;

use rres_runtime::Sound;
use rres_runtime::asset::Samples;

/// What a feature of Bevy decodes.
const DECODED: [&str; 4] = [".flac", ".mp3", ".ogg", ".wav"];

/// The file that the pack keeps, if Bevy has a decoder for its format, or a WAV file of the samples. `None` if no WAV file can hold them.
pub(crate) fn sound_file(sound: &Sound) -> Result<Option<Vec<u8>>, Error> {
    let wave = |sound: &Sound| sound.to_wav().map(|wave| wave.into_owned());
    match sound.samples() {
        Samples::Encoded { extension, bytes } if DECODED.contains(&extension) => Ok(Some(bytes.to_vec())),
        Samples::Encoded { .. } => sound.decoded().map(|decoded| wave(&decoded)).map_err(Error::other),
        _ => Ok(wave(sound)),
    }
}
