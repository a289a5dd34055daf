//! Jobs, and what becomes of them.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A command with its inputs, which runs in a directory that has these and nothing else.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program and its arguments. A program among the inputs is named with a `/`, such as `./tool`.
    pub arguments: Vec<String>,
    /// The variables of its environment. It has no others.
    pub environment: Vec<(String, String)>,
    /// The files that it reads.
    pub inputs: Vec<Input>,
    /// The directory that it writes, relative to the one in which it runs. It exists and is empty when the job starts.
    pub output_directory: String,
    /// How long it may run.
    pub timeout: Duration,
}

/// A file that a job reads.
#[derive(Clone, Debug)]
pub struct Input {
    /// The path for the job: relative, with `/` between names.
    pub path: String,
    /// What is in it.
    pub contents: Contents,
    /// Whether it is a program.
    pub is_executable: bool,
}

/// The contents of a file that a job reads.
#[derive(Clone, Debug)]
pub enum Contents {
    /// Those of a file of this machine. Jobs of a run that have the same file hash and upload it once.
    File(PathBuf),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// The files that a job has written: paths relative to its output directory, and their bytes.
pub type Outputs = Vec<(String, Vec<u8>)>;

/// A job that has ended with an exit code that is not 0.
///
/// It is the inner error of the [`std::io::Error`] that a farm returns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobFailed {
    /// The exit code.
    pub exit_code: i32,
    /// The last lines of what the job has written to its standard error.
    pub stderr: String,
}

impl JobFailed {
    pub(crate) fn new(exit_code: i32, stderr: &[u8]) -> Self {
        const LINES: usize = 20;
        const BYTES: usize = 4 << 10;
        let text = String::from_utf8_lossy(&stderr[stderr.len().saturating_sub(BYTES)..]);
        let lines: Vec<&str> = text.trim_end().lines().collect();
        Self { exit_code, stderr: lines[lines.len().saturating_sub(LINES)..].join("\n") }
    }
}

impl fmt::Display for JobFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the job has ended with exit code {}, expected 0", self.exit_code)?;
        if self.stderr.is_empty() { Ok(()) } else { write!(f, ": {}", self.stderr) }
    }
}

impl std::error::Error for JobFailed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let text: String = (0..1000).map(|line| format!("line {line}\n")).collect();
        let failed = JobFailed::new(3, text.as_bytes());
        assert!(failed.stderr.starts_with("line 980\n") && failed.stderr.ends_with("line 999"), "{failed}");
        assert_eq!(JobFailed::new(1, b"\xff no text").stderr, "\u{fffd} no text");
        assert_eq!(JobFailed::new(1, b"").to_string(), "the job has ended with exit code 1, expected 0");
    }
}
