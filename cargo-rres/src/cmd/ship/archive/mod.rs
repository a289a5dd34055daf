//! Archives with reproducible bytes: entries in the order given, one time for all, and only the mode bits that matter.

pub(super) mod gzip;
mod tar;
mod zip;

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

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
