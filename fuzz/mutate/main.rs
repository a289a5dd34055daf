//! Damages packs, patches and blobs in many ways, and looks whether anything is read as something else without an error.
//!
//! `cargo run --release --manifest-path fuzz/Cargo.toml --bin mutate -- --count 250000` prints a table, and ends with 1 if there is
//! a silent misread, or a list that is another one without a warning, in anything but packs of the C library, whose chunk headers have no checksum. The same seed makes the same
//! mutations on every machine; `--only KIND --number N` shows one of them.

mod cases;
mod look;
mod mutation;
mod sources;
mod tally;

use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use cases::Case;
use mutation::Random;
use tally::{Outcome, Tally};

/// What the command line asks for.
struct Options {
    count: u64,
    seed: u64,
    threads: usize,
    only: Option<String>,
    number: Option<u64>,
}

fn options() -> Result<Options, String> {
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let mut options = Options { count: 250_000, seed: 1, threads, only: None, number: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|e| format!("{name} {value}: {e}"));
        match name.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()?,
            "--threads" => options.threads = number()?.max(1) as usize,
            "--only" => options.only = Some(value),
            "--number" => options.number = Some(number()?),
            _ => return Err(format!("{name}: expected --count, --seed, --threads, --only or --number")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("mutate: {error}");
            return ExitCode::from(2);
        }
    };
    let mut cases = cases::all();
    if let Some(only) = &options.only {
        cases.retain(|case| case.name == only);
    }
    if cases.is_empty() {
        eprintln!("mutate: --only: no such kind of file");
        return ExitCode::from(2);
    }
    if let Some(number) = options.number {
        let (what, bytes) = mutated(&cases[0], options.seed, number);
        println!("{}: {what}: {:?}", cases[0].name, cases[0].outcome(bytes));
        return ExitCode::SUCCESS;
    }
    // Panics are counted.
    panic::set_hook(Box::new(|_| {}));
    let started = Instant::now();
    let weights: u64 = cases.iter().map(|case| case.weight).sum();
    let mut tallies: Vec<Tally> = Vec::new();
    for case in &cases {
        let count = (options.count * case.weight).div_ceil(weights);
        let tally = run(case, &options, count);
        eprintln!("{}: {count} in all after {:.0} s", case.name, started.elapsed().as_secs_f32());
        tallies.push(tally);
    }
    println!("{}", tally::HEAD);
    for (case, tally) in cases.iter().zip(&tallies) {
        println!("{}", tally.row(case.name));
    }
    let mut all = Tally::default();
    tallies.iter().for_each(|tally| all.add(tally));
    println!("{}", all.row("all"));
    // In C packs they are expected.
    for (case, tally) in cases.iter().zip(&tallies).filter(|(case, _)| !case.is_of_c || options.only.is_some()) {
        tally.shown.iter().for_each(|(number, what)| println!("{} {number}: {what}", case.name));
    }
    let bad = |(case, tally): (&Case, &Tally)| tally.panics > 0 || tally.silent + tally.unlisted > 0 && !case.is_of_c;
    ExitCode::from(u8::from(cases.iter().zip(&tallies).any(bad)))
}

/// Mutates a file `count` times, on all threads.
fn run(case: &Case, options: &Options, count: u64) -> Tally {
    let next = AtomicU64::new(0);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return tally;
            }
            let (what, bytes) = mutated(case, options.seed, number);
            let started = Instant::now();
            let outcome = panic::catch_unwind(panic::AssertUnwindSafe(|| case.outcome(bytes)));
            tally.count(number, what, outcome.unwrap_or(Outcome::Panic), started.elapsed());
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
        let mut all = Tally::default();
        threads.into_iter().for_each(|thread| all.add(&thread.join().expect("panics are caught")));
        all
    })
}

/// The mutation with this number: what it is, and the bytes, which differ from the file.
fn mutated(case: &Case, seed: u64, number: u64) -> (String, Vec<u8>) {
    let mut random = Random::new(&[seed, number, case.bytes.len() as u64]);
    loop {
        let mut bytes = case.bytes.clone();
        let what = mutation::apply(&mut bytes, &case.heads, &mut random);
        if bytes != case.bytes {
            return (what, bytes);
        }
    }
}
