//! What raylib draws or plays of an asset, for as long as the game has it.

use std::fmt;
use std::mem;
use std::sync::Arc;

use rres_runtime::{Handle, Live, Sound};

use crate::error::Error;
use crate::ffi;

/// What raylib draws of an asset. When the asset changes, it is made again.
///
/// It may be dropped after the `RaylibHandle`, such as a field of the same struct. Other values of raylib may not: they would be freed in a
/// graphics card that is no longer there.
pub struct Drawn<A, T> {
    live: Live<A, WhileOpen<T>, Error>,
}

/// A value that is freed while there is a window. After that, nothing of it is left in the graphics card.
struct WhileOpen<T>(Option<T>);

impl<T> Drop for WhileOpen<T> {
    fn drop(&mut self) {
        if !ffi::has_window() {
            mem::forget(self.0.take());
        }
    }
}

impl<A: Send + Sync + 'static, T> Drawn<A, T> {
    /// Makes it the first time.
    ///
    /// # Errors
    /// Those of `make`. The error names the asset.
    pub fn new(asset: &Handle<A>, mut make: impl FnMut(&Arc<A>) -> Result<T, Error> + 'static) -> Result<Self, Error> {
        let mut live = Live::new(asset, move |asset| make(asset).map(|value| WhileOpen(Some(value))));
        live.update().map_err(|error| error.with_path(asset.path()))?;
        Ok(Self { live })
    }

    /// Returns what to draw in this frame. If the changed asset cannot be drawn, raylib logs the error, once, and the previous value stays.
    pub fn get(&mut self) -> &T {
        if let Err(error) = self.live.update() {
            ffi::log_error(&error.with_path(self.live.handle().path()).to_string());
        }
        self.last()
    }

    /// Returns what [`Self::get`] returned last, without looking for a change: for functions that draw and have a shared reference. Call
    /// `get` once a frame elsewhere.
    pub fn last(&self) -> &T {
        self.live.get().and_then(|value| value.0.as_ref()).expect("`new` makes the first value")
    }

    /// Returns the handle of the asset.
    pub fn handle(&self) -> &Handle<A> {
        self.live.handle()
    }
}

impl<A: Send + Sync + 'static, T: fmt::Debug> fmt::Debug for Drawn<A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawn").field("asset", self.handle()).field("value", self.last()).finish()
    }
}

/// What raylib plays of a sound. When the asset changes, it is made again, and what played stops.
pub struct Played<'a, T> {
    live: Live<Sound, T, Error, Make<'a, T>>,
}

type Make<'a, T> = Box<dyn FnMut(&Arc<Sound>) -> Result<T, Error> + 'a>;

impl<'a, T> Played<'a, T> {
    /// Makes it the first time.
    ///
    /// # Errors
    /// Those of `make`. The error names the asset.
    pub fn new(asset: &Handle<Sound>, make: impl FnMut(&Arc<Sound>) -> Result<T, Error> + 'a) -> Result<Self, Error> {
        let make: Make<'a, T> = Box::new(make);
        let mut live = Live::with(asset, make);
        live.update().map_err(|error| error.with_path(asset.path()))?;
        Ok(Self { live })
    }

    /// Makes it again if the asset has changed, and returns whether it did: music then has to be started again. If the changed asset cannot
    /// be played, raylib logs the error, once, and the previous value stays.
    pub fn update(&mut self) -> bool {
        self.live.update().unwrap_or_else(|error| {
            ffi::log_error(&error.with_path(self.live.handle().path()).to_string());
            false
        })
    }

    /// Returns what to play, after [`Self::update`].
    pub fn get(&mut self) -> &T {
        self.update();
        self.last()
    }

    /// Returns what [`Self::get`] returned last, without looking for a change.
    pub fn last(&self) -> &T {
        self.live.get().expect("`new` makes the first value")
    }

    /// Returns the handle of the asset.
    pub fn handle(&self) -> &Handle<Sound> {
        self.live.handle()
    }
}

impl<T: fmt::Debug> fmt::Debug for Played<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Played").field("asset", self.handle()).field("value", self.last()).finish()
    }
}
