//! Things that the game makes from assets, such as textures and materials, and makes again when the assets change.
//!
//! A handle always returns the newest value of an asset, and [`rres_runtime::Live`] makes again what was *made* from a value when that is
//! replaced. Here, mistakes are noted in addition, for the player to read. This is all that a game needs to do for hot reload, mods and patches.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Error, Result};
use rres_runtime::Handle;

/// Mistakes in assets, each with the path of the asset. Every [`Live`] shares them.
#[derive(Clone, Default)]
pub(crate) struct Errors(Rc<RefCell<Vec<(String, Error)>>>);

impl Errors {
    pub(crate) fn take(&self) -> Vec<(String, Error)> {
        self.0.take()
    }
}

/// Something made from an asset. It keeps the asset loaded.
pub(crate) struct Live<A, T> {
    made: rres_runtime::Live<A, T, Error>,
    errors: Errors,
}

impl<A: Send + Sync + 'static, T> Live<A, T> {
    pub(crate) fn new(asset: &Handle<A>, errors: &Errors, make: impl Fn(&Arc<A>) -> Result<T> + 'static) -> Self {
        let mut live = Self { made: rres_runtime::Live::new(asset, make), errors: errors.clone() };
        live.get();
        live
    }

    /// Returns the thing made from the newest value. If making it fails, notes the error and keeps the previous one; `None` if it could not
    /// be made yet.
    pub(crate) fn get(&mut self) -> Option<&T> {
        if let Err(error) = self.made.update() {
            self.errors.0.borrow_mut().push((self.made.handle().path().to_owned(), error));
        }
        self.made.get()
    }
}
