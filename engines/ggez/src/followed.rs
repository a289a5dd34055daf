//! What ggez draws or plays of an asset, for as long as the game has it.

use std::fmt;
use std::ops::{Deref, DerefMut};

use ggez::context::Has;
use ggez::{GameError, GameResult};
use rres_runtime::{ChangeWatcher, Handle, Store};

/// What is made of an asset with a part of ggez's context. Implement it for types of the game, and [`Followed`] takes them, too.
pub trait Made: Sized {
    /// The asset.
    type Asset: Send + Sync + 'static;
    /// The part of the context.
    type Context;

    /// Makes the value.
    ///
    /// # Errors
    /// If ggez cannot draw or play the asset.
    fn make(context: &Self::Context, asset: &Self::Asset) -> GameResult<Self>;
}

/// A value that is made of an asset, and made again by [`Self::update`] when the asset has changed.
///
/// It is what `Live` of `rres_runtime` is for engines that need no context.
pub struct Followed<T: Made> {
    watch: ChangeWatcher<T::Asset>,
    value: T,
    /// Hot reload ends with the last clone.
    _store: Store,
}

impl<T: Made> Followed<T> {
    /// Makes the value the first time. It keeps the asset loaded, and the store open, so that edits are seen.
    ///
    /// # Errors
    /// Those of [`Made::make`]. The error names the asset.
    pub fn new(store: &Store, context: &impl Has<T::Context>, asset: &Handle<T::Asset>) -> GameResult<Self> {
        // The watcher comes first: a change while the value is made is one to be seen.
        let watch = asset.watch();
        let value = T::make(context.retrieve(), &asset.get()).map_err(|error| named(error, asset.path()))?;
        Ok(Self { watch, value, _store: store.clone() })
    }

    /// Makes the value again if the asset has changed, and returns whether it did. Call it once a frame: if nothing has changed, it costs
    /// one atomic load. If the changed asset cannot be drawn or played, the error is logged, once, and the previous value stays.
    ///
    /// A sound that is playing ends when it is made again.
    pub fn update(&mut self, context: &impl Has<T::Context>) -> bool {
        let Some(asset) = self.watch.changed() else { return false };
        match T::make(context.retrieve(), &asset) {
            Ok(value) => self.value = value,
            Err(error) => {
                log::error!("{}", named(error, self.watch.handle().path()));
                return false;
            }
        }
        true
    }

    /// Returns the handle of the asset.
    pub fn handle(&self) -> &Handle<T::Asset> {
        self.watch.handle()
    }
}

/// The error with the name of its asset, unless it has that already.
fn named(error: GameError, path: &str) -> GameError {
    let text = match error {
        GameError::ResourceLoadError(text) => text,
        other => other.to_string(),
    };
    crate::error(if text.contains(path) { text } else { format!("asset \"{path}\": {text}") })
}

impl<T: Made> Deref for Followed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Made> DerefMut for Followed<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: Made + fmt::Debug> fmt::Debug for Followed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Followed").field("asset", self.watch.handle()).field("value", &self.value).finish()
    }
}
