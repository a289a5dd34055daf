//! Changes that replace values: of the mounts, the language, the limits. A store makes one at a time.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::MutexGuard;

use rres_format::ResourceId;

use super::Store;
use super::recorder::{after_recording, is_recording};
use crate::handle::{Choice, Key};
use crate::sync::lock;

/// What has changed.
#[derive(Clone, Copy)]
pub(super) struct Changes<'c> {
    /// The resources that have other contents.
    pub(super) contents: &'c HashSet<ResourceId>,
    /// The assets for which another variant is loaded, or one with other contents.
    pub(super) choices: &'c HashSet<ResourceId>,
    /// Whether an event of its own says how many assets have changed, so that none has to be printed.
    pub(super) is_summed_up: bool,
}

impl Changes<'_> {
    /// Whether the asset with this key has to be made again.
    pub(super) fn affect(&self, key: Key) -> bool {
        self.contents.contains(&key.id) || key.choice == Choice::Preferred && self.choices.contains(&key.id)
    }

    /// Whether anything has changed.
    pub(super) fn is_any(&self) -> bool {
        !(self.contents.is_empty() && self.choices.is_empty())
    }
}

thread_local! {
    /// The changes that this thread makes, the innermost one last. Several are of different stores.
    static CHANGES: RefCell<Vec<Begun>> = const { RefCell::new(Vec::new()) };
}

struct Begun {
    /// See [`Store::address`].
    store: usize,
    /// What is done when the change is over.
    afterwards: Vec<Box<dyn FnOnce()>>,
}

/// A change that ends when it is dropped. Only then, without its lock, what it has replaced is dropped: destructors of the program's types may
/// change the store themselves.
pub(super) struct Change<'s>(Option<MutexGuard<'s, ()>>);

impl Store {
    /// Begins a change, after the changes of other threads. Returns `None` within `from_asset`, which runs again after each change, and on a thread
    /// that makes a change of this store already and would wait for itself, such as in a waker.
    pub(super) fn begin_change(&self) -> Option<Change<'_>> {
        let store = self.address();
        if is_recording() || CHANGES.with_borrow(|changes| changes.iter().any(|change| change.store == store)) {
            return None;
        }
        let guard = lock(&self.shared.refreshing);
        CHANGES.with_borrow_mut(|changes| changes.push(Begun { store, afterwards: Vec::new() }));
        Some(Change(Some(guard)))
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        let begun = CHANGES.with_borrow_mut(Vec::pop);
        drop(self.0.take());
        begun.into_iter().flat_map(|begun| begun.afterwards).for_each(|act| act());
    }
}

/// Drops what may contain values of the program's types: at the end of the change that this thread makes, or now if it makes none.
pub(super) fn drop_later(replaced: impl Any) {
    drop(put_off(move || drop(replaced)));
}

/// Does something at the end of the change that this thread makes. If it makes none, that is now, or when it has made the value of the program that
/// it makes.
pub(super) fn after_change(act: impl FnOnce() + 'static) {
    if let Some(act) = put_off(act) {
        after_recording(act);
    }
}

/// Leaves something to the end of the change that this thread makes. Returns it if it makes none.
fn put_off<A: FnOnce() + 'static>(act: A) -> Option<A> {
    CHANGES.with_borrow_mut(|changes| match changes.last_mut() {
        Some(change) => {
            change.afterwards.push(Box::new(act));
            None
        }
        None => Some(act),
    })
}
