//! Exit codes, which scripts rely on, and the failures that lead to them.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// The part of `--help` that documents the codes.
pub(crate) const HELP: &str = "\
Exit codes:
  0  success
  1  faults found: a damaged pack or cache, a file that is not a pack, a failed build, a lock file that is out of date,
     a patch for another pack; with diff --exit-code, packs that differ
  2  usage error: invalid arguments, a file or resource that does not exist or cannot be read
     or written";

/// The result of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing is wrong.
    Success,
    /// The command has printed what is wrong with a pack, its assets or the cache.
    Faults,
}

impl Outcome {
    /// Returns [`Self::Success`] if `success`, else [`Self::Faults`].
    pub(crate) fn of(success: bool) -> Self {
        if success { Self::Success } else { Self::Faults }
    }

    pub(crate) fn code(self) -> ExitCode {
        match self {
            Self::Success => ExitCode::SUCCESS,
            Self::Faults => ExitCode::from(1),
        }
    }
}

/// The reason why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A pack, an asset or the cache is faulty.
    Fault(String),
    /// The arguments are invalid, or name something that does not exist or cannot be read or written.
    Usage(String),
}

impl Failure {
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Fault(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(text) | Self::Usage(text) => f.write_str(text),
        }
    }
}

/// Only for errors of writing to standard output. Code that uses other files names them in a [`Failure`] of its own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Usage(format!("cannot write to standard output: {error}"))
    }
}

impl From<rres_packs::Error> for Failure {
    fn from(error: rres_packs::Error) -> Self {
        match error {
            rres_packs::Error::Fault(text) => Self::Fault(text),
            rres_packs::Error::Unavailable(text) => Self::Usage(text),
        }
    }
}
