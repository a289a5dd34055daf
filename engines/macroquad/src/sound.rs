//! Sounds → sounds of macroquad, which takes files.

use macroquad::audio::{Sound as Playable, load_sound_from_bytes};
use rres_runtime::Sound;

use crate::error::{Error, ErrorKind};
use crate::sound_file::file;

/// Makes a sound that macroquad plays. OGG files with Vorbis are passed on, and everything else becomes a WAV file in memory.
///
/// # Errors
/// If the sound is kept as a file of another kind and the program lacks its decoder (features of `rres-runtime`), it has more than two
/// channels, macroquad refuses it, or its samples take 4 GiB, which no WAV file can hold.
pub async fn sound(sound: &Sound) -> Result<Playable, Error> {
    let file = file(sound)?;
    load_sound_from_bytes(&file).await.map_err(|error| Error::new(ErrorKind::Engine(error)))
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
