//! Sounds → sounds of macroquad, which takes files.

use std::borrow::Cow;

use macroquad::audio::{Sound as Playable, load_sound_from_bytes};
use rres_runtime::Sound;
use rres_runtime::asset::Samples;

use crate::error::{Error, ErrorKind};

/// Makes a sound that macroquad plays. OGG files are passed on, and everything else becomes a WAV file in memory.
///
/// # Errors
/// If the sound is kept as a file of another kind and the program lacks its decoder (features of `rres-runtime`), macroquad refuses it,
/// or its samples take 4 GiB, which no WAV file can hold.
pub async fn sound(sound: &Sound) -> Result<Playable, Error> {
    let file = file(sound)?;
    load_sound_from_bytes(&file).await.map_err(|error| Error::new(ErrorKind::Engine(error)))
}

fn file(sound: &Sound) -> Result<Cow<'_, [u8]>, Error> {
    if let Samples::Encoded { extension: ".ogg", bytes } = sound.samples() {
        return Ok(bytes.into());
    }
    if let Some(file) = sound.to_wav() {
        return Ok(file);
    }
    let decoded = sound.decoded().map_err(|error| Error::new(ErrorKind::Encoded(error)))?;
    let file = decoded.to_wav().ok_or_else(|| Error::new(ErrorKind::Length))?;
    Ok(file.into_owned().into())
}

/// The loudness of a sound, as macroquad has it.
pub trait Volume {
    /// Returns the gain of the asset as a volume for `PlaySoundParams`. macroquad's volumes end at 1, so a gain above 0 dB has no effect.
    fn volume(&self) -> f32;
}

impl Volume for Sound {
    fn volume(&self) -> f32 {
        self.linear_gain().min(1.0)
    }
}
