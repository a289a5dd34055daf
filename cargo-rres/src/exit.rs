//! Exit codes, which scripts rely on, and the failures that lead to them.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// The part of `--help` that documents the codes.
pub(crate) const HELP: &str = "\
Exit codes:
  0  everything is all right
  1  a pack, an asset or the cache is wrong: damaged, not rres, cannot be built; a lock is out of step
  2  the call is wrong: bad arguments, no such file or resource, output that cannot be written";

/// How a command that ran to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to complain about.
    Fine,
    /// Problems of the pack or its assets were printed.
    Problems,
}

impl Outcome {
    pub(crate) fn code(self) -> ExitCode {
        match self {
            Self::Fine => ExitCode::SUCCESS,
            Self::Problems => ExitCode::from(1),
        }
    }
}

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A pack or an asset is wrong.
    Pack(String),
    /// The call is wrong.
    Call(String),
    /// Nobody reads our output any more.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Pack(_) => ExitCode::from(1),
            Self::Call(_) => ExitCode::from(2),
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pack(text) | Self::Call(text) => f.write_str(text),
            Self::ClosedPipe => f.write_str("the output was closed"),
        }
    }
}

/// Only writing to standard output goes through `?` as it is; other I/O errors name their file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Call(format!("cannot write to standard output: {error}")),
        }
    }
}
