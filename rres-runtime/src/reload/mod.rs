//! Hot reload: a saved source file → new values in the handles of the running game. Only debug builds with the feature
//! `hot-reload` compile this; all others compile `disabled.rs` in its place.
//!
//! One thread waits until the assets directory has come to rest, lets the serving build script import what has changed,
//! and replaces the store's dev index by the new one. [`Client`] talks to the script; `docs/hot-reload.md` describes
//! how.

mod directory_watcher;
mod links;
mod rest;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use rres_format::ResourceId;
use rres_format::index::IndexView;
use rres_protocol::client::{Client, RemoteFailure, UpdateResponse};
use rres_protocol::files::SETTINGS_FILE;
use rres_protocol::serve::ScriptManifest;
use rres_protocol::sub_asset;

use crate::error::Result;
use crate::events::{Event, Unheard, file_of, note};
use crate::mounts::Mounts;
use crate::source::{Dev, Source};
use crate::store::{Refreshed, Store, WeakStore};
use crate::timeline;
use directory_watcher::{DirectoryWatcher, Wake};

#[cfg(test)]
mod tests;

/// Starts to reload the assets of `store`, until it is dropped. `pack` is the name of its pack.
pub(crate) fn start(store: &Store, dev: &Dev, pack: &'static str) {
    let is_off = std::env::var_os("RRES_RELOAD").is_some_and(|value| value == "off");
    // The page of the inspector can still ask for it.
    if dev.serve.is_empty() || is_off && !timeline::is_on() {
        return;
    }
    let dirs = std::iter::once(dev.assets).chain(dev.libraries.iter().map(|(_, dir)| *dir));
    let (watcher, wakers) = DirectoryWatcher::new(dirs.filter(|_| !is_off).map(PathBuf::from).collect());
    let mut reloader = Reloader {
        store: store.downgrade(),
        dev: *dev,
        pack,
        at_start: store.mounts(),
        watcher,
        script: None,
        reported: BTreeSet::new(),
    };
    // Without a thread hot reload is off, and everything else works.
    let run = move || if is_off { reloader.run_when_asked() } else { reloader.run() };
    if thread::Builder::new().name("rres reload".to_owned()).spawn(run).is_ok() {
        *active().entry(dev.assets).or_default() += 1;
        store.set_companion(wakers);
    }
}

