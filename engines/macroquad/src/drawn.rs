//! What macroquad draws of an asset, for as long as the game has it.

use std::fmt;
use std::sync::Arc;

use macroquad::logging::error;
use rres_runtime::{Handle, Live};

use crate::error::Error;

/// What macroquad draws of an asset. When the asset changes, it is made again.
pub struct Drawn<A, T>(Live<A, T, Error>);

impl<A: Send + Sync + 'static, T> Drawn<A, T> {
    /// Makes it the first time.
    ///
    /// # Errors
    /// Those of `make`. The error names the asset.
    pub fn new(asset: &Handle<A>, mut make: impl FnMut(&Arc<A>) -> Result<T, Error> + 'static) -> Result<Self, Error> {
        let path = asset.path().to_owned();
        let mut live = Live::new(asset, move |value| make(value).map_err(|error| error.with_path(&path)));
        live.update()?;
        Ok(Self(live))
    }

    /// Returns what to draw in this frame. If the changed asset cannot be drawn, macroquad logs the error, once, and the previous value
    /// stays.
    pub fn get(&mut self) -> &T {
        if let Err(error) = self.0.update() {
            error!("{error}");
        }
        self.0.get().expect("it was made at the start")
    }

    /// Returns the handle of the asset.
    pub fn handle(&self) -> &Handle<A> {
        self.0.handle()
    }
}

impl<A, T: fmt::Debug> fmt::Debug for Drawn<A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
