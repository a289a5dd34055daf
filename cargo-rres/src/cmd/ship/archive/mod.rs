//! Archives with reproducible bytes: entries in the order given, one time for all, and only the mode bits that matter.

pub(super) mod gzip;
mod tar;
mod zip;

use std::env;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// 1980-01-01 00:00:00 UTC in Unix time, the earliest time that a ZIP file can contain.
const EARLIEST: u64 = 315_532_800;

/// The latest time that a ZIP file can contain, 2107-12-31 23:59:58 UTC.
const LATEST: u64 = 4_354_819_198;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What every desktop opens with a double click.
    Zip,
    /// Compressed with gzip and not with zstd: every `tar` unpacks it, and packs are compressed already.
    Tar,
}

impl Kind {
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Tar => "tar.gz",
        }
    }
}

/// A file of an archive.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its path in the archive, `/`-separated.
    pub(super) name: String,
    /// The file with its contents.
    pub(super) file: PathBuf,
    /// Whether it is a program, which must stay executable.
    pub(super) is_executable: bool,
}

impl Entry {
    /// Returns the permissions: read and execute for everyone, write for the owner.
    const fn mode(&self) -> u32 {
        if self.is_executable { 0o755 } else { 0o644 }
    }
}

/// Writes an archive of these files. `time` is the time of every file in it, in Unix time.
pub(super) fn write(kind: Kind, file: &Path, entries: &[Entry], time: u64) -> io::Result<()> {
    let out = File::create_new(file)?;
    match kind {
        Kind::Zip => zip::write(out, entries, time),
        Kind::Tar => gzip::write(BufWriter::new(out), |out| tar::write(out, entries, time)),
    }
}

/// Returns the time of the files in archives: the variable `SOURCE_DATE_EPOCH`, or else 1980-01-01.
pub(super) fn time() -> Result<u64, Failure> {
    let Some(value) = env::var_os("SOURCE_DATE_EPOCH").filter(|value| !value.is_empty()) else { return Ok(EARLIEST) };
    let seconds = value.to_str().and_then(|text| text.parse::<u64>().ok());
    let invalid = || {
        let found = value.display();
        Failure::Usage(format!("the variable SOURCE_DATE_EPOCH is {found}, expected a number of seconds since 1970"))
    };
    Ok(seconds.ok_or_else(invalid)?.clamp(EARLIEST, LATEST))
}
