//! Measures several ways of doing the same work. They run in turn, round by round, and ratios are taken within a round:
//! if the machine becomes slower meanwhile, it slows both sides.

use std::fmt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use wait4::Wait4;

use crate::Error;

/// The kind of time to measure.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// CPU time of all threads of this process, which other processes on the machine hardly influence.
    Cpu,
    /// Elapsed time, for work on several threads.
    Wall,
}

/// Times in seconds, by way and round.
#[derive(Debug)]
pub struct Times(Vec<Vec<f64>>);

impl Times {
    /// Runs every way once to warm up, then `rounds` times in turn, and returns the times.
    pub fn take(clock: Clock, rounds: usize, ways: &mut [&mut dyn FnMut()]) -> Self {
        ways.iter_mut().for_each(|way| way());
        let mut times = vec![Vec::with_capacity(rounds); ways.len()];
        for _ in 0..rounds {
            for (way, times) in ways.iter_mut().zip(&mut times) {
                times.push(time(clock, way));
            }
        }
        Self(times)
    }

    /// Returns times that were measured elsewhere.
    pub fn of(times: Vec<Vec<f64>>) -> Self {
        Self(times)
    }

    /// Returns the median of one way, in seconds.
    pub fn median(&self, way: usize) -> f64 {
        median(self.0[way].clone())
    }

    /// Returns the median over the rounds of one way's time as a multiple of another's.
    pub fn ratio(&self, way: usize, to: usize) -> f64 {
        median(self.0[way].iter().zip(&self.0[to]).map(|(way, to)| way / to).collect())
    }
}

/// Returns the time of one run in seconds.
pub fn time(clock: Clock, work: &mut dyn FnMut()) -> f64 {
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    work();
    match clock {
        Clock::Cpu => cpu.elapsed().as_secs_f64(),
        Clock::Wall => wall.elapsed().as_secs_f64(),
    }
}

/// Returns the median of some figures: of an even number the mean of the two in the middle.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match figures.len() {
        0 => f64::NAN,
        len if len % 2 == 1 => figures[middle],
        _ => f64::midpoint(figures[middle - 1], figures[middle]),
    }
}

/// The time and memory of a child process and its own children.
#[derive(Clone, Debug)]
pub struct Usage {
    /// Elapsed time in seconds.
    pub wall: f64,
    /// CPU time in seconds.
    pub cpu: f64,
    /// Peak memory of the largest single process, in bytes.
    pub peak: u64,
    /// Its standard output.
    pub stdout: String,
}

/// Runs a command to its end.
///
/// # Errors
/// If it cannot be run or fails. The message contains its standard error.
pub fn run(command: &mut Command) -> Result<Usage, Error> {
    // The output goes to files: reading two pipes at once would need threads, whose time would be counted.
    let (mut stdout, stderr) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
    command.stdin(Stdio::null()).stdout(stdout.as_file().try_clone()?).stderr(stderr.as_file().try_clone()?);
    let started = Instant::now();
    let used = command.spawn().map_err(|e| format!("cannot run {command:?}: {e}"))?.wait4()?;
    let wall = started.elapsed().as_secs_f64();
    if !used.status.success() {
        let said = std::fs::read_to_string(stderr.path())?;
        return Err(format!("{command:?} failed with {}:\n{said}", used.status).into());
    }
    stdout.as_file_mut().sync_all()?;
    Ok(Usage {
        wall,
        cpu: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        peak: used.rusage.maxrss,
        stdout: std::fs::read_to_string(stdout.path())?,
    })
}

/// Seconds, displayed for people: `12 ns`, `3.4 µs`, `18 ms`, `2.1 s`.
#[derive(Clone, Copy, Debug)]
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3?}", Duration::from_secs_f64(self.0.max(0.0)))
    }
}

/// Bytes, displayed as megabytes.
#[derive(Clone, Copy, Debug)]
pub struct Megabytes(pub u64);

impl fmt::Display for Megabytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} MB", self.0 as f64 / 1e6)
    }
}
