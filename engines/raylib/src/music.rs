//! Sounds → music of raylib, which decodes a file in memory while it plays.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use raylib::audio::{Music as Playable, RaylibAudio};
use rres_runtime::Sound;
use rres_runtime::asset::Samples;

use crate::error::{Error, ErrorKind};
use crate::sound::{countable, is_unknown, wav};

/// Music of raylib with the file that it reads while it plays. Call `update_stream` once a frame.
pub struct Music<'a> {
    /// Dropped before the file.
    music: Playable<'a>,
    /// raylib keeps a pointer to it.
    _file: File,
}

/// Bytes that stay where they are for as long as they are kept.
enum File {
    /// The file that the asset is.
    Asset(Arc<Sound>),
    /// A `.wav` of its samples.
    Wav(Arc<[u8]>),
}

impl Music<'_> {
    /// Sets whether the music starts again at its end. At first it does what the asset says.
    pub fn set_looping(&mut self, looping: bool) {
        self.music.set_looping(looping);
    }
}

// There is no `DerefMut`: whoever exchanged the music could drop the file before it.
impl<'a> Deref for Music<'a> {
    type Target = Playable<'a>;

    fn deref(&self) -> &Self::Target {
        &self.music
    }
}

impl fmt::Debug for Music<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Music").field("music", &self.music).finish_non_exhaustive()
    }
}

/// Makes music that raylib decodes while it plays, with the gain and the loop of the asset. raylib repeats all of it, whatever its
/// [`Sound::loop_points`] are.
///
/// Files that raylib has no decoder for are decoded before they play (features of `rres-runtime`), and are in memory as samples.
///
/// # Errors
/// If no decoder takes the file, raylib refuses the sound, or it takes 2 GiB.
pub fn music<'a>(audio: &'a RaylibAudio, sound: &Arc<Sound>) -> Result<Music<'a>, Error> {
    let load = |kind: &str, file: File| -> Result<Music<'a>, Error> {
        let bytes = match &file {
            File::Asset(sound) => &**sound.data(),
            File::Wav(bytes) => bytes,
        };
        let music = audio.new_music_from_memory(kind, countable(bytes)?);
        let music = music.map_err(|error| Error::new(ErrorKind::Sound(error)))?;
        // raylib would look for the next frame forever.
        if music.frameCount == 0 {
            return Err(Error::new(ErrorKind::Empty));
        }
        Ok(Music { music, _file: file })
    };
    let samples = |sound: &Sound| load(".wav", File::Wav(wav16(sound)?));
    let mut music = match sound.samples() {
        Samples::Encoded { extension, .. } => {
            match load(&extension.to_ascii_lowercase(), File::Asset(sound.clone())) {
                // raylib would play old samples for those of another size.
                Ok(music) if !matches!(music.stream.sampleSize, 16 | 32) => samples(&decoded(sound)?)?,
                Err(refused) if is_unknown(&refused) => samples(&decoded(sound)?)?,
                loaded => loaded?,
            }
        }
        _ => samples(sound)?,
    };
    music.set_volume(sound.linear_gain());
    music.set_looping(sound.is_looped());
    Ok(music)
}

fn decoded(sound: &Sound) -> Result<Sound, Error> {
    sound.decoded().map_err(|error| Error::new(ErrorKind::Encoded(error)))
}

/// A `.wav` of 16 or 32 bits: raylib streams no others.
fn wav16(sound: &Sound) -> Result<Arc<[u8]>, Error> {
    let Samples::U8(samples) = sound.samples() else { return Ok(wav(sound)?.into()) };
    let of_8 = wav(sound)?;
    // The same header, with the numbers that count bits and bytes.
    let length = |bytes: usize| u32::try_from(bytes).map_err(|_| Error::new(ErrorKind::Length));
    let frame = sound.channels() * 2;
    let mut file = of_8[..44].to_vec();
    file[4..8].copy_from_slice(&length(36 + samples.len() * 2)?.to_le_bytes());
    file[28..32].copy_from_slice(&sound.sample_rate().wrapping_mul(frame).to_le_bytes());
    file[32..34].copy_from_slice(&(frame as u16).to_le_bytes());
    file[34..36].copy_from_slice(&16u16.to_le_bytes());
    file[40..44].copy_from_slice(&length(samples.len() * 2)?.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| ((i16::from(*sample) - 128) << 8).to_le_bytes()));
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use rres_format::FourCc;
    use rres_format::chunk::wave::WaveProps;
    use rres_runtime::Id;

    use super::*;
    use crate::test_pack::store;

    #[test]
    fn samples_of_8_bits_become_a_file_of_16_bits() {
        let props = WaveProps { frames: 3, sample_rate: 8000, sample_size: 8, channels: 1 };
        let store = store("a.wav", FourCc::WAVE, &props.block(&[0, 128, 255]));
        let sound = store.load(Id::<Sound>::from_path("a.wav")).unwrap().get();
        let expected = rres_test_data::sound::mono(8000, &[i16::MIN, 0, 127 << 8]);
        assert_eq!(*wav16(&sound).unwrap(), *expected);
    }
}
