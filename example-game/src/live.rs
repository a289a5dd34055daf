//! Things that the game makes from assets, such as textures and materials, and makes again when the assets change.
//!
//! A handle always returns the newest value of an asset. What was *made* from a value has to follow it: [`Live`]
//! watches the asset and makes its thing again when the value is replaced. This is all that a game needs to do for hot
//! reload, mods and patches.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Error, Result};
use rres_runtime::{ChangeWatcher, Handle};

/// Mistakes in assets, each with the path of the asset. Every [`Live`] shares them.
#[derive(Clone, Default)]
pub(crate) struct Errors(Rc<RefCell<Vec<(String, Error)>>>);

impl Errors {
    pub(crate) fn take(&self) -> Vec<(String, Error)> {
        self.0.take()
    }
}

type Make<A, T> = Box<dyn Fn(&Handle<A>) -> Result<T>>;

/// Something made from an asset. It keeps the asset loaded.
pub(crate) struct Live<A, T> {
    watch: ChangeWatcher<A>,
    make: Make<A, T>,
    /// `None` if it could not be made yet.
    value: Option<T>,
    errors: Errors,
}

impl<A: Send + Sync + 'static, T> Live<A, T> {
    pub(crate) fn new(asset: &Handle<A>, errors: &Errors, make: impl Fn(&Handle<A>) -> Result<T> + 'static) -> Self {
        // Watches before it takes the value: a change in between is not missed, but makes the thing once more.
        let mut live = Self { watch: asset.watch(), make: Box::new(make), value: None, errors: errors.clone() };
        live.make();
        live
    }

    /// Returns the thing made from the newest value. If making it fails, notes the error and keeps the previous one.
    pub(crate) fn get(&mut self) -> Option<&T> {
        if self.watch.changed().is_some() {
            self.make();
        }
        self.value.as_ref()
    }

    fn make(&mut self) {
        let asset = self.watch.handle();
        match (self.make)(asset) {
            Ok(value) => self.value = Some(value),
            Err(error) => self.errors.0.borrow_mut().push((asset.path().to_owned(), error)),
        }
    }
}