/// How many stores reload the assets of each directory.
fn active() -> MutexGuard<'static, BTreeMap<&'static str, usize>> {
    static ACTIVE: Mutex<BTreeMap<&'static str, usize>> = Mutex::new(BTreeMap::new());
    ACTIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is wrong with the assets: places and messages.
type Failures = BTreeSet<(String, String)>;

struct Reloader {
    store: WeakStore,
    dev: Dev,
    pack: &'static str,
    /// What the program's constants were generated from.
    at_start: Arc<Mounts>,
    watcher: DirectoryWatcher,
    script: Option<Client>,
    /// The failures of the last update. Only new ones are reported.
    reported: Failures,
}

impl Reloader {
    /// Waits until somebody asks, which only the inspector does.
    fn run_when_asked(&mut self) {
        match self.watcher.wait() {
            Wake::Change => self.run(),
            Wake::Stop { in_use } => self.end(in_use),
        }
    }

    fn run(&mut self) {
        // The first update is for changes that were made while no game was running.
        loop {
            let began = Instant::now();
            let response = self.update();
            let Some(store) = self.store.upgrade() else { return self.end_when_stopped() };
            match response {
                Ok(response) => self.apply(&store, response, self.watcher.changed_at.unwrap_or(began)),
                Err(message) => self.report(&store, Failures::from([(self.dev.serve.to_owned(), message)]), &[]),
            }
            drop(store);
            if let Wake::Stop { in_use } = self.watcher.wait() {
                return self.end(in_use);
            }
        }
    }

    /// Ends with the store, which is being dropped.
    fn end_when_stopped(&mut self) {
        loop {
            if let Wake::Stop { in_use } = self.watcher.wait() {
                return self.end(in_use);
            }
        }
    }

    /// Ends, as the store was dropped. If values of it are in use, waits for an edit to say why they do not change: a game that
    /// keeps handles and drops the store looks as if hot reload did not work.
    fn end(&mut self, in_use: bool) {
        self.script = None;
        if let Some(count) = active().get_mut(self.dev.assets) {
            *count -= 1;
        }
        while in_use && self.watcher.wait() == Wake::Change {
            // Without a change the directory cannot be watched.
            if self.watcher.changed_at.is_none() {
                continue;
            }
            // A store that was opened later reloads it.
            if active().get(self.dev.assets).is_none_or(|count| *count == 0) {
                note(format_args!(
                    "{} has changed, and the Store that would reload its assets was dropped; keep the Store as long as the game runs",
                    self.dev.assets
                ));
            }
            return;
        }
    }

    /// Lets the script import what has changed. A script that has exited is started once more.
    fn update(&mut self) -> Result<UpdateResponse, String> {
        if let Some(script) = &mut self.script
            && let Ok(response) = script.update()
        {
            return Ok(response);
        }
        let text = fs::read_to_string(self.dev.serve).map_err(|e| {
            format!("cannot read file: {e}; assets do not reload until the next `cargo build`, which writes it")
        })?;
        let manifest = ScriptManifest::parse(&text).ok_or("was written by another version; run `cargo build` again")?;
        let mut script = Client::start(&manifest, self.pack, Stdio::inherit())
            .map_err(|e| format!("{e}; run `cargo build` again"))?;
        let response = script.update().map_err(|e| format!("{e}; it is started again after the next change"))?;
        self.script = Some(script);
        Ok(response)
    }

    /// Publishes what an update has found. `changed_at` is when the directory changed or, if no change was reported, when the update began:
    /// the first one may find an edit of a game that is already running.
    fn apply(&mut self, store: &Store, response: UpdateResponse, changed_at: Instant) {
        let UpdateResponse { index, failures, added, removed, .. } = response;
        self.report(store, failures.into_iter().map(place_and_message).collect(), &removed);
        if !index.is_empty() {
            match self.replace_index(store, &index) {
                Ok((Refreshed { renewed: 0, is_loaded }, changed)) if !is_loaded => {
                    report_not_loaded(store, changed, &added)
                }
                Ok((Refreshed { renewed: 0, .. }, _)) => {}
                Ok((Refreshed { renewed: assets, .. }, _)) => {
                    store.publish(Event::Reloaded { assets, took: changed_at.elapsed() });
                }
                Err(error) => {
                    store.publish(Event::ImportFailed { place: index, message: error.to_string(), is_new: false });
                }
            }
        }
        let (restored, added): (Vec<String>, _) =
            added.into_iter().partition(|path| self.at_start.find(path).is_some());
        restored.into_iter().for_each(|path| store.publish(Event::Restored { path }));
        report_added(store, added);
        for path in removed {
            store.publish(Event::Removed { path });
        }
    }

    /// Gives the store a new dev index, which makes it load again what is loaded and differs. Returns the resources that differ, too.
    fn replace_index(&mut self, store: &Store, index: &str) -> Result<(Refreshed, HashSet<ResourceId>)> {
        let new = self.dev.reader.open(Path::new(index), Path::new(self.dev.blobs))?;
        let (changed, refreshed) = store.replace_mounts(|mounts| {
            let old = mounts.base().first().map(Source::index);
            let differs =
                |id: &ResourceId| old.as_ref().is_none_or(|old| content(old, *id) != content(&new.index(), *id));
            let ids = new.index().entries().filter_map(|entry| Some(entry.ok()?.id));
            let changed: HashSet<ResourceId> = ids.filter(differs).collect();
            Ok((mounts.with_base(vec![Source::DevIndex(new)]), changed.clone(), changed))
        })?;
        Ok((refreshed, changed))
    }

    /// Reports the failures that the last update did not have, and the places that no longer fail. `removed` are the assets that the
    /// update reports as gone.
    fn report(&mut self, store: &Store, failures: Failures, removed: &[String]) {
        for place in mended(&self.reported, &failures) {
            match self.asset_path(place).filter(|path| !self.exists(path)) {
                None => store.publish(Event::Mended { place: place.clone() }),
                Some(path) if removed.contains(&path) => {}
                Some(path) => store.publish(Event::Removed { path }),
            }
        }
        let mounts = store.mounts();
        let has_asset_of = |path: &String| mounts.entries().any(|entry| entry.path.starts_with(path.as_str()));
        for (place, message) in failures.difference(&self.reported) {
            let is_new = self.asset_path(place).is_some_and(|path| path != SETTINGS_FILE && !has_asset_of(&path));
            store.publish(Event::ImportFailed { place: place.clone(), message: message.clone(), is_new });
        }
        self.reported = failures;
    }

    /// The asset path of the file that a place names; `None` if the file is not below the assets directory.
    fn asset_path(&self, place: &str) -> Option<String> {
        let below = Path::new(place).strip_prefix(self.dev.assets).ok()?.to_str()?.replace('\\', "/");
        Some(file_of(&below).to_owned())
    }

    fn exists(&self, asset_path: &str) -> bool {
        Path::new(self.dev.assets).join(asset_path).symlink_metadata().is_ok()
    }
}

/// Returns the places of faults whose files have none now. The line of a fault that stays may be another one after an edit.
fn mended<'f>(before: &'f Failures, now: &Failures) -> BTreeSet<&'f String> {
    let failing: BTreeSet<&str> = now.iter().map(|(place, _)| file_of(place)).collect();
    before.iter().map(|(place, _)| place).filter(|place| !failing.contains(file_of(place))).collect()
}

/// Returns what identifies the content of an asset: its blob, whose hash covers the settings, its place in the blob, and what only the index
/// says of it. A rule that links an image with others changes nothing else.
fn content(index: &IndexView<'_>, id: ResourceId) -> Option<impl PartialEq + use<>> {
    let slot = index.find(id)?;
    let entry = index.entry(slot).ok()?;
    let dependencies: Vec<ResourceId> = index.dependencies(slot).ok()?.collect();
    let place = (index.blob(entry.blob)?, entry.offset, entry.chunk_count);
    Some((place, index.meta(slot).ok()?.to_meta(), dependencies))
}

/// Reports new files.
fn report_added(store: &Store, added: Vec<String>) {
    let mut unheard = Unheard::new("new files");
    added.into_iter().for_each(|path| store.publish_all(&mut unheard, Event::Added { path }));
}

/// Reports assets that have changed while nothing that is loaded was made from them: whoever saved them waits for something to
/// happen. Files that are new have an event of their own.
fn report_not_loaded(store: &Store, changed: HashSet<ResourceId>, added: &[String]) {
    let mounts = store.mounts();
    let paths = changed.into_iter().filter_map(|id| Some(mounts.entry(id)?.path.to_string()));
    let is_known = |path: &String| !path.is_empty() && sub_asset::split(path).is_none() && !added.contains(path);
    let paths: BTreeSet<String> = paths.filter(is_known).collect();
    let mut unheard = Unheard::new("files that are not loaded");
    paths.into_iter().for_each(|path| store.publish_all(&mut unheard, Event::NotLoaded { path }));
}

fn place_and_message(failure: RemoteFailure) -> (String, String) {
    let RemoteFailure { place, message, help, .. } = failure;
    (place, if help.is_empty() { message } else { format!("{message}; {help}") })
}
