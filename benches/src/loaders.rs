//! Runs the loaders in `benches/loaders`: programs of their own, each with what a game would depend on.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{Times, run};
use crate::sets::Set;
use crate::{Error, Options};

/// A way to load a set.
#[derive(Clone, Debug)]
pub struct Way {
    /// What it is called in tables.
    pub label: String,
    /// The loader's package.
    pub loader: &'static str,
    /// What it loads from: a folder, a pack, an archive.
    pub store: PathBuf,
    /// What a player would download.
    pub size: u64,
}

impl Way {
    /// A way to load from a file. The file is copied, because how its pages came into the page cache decides what a map of them
    /// costs, and a game does not map what it has just written.
    ///
    /// # Errors
    /// If the file cannot be copied.
    pub fn of_file(label: impl Into<String>, loader: &'static str, store: &Path) -> Result<Self, Error> {
        let mut name = store.file_stem().unwrap_or_default().to_owned();
        name.push("-copied");
        let mut copy = store.with_file_name(name);
        copy.set_extension(store.extension().unwrap_or_default());
        let size = fs::copy(store, &copy)?;
        Ok(Self { label: label.into(), loader, store: copy, size })
    }
}

/// What was measured of a way: medians over the rounds.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// CPU seconds from opening the store to the last asset.
    pub cpu: f64,
    /// How many times as fast as the first way, by that time.
    pub faster: f64,
    /// The same by elapsed time from the start of the process to its end.
    pub faster_process: f64,
    /// Elapsed seconds from the start of the process to its end.
    pub process: f64,
    /// How many times as fast as the first way, by CPU time from the start of the process to its end.
    pub faster_process_cpu: f64,
    /// CPU seconds of the process.
    pub process_cpu: f64,
    /// CPU seconds of the first run, for which the store is not in the page cache.
    pub cold: f64,
    /// Peak memory of the process in bytes.
    pub peak: u64,
    /// Bytes in memory.
    pub decoded: u64,
}

/// Compiles loaders, each alone, so that none gets a feature that another one asks for.
///
/// # Errors
/// If one does not compile.
pub fn compile<'a>(loaders: &[&'a str], set: &Set) -> Result<BTreeMap<&'a str, PathBuf>, Error> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = BTreeMap::new();
    for loader in loaders {
        let of_bevy = loader.contains("bevy");
        let (workspace, target) = if of_bevy { (here.join("bevy"), "bevy") } else { (here.to_owned(), "loaders") };
        let target = crate::project::workspace().join(target);
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--quiet", "--package", loader]).current_dir(workspace);
        cargo.env("CARGO_TARGET_DIR", &target);
        cargo.env("RRES_BENCH_ASSETS", set.folder()).env("BEVY_ASSET_PATH", set.folder());
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        run(&mut cargo)?;
        let program = target.join("release").join(loader).with_extension(std::env::consts::EXE_EXTENSION);
        programs.insert(*loader, program);
    }
    Ok(programs)
}

/// Runs every way in turn, round by round. The first way is what the others are compared with.
///
/// # Errors
/// If a loader fails, or if a way's images differ from those of the first way.
pub fn compare(options: &Options, set: &Set, ways: &[Way], threads: usize) -> Result<Vec<Loaded>, Error> {
    let mut loaders: Vec<&str> = ways.iter().map(|way| way.loader).collect();
    loaders.sort_unstable();
    loaders.dedup();
    let programs = compile(&loaders, set)?;
    let start = |way: &Way, check: bool| {
        let mut command = Command::new(&programs[way.loader]);
        command.arg(&way.store).arg(&set.list).args(["--threads", &threads.to_string()]);
        let used = run(command.args(check.then_some("--check")))?;
        let (figures, sums) = used.stdout.split_once('\n').ok_or("a loader printed nothing")?;
        let [cpu, decoded, peak] = figures.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!("a loader printed {figures}").into());
        };
        let run = Run {
            cpu: cpu.parse::<f64>()? / 1e9,
            process: used.wall,
            process_cpu: used.cpu,
            peak: peak.parse()?,
            decoded: decoded.parse()?,
        };
        Ok::<_, Error>((run, sums.to_owned()))
    };
    let mut cold = Vec::new();
    for way in ways {
        forget_pages(&way.store)?;
        cold.push(start(way, false)?.0.cpu);
    }
    let (_, expected) = start(&ways[0], true)?;
    for way in ways {
        if start(way, true)?.1 != expected {
            return Err(format!("{}: other pixels than {}", way.label, ways[0].label).into());
        }
    }
    let mut runs: Vec<Vec<Run>> = ways.iter().map(|_| Vec::new()).collect();
    for _ in 0..options.rounds.unwrap_or(options.choose(21, 2)) {
        for (way, runs) in ways.iter().zip(&mut runs) {
            runs.push(start(way, false)?.0);
        }
    }
    let times =
        |figure: fn(&Run) -> f64| Times::of(runs.iter().map(|runs| runs.iter().map(figure).collect()).collect());
    let (cpu, process, process_cpu) = (times(|run| run.cpu), times(|run| run.process), times(|run| run.process_cpu));
    let loaded = |(way, runs): (usize, &Vec<Run>)| Loaded {
        cpu: cpu.median(way),
        faster: cpu.ratio(0, way),
        process: process.median(way),
        faster_process: process.ratio(0, way),
        process_cpu: process_cpu.median(way),
        faster_process_cpu: process_cpu.ratio(0, way),
        cold: cold[way],
        peak: runs.iter().map(|run| run.peak).max().unwrap_or_default(),
        decoded: runs[0].decoded,
    };
    Ok(runs.iter().enumerate().map(loaded).collect())
}

/// One run of a loader.
struct Run {
    cpu: f64,
    process: f64,
    process_cpu: f64,
    peak: u64,
    decoded: u64,
}

/// Asks the system to forget the pages of a file, so that the next process reads it as after a start of the machine.
fn forget_pages(store: &Path) -> Result<(), Error> {
    if store.is_file() {
        let file = File::open(store)?;
        file.sync_all()?;
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
    }
    Ok(())
}
