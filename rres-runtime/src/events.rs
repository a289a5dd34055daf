//! The events of a store: assets change, fail to import or to load, come and go.

use std::collections::VecDeque;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use rres_format::LanguageTag;
use rres_protocol::files::SETTINGS_FILE;

use crate::error::Error;
use crate::handle::AnyHandle;
use crate::sync::{deadline, lock, may_wait, wait};
use crate::trace;

/// Something that happened to the assets of a store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A loaded asset has a new value.
    Changed(AnyHandle),
    /// Hot reload: everything that depends on a saved file has its new value. Comes after the [`Event::Changed`] of
    /// each.
    Reloaded {
        /// How many loaded assets have a new value.
        assets: usize,
        /// The time from the system's report of the change to the last new value. It includes the import and the wait
        /// for the directory to come to rest.
        took: Duration,
    },
    /// [`crate::Store::set_locale`] chose other variants. Comes after the [`Event::Changed`] of each loaded asset; in a browser, before
    /// those whose values wait for what is fetched.
    LocaleChanged {
        /// The languages that the store prefers now, the most preferred one first.
        locales: Vec<LanguageTag>,
        /// How many loaded assets have a new value, or get it when what it needs is here.
        assets: usize,
    },
    /// [`crate::Store::set_density`] chose other variants. As for [`Event::LocaleChanged`].
    DensityChanged {
        /// The density that the store prefers now.
        density: f32,
        /// How many loaded assets have a new value, or get it when what it needs is here.
        assets: usize,
    },
    /// Hot reload: a saved file was imported, and nothing that is loaded was made from it. The next load has the new content.
    NotLoaded {
        /// The path of the asset.
        path: String,
    },
    /// A loaded asset could not be loaded again; it keeps its previous value. With each later change of any asset it is tried again, which is
    /// reported only if it succeeds or fails for another reason.
    ReloadFailed {
        /// The path of the asset.
        path: String,
        /// Why it could not be loaded.
        error: Error,
    },
    /// A file in the assets directory could not be imported; its previously imported assets stay. [`Event::Mended`] says when it is
    /// fixed, and [`Event::Removed`] when it is gone.
    ImportFailed {
        /// The file, with the line if it is known.
        place: String,
        /// What is wrong, and what to do.
        message: String,
        /// Whether the file is new, so that there is no earlier version to keep.
        is_new: bool,
    },
    /// What [`Event::ImportFailed`] reported is fixed. The asset may have the same value as before.
    Mended {
        /// The file, with the line if it was known.
        place: String,
    },
    /// There is a new file in the assets directory. It gets a constant with the next `cargo build`.
    Added {
        /// The asset path of the file.
        path: String,
    },
    /// A file was removed from the assets directory; what was loaded from it stays loaded.
    Removed {
        /// The asset path of the file.
        path: String,
    },
    /// A file that the program has a constant for was removed and exists again.
    Restored {
        /// The asset path of the file.
        path: String,
    },
    /// The queue of this listener was full, and the oldest events in it were dropped; see [`Events`]. Comes before the
    /// events that are left.
    Lagged {
        /// How many events were dropped.
        missed: u64,
    },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed(handle) => write!(f, "{}: version {}", handle.path(), handle.version()),
            Self::Reloaded { assets: 1, took } => {
                write!(f, "1 asset reloaded, {} ms after it was saved", took.as_millis())
            }
            Self::Reloaded { assets, took } => {
                write!(f, "{assets} assets reloaded, {} ms after they were saved", took.as_millis())
            }
            Self::LocaleChanged { locales, assets } => {
                let names: Vec<&str> = locales.iter().map(LanguageTag::as_str).collect();
                match &names[..] {
                    [] => f.write_str("no language is preferred now")?,
                    names => write!(f, "the language is {} now", names.join(", or else "))?,
                }
                write!(f, ": {}", NewValues(*assets))
            }
            Self::DensityChanged { density, assets } => {
                write!(f, "the density is {density} now: {}", NewValues(*assets))
            }
            Self::NotLoaded { path } => {
                write!(f, "{path} has changed, and is not loaded: the next load has the new content")
            }
            Self::ReloadFailed { path, error } => {
                write!(f, "{path}: reload failed, keeping the previous version: {error}")
            }
            Self::ImportFailed { place, message, .. } if is_settings(place) => {
                write!(f, "{place}: {NOTHING_RELOADS}: {message}")
            }
            Self::ImportFailed { place, message, is_new: false } => {
                write!(f, "{place}: import failed, keeping the previous version: {message}")
            }
            Self::ImportFailed { place, message, is_new: true } => write!(f, "{place}: import failed: {message}"),
            Self::Mended { place } => write!(f, "{place}: no longer fails"),
            Self::Added { path } => write!(f, "{path} is new: the next cargo build gives it a constant"),
            Self::Removed { path } => write!(f, "{path} is gone: what was loaded from it stays loaded"),
            Self::Restored { path } => write!(f, "{path} is back"),
            Self::Lagged { missed } => write!(f, "{missed} events were dropped because they were not taken in time"),
        }
    }
}

