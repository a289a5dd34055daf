//! The build manifest: the sources of the last build and their blobs, so that unchanged files are neither read nor
//! hashed again.
//!
//! Each output directory has a manifest. The cache also keeps the latest manifest of each pack name, for output
//! directories that have none yet: of another profile, of rust-analyzer, of another worktree. Stamps may differ there,
//! but equal keys mean equal blobs, so the blobs need not be read to list their resources.
//!
//! A file counts as unchanged if its size, times and inode match the manifest, and the file was old enough when the
//! build began. A file that changes twice within one tick of the file system's clock keeps its times, so the stamp of a
//! file that is as recent as its build is not trusted. Builds of packs for shipping trust no stamps.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::record::{Input, Output};
use crate::key::Key;
use crate::model::{FileStamp, SourceRecord, nanoseconds};
use crate::read_file::read_record;
use crate::temp_file::replace;

const SIGNATURE: [u8; 8] = *b"rresmani";
pub(super) const VERSION: u32 = 10;
const HASH_LEN: usize = 32;

/// At least one clock tick of any file system in use; FAT has a resolution of two seconds.
pub(crate) const CLOCK_TICK: Duration = Duration::from_secs(2);

/// The sources of the last build, sorted by asset path. A table would take more memory and longer to make, and each build reads a manifest anew.
#[derive(Debug, Default)]
pub(crate) struct BuildManifest(Vec<(String, Arc<SourceRecord>)>);

impl BuildManifest {
    /// Reads a manifest; empty if the file does not exist, is damaged, or is of another version.
    pub(crate) fn read(file: &Path) -> Self {
        read_record(file).ok().and_then(|bytes| Self::decode(&bytes)).unwrap_or_default()
    }

    /// The number of sources.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The records of sources without input files, by the keys of their blobs.
    pub(crate) fn blobs(&self) -> HashMap<Key, Arc<SourceRecord>> {
        let alone = self.0.iter().filter(|(_, record)| !record.has_inputs());
        alone.map(|(_, record)| (record.blob_key, Arc::clone(record))).collect()
    }

    /// The hash of the bytes that a source had.
    pub(crate) fn content_hash(&self, path: &str) -> Option<[u8; 32]> {
        self.get(path).map(|record| record.content_hash)
    }

    /// The record of a source that has not changed since.
    pub(crate) fn unchanged(&self, path: &str, stamp: FileStamp) -> Option<&Arc<SourceRecord>> {
        self.get(path).filter(|record| record.stamp == stamp)
    }

    fn get(&self, path: &str) -> Option<&Arc<SourceRecord>> {
        let at = self.0.binary_search_by(|(known, _)| known.as_str().cmp(path)).ok()?;
        Some(&self.0[at].1)
    }

