//! Records which assets a thread asks for while it makes a value of the program, to make the value again when one of
//! them changes.

use std::cell::RefCell;

use crate::handle::Key;

thread_local! {
    /// One list per value that is being made on this thread, the innermost one last.
    static RECORDED: RefCell<Vec<Vec<Key>>> = const { RefCell::new(Vec::new()) };
    /// What is done when the outermost one is published.
    static AFTERWARDS: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
}

/// Records on this thread until it is finished or dropped.
pub(super) struct DependencyRecorder {
    /// How many recorders the thread has, with this one.
    depth: usize,
}

impl DependencyRecorder {
    pub(super) fn start() -> Self {
        RECORDED.with_borrow_mut(|recorded| {
            recorded.push(Vec::new());
            Self { depth: recorded.len() }
        })
    }

    /// Returns what was asked for.
    pub(super) fn finish(self) -> Vec<Key> {
        RECORDED.with_borrow_mut(|recorded| recorded.pop().unwrap_or_default())
    }
}

/// After a panic, the outer recorders go on.
impl Drop for DependencyRecorder {
    fn drop(&mut self) {
        RECORDED.with_borrow_mut(|recorded| recorded.truncate(self.depth - 1));
    }
}

/// Returns whether this thread makes a value of the program.
pub(super) fn is_recording() -> bool {
    RECORDED.with_borrow(|recorded| !recorded.is_empty())
}

/// Records that this thread asked for an asset.
#[inline]
pub(super) fn record(key: Key) {
    RECORDED.with_borrow_mut(|recorded| {
        if let Some(keys) = recorded.last_mut() {
            keys.push(key);
        }
    });
}

/// Does what was put off, when a value is published.
pub(super) fn finish_afterwards() {
    if !is_recording() {
        AFTERWARDS.take().into_iter().for_each(|act| act());
    }
}

/// Does something when the value that this thread makes is published, which may be now.
pub(super) fn after_recording(act: impl FnOnce() + 'static) {
    match is_recording() {
        true => AFTERWARDS.with_borrow_mut(|afterwards| afterwards.push(Box::new(act))),
        false => act(),
    }
}