/// What is said of a fault that stops all imports.
pub(crate) const NOTHING_RELOADS: &str = "nothing reloads until this is fixed";

/// The place without the line and column that it may end with.
pub(crate) fn file_of(place: &str) -> &str {
    let mut file = place;
    while let Some((shorter, number)) = file.rsplit_once(':')
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        file = shorter;
    }
    file
}

/// Whether the place is in the settings of all assets.
fn is_settings(place: &str) -> bool {
    Path::new(file_of(place)).file_name().is_some_and(|name| name == SETTINGS_FILE)
}

/// Displayed as "2 assets have new values".
struct NewValues(usize);

impl fmt::Display for NewValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 asset has a new value"),
            count => write!(f, "{count} assets have new values"),
        }
    }
}

/// The largest number of events that wait for a listener. Events hold handles, so a queue without bounds would keep
/// every asset that ever changed.
const CAPACITY: usize = 1024;

/// The events of a store since the call of [`crate::Store::events`], in order.
///
/// The newest 1,024 events wait to be taken. When more arrive, the oldest ones are dropped, and [`Event::Lagged`]
/// reports how many.
///
/// Threads may share this value; each event goes to one of them.
pub struct Events(Arc<Queue>);

impl Events {
    /// Takes the next event, without waiting.
    pub fn try_recv(&self) -> Option<Event> {
        lock(&self.0.state).take()
    }

    /// Takes the events that have arrived, without waiting. The iterator ends when the queue is empty; call this again
    /// for later events.
    pub fn try_iter(&self) -> impl Iterator<Item = Event> {
        std::iter::from_fn(|| self.try_recv())
    }

    /// Takes the next event, waiting for at most `time`. Returns `None` at once when the store is gone.
    pub fn recv_timeout(&self, time: Duration) -> Option<Event> {
        let deadline = deadline(time);
        let mut state = lock(&self.0.state);
        loop {
            if let Some(event) = state.take() {
                return Some(event);
            }
            if state.closed || !may_wait() {
                return None;
            }
            let Some(deadline) = deadline else {
                state = wait(&self.0.arrived, state);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            state = self.0.arrived.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Events({} waiting)", lock(&self.0.state).events.len())
    }
}

/// The events that wait for one listener.
#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    arrived: Condvar,
}

#[derive(Default)]
struct QueueState {
    events: VecDeque<Event>,
    /// How many events were dropped since the listener last took one.
    missed: u64,
    /// Whether the store is gone.
    closed: bool,
}

impl QueueState {
    fn take(&mut self) -> Option<Event> {
        match std::mem::take(&mut self.missed) {
            0 => self.events.pop_front(),
            missed => Some(Event::Lagged { missed }),
        }
    }
}

impl Queue {
    /// Appends an event; returns the oldest one if it had to make room.
    fn push(&self, event: Event) -> Option<Event> {
        let mut state = lock(&self.state);
        let dropped = if state.events.len() == CAPACITY { state.events.pop_front() } else { None };
        state.missed += u64::from(dropped.is_some());
        state.events.push_back(event);
        drop(state);
        self.arrived.notify_one();
        dropped
    }
}

/// The listeners of a store. Each owns its queue and stops listening when it drops it.
#[derive(Default)]
pub(crate) struct Listeners(Mutex<Vec<Weak<Queue>>>);

impl Listeners {
    pub(crate) fn listen(&self) -> Events {
        let queue = Arc::default();
        lock(&self.0).push(Arc::downgrade(&queue));
        Events(queue)
    }

