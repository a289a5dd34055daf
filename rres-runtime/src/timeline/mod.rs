//! Remembers when packs were opened and assets loaded, on which thread, how long the steps took, what asked for them, and what was reported: for the
//! inspector. Only debug builds with the feature `inspect` compile this; all others compile `disabled.rs` in its place.
//!
//! It remembers nothing unless the variable `RRES_INSPECT` asks for it, and then the first loads and the last ones. It holds no asset.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::Location;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use rres_format::ResourceId;
use rres_inspect::Address;

use crate::sync::lock;

/// How many loads of the start are remembered.
const FIRST: usize = 4096;

/// How many later loads, and how many events are remembered.
const LAST: usize = 1024;

/// How many threads get names of their own.
const MAX_THREADS: usize = 256;

/// The most bytes of a message.
const MAX_MESSAGE: usize = 4096;

/// The value of `RRES_INSPECT`, unless that turns the inspector off.
pub(crate) fn requested() -> Option<&'static str> {
    static VALUE: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let value = std::env::var_os("RRES_INSPECT")?.to_string_lossy().into_owned();
        (Address::parse(&value) != Ok(Address::Off)).then_some(value)
    };
    VALUE.get_or_init(read).as_deref()
}

/// Whether anything is remembered.
pub(crate) fn is_on() -> bool {
    requested().is_some()
}

/// What asks for assets: a line of the program, and the group that it loads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asker {
    pub(crate) code: Option<&'static Location<'static>>,
    pub(crate) group: Option<Arc<str>>,
}

impl Asker {
    /// The line that has called the function that calls this.
    #[track_caller]
    pub(crate) fn here() -> Self {
        let code = Location::caller();
        if is_on() { Self { code: Some(code), group: None } } else { Self::default() }
    }

    /// The same, for the assets of a group; `name` is empty for folders and lists.
    pub(crate) fn with_group(self, name: &str) -> Self {
        Self { group: (self.code.is_some() && !name.is_empty()).then(|| name.into()), ..self }
    }

    /// Attributes the loads of this thread to this asker, until the result is dropped.
    pub(crate) fn asks(self) -> Asking {
        let is_known = self.code.is_some();
        Asking(is_known.then(|| ASKING.replace(self)))
    }
}

thread_local! {
    static ASKING: RefCell<Asker> = const { RefCell::new(Asker { code: None, group: None }) };
    /// What this thread is loading, the outermost load first.
    static LOADING: RefCell<Vec<Current>> = const { RefCell::new(Vec::new()) };
}

/// A load of this thread.
struct Current {
    number: u64,
    path: Arc<str>,
    began: Instant,
}

/// Attributes loads; see [`Asker::asks`].
#[must_use]
pub(crate) struct Asking(Option<Asker>);

impl Drop for Asking {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            ASKING.set(before);
        }
    }
}

/// A part of a load.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// The bytes are here, checked and decompressed.
    Read,
    /// The value is made.
    Decoded,
}

/// What is loaded.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    Pack(Arc<str>),
    Asset {
        /// Identifies the store.
        store: usize,
        id: ResourceId,
        path: Arc<str>,
        type_name: &'static str,
        /// Whether it had a value before.
        is_again: bool,
    },
}

/// A load, or the opening of a pack.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    number: u64,
    pub(crate) subject: Subject,
    pub(crate) thread: Arc<str>,
    pub(crate) start: Duration,
    pub(crate) read: Option<Duration>,
    pub(crate) decode: Option<Duration>,
    pub(crate) took: Option<Duration>,
    pub(crate) asker: Asker,
    /// The asset whose value was being made on the same thread.
    pub(crate) parent: Option<Arc<str>>,
    pub(crate) error: Option<String>,
}

impl Record {
    /// Why an asset could not be loaded, if this is its load.
    pub(crate) fn error_of(&self, of: usize, asset: ResourceId) -> Option<String> {
        match self.subject {
            Subject::Asset { store, id, .. } if (store, id) == (of, asset) => self.error.clone(),
            _ => None,
        }
    }
}

/// Something that was reported.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) at: Duration,
    pub(crate) text: String,
    pub(crate) is_failure: bool,
}

/// What is remembered at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    /// In the order of their begin.
    pub(crate) records: Vec<Record>,
    pub(crate) records_forgotten: u64,
    pub(crate) reports: Vec<Report>,
    pub(crate) reports_forgotten: u64,
}

impl Timeline {
    /// How many events were reported so far.
    pub(crate) fn reports_seen(&self) -> u64 {
        self.reports_forgotten + self.reports.len() as u64
    }
}

#[derive(Default)]
struct Memory {
    began: Option<Instant>,
    next: u64,
    /// The threads that have loaded something, with their names and what tells those with the same name apart.
    threads: Vec<(ThreadId, String, Arc<str>)>,
    first: Vec<Record>,
    last: VecDeque<Record>,
    running: Vec<Record>,
    reports: VecDeque<Report>,
    reports_seen: u64,
}

static MEMORY: Mutex<Memory> = Mutex::new(Memory {
    began: None,
    next: 0,
    threads: Vec::new(),
    first: Vec::new(),
    last: VecDeque::new(),
    running: Vec::new(),
    reports: VecDeque::new(),
    reports_seen: 0,
});

