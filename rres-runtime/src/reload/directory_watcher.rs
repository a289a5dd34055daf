//! Waits until the assets directory, or the directory of a library, has changed and come to rest again.
//!
//! How long to wait depends on the change. A file that was closed after writing, renamed or removed is complete. A file
//! that was written to may be written to again; the wait is short on systems that report when it is closed. [`Unrest`] is how long each
//! file takes.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, ModifyKind, RenameMode};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::links::{Linked, may_be_linked};
use super::rest::Unrest;
use crate::store::Companion;

/// How long the directory must rest after a file was closed or moved into place.
const COMPLETE: Duration = Duration::from_millis(8);
/// How long it must rest after something that is often only the first half of a change: a file moved away, a new
/// folder, new attributes.
const HALF: Duration = Duration::from_millis(40);
/// How long it must rest after a write. Linux reports when the file is closed, so this is only a fallback there.
const WRITTEN: Duration = Duration::from_millis(if cfg!(target_os = "linux") { 1500 } else { 100 });
/// How often the directory is checked while it cannot be watched, and how often it is looked whether it is still the one that is watched.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The longest wait for a look.
const LONGEST_LOOK: Duration = Duration::from_secs(120);

enum Message {
    Changed {
        /// The files that have changed; none if that is not known.
        paths: Vec<PathBuf>,
        /// How long they must rest after this change.
        rest: Duration,
        /// Whether the watched directory itself may be gone, or parts of it are not watched.
        lost: bool,
    },
    /// Somebody asks to look for changes, and waits until the sender is dropped.
    Look(Sender<()>),
    /// The store was dropped.
    Stop {
        /// Whether values of it are still in use.
        in_use: bool,
    },
}

/// Why [`DirectoryWatcher::wait`] has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wake {
    /// The directory has changed, or may have.
    Change,
    /// The store was dropped.
    Stop {
        /// Whether values of it are still in use.
        in_use: bool,
    },
}

/// Ends [`DirectoryWatcher::wait`].
pub(super) struct Wakers(Sender<Message>);

impl Companion for Wakers {
    fn stop(&self, in_use: bool) {
        // If this fails, nothing waits any more.
        let _ = self.0.send(Message::Stop { in_use });
    }

    fn look(&self) {
        let (reply, looked) = channel();
        if self.0.send(Message::Look(reply)).is_ok() {
            // Nothing is sent: the wait ends when the sender is dropped.
            let _ = looked.recv_timeout(LONGEST_LOOK);
        }
    }
}

pub(super) struct DirectoryWatcher {
    dirs: Vec<PathBuf>,
    /// The files elsewhere that links in the directories lead to.
    linked: Linked,
    /// What the directories, and those of the files elsewhere, were when they were watched; `None` for one that was missing.
    identities: Vec<Option<Identity>>,
    sender: Sender<Message>,
    messages: Receiver<Message>,
    /// `None` while a directory cannot be watched: it is gone, or the system has no watches left.
    watcher: Option<RecommendedWatcher>,
    /// When the last change was reported before the directory came to rest; `None` if no change was reported.
    pub(super) changed_at: Option<Instant>,
    /// Whoever asked to look, and waits until that is done.
    looking: Vec<Sender<()>>,
}

impl DirectoryWatcher {
    pub(super) fn new(dirs: Vec<PathBuf>) -> (Self, Wakers) {
        let (sender, messages) = channel();
        let wakers = Wakers(sender.clone());
        let (linked, identities, looking) = (Linked::default(), Vec::new(), Vec::new());
        let mut watcher = Self { dirs, linked, identities, sender, messages, watcher: None, changed_at: None, looking };
        watcher.watch();
        (watcher, wakers)
    }

    pub(super) fn watch(&mut self) {
        // Before the directories are watched: one that is replaced meanwhile differs.
        self.linked = Linked::of(&self.dirs);
        self.identities = self.identities();
        let (sender, dirs, linked) = (self.sender.clone(), self.dirs.clone(), self.linked.clone());
        let send = move |event: notify::Result<notify::Event>| {
            let message = match event {
                Ok(event) => message(event, &dirs, &linked),
                Err(_) => Some(Message::Changed { paths: Vec::new(), rest: HALF, lost: true }),
            };
            if let Some(message) = message {
                let _ = sender.send(message);
            }
        };
        let watcher = notify::recommended_watcher(send).and_then(|mut watcher| {
            self.dirs.iter().try_for_each(|dir| watcher.watch(dir, RecursiveMode::Recursive))?;
            // One that is not there yet is noticed when it is.
            let mut there = self.linked.dirs().filter(|dir| dir.exists());
            there.try_for_each(|dir| watcher.watch(dir, RecursiveMode::NonRecursive))?;
            Ok(watcher)
        });
        self.watcher = watcher.ok();
    }

