//! Hot reload: a saved source → new values in the handles of the running game. Debug builds with the feature `hot-reload`
//! only; every other build has [`disabled.rs`](self) in this place.
//!
//! One thread waits for the assets directory to come to rest, has the build script import what has changed, and swaps the
//! store's index for the new one. How the two talk is in `docs/hot-reload.md`; what carries the lines is [`Script`] alone,
//! so that a game on another device needs no more than another one of those.

mod script;
mod watch;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::{Arc, Weak};
use std::thread;

use rres_format::ResourceId;

use crate::error::Result;
use crate::source::locate::Dev;
use crate::source::loose::Loose;
use crate::store::{Event, Mounts, Shared, Source, Store};
use script::{Answer, Script};
use watch::{Stop, Watch};

/// Keeps a store's assets fresh until it is dropped.
pub(crate) struct Watching(#[expect(dead_code, reason = "its end is what it is for")] Stop);

/// Starts to keep the assets of `store` fresh; `pack` is the name of their pack.
pub(crate) fn start(store: &Store, dev: &Dev, pack: &'static str) {
    if dev.serve.is_empty() || std::env::var_os("RRES_RELOAD").is_some_and(|value| value == "off") {
        return;
    }
    let (watch, stop) = Watch::new(Path::new(dev.assets));
    let mut reload = Reload {
        store: Arc::downgrade(&store.shared),
        dev: *dev,
        pack,
        first: store.mounts(),
        watch,
        script: None,
        failed: BTreeSet::new(),
    };
    // Where no thread can be started there is no reload, and nothing else is lost.
    if thread::Builder::new().name("rres reload".to_owned()).spawn(move || reload.run()).is_ok() {
        // A store is opened once.
        let _ = store.shared.reload.set(Watching(stop));
    }
}

struct Reload {
    store: Weak<Shared>,
    dev: Dev,
    pack: &'static str,
    /// What the program's constants were made from.
    first: Arc<Mounts>,
    watch: Watch,
    script: Option<Script>,
    /// What was wrong at the last update, as it was said.
    failed: BTreeSet<(String, String)>,
}

impl Reload {
    fn run(&mut self) {
        // The first update is for what changed while no game was running.
        loop {
            let answer = self.ask();
            let Some(store) = self.store.upgrade().map(|shared| Store { shared }) else { return };
            match answer {
                Ok(answer) => self.apply(&store, answer),
                Err(message) => self.say_failed(&store, BTreeSet::from([(self.dev.serve.to_owned(), message)])),
            }
            drop(store);
            if !self.watch.wait() {
                return;
            }
        }
    }

    /// Has the script import what has changed. A script that has ended is started once more.
    fn ask(&mut self) -> Result<Answer, String> {
        if let Some(script) = &mut self.script
            && let Ok(answer) = script.update()
        {
            return Ok(answer);
        }
        self.script = None;
        let script = self.script.insert(Script::start(Path::new(self.dev.serve), self.pack)?);
        script.update().inspect_err(|_| self.script = None)
    }

    fn apply(&mut self, store: &Store, answer: Answer) {
        let Answer { index, failed, added, removed } = answer;
        self.say_failed(store, failed);
        if !index.is_empty() {
            match (self.swap(store, &index), self.watch.noticed) {
                (Ok(assets @ 1..), Some(noticed)) => {
                    store.shared.listeners.tell(Event::Reloaded { assets, took: noticed.elapsed() });
                }
                (Ok(_), _) => {}
                (Err(error), _) => {
                    store.shared.listeners.tell(Event::BadSource { place: index, message: error.to_string() });
                }
            }
        }
        for path in added {
            let event = match self.first.find(&path) {
                Some(_) => Event::Restored { path },
                None => Event::Added { path },
            };
            store.shared.listeners.tell(event);
        }
        for path in removed {
            store.shared.listeners.tell(Event::Removed { path });
        }
    }

    /// Lets the store have the new index; what differs and is loaded is made again. Tells how many assets that were.
    fn swap(&mut self, store: &Store, index: &str) -> Result<usize> {
        let new = Loose::open(Path::new(index), Path::new(self.dev.blobs))?;
        store.replace_mounts(|mounts| {
            let old = mounts.base().first().map(Source::index);
            let is_new =
                |id: &ResourceId| old.as_ref().is_none_or(|old| content(old, *id) != content(&new.index(), *id));
            let ids = new.index().entries().filter_map(|entry| Some(entry.ok()?.id));
            let changed: HashSet<ResourceId> = ids.filter(is_new).collect();
            Ok((mounts.with_base(vec![Source::Loose(Arc::new(new))]), changed))
        })
    }

    /// Says what is newly wrong, once.
    fn say_failed(&mut self, store: &Store, failed: BTreeSet<(String, String)>) {
        for (place, message) in failed.difference(&self.failed) {
            store.shared.listeners.tell(Event::BadSource { place: place.clone(), message: message.clone() });
        }
        self.failed = failed;
    }
}

/// What an asset consists of, as far as an index tells: the blob, which holds its settings too, and its place in that.
fn content(index: &rres_format::index::IndexView<'_>, id: ResourceId) -> Option<([u8; 32], u32, u16)> {
    let entry = index.entry(index.find(id)?).ok()?;
    Some((index.blob(entry.blob)?, entry.offset, entry.chunk_count))
}
