//! Sound effects, and music for the screens. Without the feature `sound` the same calls do nothing.
//!
//! The feature plays through macroquad, which needs ALSA's headers on Linux (`libasound2-dev`).

use anyhow::Result;
use rres_runtime::{Id, Sound, Store};

use crate::assets::{music, sound};
use crate::game::{Effect, Screen};

/// The sounds of the [`Effect`]s in their order, then the loops: music of the title and of the flight, wind, burner.
const SOUNDS: [Id<Sound>; 10] = [
    sound::CLICK_WAV,
    sound::COLLECT_WAV,
    sound::HIT_WAV,
    sound::THUNDER_OGG,
    sound::WIN_FLAC,
    sound::LOSE_MP3,
    music::TITLE_OGG,
    music::DRIFT_OGG,
    sound::WIND_OGG,
    sound::BURNER_WAV,
];

#[cfg(feature = "sound")]
pub(crate) use playing::Audio;

/// Plays nothing.
#[cfg(not(feature = "sound"))]
pub(crate) struct Audio;

#[cfg(not(feature = "sound"))]
#[expect(clippy::unused_async, reason = "the type that plays sounds has the same functions")]
impl Audio {
    pub(crate) async fn new(store: &Store) -> Result<Self> {
        SOUNDS.into_iter().try_for_each(|id| store.load(id).map(drop))?;
        Ok(Self)
    }

    pub(crate) fn play(&self, _: Effect) {}

    pub(crate) async fn follow(&mut self, _: Option<Screen>, _steering: bool) -> Result<()> {
        Ok(())
    }
}

#[cfg(feature = "sound")]
mod playing {
    use anyhow::Context;
    use macroquad::audio::{PlaySoundParams, Sound as Voice, play_sound, stop_sound};
    use rres_macroquad::Volume;
    use rres_runtime::ChangeWatcher;

    use super::*;

    /// Plays the sounds that the game asks for.
    pub(crate) struct Audio(Vec<Player>);

    /// An asset and the sound that the engine made of it.
    struct Player {
        sound: ChangeWatcher<Sound>,
        voice: Option<Voice>,
        is_on: bool,
    }

    impl Audio {
        pub(crate) async fn new(store: &Store) -> Result<Self> {
            let mut players = Vec::new();
            for id in SOUNDS {
                let mut player = Player { sound: store.load(id)?.watch(), voice: None, is_on: false };
                player.make_voice().await?;
                players.push(player);
            }
            Ok(Self(players))
        }

        pub(crate) fn play(&self, effect: Effect) {
            self.0[effect as usize].play(false);
        }

        /// Starts and stops loops to fit the screen and the steering, and takes over sounds that have changed.
        pub(crate) async fn follow(&mut self, screen: Option<Screen>, steering: bool) -> Result<()> {
            let at_title = matches!(screen, None | Some(Screen::Title));
            let flying = screen == Some(Screen::Flight);
            let loops = [at_title, !at_title, flying, flying && steering];
            let first = self.0.len() - loops.len();
            for (player, on) in self.0[first..].iter_mut().zip(loops) {
                player.turn(on);
            }
            for player in &mut self.0 {
                if player.sound.changed().is_some() {
                    let was_on = player.is_on;
                    player.turn(false);
                    player.make_voice().await?;
                    player.turn(was_on);
                }
            }
            Ok(())
        }
    }

    impl Player {
        async fn make_voice(&mut self) -> Result<()> {
            let handle = self.sound.handle();
            let voice = rres_macroquad::sound(&handle.get()).await;
            self.voice = Some(voice.with_context(|| format!("{} cannot be played", handle.path()))?);
            Ok(())
        }

        fn play(&self, looped: bool) {
            let volume = self.sound.handle().get().volume();
            self.voice.iter().for_each(|voice| play_sound(voice, PlaySoundParams { looped, volume }));
        }

        fn turn(&mut self, on: bool) {
            match (std::mem::replace(&mut self.is_on, on), &self.voice) {
                (false, Some(_)) if on => self.play(true),
                (true, Some(voice)) if !on => stop_sound(voice),
                _ => {}
            }
        }
    }
}