    /// Whether a directory is gone, or another one is in its place. Not every system reports that: Windows does not say that a watched
    /// directory was deleted, and a link may lead elsewhere.
    pub(super) fn is_replaced(&self) -> bool {
        self.identities != self.identities()
    }

    fn identities(&self) -> Vec<Option<Identity>> {
        self.dirs.iter().map(PathBuf::as_path).chain(self.linked.dirs()).map(Identity::of).collect()
    }

    /// Waits for a change and the rest after it, for somebody who asks to look, or for the end of the store. Those who asked before this call
    /// wait no longer.
    pub(super) fn wait(&mut self) -> Wake {
        self.changed_at = None;
        self.looking.clear();
        let was_watched = self.watcher.is_some() && !self.is_replaced();
        if !was_watched {
            self.watch();
        }
        let (paths, rest, mut lost) = loop {
            match self.messages.recv_timeout(POLL_INTERVAL) {
                Ok(Message::Changed { paths, rest, lost }) => break (paths, rest, lost),
                Ok(Message::Look(reply)) => {
                    self.looking.push(reply);
                    return Wake::Change;
                }
                Ok(Message::Stop { in_use }) => return Wake::Stop { in_use },
                // The watcher has a sender itself.
                Err(RecvTimeoutError::Disconnected) => return Wake::Stop { in_use: false },
                // Nobody has reported what changed before the directory was watched again, or while it cannot be.
                Err(RecvTimeoutError::Timeout) if !was_watched => return Wake::Change,
                Err(RecvTimeoutError::Timeout) if self.is_replaced() => {
                    self.watcher = None;
                    return Wake::Change;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let now = Instant::now();
        let mut unrest = Unrest::new(now);
        unrest.add(now, paths, rest);
        loop {
            match self.messages.recv_timeout(unrest.ends_at().saturating_duration_since(Instant::now())) {
                Ok(Message::Changed { paths, rest, lost: is_lost }) => {
                    lost |= is_lost;
                    unrest.add(Instant::now(), paths, rest);
                }
                Ok(Message::Look(reply)) => self.looking.push(reply),
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Message::Stop { in_use }) => return Wake::Stop { in_use },
                Err(RecvTimeoutError::Disconnected) => return Wake::Stop { in_use: false },
            }
        }
        if lost {
            self.watcher = None;
        }
        self.changed_at = Some(unrest.changed_at());
        Wake::Change
    }
}

/// What tells a directory from another one that takes its place.
#[derive(PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    inode: (u64, u64),
    /// `None` if the file system does not have it.
    created: Option<SystemTime>,
}

impl Identity {
    /// Returns `None` if the directory does not exist.
    fn of(dir: &Path) -> Option<Self> {
        let found = fs::metadata(dir).ok().filter(fs::Metadata::is_dir)?;
        Some(Self {
            #[cfg(unix)]
            inode: (found.dev(), found.ino()),
            created: found.created().ok(),
        })
    }
}

/// Returns what an event says of the assets; `None` if nothing. `linked` are files outside of the directories.
fn message(event: notify::Event, dirs: &[PathBuf], linked: &Linked) -> Option<Message> {
    let rest = rest_after(&event)?;
    let is_known = |path: &PathBuf| dirs.contains(path) || !linked.is_other(path);
    if !event.paths.is_empty() && !event.paths.iter().any(is_known) {
        return None;
    }
    let is_named = matches!(event.kind, EventKind::Modify(ModifyKind::Name(_)));
    let is_watched = |path: &PathBuf| dirs.contains(path) || linked.dirs().any(|dir| dir == path);
    let is_gone = (is_named || matches!(event.kind, EventKind::Remove(_))) && event.paths.iter().any(is_watched);
    let is_linked =
        (is_named || matches!(event.kind, EventKind::Create(_))) && event.paths.iter().any(|path| may_be_linked(path));
    // Of folders that are new nothing may be watched if their events were lost.
    let lost = is_gone || is_linked || event.need_rescan();
    Some(Message::Changed { paths: event.paths, rest, lost })
}

/// Returns how long the directory must rest after an event, or `None` if the event is not a change: reading a file is
/// an event, too.
fn rest_after(event: &notify::Event) -> Option<Duration> {
    if event.need_rescan() {
        return Some(HALF);
    }
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(COMPLETE),
        EventKind::Access(_) => None,
        EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => Some(COMPLETE),
        // Programs that move a file away or remove it often put another one into its place.
        EventKind::Modify(ModifyKind::Name(_)) | EventKind::Remove(_) => Some(HALF),
        EventKind::Create(CreateKind::Folder) | EventKind::Modify(ModifyKind::Metadata(_)) => Some(HALF),
        // A new file is written to next, or was linked into place.
        EventKind::Create(_) => Some(HALF),
        EventKind::Modify(_) => Some(WRITTEN),
        EventKind::Any | EventKind::Other => Some(HALF),
    }
}
