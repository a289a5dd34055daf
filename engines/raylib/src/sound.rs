//! Sounds → sounds of raylib, which takes files.

use std::borrow::Cow;

use raylib::audio::{RaylibAudio, Sound as Playable, Wave};
use raylib::error::LoadSoundError;
use rres_runtime::Sound;
use rres_runtime::asset::Samples;

use crate::error::{Error, ErrorKind};

/// Makes a sound that raylib plays at once, with the gain of the asset. All of its samples are in memory, as floats.
///
/// A file that the program has no decoder for (features of `rres-runtime`) is decoded by raylib, if raylib has one. raylib plays a sound once;
/// [`crate::music()`] repeats it.
///
/// # Errors
/// If no decoder takes the file, raylib refuses the sound, or it takes 2 GiB.
pub fn sound<'a>(audio: &'a RaylibAudio, sound: &Sound) -> Result<Playable<'a>, Error> {
    let refused = |error| Error::new(ErrorKind::Sound(error));
    let playable = audio.new_sound_from_wave(&wave(audio, sound)?).map_err(refused)?;
    playable.set_volume(sound.linear_gain());
    Ok(playable)
}

fn wave<'a>(audio: &'a RaylibAudio, sound: &Sound) -> Result<Wave<'a>, Error> {
    let load = |kind: &str, file: &[u8]| -> Result<Wave<'a>, Error> {
        let wave = audio.new_wave_from_memory(kind, countable(file)?);
        let wave = wave.map_err(|error| Error::new(ErrorKind::Sound(error)))?;
        match wave.frame_count() {
            0 => Err(Error::new(ErrorKind::Empty)),
            _ => Ok(wave),
        }
    };
    let Samples::Encoded { extension, bytes } = sound.samples() else { return load(".wav", &wav(sound)?) };
    match sound.decoded() {
        Ok(decoded) => load(".wav", &wav(&decoded)?),
        Err(error) => match load(&extension.to_ascii_lowercase(), bytes) {
            Err(refused) if is_unknown(&refused) => Err(Error::new(ErrorKind::Encoded(error))),
            loaded => loaded,
        },
    }
}

/// Whether raylib has no decoder for the file, or could not decode it.
pub(crate) fn is_unknown(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Sound(LoadSoundError::Null | LoadSoundError::MusicNull))
}

/// The `.wav` file of samples.
pub(crate) fn wav(sound: &Sound) -> Result<Cow<'_, [u8]>, Error> {
    sound.to_wav().ok_or_else(|| Error::new(ErrorKind::Length))
}

/// raylib counts the bytes of files in `i32`.
pub(crate) fn countable(file: &[u8]) -> Result<&[u8], Error> {
    match i32::try_from(file.len()) {
        Ok(_) => Ok(file),
        Err(_) => Err(Error::new(ErrorKind::Length)),
    }
}
