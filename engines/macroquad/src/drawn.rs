//! What macroquad draws of an asset, for as long as the game has it.

use std::fmt;
use std::sync::Arc;

use macroquad::logging::error;
use rres_runtime::{ChangeWatcher, Handle};

use crate::error::Error;

/// What macroquad draws of an asset. When the asset changes, it is made again.
///
/// Other threads may hold it if they may hold the value, as a resource of an ECS must be.
pub struct Drawn<A, T> {
    watch: ChangeWatcher<A>,
    make: Make<A, T>,
    value: T,
}

// `Live` also takes functions that only one thread may hold, so a `Drawn` of it would be for one thread, whatever it draws.
type Make<A, T> = Box<dyn FnMut(&Arc<A>) -> Result<T, Error> + Send + Sync>;

impl<A: Send + Sync + 'static, T> Drawn<A, T> {
    /// Makes it the first time.
    ///
    /// # Errors
    /// Those of `make`. The error names the asset.
    pub fn new(
        asset: &Handle<A>,
        mut make: impl FnMut(&Arc<A>) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        // The watcher comes first: a change while the value is made is one to be seen.
        let watch = asset.watch();
        let value = make(&asset.get()).map_err(|error| error.with_path(asset.path()))?;
        Ok(Self { watch, make: Box::new(make), value })
    }

    /// Returns what to draw in this frame. If the changed asset cannot be drawn, macroquad logs the error, once, and the previous value
    /// stays.
    pub fn get(&mut self) -> &T {
        if let Some(asset) = self.watch.changed() {
            match (self.make)(&asset) {
                Ok(value) => self.value = value,
                Err(error) => error!("{}", error.with_path(self.watch.handle().path())),
            }
        }
        &self.value
    }

    /// Returns what [`Self::get`] returned last, without looking for a change: for functions that draw and have a shared reference. Call
    /// `get` once a frame elsewhere.
    pub fn last(&self) -> &T {
        &self.value
    }

    /// Returns the handle of the asset.
    pub fn handle(&self) -> &Handle<A> {
        self.watch.handle()
    }
}

impl<A: Send + Sync + 'static, T: fmt::Debug> fmt::Debug for Drawn<A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawn").field("asset", self.watch.handle()).field("value", &self.value).finish()
    }
}
