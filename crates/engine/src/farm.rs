//! Machines that import for a build, as the engine sees them: an interface, and what a build has had from it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Machines that import for a build, besides this one. [`Build::farm`](crate::Build::farm) has a build use them; the crate `rres-remote-cache` has
/// those that speak the Remote Execution API.
///
/// A build checks the key and the checksums of what it gets. Whether a machine has told the truth it cannot check: an implementation must only use
/// machines that it trusts.
pub trait Farm: fmt::Debug + Send + Sync {
    /// Returns the place, as messages name it: without passwords and tokens.
    fn place(&self) -> String;

    /// Runs jobs, several at once, and passes the blobs of each, or why it has failed, to `take`, in any order, until `is_over` returns true: this machine
    /// was faster with the rest. `is_over` is asked several times a second.
    ///
    /// # Errors
    /// If the machines cannot be reached, refuse, or take too long. What has been passed to `take` before is whole.
    fn import(
        &self,
        jobs: &[FarmJob],
        is_over: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(io::Result<Vec<Vec<u8>>>),
    ) -> io::Result<()>;
}

/// Some sources to import on another machine.
///
/// There the same version of the command runs `cargo rres cache fill --record RECORD` in a directory with `files`, and its blobs are the
/// files below `blobs` in the import cache.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FarmJob {
    /// The record of the build: the contents of the file [`FarmJob::RECORD`].
    pub record: String,
    /// The path of each file in the directory of the job, with `/` between names, and the file of this machine.
    pub files: Vec<(String, PathBuf)>,
    /// The bytes of the sources.
    pub size: u64,
}

impl FarmJob {
    /// The name of the file with the record.
    pub const RECORD: &str = "build.options.toml";

    /// The directory of the sources.
    pub(crate) const ASSETS: &str = "assets";

    pub(crate) fn new(record: String) -> Self {
        Self { record, files: Vec::new(), size: 0 }
    }
}

/// What a build has had from a farm. Displayed as a line.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FarmUse {
    /// The place of the farm.
    pub place: String,
    /// The number of different sources that machines could import.
    pub wanted: usize,
    /// How many of them the farm has imported before this machine did.
    pub imported: usize,
    /// How many results could not be used: damaged ones, and those of another version of the command.
    pub unusable: usize,
    /// How long the farm has worked.
    pub elapsed: Duration,
    /// How many jobs have failed there.
    pub failed_jobs: usize,
    /// Why the farm was not used further, or else why the first job has failed; `None` if all went well.
    pub fault: Option<String>,
}

impl fmt::Display for FarmUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, wanted, imported, unusable, elapsed, failed_jobs, fault } = self;
        write!(f, "farm {place}: {imported} of {wanted} sources imported there")?;
        if *unusable > 0 {
            write!(f, ", {unusable} results could not be used")?;
        }
        write!(f, ", {:.1} s", elapsed.as_secs_f64())?;
        match (fault, failed_jobs) {
            (None, _) => Ok(()),
            (Some(fault), 0) => write!(f, "; it was not used further: {fault}"),
            (Some(fault), failed) => write!(f, "; {failed} jobs failed there, the first because {fault}"),
        }
    }
}

/// A farm, and what a build has had from it.
#[derive(Clone, Debug)]
pub(crate) struct FarmLayer {
    pub(crate) farm: Arc<dyn Farm>,
    used: Arc<Mutex<FarmUse>>,
}

impl FarmLayer {
    pub(crate) fn new(farm: Arc<dyn Farm>) -> Self {
        let used = FarmUse { place: farm.place(), ..FarmUse::default() };
        Self { farm, used: Arc::new(Mutex::new(used)) }
    }

    /// What the build has had from it; `None` if it did not need it.
    pub(crate) fn used(&self) -> Option<FarmUse> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (used.wanted > 0).then_some(used)
    }

    pub(crate) fn note(&self, change: impl FnOnce(&mut FarmUse)) {
        change(&mut self.used.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
