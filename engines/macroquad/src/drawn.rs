//! What macroquad draws of an asset, for as long as the game has it.

use std::fmt;
use std::sync::Arc;

use macroquad::logging::error;
use rres_runtime::{Handle, Live};

use crate::error::Error;

/// What macroquad draws of an asset. When the asset changes, it is made again.
///
/// Other threads may hold it if they may hold the value, as a resource of an ECS must be.
pub struct Drawn<A, T> {
    live: Live<A, T, Error, Make<A, T>>,
}

type Make<A, T> = Box<dyn FnMut(&Arc<A>) -> Result<T, Error> + Send + Sync>;

impl<A: Send + Sync + 'static, T> Drawn<A, T> {
    /// Makes it the first time.
    ///
    /// # Errors
    /// Those of `make`. The error names the asset.
    pub fn new(
        asset: &Handle<A>,
        make: impl FnMut(&Arc<A>) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let make: Make<A, T> = Box::new(make);
        let mut live = Live::with(asset, make);
        live.update().map_err(|error| error.with_path(asset.path()))?;
        Ok(Self { live })
    }

    /// Returns what to draw in this frame. If the changed asset cannot be drawn, macroquad logs the error, once, and the previous value
    /// stays.
    pub fn get(&mut self) -> &T {
        if let Err(error) = self.live.update() {
            error!("{}", error.with_path(self.live.handle().path()));
        }
        self.last()
    }

    /// Returns what [`Self::get`] returned last, without looking for a change: for functions that draw and have a shared reference. Call
    /// `get` once a frame elsewhere.
    pub fn last(&self) -> &T {
        self.live.get().expect("`new` makes the first value")
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
