//! Sounds for cues and music for screens, with the feature `sound`; without it the same calls, silent.
//!
//! The feature plays through macroquad, which needs ALSA's headers on Linux (`libasound2-dev`).

#[cfg(feature = "sound")]
pub(crate) use playing::Speaker;
#[cfg(not(feature = "sound"))]
pub(crate) use silent::Speaker;

#[cfg(not(feature = "sound"))]
mod silent {
    use rres_runtime::Store;

    use crate::error::Result;
    use crate::journey::{Cue, Screen};
    use crate::loading::{self, Piece};

    /// Checks that every cue and piece has its sound, and keeps quiet.
    #[derive(Debug)]
    pub(crate) struct Speaker;

    impl Speaker {
        #[expect(clippy::unused_async, reason = "the speaker that plays has to wait for its sounds")]
        pub(crate) async fn new(store: &Store) -> Result<Self> {
            for cue in Cue::ALL {
                loading::sound(store, cue)?;
            }
            for piece in [Piece::Title, Piece::Drift, Piece::Wind, Piece::Burner] {
                loading::piece(store, piece)?;
            }
            Ok(Self)
        }

        #[expect(clippy::unused_self, reason = "as the speaker that plays")]
        pub(crate) fn play(&mut self, _: Cue) {}

        #[expect(clippy::unused_self, reason = "as the speaker that plays")]
        pub(crate) fn follow(&mut self, _: Screen, _steering: bool) {}
    }
}

#[cfg(feature = "sound")]
mod playing {
    use std::collections::HashMap;

    use macroquad::audio::{
        PlaySoundParams, Sound as Voice, load_sound_from_bytes, play_sound, play_sound_once, stop_sound,
    };
    use rres_runtime::asset::Samples;
    use rres_runtime::{Handle, Sound, Store};

    use crate::error::{Error, Result};
    use crate::journey::{Cue, Screen};
    use crate::loading::{self, Piece};

    /// Plays what the journey asks for.
    pub(crate) struct Speaker {
        cues: HashMap<Cue, Voice>,
        title: Loop,
        drift: Loop,
        wind: Loop,
        burner: Loop,
    }

    impl Speaker {
        pub(crate) async fn new(store: &Store) -> Result<Self> {
            let mut cues = HashMap::new();
            for cue in Cue::ALL {
                if let Some((voice, _)) = voice(&loading::sound(store, cue)?).await? {
                    cues.insert(cue, voice);
                }
            }
            Ok(Self {
                cues,
                title: Loop::new(store, Piece::Title).await?,
                drift: Loop::new(store, Piece::Drift).await?,
                wind: Loop::new(store, Piece::Wind).await?,
                burner: Loop::new(store, Piece::Burner).await?,
            })
        }

        pub(crate) fn play(&mut self, cue: Cue) {
            if let Some(voice) = self.cues.get(&cue) {
                play_sound_once(voice);
            }
        }

        /// Lets go on what belongs to the screen, and to steering.
        pub(crate) fn follow(&mut self, screen: Screen, steering: bool) {
            let flying = screen == Screen::Flight;
            self.title.turn(screen == Screen::Title);
            self.drift.turn(screen != Screen::Title);
            self.wind.turn(flying);
            self.burner.turn(flying && steering);
        }
    }

    impl Drop for Speaker {
        fn drop(&mut self) {
            for piece in [&mut self.title, &mut self.drift, &mut self.wind, &mut self.burner] {
                piece.turn(false);
            }
        }
    }

    /// A sound that starts again at its end for as long as it is on.
    struct Loop {
        voice: Option<(Voice, f32)>,
        on: bool,
    }

    impl Loop {
        async fn new(store: &Store, piece: Piece) -> Result<Self> {
            Ok(Self { voice: voice(&loading::piece(store, piece)?).await?, on: false })
        }

        fn turn(&mut self, on: bool) {
            let was_on = std::mem::replace(&mut self.on, on);
            match &self.voice {
                Some((voice, volume)) if on && !was_on => {
                    play_sound(voice, PlaySoundParams { looped: true, volume: *volume });
                }
                Some((voice, _)) if was_on && !on => stop_sound(voice),
                _ => {}
            }
        }
    }

    /// Hands a sound over: samples as a WAV file in memory, encoded ones as they are. `None` for a form that macroquad
    /// cannot decode.
    async fn voice(handle: &Handle<Sound>) -> Result<Option<(Voice, f32)>> {
        let sound = handle.get();
        let bytes = match sound.samples() {
            Samples::Encoded { extension: ".ogg", bytes } => bytes.to_vec(),
            Samples::U8(samples) => wav(&sound, samples.iter().map(|s| (i16::from(*s) - 128) << 8)),
            Samples::I16(samples) => wav(&sound, samples.iter().copied()),
            Samples::F32(samples) => wav(&sound, samples.iter().map(|s| (s.clamp(-1.0, 1.0) * 32767.0) as i16)),
            _ => return Ok(None),
        };
        let volume = 10f32.powf(sound.gain() / 20.0).min(1.0);
        let voice = load_sound_from_bytes(&bytes).await;
        let voice = voice.map_err(|e| Error::content(handle.path(), 0, format!("cannot be played: {e}")))?;
        Ok(Some((voice, volume)))
    }

    fn wav(sound: &Sound, samples: impl ExactSizeIterator<Item = i16>) -> Vec<u8> {
        let (size, block) = (samples.len() as u32 * 2, sound.channels() * 2);
        let mut bytes = b"RIFF".to_vec();
        bytes.extend((36 + size).to_le_bytes());
        bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0");
        bytes.extend((sound.channels() as u16).to_le_bytes());
        bytes.extend(sound.sample_rate().to_le_bytes());
        bytes.extend((sound.sample_rate() * block).to_le_bytes());
        bytes.extend((block as u16).to_le_bytes());
        bytes.extend(b"\x10\0data");
        bytes.extend(size.to_le_bytes());
        bytes.extend(samples.flat_map(i16::to_le_bytes));
        bytes
    }
}
