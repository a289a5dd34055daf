//! Compares rres with its peers and with the best that the machine can do, both in one run.
//!
//! There is one module per goal of `docs/performance.md`. Each prints ratios instead of times, because times drift on a
//! shared machine.

mod archives;
mod bevy;
mod compressed;
mod constants;
mod figure;
mod folders;
mod frontier;
mod import;
mod inputs;
mod level;
mod levels;
mod live;
mod loaders;
mod lookup;
mod map;
mod measure;
mod modes;
mod open;
mod pictures;
mod plain;
mod project;
mod rebuild;
mod scale;
mod sealed;
mod sets;
mod small;
mod warm;
mod weight;

use std::path::PathBuf;
use std::process::ExitCode;

/// Counts allocations, for the goal that allows none. It is behind a feature because counting takes time.
#[cfg(feature = "count-allocations")]
#[global_allocator]
static ALLOCATOR: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

/// The reason why a benchmark ended early. It is printed, and the next benchmark runs.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// How to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Use small inputs and few rounds, to show that everything works. The figures mean nothing then.
    pub quick: bool,
    /// Directories of real PNG files, and how many of each to choose.
    pub pngs: Vec<(PathBuf, usize)>,
    /// Directories of real files.
    pub folders: Vec<PathBuf>,
    /// Where `p5` or `folders` draws its figures.
    pub plot: Option<PathBuf>,
    /// Where the files and packs that loaders load are kept.
    pub keep: Option<PathBuf>,
    /// The most sources of `scale`.
    pub sources: Option<usize>,
    /// How often each loader or build runs, unless as often as its command does by itself.
    pub rounds: Option<usize>,
}

impl Options {
    /// Returns `full` for full runs and `quick` for quick ones.
    pub fn choose<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

type Bench = fn(&Options) -> Result<(), Error>;

const GOALS: &[(&str, &str, Bench)] = &[
    ("p1", "open a pack of 65,535 chunks", open::run),
    ("p2", "look up by constant, id, path", lookup::run),
    ("p3", "load plain images", plain::run),
    ("p4", "load compressed images", compressed::run),
    ("p5", "P5, P6: real PNGs by every way of loading (--pngs DIR[=COUNT]…, --plot FILE.svg)", pictures::run),
    ("bevy", "real PNGs in Bevy: its own ways of loading, and packs (--pngs DIR[=COUNT]…)", bevy::run),
    ("folders", "load folders (--folder DIR…, --plot FILE.svg)", folders::run),
    ("small", "10,000 small assets from a pack and from loose files", small::run),
    ("p7", "a level of real files as a group, from the start of the process (--folder DIR…)", level::run),
    ("p8", "load encrypted assets", sealed::run),
    ("p9", "cargo build with nothing changed, 10,000 assets", rebuild::no_op),
    ("p10", "cargo build with one of 10,000 assets changed", rebuild::touch_one),
    ("p11", "an edit in a running game, 100 and 10,000 assets", live::run),
    ("modes", "cargo build after edits, watching and in lock mode", modes::run),
    ("p12", "cold import on two threads", import::run),
    ("p13", "second output directory, warm cache", warm::second_profile),
    ("p14", "release pack from a warm cache", warm::pack),
    ("p15", "rustc per generated constant", constants::run),
    ("scale", "debug builds of 1,000 to 1,000,000 sources (--sources MOST, --plot FILE.svg)", scale::curves),
    ("levels", "import in a build script at opt-level 0 and 3", levels::run),
    ("p16", "crates and compile time of rres-runtime", weight::run),
    ("p16-size", "what rres-runtime adds to a program", weight::sizes),
];

fn usage() -> ExitCode {
    eprintln!(
        "usage: rres-bench [--quick] [--pngs DIR[=COUNT]]… [--folder DIR]… [--plot FILE] [--keep DIR] [--rounds N] [--sources N] GOAL… | all\n\ngoals:"
    );
    GOALS.iter().for_each(|(id, what, _)| eprintln!("  {id:8} {what}"));
    ExitCode::from(2)
}

fn main() -> ExitCode {
    let mut options = Options {
        quick: false,
        pngs: Vec::new(),
        folders: Vec::new(),
        plot: None,
        keep: None,
        sources: None,
        rounds: None,
    };
    let mut chosen = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--pngs" => match arguments.next() {
                Some(value) => match value.rsplit_once('=').map(|(dir, count)| (dir.into(), count.parse())) {
                    Some((dir, Ok(count))) => options.pngs.push((dir, count)),
                    Some(_) => return usage(),
                    None => options.pngs.push((value.into(), 200)),
                },
                None => return usage(),
            },
            "--folder" => match arguments.next() {
                Some(dir) => options.folders.push(dir.into()),
                None => return usage(),
            },
            "--plot" => match arguments.next() {
                Some(file) => options.plot = Some(file.into()),
                None => return usage(),
            },
            "--keep" => match arguments.next() {
                Some(dir) => options.keep = Some(dir.into()),
                None => return usage(),
            },
            "--sources" => match arguments.next().map(|count| count.parse()) {
                Some(Ok(count)) => options.sources = Some(count),
                _ => return usage(),
            },
            "--rounds" => match arguments.next().map(|count| count.parse()) {
                Some(Ok(count)) if count > 0 => options.rounds = Some(count),
                _ => return usage(),
            },
            "all" => chosen.extend(GOALS),
            // `scale` starts this as a build script.
            scale::SCRIPT => {
                let rest: Vec<String> = arguments.collect();
                return report(scale::SCRIPT, scale::script(&rest));
            }
            // `p12` starts this to measure the memory of an import.
            import::WORKER => {
                let rest: Vec<String> = arguments.collect();
                return report(import::WORKER, import::worker(&rest));
            }
            id => match GOALS.iter().find(|(known, ..)| *known == id) {
                Some(goal) => chosen.push(goal),
                None => return usage(),
            },
        }
    }
    if chosen.is_empty() {
        return usage();
    }
    let codes: Vec<ExitCode> = chosen.iter().map(|(id, _, bench)| report(id, bench(&options))).collect();
    codes.into_iter().find(|code| *code != ExitCode::SUCCESS).unwrap_or(ExitCode::SUCCESS)
}

fn report(id: &str, result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{id}: {error}");
            ExitCode::FAILURE
        }
    }
}