    /// The manifest of a build that began at `began`, in memory. The records are sorted by path.
    pub(crate) fn new<'s>(records: impl Iterator<Item = (&'s str, &'s SourceRecord)>, began: SystemTime) -> Self {
        let trusted = |(path, record): (&str, &SourceRecord)| {
            let record = SourceRecord { stamp: trusted_stamp(record.stamp, began), ..record.clone() };
            (path.to_owned(), Arc::new(record))
        };
        Self(records.map(trusted).collect())
    }

    /// The bytes of the manifest of a build that began at `began`. The records are sorted by path.
    pub(crate) fn encode<'s>(records: impl Iterator<Item = (&'s str, &'s SourceRecord)>, began: SystemTime) -> Vec<u8> {
        // The hash of the rest takes the place of the zeros.
        let mut out = Output::default();
        out.bytes(&[0; HASH_LEN]);
        out.bytes(&SIGNATURE);
        out.number(VERSION);
        for (path, record) in records {
            let stamp = trusted_stamp(record.stamp, began);
            out.text(path);
            for value in [stamp.size, stamp.modified, stamp.changed, stamp.inode] {
                out.bytes(&value.to_le_bytes());
            }
            out.bytes(&record.content_hash);
            out.bytes(&record.source_key.0);
            out.bytes(&record.blob_key.0);
            out.resources(&record.resources);
        }
        let (place, body) = out.0.split_at_mut(HASH_LEN);
        place.copy_from_slice(blake3::hash(body).as_bytes());
        out.0
    }

    /// Writes an encoded manifest into an output directory. If it cannot be written, the next build takes longer.
    pub(crate) fn write(file: &Path, manifest: &[u8]) {
        let _ = replace(file, |out| out.write_all(manifest));
    }

    /// Decodes any bytes as the records of a manifest.
    pub(super) fn fuzz_decode(records: &[u8]) {
        let body = [&SIGNATURE[..], &VERSION.to_le_bytes(), records].concat();
        let _ = Self::decode(&[blake3::hash(&body).as_bytes(), body.as_slice()].concat());
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (hash, body) = bytes.split_first_chunk::<HASH_LEN>()?;
        let mut input = Input(body);
        if blake3::hash(body) != *hash || input.bytes()? != SIGNATURE || input.number()? != VERSION {
            return None;
        }
        let mut records: Vec<(String, Arc<SourceRecord>)> = Vec::new();
        while !input.0.is_empty() {
            let path = input.text()?;
            let [size, modified, changed, inode] =
                [input.bytes()?, input.bytes()?, input.bytes()?, input.bytes()?].map(u64::from_le_bytes);
            let record = SourceRecord {
                stamp: FileStamp { size, modified, changed, inode },
                content_hash: input.bytes()?,
                source_key: Key(input.bytes()?),
                blob_key: Key(input.bytes()?),
                resources: input.resources()?,
            };
            if records.last().is_some_and(|(last, _)| *last >= path) {
                return None;
            }
            records.push((path, Arc::new(record)));
        }
        Some(Self(records))
    }
}

/// The stamp of a file, or the default one if the file was so recent at `began` that a later change might not alter it.
fn trusted_stamp(stamp: FileStamp, began: SystemTime) -> FileStamp {
    let too_young = nanoseconds(began.checked_sub(CLOCK_TICK).unwrap_or(UNIX_EPOCH));
    if stamp.modified.max(stamp.changed) >= too_young { FileStamp::default() } else { stamp }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn record(modified: u64) -> SourceRecord {
        let stamp = FileStamp { size: 1, modified, changed: 3, inode: 4 };
        SourceRecord {
            stamp,
            content_hash: [5; 32],
            source_key: Key([6; 32]),
            blob_key: Key([7; 32]),
            resources: Vec::new(),
        }
    }

    #[test]
    fn a_manifest_reads_back_and_matches_unchanged_files_only() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("manifest");
        let (old, young) = (record(2), record(nanoseconds(SystemTime::now())));
        let records = [("old.txt", &old), ("young.txt", &young)];
        BuildManifest::write(&file, &BuildManifest::encode(records.into_iter(), SystemTime::now()));
        let manifest = BuildManifest::read(&file);
        assert_eq!(manifest.unchanged("old.txt", old.stamp), Some(&Arc::new(old.clone())));
        assert_eq!(manifest.unchanged("old.txt", FileStamp { inode: 9, ..old.stamp }), None);
        assert_eq!(manifest.unchanged("young.txt", young.stamp), None, "it may change again within the clock's tick");
    }

    #[test]
    fn a_manifest_whose_paths_are_not_sorted_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("manifest");
        let old = record(2);
        for (paths, count) in [(["a", "b"], 2), (["b", "a"], 0), (["a", "a"], 0)] {
            let records = paths.map(|path| (path, &old)).into_iter();
            fs::write(&file, BuildManifest::encode(records, SystemTime::now())).unwrap();
            assert_eq!(BuildManifest::read(&file).len(), count, "{paths:?}");
        }
    }

    #[test]
    fn a_damaged_manifest_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("manifest");
        let old = record(2);
        let good = BuildManifest::encode([("old.txt", &old)].into_iter(), SystemTime::now());
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&file, &bad).unwrap();
            assert_eq!(BuildManifest::read(&file).len(), 0, "flipped {at}");
            fs::write(&file, &good[..at]).unwrap();
            assert_eq!(BuildManifest::read(&file).len(), 0, "truncated to {at}");
        }
    }
}
