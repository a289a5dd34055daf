//! Draws and plays the assets of rres packs with [macroquad]: textures, meshes, texts and sounds, by the constants that a build generates.
//!
//! ```no_run
//! use macroquad::prelude::*;
//! use rres_macroquad::StoreExt;
//! use rres_runtime::Store;
//!
//! # mod assets { pub mod ui {
//! # use rres_runtime::{Id, Image, ResourceId, Slot};
//! # pub const PLAYER_PNG: Id<Image> = Id::new(ResourceId(1), Slot(0));
//! # } }
//! async fn game(store: &Store) -> Result<(), rres_macroquad::Error> {
//!     let mut player = store.texture(assets::ui::PLAYER_PNG)?;
//!     loop {
//!         draw_texture(player.get(), 20.0, 20.0, WHITE); // an edited file shows in the next frame
//!         next_frame().await;
//!     }
//! }
//! ```
//!
//! [`StoreExt`] loads an asset, makes macroquad's value of it, and makes that again whenever the asset changes. The functions below it
//! make the values alone, for a game that does the rest itself.
//!
//! | asset | becomes | by |
//! |---|---|---|
//! | [`Image`] | [`Texture2D`] | [`StoreExt::texture`], [`texture()`] |
//! | [`Model`] | a [`Mesh`] for each primitive | [`StoreExt::meshes`], [`meshes()`] |
//! | [`Font`] | [`TextFont`], which draws the glyphs that the pack has | [`StoreExt::font`], [`TextFont::new`] |
//! | `Sound` | `macroquad::audio::Sound`, with the feature `audio` | `sound` |
//!
//! Everything needs macroquad's window, and its thread. [`wait_for`] awaits futures of `rres-runtime`, such as those that open a pack from a server.

mod drawn;
mod error;
mod mesh;
#[cfg(feature = "audio")]
mod sound;
#[cfg(any(feature = "audio", test))]
mod sound_file;
mod text;
mod texture;
mod wait_for;

pub use drawn::Drawn;
pub use error::{Error, ErrorKind};
pub use mesh::meshes;
#[cfg(feature = "audio")]
pub use sound::{Volume, sound};
pub use text::TextFont;
pub use texture::{rgba8, texture};
pub use wait_for::wait_for;

use std::sync::Arc;

use macroquad::models::Mesh;
use macroquad::texture::Texture2D;
use rres_runtime::{Font, Image, IntoRequest, Model, Store};

/// What a [`Store`] makes for macroquad. Each value keeps its asset loaded, and follows its changes.
///
/// The requests are those of [`Store::load`]: a constant, or a constant in another language.
pub trait StoreExt {
    /// Loads an image, and makes a texture of it with the asset's filter and wrap.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`texture()`].
    fn texture(&self, image: impl IntoRequest<Value = Image>) -> Result<Drawn<Image, Texture2D>, Error>;

    /// Loads a model, and makes a mesh of each primitive, in the units and the place of the model.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`meshes()`].
    fn meshes(&self, model: impl IntoRequest<Value = Model>) -> Result<Drawn<Model, Vec<Mesh>>, Error>;

    /// Loads a font, for texts in the size that it has nearest to `pixels`.
    ///
    /// # Errors
    /// The errors of [`Store::load`] and [`TextFont::new`].
    fn font(&self, font: impl IntoRequest<Value = Font>, pixels: u32) -> Result<Drawn<Font, TextFont>, Error>;
}

impl StoreExt for Store {
    fn texture(&self, image: impl IntoRequest<Value = Image>) -> Result<Drawn<Image, Texture2D>, Error> {
        drawn(self, image, |_, image| texture(image))
    }

    fn meshes(&self, model: impl IntoRequest<Value = Model>) -> Result<Drawn<Model, Vec<Mesh>>, Error> {
        drawn(self, model, |store, model| meshes(store, model))
    }

    fn font(&self, font: impl IntoRequest<Value = Font>, pixels: u32) -> Result<Drawn<Font, TextFont>, Error> {
        drawn(self, font, move |_, font| TextFont::new(font, pixels))
    }
}

/// Hot reload ends with the last clone of a store, so what follows its changes keeps one.
fn drawn<A: Send + Sync + 'static, T>(
    store: &Store,
    request: impl IntoRequest<Value = A>,
    mut make: impl FnMut(&Store, &Arc<A>) -> Result<T, Error> + Send + Sync + 'static,
) -> Result<Drawn<A, T>, Error> {
    let kept = store.clone();
    Drawn::new(&store.load(request)?, move |asset| make(&kept, asset))
}
