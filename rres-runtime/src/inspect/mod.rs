//! The inspector: a page on this machine that shows what the stores of the running game have loaded, if the variable `RRES_INSPECT` asks for it. Only
//! debug builds with the feature `inspect` compile this; all others compile `disabled.rs` in its place.
//!
//! The page, the server and the JSON are in `rres-inspect`. This module tells it what is loaded (`rows.rs`), and does what the page asks for. It uses
//! what programs can use as well: [`Store::dump`], [`Store::reload`], [`Store::unload`]; and the timeline, which the store fills.

mod rows;

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use rres_format::ResourceId;
use rres_inspect::{Action, Address, Done, Inspected, Server, State, Target, serve};
use rres_protocol::packed_id::Slot;

use crate::events::{self, NOTHING_RELOADS};
use crate::id::AnyId;
use crate::store::{Store, WeakStore};
use crate::sync::lock;
use crate::timeline;

/// A store that is shown.
struct Shown {
    number: u64,
    /// The name of its pack.
    name: String,
    /// What identifies it in the timeline.
    address: usize,
    store: WeakStore,
}

/// The stores that are shown, the oldest first. Weak ones keep their addresses to themselves, so they stay.
static SHOWN: Mutex<Vec<Shown>> = Mutex::new(Vec::new());

/// Shows a store, and serves the page if this is the first one.
pub(crate) fn start(store: &Store, name: &str) {
    let Some(value) = timeline::requested() else { return };
    let mut shown = lock(&SHOWN);
    let (number, address) = (shown.len() as u64, store.address());
    shown.push(Shown { number, name: name.to_owned(), address, store: store.downgrade() });
    drop(shown);
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(|| start_server(value));
}

#[expect(clippy::print_stderr, reason = "a developer has asked for the page, and needs its address")]
fn start_server(value: &str) -> Option<Server> {
    let address = match Address::parse(value) {
        Ok(Address::At(address)) => address,
        Ok(Address::Off) => return None,
        Err(error) => {
            eprintln!("rres: {error}");
            return None;
        }
    };
    match serve(address, Arc::new(Program)) {
        Ok(server) => {
            eprintln!("rres: the inspector is at {}", server.url());
            Some(server)
        }
        Err(error) => {
            eprintln!(
                "rres: cannot serve the inspector at {address}: {error}; with RRES_INSPECT=1 the system chooses a port"
            );
            None
        }
    }
}

/// Everything of this program.
struct Program;

impl Inspected for Program {
    fn state(&self) -> State {
        let stores: Vec<(Store, u64, String, usize)> = lock(&SHOWN)
            .iter()
            .filter_map(|shown| Some((shown.store.upgrade()?, shown.number, shown.name.clone(), shown.address)))
            .collect();
        rows::state(&stores)
    }

    fn act(&self, action: Action, target: Target) -> Done {
        let store =
            lock(&SHOWN).iter().find(|shown| shown.number == target.store).and_then(|shown| shown.store.upgrade());
        let refused = |message: &str| Done { done: false, message: message.to_owned() };
        let Some(store) = store else { return refused("The store is closed.") };
        let id = ResourceId(target.id);
        match action {
            Action::Reload => reload(&store, id),
            Action::Unload => unload(&store, id),
        }
    }
}

fn any(id: ResourceId) -> AnyId {
    AnyId::of_kind(id, Slot(0), None)
}

/// The versions of all values of an asset that is alive.
fn versions(store: &Store, id: ResourceId) -> Vec<u32> {
    store.dump().rows.iter().filter(|row| row.id == id).map(|row| row.version).collect()
}

fn reload(store: &Store, id: ResourceId) -> Done {
    let before = versions(store, id);
    if before.is_empty() {
        return Done { done: false, message: "It is not loaded.".to_owned() };
    }
    let reports_before = timeline::timeline().reports_seen();
    let imports = store.import_changes();
    let path = store.path(any(id)).unwrap_or_default();
    if let Some(failure) = import_failure(&path).or_else(|| if imports { import_stop() } else { None }) {
        return Done { done: false, message: failure };
    }
    // An import has made new values already, if the source has changed.
    let is_imported = versions(store, id) != before;
    if !is_imported && store.reload(any(id)) == 0 {
        return Done { done: false, message: why_not(store, id, &path, reports_before) };
    }
    // An asset may be loaded as several types, and one of them may refuse what the others take.
    if let Some(failure) = new_failure(&path, reports_before) {
        return Done { done: false, message: failure };
    }
    let message = match (is_imported, imports) {
        (true, _) => "The source has changed: it was imported, and the value is new.",
        (false, true) => "The source has not changed: the value was made again from what was imported.",
        (false, false) => "The value was made again from the pack.",
    };
    Done { done: true, message: message.to_owned() }
}

/// The file that a report begins with, or the path of an asset.
fn file_of(report: &str) -> String {
    let place = report.split_once(": ").map_or(report, |(place, _)| place).replace('\\', "/");
    events::file_of(&place).to_owned()
}

/// Whether a report is about the asset at a path.
fn is_about(report: &str, path: &str) -> bool {
    let file = file_of(report);
    let dir = file.strip_suffix(path).and_then(|dir| dir.strip_suffix('/'));
    let is_in_assets = |dir: &str| dir.ends_with("assets") || Path::new(dir).join("assets.toml").exists();
    !path.is_empty() && (file == path || dir.is_some_and(is_in_assets))
}

/// Why the source of an asset cannot be imported as it is now: the last report about it.
fn import_failure(path: &str) -> Option<String> {
    let last = timeline::timeline().reports.into_iter().rfind(|report| is_about(&report.text, path))?;
    (last.is_failure && last.text.contains(": import failed")).then_some(last.text)
}

/// Why nothing can be imported now, such as a fault of the settings.
fn import_stop() -> Option<String> {
    let reports = timeline::timeline().reports;
    let stop = reports.iter().rposition(|report| report.is_failure && report.text.contains(NOTHING_RELOADS))?;
    let file = file_of(&reports[stop].text);
    let is_mended = reports[stop + 1..].iter().any(|report| file_of(&report.text) == file);
    (!is_mended).then(|| reports[stop].text.clone())
}

/// The last failure of an asset that was reported since then.
fn new_failure(path: &str, reports_before: u64) -> Option<String> {
    let timeline = timeline::timeline();
    let new = usize::try_from(timeline.reports_seen() - reports_before).unwrap_or(usize::MAX);
    let mut new = timeline.reports.iter().rev().take(new);
    new.find(|report| report.is_failure && is_about(&report.text, path)).map(|report| report.text.clone())
}

/// Why nothing has a new value.
fn why_not(store: &Store, id: ResourceId, path: &str, reports_before: u64) -> String {
    let timeline = timeline::timeline();
    let from_load = || timeline.records.iter().rev().find_map(|record| record.error_of(store.address(), id));
    match new_failure(path, reports_before).or_else(from_load) {
        Some(failure) => failure,
        None => "The program made this value itself, so it cannot be made again.".to_owned(),
    }
}

fn unload(store: &Store, id: ResourceId) -> Done {
    match store.unload(any(id)) {
        Ok(true) => Done { done: true, message: "It was freed.".to_owned() },
        Ok(false) => Done { done: true, message: "It is not loaded.".to_owned() },
        Err(held) => Done { done: false, message: format!("It is not unloaded: {held}.") },
    }
}