    /// Sends an event to every listener; returns whether there is one.
    pub(crate) fn send(&self, event: &Event) -> bool {
        let mut listeners = lock(&self.0);
        listeners.retain(|queue| queue.strong_count() > 0);
        let queues: Vec<Arc<Queue>> = listeners.iter().filter_map(Weak::upgrade).collect();
        let dropped: Vec<Event> = queues.iter().filter_map(|queue| queue.push(event.clone())).collect();
        drop(listeners);
        // Drops events and queues after the lock, because dropping an event may free an asset, and the last owner of a
        // queue drops all of its events.
        drop(dropped);
        !queues.is_empty()
    }

    /// Sends an event about changed assets. If nobody listens, debug builds with hot reload print it to standard error, unless
    /// a subscriber of `tracing` takes it.
    pub(crate) fn publish(&self, event: Event) {
        self.publish_all(&mut Unheard::new(""), event);
    }

    /// Publishes an event of several that belong together. If nobody listens, only the first ones are printed, and `unheard` prints
    /// how many more there were.
    pub(crate) fn publish_all(&self, unheard: &mut Unheard, event: Event) {
        if self.tell(&event) {
            return;
        }
        unheard.count += 1;
        #[cfg(all(feature = "hot-reload", debug_assertions))]
        if unheard.count <= MOST_PRINTED {
            note(format_args!("{event}"));
        }
    }

    /// Sends an event to listeners and to a subscriber of `tracing`, and prints nothing; returns whether somebody takes it.
    pub(crate) fn tell(&self, event: &Event) -> bool {
        let is_failure =
            matches!(event, Event::ReloadFailed { .. } | Event::ImportFailed { .. } | Event::Lagged { .. });
        let is_traced = trace::event(event, is_failure);
        self.send(event) || is_traced
    }
}

/// How many events that belong together are printed, if nobody listens.
#[cfg(all(feature = "hot-reload", debug_assertions))]
const MOST_PRINTED: usize = 3;

/// Counts events that nobody takes. When it is dropped, it prints how many were not printed.
pub(crate) struct Unheard {
    count: usize,
    /// What the events are of, such as "new files".
    #[cfg_attr(not(all(feature = "hot-reload", debug_assertions)), expect(dead_code))]
    what: &'static str,
}

impl Unheard {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { count: 0, what }
    }
}

#[cfg(all(feature = "hot-reload", debug_assertions))]
impl Drop for Unheard {
    fn drop(&mut self) {
        if self.count > MOST_PRINTED {
            note(format_args!("… and {} more {}", self.count - MOST_PRINTED, self.what));
        }
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        for queue in lock(&self.0).iter().filter_map(Weak::upgrade) {
            lock(&queue.state).closed = true;
            queue.arrived.notify_all();
        }
    }
}

/// Prints what a developer should know while the game runs.
#[cfg(all(feature = "hot-reload", debug_assertions))]
#[allow(clippy::print_stderr, reason = "debug builds with hot reload only")]
pub(crate) fn note(text: std::fmt::Arguments<'_>) {
    eprintln!("rres: {text}");
}
