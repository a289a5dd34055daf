//! What the game makes of assets and makes again when they change: textures, meshes, materials, lettering.
//!
//! An asset's handle gives its newest value by itself. What was *made* of a value, on the graphics card or elsewhere, has to
//! follow: [`Lives::of`] makes it, [`Lives::follow`] makes it again, [`Live::get`] gives it.

use std::cell::RefCell;
use std::fmt;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use rres_runtime::{Handle, Watch};

use crate::error::{Error, Result};

/// Something made of an asset, as new as the asset is. Keeps the asset loaded.
pub(crate) struct Live<T> {
    value: Rc<RefCell<T>>,
    _maker: Rc<dyn Remake>,
}

impl<T: Clone> Live<T> {
    /// What it is now; cheap, since what engines hand out is shared.
    pub(crate) fn get(&self) -> T {
        self.value.borrow().clone()
    }
}

impl<T: fmt::Debug> fmt::Debug for Live<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Live({:?})", self.value.borrow())
    }
}

/// Everything that is alive.
#[derive(Default)]
pub(crate) struct Lives(RefCell<Vec<Weak<dyn Remake>>>);

impl Lives {
    /// Makes something of an asset, now and whenever the asset has changed. `make` gets the value and, for its messages, the
    /// path.
    pub(crate) fn of<A, T>(
        &self,
        asset: &Handle<A>,
        make: impl Fn(&Arc<A>, &str) -> Result<T> + 'static,
    ) -> Result<Live<T>>
    where
        A: Send + Sync + 'static,
        T: 'static,
    {
        // Watched from before the value is taken: a change in between is made once more rather than missed.
        let watch = asset.watch();
        let value = Rc::new(RefCell::new(make(&asset.get(), asset.path())?));
        let maker: Rc<dyn Remake> = Rc::new(Maker { watch: RefCell::new(watch), make, value: Rc::clone(&value) });
        self.0.borrow_mut().push(Rc::downgrade(&maker));
        Ok(Live { value, _maker: maker })
    }

    /// Makes again what is made of changed assets; to be called once a frame. What cannot be made stays as it was, and the
    /// error says why.
    pub(crate) fn follow(&self) -> Vec<Error> {
        let mut errors = Vec::new();
        self.0.borrow_mut().retain(|maker| {
            let maker = maker.upgrade();
            errors.extend(maker.as_ref().and_then(|maker| maker.remake().err()));
            maker.is_some()
        });
        errors
    }
}

/// What is known of a [`Live`] without its type.
trait Remake {
    fn remake(&self) -> Result<()>;
}

struct Maker<A, T, F> {
    watch: RefCell<Watch<A>>,
    make: F,
    value: Rc<RefCell<T>>,
}

impl<A, T, F> Remake for Maker<A, T, F>
where
    A: Send + Sync + 'static,
    F: Fn(&Arc<A>, &str) -> Result<T>,
{
    fn remake(&self) -> Result<()> {
        let mut watch = self.watch.borrow_mut();
        if let Some(asset) = watch.changed() {
            let value = (self.make)(&asset, watch.handle().path())?;
            self.value.replace(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
