//! What a program makes from an asset, made again when the asset changes.

use std::fmt;
use std::sync::Arc;

use super::{ChangeWatcher, Handle};

/// Something that a program makes from an asset, such as a texture on the graphics card. When the asset changes, it is made again.
///
/// Everything happens in [`Self::update`], on the thread that calls it: most engines make textures on one thread only. For values that any
/// thread can make, implement [`crate::FromAsset`], and the store makes them with the asset.
///
/// It keeps the asset loaded.
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
pub struct Live<A, T, E> {
    watch: ChangeWatcher<A>,
    make: Make<A, T, E>,
    value: Option<T>,
}

type Make<A, T, E> = Box<dyn FnMut(&Arc<A>) -> Result<T, E>>;

impl<A: Send + Sync + 'static, T, E> Live<A, T, E> {
    /// Watches an asset. The first [`Self::update`] calls `make`.
    pub fn new(asset: &Handle<A>, make: impl FnMut(&Arc<A>) -> Result<T, E> + 'static) -> Self {
        // It has seen no version, so the first one is a change.
        Self { watch: ChangeWatcher { handle: asset.clone(), seen: 0 }, make: Box::new(make), value: None }
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

impl<A, T: fmt::Debug, E> fmt::Debug for Live<A, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("asset", &self.watch.handle).field("value", &self.value).finish()
    }
}
