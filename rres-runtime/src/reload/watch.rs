//! Waits until the assets directory has changed and come to rest again.
//!
//! How long rest takes depends on what was seen. A file that was closed after writing, renamed or removed is done; a file
//! that was written to may be written to again, and on systems that tell of its closing that is waited for.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, ModifyKind, RenameMode};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// After a file was closed or put into place.
const DONE: Duration = Duration::from_millis(8);
/// After something that often is only the first half: a file moved away, a new folder, new attributes.
const SOON: Duration = Duration::from_millis(40);
/// After a write, where systems tell of the closing that follows it, and where they do not.
const WRITTEN: Duration = Duration::from_millis(if cfg!(target_os = "linux") { 1500 } else { 100 });
/// At most this long, however busy the directory is.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often the directory is walked where it cannot be watched.
const WALK: Duration = Duration::from_secs(1);

enum Message {
    Changed { settled: Duration, lost: bool },
    Stop,
}

/// Ends the waiting when it is dropped.
pub(super) struct Stop(Sender<Message>);

impl Drop for Stop {
    fn drop(&mut self) {
        // Nobody waits any more where this fails.
        let _ = self.0.send(Message::Stop);
    }
}

pub(super) struct Watch {
    dir: PathBuf,
    sender: Sender<Message>,
    messages: Receiver<Message>,
    /// `None` where the directory cannot be watched: it is gone, or the system has no watches left.
    watcher: Option<RecommendedWatcher>,
    /// When the last change before the rest was told of.
    pub(super) noticed: Option<Instant>,
}

impl Watch {
    pub(super) fn new(dir: &Path) -> (Self, Stop) {
        let (sender, messages) = channel();
        let stop = Stop(sender.clone());
        let mut watch = Self { dir: dir.to_owned(), sender, messages, watcher: None, noticed: None };
        watch.watch();
        (watch, stop)
    }

    fn watch(&mut self) {
        let (sender, dir) = (self.sender.clone(), self.dir.clone());
        let tell = move |event: notify::Result<notify::Event>| {
            let message = match &event {
                Ok(event) => settled(event).map(|settled| {
                    let lost = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)))
                        && event.paths.contains(&dir);
                    Message::Changed { settled, lost }
                }),
                Err(_) => Some(Message::Changed { settled: SOON, lost: true }),
            };
            if let Some(message) = message {
                let _ = sender.send(message);
            }
        };
        let watcher = notify::recommended_watcher(tell).and_then(|mut watcher| {
            watcher.watch(&self.dir, RecursiveMode::Recursive)?;
            Ok(watcher)
        });
        self.watcher = watcher.ok();
    }

    /// Waits for a change and the rest after it; `false` where there is nobody to wait for.
    pub(super) fn wait(&mut self) -> bool {
        self.noticed = None;
        if self.watcher.is_none() {
            // Walked from time to time until it can be watched.
            self.watch();
            return match self.messages.recv_timeout(WALK) {
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => false,
                Ok(Message::Changed { .. }) | Err(RecvTimeoutError::Timeout) => true,
            };
        }
        let Ok(Message::Changed { settled, mut lost }) = self.messages.recv() else { return false };
        let mut noticed = Instant::now();
        let patience = noticed + PATIENCE;
        let mut rest = noticed + settled;
        loop {
            match self.messages.recv_timeout(rest.min(patience).saturating_duration_since(Instant::now())) {
                Ok(Message::Changed { settled: next, lost: is_lost }) => {
                    lost |= is_lost;
                    noticed = Instant::now();
                    rest = noticed + next;
                }
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
        if lost {
            self.watcher = None;
        }
        self.noticed = Some(noticed);
        true
    }
}

/// How long to wait after an event, or `None` where it changes nothing: our own reading is an event, too.
fn settled(event: &notify::Event) -> Option<Duration> {
    if event.need_rescan() {
        return Some(SOON);
    }
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(DONE),
        EventKind::Access(_) => None,
        EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => Some(DONE),
        // Who moves a file away or removes it often puts another one into its place.
        EventKind::Modify(ModifyKind::Name(_)) | EventKind::Remove(_) => Some(SOON),
        EventKind::Create(CreateKind::Folder) | EventKind::Modify(ModifyKind::Metadata(_)) => Some(SOON),
        // A file that is created is written to next, or was linked into place.
        EventKind::Create(_) => Some(SOON),
        EventKind::Modify(_) => Some(WRITTEN),
        EventKind::Any | EventKind::Other => Some(SOON),
    }
}
