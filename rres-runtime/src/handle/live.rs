//! What a program makes from an asset, made again when the asset changes.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::{ChangeWatcher, Handle};

/// Something that a program makes from an asset, such as a texture on the graphics card. When the asset changes, it is made again.
///
/// Everything happens in [`Self::update`], on the thread that calls it: most engines make textures on one thread only. For values that any
/// thread can make, implement [`crate::FromAsset`], and the store makes them with the asset.
///
/// It keeps the asset loaded. `F` is the function that makes the value: any, in a box, unless [`Self::with`] takes a type of it, such as
/// one that other threads may hold.
///
/// ```
/// use rres_runtime::{Handle, Live, Text};
///
/// fn show(text: &Handle<Text>) -> Result<(), std::num::ParseIntError> {
///     let mut number = Live::new(text, |text| text.as_str().trim().parse::<u32>());
///     number.update()?; // once a frame: one atomic load if nothing has changed
///     println!("{:?}", number.get());
///     Ok(())
/// }
/// ```
pub struct Live<A, T, E, F = Box<dyn FnMut(&Arc<A>) -> Result<T, E>>> {
    watch: ChangeWatcher<A>,
    make: F,
    value: Option<T>,
    error: PhantomData<fn() -> E>,
}

impl<A: Send + Sync + 'static, T, E> Live<A, T, E> {
    /// Watches an asset. The first [`Self::update`] calls `make`.
    pub fn new(asset: &Handle<A>, make: impl FnMut(&Arc<A>) -> Result<T, E> + 'static) -> Self {
        Self::with(asset, Box::new(make))
    }
}

impl<A: Send + Sync + 'static, T, E, F: FnMut(&Arc<A>) -> Result<T, E>> Live<A, T, E, F> {
    /// Watches an asset, like [`Self::new`], and keeps the type of the function: the value may be sent to other threads if the function may,
    /// and borrow what the function borrows.
    pub fn with(asset: &Handle<A>, make: F) -> Self {
        // It has seen no version, so the first one is a change.
        let watch = ChangeWatcher { handle: asset.clone(), seen: 0 };
        Self { watch, make, value: None, error: PhantomData }
    }

    /// Makes the value if there is none yet or the asset has changed. Returns whether it did.
    ///
    /// # Errors
    /// Those of making it. The previous value stays, and the next attempt is after the next change.
    pub fn update(&mut self) -> Result<bool, E> {
        let Some(asset) = self.watch.changed() else { return Ok(false) };
        self.value = Some((self.make)(&asset)?);
        Ok(true)
    }

    /// Returns what was made last; `None` if that never succeeded.
    pub fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Returns the handle of the asset.
    pub fn handle(&self) -> &Handle<A> {
        self.watch.handle()
    }
}

impl<A, T: fmt::Debug, E, F> fmt::Debug for Live<A, T, E, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("asset", &self.watch.handle).field("value", &self.value).finish()
    }
}
