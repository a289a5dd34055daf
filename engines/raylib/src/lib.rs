//! Draws and plays the assets of rres packs with [raylib]: textures, fonts, models, sounds and music, by the constants that a build generates.
//!
//! ```no_run
//! use raylib::prelude::*;
//! use rres_raylib::StoreExt;
//! use rres_runtime::Store;
//!
//! # mod assets { pub mod ui {
//! # use rres_runtime::{Id, Image, ResourceId, Slot};
//! # pub const PLAYER_PNG: Id<Image> = Id::new(ResourceId(1), Slot(0));
//! # } }
//! fn game(store: &Store) -> Result<(), rres_raylib::Error> {
//!     let (mut rl, thread) = raylib::init().size(640, 360).title("Lantern").build();
//!     let mut player = store.texture(&thread, assets::ui::PLAYER_PNG)?;
//!     while !rl.window_should_close() {
//!         let mut draw = rl.begin_drawing(&thread);
//!         draw.clear_background(Color::BLACK);
//!         draw.draw_texture(player.get(), 20, 20, Color::WHITE); // an edited file shows in the next frame
//!     }
//!     Ok(())
//! }
//! ```
//!
//! [`StoreExt`] loads an asset, makes raylib's value of it, and makes that again whenever the asset changes. The functions below it make the
//! values alone, for a game that does the rest itself.
//!
//! | asset | becomes | by |
//! |---|---|---|
//! | [`Image`] | [`Texture2D`] | [`StoreExt::texture`], [`texture()`] |
//! | [`Font`] | raylib's [`Font`](raylib::text::Font), with the glyphs that the pack has | [`StoreExt::font`], [`font()`] |
//! | [`Model`] | [`TexturedModel`]: raylib's [`Model`](raylib::models::Model) and its textures | [`StoreExt::model`], [`model()`] |
//! | [`Sound`] | raylib's [`Sound`](raylib::audio::Sound) | [`StoreExt::sound`], [`sound()`] |
//! | [`Sound`] | [`Music`], which is decoded while it plays | [`StoreExt::music`], [`music()`] |
//!
//! Textures, fonts and models need raylib's window, and its thread. Drop
//! what the functions make before the `RaylibHandle`, which closes the window.
//!
//! # Features
//!
//! `default` has the default features of raylib. Without it, the game chooses them itself: `default-features = false` for both crates.
//! raylib's modules for textures, text, models and audio have to be among them.

mod drawn;
mod error;
mod ffi;
mod font;
mod model;
mod music;
mod sound;
#[cfg(test)]
mod test_pack;
mod texture;

pub use drawn::{Drawn, Played};
pub use error::{Error, ErrorKind};
pub use font::font;
pub use model::{TexturedModel, model};
pub use music::{Music, music};
pub use sound::sound;
pub use texture::texture;

use std::sync::Arc;

use raylib::RaylibThread;
use raylib::audio::RaylibAudio;
use raylib::texture::Texture2D;
use rres_runtime::{Font, Image, IntoRequest, Model, Sound, Store};

/// What a [`Store`] makes for raylib. Each value keeps its asset loaded, and follows its changes.
///
/// The requests are those of [`Store::load`]: a constant, or a constant in another language.
pub trait StoreExt {
    /// Loads an image, and makes a texture of it with the filter, the wrap and the mip levels of the asset.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`texture()`].
    fn texture(
        &self,
        thread: &RaylibThread,
        image: impl IntoRequest<Value = Image>,
    ) -> Result<Drawn<Image, Texture2D>, Error>;

    /// Loads a font, for texts in the size that it has nearest to `pixels`.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`font()`].
    fn font(
        &self,
        thread: &RaylibThread,
        font: impl IntoRequest<Value = Font>,
        pixels: u32,
    ) -> Result<Drawn<Font, raylib::text::Font>, Error>;

    /// Loads a model with the images of its materials.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`model()`].
    fn model(
        &self,
        thread: &RaylibThread,
        model: impl IntoRequest<Value = Model>,
    ) -> Result<Drawn<Model, TexturedModel>, Error>;

    /// Loads a sound, with the gain of the asset.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`sound()`].
    fn sound<'a>(
        &self,
        audio: &'a RaylibAudio,
        sound: impl IntoRequest<Value = Sound>,
    ) -> Result<Played<'a, raylib::audio::Sound<'a>>, Error>;

    /// Loads a sound that is decoded while it plays, with the gain and the loop of the asset.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`music()`].
    fn music<'a>(
        &self,
        audio: &'a RaylibAudio,
        sound: impl IntoRequest<Value = Sound>,
    ) -> Result<Played<'a, Music<'a>>, Error>;
}

impl StoreExt for Store {
    fn texture(
        &self,
        thread: &RaylibThread,
        image: impl IntoRequest<Value = Image>,
    ) -> Result<Drawn<Image, Texture2D>, Error> {
        let thread = thread.clone();
        drawn(self, image, move |_, image| texture(&thread, image))
    }

    fn font(
        &self,
        thread: &RaylibThread,
        font: impl IntoRequest<Value = Font>,
        pixels: u32,
    ) -> Result<Drawn<Font, raylib::text::Font>, Error> {
        let thread = thread.clone();
        drawn(self, font, move |_, font| self::font(&thread, font, pixels))
    }

    fn model(
        &self,
        thread: &RaylibThread,
        model: impl IntoRequest<Value = Model>,
    ) -> Result<Drawn<Model, TexturedModel>, Error> {
        let thread = thread.clone();
        drawn(self, model, move |store, model| self::model(&thread, store, model))
    }

    fn sound<'a>(
        &self,
        audio: &'a RaylibAudio,
        sound: impl IntoRequest<Value = Sound>,
    ) -> Result<Played<'a, raylib::audio::Sound<'a>>, Error> {
        played(self, sound, move |sound| self::sound(audio, sound))
    }

    fn music<'a>(
        &self,
        audio: &'a RaylibAudio,
        sound: impl IntoRequest<Value = Sound>,
    ) -> Result<Played<'a, Music<'a>>, Error> {
        played(self, sound, move |sound| music(audio, sound))
    }
}

/// Hot reload ends with the last clone of a store, so what follows its changes keeps one.
fn drawn<A: Send + Sync + 'static, T>(
    store: &Store,
    request: impl IntoRequest<Value = A>,
    mut make: impl FnMut(&Store, &Arc<A>) -> Result<T, Error> + 'static,
) -> Result<Drawn<A, T>, Error> {
    let kept = store.clone();
    Drawn::new(&store.load(request)?, move |asset| make(&kept, asset))
}

/// The same, for what is played.
fn played<'a, T>(
    store: &Store,
    request: impl IntoRequest<Value = Sound>,
    mut make: impl FnMut(&Arc<Sound>) -> Result<T, Error> + 'a,
) -> Result<Played<'a, T>, Error> {
    let kept = store.clone();
    Played::new(&store.load(request)?, move |sound| {
        let _ = &kept;
        make(sound)
    })
}
