//! What there is to show, and its JSON: the answer to `/state.json`.

use std::time::Duration;

use crate::json::{Object, ToJson};

/// A program whose assets can be looked at. The server calls it from its threads.
pub trait Inspected: Send + Sync {
    /// Returns what the program has loaded now.
    fn state(&self) -> State;

    /// Does something to an asset. It may take as long as an import.
    fn act(&self, action: Action, target: Target) -> Done;
}

/// What the page can do to an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Import its source again if that has changed, and make its value again.
    Reload,
    /// Free it, if nothing but the store holds it.
    Unload,
}

/// An asset of one of the program's stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// [`Store::number`].
    pub store: u64,
    /// [`Asset::id`].
    pub id: u32,
}

/// What has become of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Whether it was done.
    pub done: bool,
    /// What was done, or why it was not: a sentence without a full stop.
    pub message: String,
}

/// What a program has loaded at one moment. The documentation of the JSON is in `docs/inspector.md`.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The name of the program.
    pub program: String,
    /// The number of its process.
    pub process: u32,
    /// The stores that are open.
    pub stores: Vec<Store>,
    /// The assets that are alive.
    pub assets: Vec<Asset>,
    /// What was opened and loaded since the program started, in the order of the begin.
    pub loads: Vec<Load>,
    /// How many loads were forgotten, to bound the memory.
    pub loads_forgotten: u64,
    /// What was reported since the program started: reloads, failures, new files.
    pub events: Vec<Event>,
    /// How many events were forgotten.
    pub events_forgotten: u64,
}

/// An open store.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// Identifies it.
    pub number: u64,
    /// The name of its pack.
    pub name: String,
    /// The mounted packs in search order, a line each.
    pub mounts: Vec<String>,
    /// Whether the program imports files that change.
    pub imports: bool,
    /// The bytes of everything that is loaded, decoded.
    pub bytes: u64,
    /// How many bytes may stay loaded although nothing holds them.
    pub budget: u64,
    /// How often an asset was freed to stay within the budget.
    pub evictions: u64,
}

/// An asset that is alive.
#[derive(Clone, Debug, Default)]
pub struct Asset {
    /// [`Store::number`] of its store.
    pub store: u64,
    /// Its id.
    pub id: u32,
    /// Its path; empty if the pack does not record paths.
    pub path: String,
    /// The name of its type, without the module.
    pub type_name: String,
    /// `reserved`, `queued`, `loading`, `ready` or `failed`.
    pub state: String,
    /// Why it could not be loaded.
    pub error: Option<String>,
    /// The bytes that it takes in main memory, decoded.
    pub bytes: u64,
    /// The bytes that it takes in video memory, if it is something that games upload.
    pub video_bytes: Option<u64>,
    /// How many values it has had.
    pub version: u32,
    /// How many handles hold it.
    pub handles: usize,
    /// Whether the store keeps it: it is pinned, or within the budget.
    pub kept: bool,
    /// The paths of the assets that hold it.
    pub dependents: Vec<String>,
    /// The paths of the assets that it holds.
    pub dependencies: Vec<String>,
    /// The groups that it is in.
    pub groups: Vec<String>,
    /// What asked for it first.
    pub asked_by: Asker,
}

/// What asked for a load. Several of these may be known: code loads a group, and a model of the group needs an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asker {
    /// File and line.
    pub code: Option<String>,
    /// The name of a group.
    pub group: Option<String>,
    /// The path of the asset that needs it.
    pub asset: Option<String>,
}

/// What a [`Load`] was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadKind {
    /// A pack was opened.
    Open,
    /// An asset got its first value.
    #[default]
    Load,
    /// A loaded asset got another value.
    Reload,
}

