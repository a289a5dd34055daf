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
    use crate::library::{self, Piece};

    /// Checks that every cue and piece has its sound, and keeps quiet.
    #[derive(Debug)]
    pub(crate) struct Speaker;

    impl Speaker {
        #[expect(clippy::unused_async, reason = "the speaker that plays has to wait for its sounds")]
        pub(crate) async fn new(store: &Store) -> Result<Self> {
            for cue in Cue::ALL {
                store.load(library::sound(cue))?;
            }
            for piece in [Piece::Title, Piece::Drift, Piece::Wind, Piece::Burner] {
                store.load(library::piece(piece))?;
            }
            Ok(Self)
        }

        #[expect(clippy::unused_self, reason = "as the speaker that plays")]
        pub(crate) fn play(&mut self, _: Cue) {}

        #[expect(clippy::unused_async, reason = "as the speaker that plays")]
        pub(crate) async fn follow(&mut self, _: Option<Screen>, _steering: bool) -> Result<()> {
            Ok(())
        }
    }
}

#[cfg(feature = "sound")]
mod playing {
    use std::collections::HashMap;

    use macroquad::audio::{
        PlaySoundParams, Sound as Voice, load_sound_from_bytes, play_sound, play_sound_once, stop_sound,
    };
    use rres_runtime::{Handle, Sound, Store, Watch};

    use crate::engine;
    use crate::error::{Error, Result};
    use crate::journey::{Cue, Screen};
    use crate::library::{self, Piece};

    /// Plays what the journey asks for.
    pub(crate) struct Speaker {
        cues: HashMap<Cue, Player>,
        title: Player,
        drift: Player,
        wind: Player,
        burner: Player,
    }

    impl Speaker {
        pub(crate) async fn new(store: &Store) -> Result<Self> {
            let mut cues = HashMap::new();
            for cue in Cue::ALL {
                cues.insert(cue, Player::new(store.load(library::sound(cue))?).await?);
            }
            let piece = async |piece| Player::new(store.load(library::piece(piece))?).await;
            Ok(Self {
                cues,
                title: piece(Piece::Title).await?,
                drift: piece(Piece::Drift).await?,
                wind: piece(Piece::Wind).await?,
                burner: piece(Piece::Burner).await?,
            })
        }

        pub(crate) fn play(&mut self, cue: Cue) {
            if let Some(voice) = self.cues.get(&cue).and_then(|player| player.voice.as_ref()) {
                play_sound_once(voice);
            }
        }

        /// Lets go on what belongs to the screen, and to steering; takes over sounds that have changed.
        pub(crate) async fn follow(&mut self, screen: Option<Screen>, steering: bool) -> Result<()> {
            let flying = screen == Some(Screen::Flight);
            self.title.turn(matches!(screen, None | Some(Screen::Title)));
            self.drift.turn(!matches!(screen, None | Some(Screen::Title)));
            self.wind.turn(flying);
            self.burner.turn(flying && steering);
            let pieces = [&mut self.title, &mut self.drift, &mut self.wind, &mut self.burner];
            for player in self.cues.values_mut().chain(pieces) {
                player.follow().await?;
            }
            Ok(())
        }
    }

    impl Drop for Speaker {
        fn drop(&mut self) {
            for piece in [&mut self.title, &mut self.drift, &mut self.wind, &mut self.burner] {
                piece.turn(false);
            }
        }
    }

    /// A sound and the engine's own form of it. The engine makes that in an `async` function, hence a watch of its own and no
    /// [`crate::live::Live`].
    struct Player {
        sound: Watch<Sound>,
        /// `None` where the engine cannot decode it.
        voice: Option<Voice>,
        volume: f32,
        /// Plays on, from its start again at its end.
        on: bool,
    }

    impl Player {
        async fn new(sound: Handle<Sound>) -> Result<Self> {
            let mut player = Self { sound: sound.watch(), voice: None, volume: 1.0, on: false };
            player.take(&sound.get()).await?;
            Ok(player)
        }

        async fn take(&mut self, sound: &Sound) -> Result<()> {
            let Some(file) = engine::sound_file(sound) else { return Ok(()) };
            let voice = load_sound_from_bytes(&file).await;
            let path = self.sound.handle().path();
            self.voice = Some(voice.map_err(|e| Error::content(path, format!("cannot be played: {e}")))?);
            self.volume = engine::volume(sound);
            Ok(())
        }

        async fn follow(&mut self) -> Result<()> {
            if let Some(sound) = self.sound.changed() {
                let on = self.on;
                self.turn(false);
                self.take(&sound).await?;
                self.turn(on);
            }
            Ok(())
        }

        fn turn(&mut self, on: bool) {
            let was_on = std::mem::replace(&mut self.on, on);
            match &self.voice {
                Some(voice) if on && !was_on => {
                    play_sound(voice, PlaySoundParams { looped: true, volume: self.volume });
                }
                Some(voice) if was_on && !on => stop_sound(voice),
                _ => {}
            }
        }
    }
}
