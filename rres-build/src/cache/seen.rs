//! What the last build of an output directory saw: so that an unchanged file is neither read nor hashed again.
//!
//! Each output directory has such a record, and the cache has the latest of each name, for output directories that have
//! none yet: those of another profile, of rust-analyzer, of another worktree. There stamps may differ, but what a key
//! became is what it became everywhere, and need not be read from the blob again.
//!
//! A file counts as unchanged where its size, times and inode are those of the record, and were old enough when the
//! build began: a file that changes twice within the tick of a file system's clock keeps its times, so a record of
//! a file as young as its build is not trusted. Builds that are shipped trust no record at all.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::record::{Input, Output};
use super::write::replace;
use super::{Key, PartInfo};

const SIGNATURE: [u8; 8] = *b"rresseen";
const VERSION: u32 = 2;

/// Coarser than the clock of any file system in use; FAT counts in two seconds.
const CLOCK_TICK: Duration = Duration::from_secs(2);

/// What tells that a file has not changed. The default is that of no file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    size: u64,
    modified: u64,
    /// When contents or attributes changed last, and which file it is: caught where a file is replaced by an older one.
    changed: u64,
    inode: u64,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, nanoseconds);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let changed = metadata.ctime().cast_unsigned() * 1_000_000_000 + metadata.ctime_nsec().cast_unsigned();
            Self { size: metadata.len(), modified, changed, inode: metadata.ino() }
        }
        #[cfg(not(unix))]
        Self { size: metadata.len(), modified, changed: metadata.created().map_or(0, nanoseconds), inode: 0 }
    }
}

impl Stamp {
    /// The stamp, or one that no file has where it is from `young` on.
    fn unless_from(self, young: u64) -> Self {
        if self.modified.max(self.changed) >= young { Self::default() } else { self }
    }
}

fn nanoseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// From when on a file is too young at `began` for a later change to show in its stamp.
fn young_from(began: SystemTime) -> u64 {
    nanoseconds(began.checked_sub(CLOCK_TICK).unwrap_or(UNIX_EPOCH))
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    pub(crate) stamp: Stamp,
    /// Hash of the file's bytes.
    pub(crate) hash: [u8; 32],
    /// The key of the source, and of the blob it became: the same unless files beside it were read.
    pub(crate) own_key: Key,
    pub(crate) blob: Key,
    pub(crate) parts: Vec<PartInfo>,
}

/// What the last build saw, by asset path.
#[derive(Debug, Default)]
pub(crate) struct Seen(HashMap<String, Sight>);

impl Seen {
    /// The record in `file`; empty where it is not there, damaged, or of another version.
    pub(crate) fn read(file: &Path) -> Self {
        fs::read(file).ok().and_then(|bytes| Self::decode(&bytes)).unwrap_or_default()
    }

    /// How many files it knows.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// What sources became that read no other file, by key.
    pub(crate) fn blobs(&self) -> HashMap<Key, Vec<PartInfo>> {
        let alone = self.0.values().filter(|sight| sight.own_key == sight.blob);
        alone.map(|sight| (sight.blob, sight.parts.clone())).collect()
    }

    /// The hash of the bytes that a file had.
    pub(crate) fn hash(&self, path: &str) -> Option<[u8; 32]> {
        self.0.get(path).map(|sight| sight.hash)
    }

    /// What was seen of a file that has not changed since.
    pub(crate) fn unchanged(&self, path: &str, stamp: Stamp) -> Option<&Sight> {
        self.0.get(path).filter(|sight| sight.stamp == stamp)
    }

    /// A record of what was seen from `began` on, to be kept in memory.
    pub(crate) fn new<'s>(sights: impl Iterator<Item = (&'s str, &'s Sight)>, began: SystemTime) -> Self {
        let young = young_from(began);
        Self(
            sights
                .map(|(path, sight)| {
                    (path.to_owned(), Sight { stamp: sight.stamp.unless_from(young), ..sight.clone() })
                })
                .collect(),
        )
    }

    /// The record of what was seen from `began` on, as [`Self::write`] and [`super::Cache::write_seen`] keep it.
    pub(crate) fn encode<'s>(sights: impl Iterator<Item = (&'s str, &'s Sight)>, began: SystemTime) -> Vec<u8> {
        let young = young_from(began);
        let mut out = Output::default();
        out.bytes(&SIGNATURE);
        out.number(VERSION);
        for (path, sight) in sights {
            let stamp = sight.stamp.unless_from(young);
            out.text(path);
            for value in [stamp.size, stamp.modified, stamp.changed, stamp.inode] {
                out.bytes(&value.to_le_bytes());
            }
            out.bytes(&sight.hash);
            out.bytes(&sight.own_key.0);
            out.bytes(&sight.blob.0);
            out.parts(&sight.parts);
        }
        [blake3::hash(&out.0).as_bytes(), out.0.as_slice()].concat()
    }

    /// Writes a record into an output directory. One that cannot be written costs time in the next build, nothing else.
    pub(crate) fn write(file: &Path, record: &[u8]) {
        let _ = replace(file, |out| out.write_all(record));
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (hash, body) = bytes.split_first_chunk::<32>()?;
        let mut input = Input(body);
        if blake3::hash(body) != *hash || input.bytes()? != SIGNATURE || input.number()? != VERSION {
            return None;
        }
        let mut seen = HashMap::new();
        while !input.0.is_empty() {
            let path = input.text()?;
            let [size, modified, changed, inode] =
                [input.bytes()?, input.bytes()?, input.bytes()?, input.bytes()?].map(u64::from_le_bytes);
            let sight = Sight {
                stamp: Stamp { size, modified, changed, inode },
                hash: input.bytes()?,
                own_key: Key(input.bytes()?),
                blob: Key(input.bytes()?),
                parts: input.parts()?,
            };
            seen.insert(path, sight);
        }
        Some(Self(seen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(modified: u64) -> Sight {
        let stamp = Stamp { size: 1, modified, changed: 3, inode: 4 };
        Sight { stamp, hash: [5; 32], own_key: Key([6; 32]), blob: Key([7; 32]), parts: Vec::new() }
    }

    #[test]
    fn a_record_reads_back_and_knows_unchanged_files_only() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("seen");
        let (old, young) = (sight(2), sight(nanoseconds(SystemTime::now())));
        Seen::write(&file, &Seen::encode([("old.txt", &old), ("young.txt", &young)].into_iter(), SystemTime::now()));
        let seen = Seen::read(&file);
        assert_eq!(seen.unchanged("old.txt", old.stamp), Some(&old));
        assert_eq!(seen.unchanged("old.txt", Stamp { inode: 9, ..old.stamp }), None);
        assert_eq!(seen.unchanged("young.txt", young.stamp), None, "it may change again within the clock's tick");
    }

    #[test]
    fn damage_empties_the_record() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("seen");
        let old = sight(2);
        Seen::write(&file, &Seen::encode([("old.txt", &old)].into_iter(), SystemTime::now()));
        let good = fs::read(&file).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&file, &bad).unwrap();
            assert!(Seen::read(&file).0.is_empty(), "flipped {at}");
            fs::write(&file, &good[..at]).unwrap();
            assert!(Seen::read(&file).0.is_empty(), "cut to {at}");
        }
    }
}