/// A pack that was opened, or an asset that was loaded. Times are since the first of them began.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// What it was.
    pub kind: LoadKind,
    /// [`Store::number`]; `None` for packs.
    pub store: Option<u64>,
    /// The asset's id; 0 for packs.
    pub id: u32,
    /// The path of the asset, or the file of the pack.
    pub path: String,
    /// The name of the asset's type, without the module.
    pub type_name: String,
    /// The name of the thread.
    pub thread: String,
    /// When it began.
    pub start: Duration,
    /// How long the bytes were read, checked and decompressed; `None` for what has no bytes of its own.
    pub read: Option<Duration>,
    /// How long the value was made from these bytes.
    pub decode: Option<Duration>,
    /// How long all of it took, with what it depends on; `None` as long as it is not over.
    pub took: Option<Duration>,
    /// What asked for it.
    pub asked_by: Asker,
    /// Why it failed.
    pub error: Option<String>,
}

/// Something that was reported.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// When, since the first load began.
    pub at: Duration,
    /// What the program prints about it.
    pub text: String,
    /// Whether it is a failure.
    pub is_failure: bool,
}

impl State {
    pub(crate) fn to_json(&self) -> String {
        let mut json = String::new();
        self.write(&mut json);
        json.push('\n');
        json
    }
}

impl ToJson for State {
    fn write(&self, to: &mut String) {
        Object::new(to)
            .field("format", &1)
            .field("version", &env!("CARGO_PKG_VERSION"))
            .field("program", &self.program)
            .field("process", &u64::from(self.process))
            .field("stores", &self.stores)
            .field("assets", &self.assets)
            .field("loads", &self.loads)
            .field("loads_forgotten", &self.loads_forgotten)
            .field("events", &self.events)
            .field("events_forgotten", &self.events_forgotten)
            .end();
    }
}

impl ToJson for Store {
    fn write(&self, to: &mut String) {
        Object::new(to)
            .field("number", &self.number)
            .field("name", &self.name)
            .field("mounts", &self.mounts)
            .field("imports", &self.imports)
            .field("bytes", &self.bytes)
            .field("budget", &self.budget)
            .field("evictions", &self.evictions)
            .end();
    }
}

impl ToJson for Asset {
    fn write(&self, to: &mut String) {
        Object::new(to)
            .field("store", &self.store)
            .field("id", &id_text(self.id))
            .field("path", &self.path)
            .field("type", &self.type_name)
            .field("state", &self.state)
            .field("error", &self.error)
            .field("bytes", &self.bytes)
            .field("video_bytes", &self.video_bytes)
            .field("version", &u64::from(self.version))
            .field("handles", &(self.handles as u64))
            .field("kept", &self.kept)
            .field("dependents", &self.dependents)
            .field("dependencies", &self.dependencies)
            .field("groups", &self.groups)
            .field("asked_by", &self.asked_by)
            .end();
    }
}

impl ToJson for Asker {
    fn write(&self, to: &mut String) {
        Object::new(to).field("code", &self.code).field("group", &self.group).field("asset", &self.asset).end();
    }
}

impl ToJson for Load {
    fn write(&self, to: &mut String) {
        let kind = match self.kind {
            LoadKind::Open => "open",
            LoadKind::Load => "load",
            LoadKind::Reload => "reload",
        };
        Object::new(to)
            .field("kind", &kind)
            .field("store", &self.store)
            .field("id", &self.store.map(|_| id_text(self.id)))
            .field("path", &self.path)
            .field("type", &self.store.map(|_| self.type_name.as_str()))
            .field("thread", &self.thread)
            .field("start_us", &micros(self.start))
            .field("read_us", &self.read.map(micros))
            .field("decode_us", &self.decode.map(micros))
            .field("took_us", &self.took.map(micros))
            .field("asked_by", &self.asked_by)
            .field("error", &self.error)
            .end();
    }
}

impl ToJson for Event {
    fn write(&self, to: &mut String) {
        Object::new(to)
            .field("at_us", &micros(self.at))
            .field("text", &self.text)
            .field("is_failure", &self.is_failure)
            .end();
    }
}

impl ToJson for Done {
    fn write(&self, to: &mut String) {
        Object::new(to).field("done", &self.done).field("message", &self.message).end();
    }
}

/// An id as other tools print it.
pub(crate) fn id_text(id: u32) -> String {
    format!("{id:#010x}")
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
