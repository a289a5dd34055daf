//! What the loaders of the benchmarks have in common: their arguments, the list of assets, the threads, and what they do with
//! what they have loaded.
//!
//! Each loader is a program of its own that depends on what a game would depend on, with default features. So no loader decodes
//! with a library that another one brought along. A loader loads every asset of a list once, reads a byte of each page of it, keeps
//! it, and ends; the benchmark measures the process.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The reason why a loader cannot load.
pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What an asset becomes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pixels as RGBA8.
    Image,
    /// Samples.
    Sound,
    /// A sound that stays encoded, because games decode music while it plays.
    Music,
    /// The glyphs of ASCII at 32 pixels.
    Font,
    /// The vertices and indices of a binary glTF file.
    Model,
    /// A text whose UTF-8 is checked.
    Text,
    /// Bytes.
    Raw,
}

impl Kind {
    /// All kinds with their names in a list.
    pub const ALL: [(Self, &str); 7] = [
        (Self::Image, "image"),
        (Self::Sound, "sound"),
        (Self::Music, "music"),
        (Self::Font, "font"),
        (Self::Model, "model"),
        (Self::Text, "text"),
        (Self::Raw, "raw"),
    ];

    /// Returns the name of the kind in a list.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// An asset of the list.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its place in the list.
    pub index: usize,
    /// What it becomes.
    pub kind: Kind,
    /// Its path below the folder of assets.
    pub path: String,
}

/// What a loader is asked to do.
#[derive(Clone, Debug)]
pub struct Job {
    /// The folder, pack, archive or blob to load from.
    pub store: PathBuf,
    /// What to load.
    pub items: Vec<Item>,
    /// On how many threads.
    pub threads: usize,
}

/// Takes what is loaded.
#[derive(Debug)]
pub struct Sink {
    bytes: AtomicU64,
    /// If they are asked for, the CRCs of all images by their places in the list.
    sums: Option<Mutex<Vec<u32>>>,
}

impl Sink {
    /// Reads a byte of each page of `bytes(value)`, as what hands all bytes to a device does, and keeps the value until the process ends.
    pub fn keep<T>(&self, item: &Item, value: T, bytes: impl for<'a> Fn(&'a T) -> &'a [u8]) {
        let loaded = bytes(&value);
        std::hint::black_box(loaded.iter().step_by(4096).fold(0, |sum, byte| sum ^ byte));
        self.bytes.fetch_add(loaded.len() as u64, Ordering::Relaxed);
        if let (Some(sums), Kind::Image) = (&self.sums, item.kind) {
            sums.lock().expect("no thread panics")[item.index] = crc32fast::hash(loaded);
        }
        std::mem::forget(value);
    }

    /// Keeps bytes.
    pub fn keep_bytes(&self, item: &Item, bytes: Vec<u8>) {
        self.keep(item, bytes, |bytes| bytes);
    }
}

/// Runs a loader: `LOADER STORE LIST [--threads COUNT] [--check]`. Prints the nanoseconds of CPU time from opening the store to the
/// last asset, how many bytes are loaded, and the peak memory of the process in bytes. With `--check`, prints a CRC of the pixels of each
/// image, too.
pub fn run(load: impl Fn(&Job, &Sink) -> Result<()>) -> ExitCode {
    match start(load) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn start(load: impl Fn(&Job, &Sink) -> Result<()>) -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(store), Some(list)) = (arguments.next(), arguments.next()) else {
        return Err("usage: LOADER STORE LIST [--threads COUNT] [--check]".into());
    };
    let items = read_list(Path::new(&list))?;
    let mut job = Job { store: store.into(), items, threads: 1 };
    let mut sink = Sink { bytes: AtomicU64::new(0), sums: None };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => sink.sums = Some(Mutex::new(vec![0; job.items.len()])),
            "--threads" => job.threads = arguments.next().ok_or("--threads needs a number")?.parse()?,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let started = cpu_time::ProcessTime::now();
    load(&job, &sink)?;
    println!("{} {} {}", started.elapsed().as_nanos(), sink.bytes.into_inner(), peak_memory());
    if let Some(sums) = sink.sums {
        let sums = sums.into_inner()?;
        job.items.iter().filter(|item| item.kind == Kind::Image).for_each(|item| println!("{:08x}", sums[item.index]));
    }
    Ok(())
}

/// Returns the peak memory of this process, or 0 if the system does not say it. What a parent learns of its child (`ru_maxrss`) includes
/// the memory of the parent, of which the child was a copy.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}

/// Reads a list: a line per asset with its kind, a space and its path.
fn read_list(file: &Path) -> Result<Vec<Item>> {
    let text = fs::read_to_string(file)?;
    let item = |(index, line): (usize, &str)| {
        let (name, path) = line.split_once(' ')?;
        let (kind, _) = Kind::ALL.into_iter().find(|(_, known)| *known == name)?;
        Some(Item { index, kind, path: path.to_owned() })
    };
    text.lines().enumerate().map(|line| item(line).ok_or_else(|| format!("bad line {}", line.1).into())).collect()
}

/// Loads every item of a job by `load` on the job's threads. Each thread has a state of its own, which `state` makes.
///
/// # Errors
/// The first error of `state` or `load`.
pub fn each<S>(
    job: &Job,
    state: impl Fn() -> Result<S> + Sync,
    load: impl Fn(&mut S, &Item) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = state()?;
        while let Some(item) = job.items.get(next.fetch_add(1, Ordering::Relaxed)) {
            load(&mut own, item).map_err(|e| format!("{}: {e}", item.path))?;
        }
        Ok(())
    };
    if job.threads == 1 {
        return work();
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..job.threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a loader panicked"))
    })
}
