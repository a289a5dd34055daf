//! Draws and plays the assets of rres packs with [ggez]: images and sounds, by the constants that a build generates.
//!
//! ```no_run
//! use ggez::graphics::{Canvas, DrawParam, Image};
//! use ggez::{Context, GameResult};
//! use rres_ggez::{Followed, StoreExt};
//! use rres_runtime::Store;
//!
//! # mod assets { pub mod ui {
//! # use rres_runtime::{Id, Image, ResourceId, Slot};
//! # pub const PLAYER_PNG: Id<Image> = Id::new(ResourceId(1), Slot(0));
//! # } }
//! fn load(ctx: &Context, store: &Store) -> GameResult<Followed<Image>> {
//!     store.image(ctx, assets::ui::PLAYER_PNG)
//! }
//!
//! fn draw(ctx: &Context, canvas: &mut Canvas, player: &mut Followed<Image>) {
//!     player.update(ctx); // an edited file shows in this frame
//!     canvas.draw(&**player, DrawParam::new());
//! }
//! ```
//!
//! | asset | becomes | by |
//! |---|---|---|
//! | [`rres_runtime::Image`] | `graphics::Image` | [`StoreExt::image`], [`image()`] |
//! | its filter and wrap | `graphics::Sampler` | [`sampler()`] |
//! | [`rres_runtime::Sound`] | `audio::Source`, `audio::SoundData` | `StoreExt::sound`, `sound_data`, with the feature `audio` (a default) |
//!
//! Errors are ggez's `ResourceLoadError`, so that `?` works in its callbacks. Their messages name the asset.

mod followed;
mod made;

pub use followed::{Followed, Made};
#[cfg(feature = "audio")]
pub use made::sound_data;
pub use made::{error, image, sampler};

use ggez::GameResult;
use ggez::context::Has;
use ggez::graphics::{self, GraphicsContext};
use rres_runtime::{Image, IntoRequest, Store};

/// What a [`Store`] makes for ggez.
///
/// The requests are those of [`Store::load`]: a constant, or a constant in another language.
pub trait StoreExt {
    /// Loads an image for ggez.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`image()`].
    fn image(
        &self,
        gfx: &impl Has<GraphicsContext>,
        image: impl IntoRequest<Value = Image>,
    ) -> GameResult<Followed<graphics::Image>>;

    /// Loads a sound for ggez, with the volume and the repetition of the asset.
    ///
    /// # Errors
    /// Those of [`Store::load`] and of [`sound_data`].
    #[cfg(feature = "audio")]
    fn sound(
        &self,
        audio: &impl Has<ggez::audio::AudioContext>,
        sound: impl IntoRequest<Value = rres_runtime::Sound>,
    ) -> GameResult<Followed<ggez::audio::Source>>;
}

impl StoreExt for Store {
    fn image(
        &self,
        gfx: &impl Has<GraphicsContext>,
        image: impl IntoRequest<Value = Image>,
    ) -> GameResult<Followed<graphics::Image>> {
        Followed::new(self, gfx, &self.load(image).map_err(error)?)
    }

    #[cfg(feature = "audio")]
    fn sound(
        &self,
        audio: &impl Has<ggez::audio::AudioContext>,
        sound: impl IntoRequest<Value = rres_runtime::Sound>,
    ) -> GameResult<Followed<ggez::audio::Source>> {
        Followed::new(self, audio, &self.load(sound).map_err(error)?)
    }
}