impl Memory {
    /// The time since the first call.
    fn now(&mut self) -> Duration {
        self.began.get_or_insert_with(Instant::now).elapsed()
    }

    /// The name of this thread: `rres loading`, `rres loading 2`.
    fn thread(&mut self) -> Arc<str> {
        let current = thread::current();
        if let Some((.., label)) = self.threads.iter().find(|(id, ..)| *id == current.id()) {
            return Arc::clone(label);
        }
        let name = current.name().unwrap_or("thread").to_owned();
        let label: Arc<str> = match self.threads.iter().filter(|(_, known, _)| *known == name).count() {
            0 => name.as_str().into(),
            others => format!("{name} {}", others + 1).into(),
        };
        if self.threads.len() < MAX_THREADS {
            self.threads.push((current.id(), name, Arc::clone(&label)));
        }
        label
    }
}

/// Returns what is remembered.
pub(crate) fn timeline() -> Timeline {
    let memory = lock(&MEMORY);
    let mut records: Vec<Record> = memory.first.iter().chain(&memory.last).chain(&memory.running).cloned().collect();
    records.sort_by_key(|record| record.number);
    Timeline {
        records_forgotten: memory.next - records.len() as u64,
        records,
        reports: memory.reports.iter().cloned().collect(),
        reports_forgotten: memory.reports_seen - memory.reports.len() as u64,
    }
}

/// A load that goes on. It ends when this is dropped.
#[must_use]
pub(crate) struct Running {
    /// `None` if nothing is remembered.
    number: Option<u64>,
}

/// Begins to remember the load of an asset on this thread. `store` identifies the store.
pub(crate) fn loading(
    store: usize,
    id: ResourceId,
    path: &Arc<str>,
    type_name: &'static str,
    is_again: bool,
) -> Running {
    begin(path, || Subject::Asset { store, id, path: Arc::clone(path), type_name, is_again })
}

/// Begins to remember the opening of a pack on this thread.
pub(crate) fn opening(file: Option<&Path>) -> Running {
    if !is_on() {
        return Running { number: None };
    }
    let name = file.map_or_else(|| "a pack without a file".into(), |file| file.display().to_string().into());
    begin(&Arc::clone(&name), || Subject::Pack(name))
}

fn begin(path: &Arc<str>, subject: impl FnOnce() -> Subject) -> Running {
    if !is_on() {
        return Running { number: None };
    }
    let asker = ASKING.with_borrow(Clone::clone);
    let parent = LOADING.with_borrow(|loading| loading.last().map(|load| Arc::clone(&load.path)));
    let mut memory = lock(&MEMORY);
    let (number, start, thread) = (memory.next, memory.now(), memory.thread());
    memory.next += 1;
    memory.running.push(Record {
        number,
        subject: subject(),
        thread,
        start,
        read: None,
        decode: None,
        took: None,
        asker,
        parent,
        error: None,
    });
    drop(memory);
    LOADING.with_borrow_mut(|loading| loading.push(Current { number, path: Arc::clone(path), began: Instant::now() }));
    Running { number: Some(number) }
}

/// Remembers that a step of the innermost load of this thread is over.
pub(crate) fn step(step: Step) {
    with_innermost(|record, elapsed| match step {
        Step::Read => record.read = Some(elapsed),
        Step::Decoded => record.decode = Some(elapsed.saturating_sub(record.read.unwrap_or_default())),
    });
}

/// Remembers why the innermost load of this thread fails.
pub(crate) fn fail(error: &impl std::fmt::Display) {
    if is_on() {
        let error = shortened(error.to_string());
        with_innermost(|record, _| record.error = Some(error));
    }
}

fn with_innermost(change: impl FnOnce(&mut Record, Duration)) {
    let Some((number, elapsed)) =
        LOADING.with_borrow(|loading| loading.last().map(|load| (load.number, load.began.elapsed())))
    else {
        return;
    };
    if let Some(record) = lock(&MEMORY).running.iter_mut().find(|record| record.number == number) {
        change(record, elapsed);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(number) = self.number else { return };
        let load = LOADING.with_borrow_mut(Vec::pop);
        let mut memory = lock(&MEMORY);
        let Some(at) = memory.running.iter().position(|record| record.number == number) else { return };
        let mut record = memory.running.swap_remove(at);
        record.took = load.map(|load| load.began.elapsed());
        if thread::panicking() && record.error.is_none() {
            record.error = Some("the program panicked".to_owned());
        }
        if memory.first.len() < FIRST {
            memory.first.push(record);
        } else {
            memory.last.push_back(record);
            if memory.last.len() > LAST {
                memory.last.pop_front();
            }
        }
    }
}

/// Remembers an event.
pub(crate) fn report(event: &impl std::fmt::Display, is_failure: bool) {
    if !is_on() {
        return;
    }
    let text = shortened(event.to_string());
    let mut memory = lock(&MEMORY);
    let at = memory.now();
    memory.reports_seen += 1;
    memory.reports.push_back(Report { at, text, is_failure });
    if memory.reports.len() > LAST {
        memory.reports.pop_front();
    }
}

fn shortened(mut text: String) -> String {
    if text.len() > MAX_MESSAGE {
        text.truncate((0..=MAX_MESSAGE).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
        text.push('…');
    }
    text
}
