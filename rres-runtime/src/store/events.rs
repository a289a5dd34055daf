//! What happens to a store while it is used: assets change, fail, come and go.

use std::fmt;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crate::error::Error;
use crate::handle::AnyHandle;
use crate::sync::lock;

/// Something that happened to the assets of a store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A loaded asset has a new value.
    Changed(AnyHandle),
    /// Hot reload: everything that a saved file leads to has its new value. Comes after the [`Event::Changed`] of each.
    Reloaded {
        /// How many loaded assets are new.
        assets: usize,
        /// From the moment when the system told of the file to the last new value; the import and the wait for the
        /// directory to come to rest are in it.
        took: Duration,
    },
    /// A loaded asset could not be made again; it keeps its last good value.
    Failed {
        /// Its path.
        path: String,
        /// Why.
        error: Error,
    },
    /// The assets directory has a file that could not be imported; what was made of it before stays.
    BadSource {
        /// The file, and the line where that is known.
        place: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// The assets directory has a file that the program has no constant for; the next `cargo build` makes one.
    Added {
        /// Its path.
        path: String,
    },
    /// A file is gone from the assets directory; what was loaded of it stays.
    Removed {
        /// Its path.
        path: String,
    },
    /// A file that the program has a constant for was gone and is there again.
    Restored {
        /// Its path.
        path: String,
    },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed(handle) => write!(f, "{}: version {}", handle.path(), handle.version()),
            Self::Reloaded { assets: 1, took } => {
                write!(f, "1 asset is new, {} ms after it was saved", took.as_millis())
            }
            Self::Reloaded { assets, took } => {
                write!(f, "{assets} assets are new, {} ms after they were saved", took.as_millis())
            }
            Self::Failed { path, error } => write!(f, "{path}: the last good value stays: {error}"),
            Self::BadSource { place, message } => write!(f, "{place}: the last good value stays: {message}"),
            Self::Added { path } => write!(f, "{path} is new: the next cargo build gives it a constant"),
            Self::Removed { path } => write!(f, "{path} is gone: what was loaded of it stays"),
            Self::Restored { path } => write!(f, "{path} is back"),
        }
    }
}

/// The events of a store from the moment of [`crate::Store::events`] on, in order.
///
/// May be shared between threads, as engines with parallel systems ask of what they keep; each event goes to one of them.
#[derive(Debug)]
pub struct Events(Mutex<Receiver<Event>>);

impl Events {
    /// The next event, without waiting.
    pub fn next_now(&self) -> Option<Event> {
        lock(&self.0).try_recv().ok()
    }

    /// The next event, waiting for at most `time`.
    pub fn next_within(&self, time: Duration) -> Option<Event> {
        lock(&self.0).recv_timeout(time).ok()
    }
}

/// All events that are there, without waiting.
impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.next_now()
    }
}

/// Who listens to a store.
#[derive(Debug, Default)]
pub(crate) struct Listeners(Mutex<Vec<Sender<Event>>>);

impl Listeners {
    pub(crate) fn listen(&self) -> Events {
        let (sender, receiver) = channel();
        lock(&self.0).push(sender);
        Events(Mutex::new(receiver))
    }

    /// Tells what the program itself did; `false` where nobody listens.
    pub(crate) fn send(&self, event: &Event) -> bool {
        let mut listeners = lock(&self.0);
        // Who dropped its events listens no more.
        listeners.retain(|listener| listener.send(event.clone()).is_ok());
        !listeners.is_empty()
    }

    /// Tells what became of assets, in any way there is: whoever edits assets of a game that does not listen wants to know.
    pub(crate) fn tell(&self, event: Event) {
        let heard = self.send(&event);
        #[allow(clippy::print_stderr, reason = "debug builds with hot reload only")]
        if !heard && cfg!(all(feature = "hot-reload", debug_assertions)) {
            eprintln!("rres: {event}");
        }
    }
}
