//! The state of a serving script between two updates, and the update itself.
//!
//! An update preserves as much as possible: a broken asset keeps its last good version, and so does everything that
//! this version depends on. The dev index for clients is a separate file from the one that the constants were generated
//! with. As long as both contain the same set, the latter is updated too, so that a restart without Cargo shows the
//! newest contents.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rres_format::PackView;

use super::LockState;
use super::response::UpdateResponse;
use crate::cache::BuildManifest;
use crate::context::{BuildContext, OutputFiles};
use crate::diagnostic::Diagnostic;
use crate::key::Key;
use crate::lock_file::{self, LockFile};
use crate::model::{ImportedAsset, Resolved};
use crate::pack::dev_index;
use crate::pipeline::{Imported, Known, missing_directory};
use crate::read_file::{read_file, read_record};
use crate::session::{LastGood, LockReading, Policy, Session};
use crate::temp_file::{replace, write_if_changed};
use crate::timed_out::TimedOut;

pub(super) struct Server<'c> {
    context: &'c BuildContext,
    files: OutputFiles,
    /// The records of sources that have not changed.
    manifest: BuildManifest,
    /// Sources that are not tried again until they or their settings change.
    timed_out: TimedOut,
    /// Whether threads of stopped imports are running.
    has_left_threads: bool,
    /// The input files of the last update; `None` before the first one.
    inputs: Option<InputTexts>,
    /// Every id that has been in the lock file, so that a path that disappears for a moment keeps it.
    known_ids: LockFile,
    /// Whether everything in the manifest is published and nothing is wrong.
    is_settled: bool,
    published: Published,
    /// The result of the last update, if it is not committed yet.
    pending: Option<PendingCommit>,
}

/// The dev index for clients.
#[derive(Default)]
struct Published {
    /// Its file, once there is one.
    file: Option<PathBuf>,
    bytes: Vec<u8>,
    /// Its assets and their blobs, by path in the pack.
    blobs: BTreeMap<String, Key>,
}

/// The files besides sources that an update depends on; `None` for one that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InputTexts {
    /// The settings file, and the settings files of libraries.
    settings: Vec<Option<Vec<u8>>>,
    lock: Option<Vec<u8>>,
}

/// The assets as they are now.
struct Snapshot {
    resolved: Resolved,
    /// The imported assets that are not in the set, because it does not need them.
    unneeded: Vec<ImportedAsset>,
    diagnostics: Vec<Diagnostic>,
    /// The lock file that matches, in lock mode.
    lock: Option<LockFile>,
    inputs: InputTexts,
    began: SystemTime,
    is_unchanged: bool,
}

struct PendingCommit {
    snapshot: Snapshot,
    is_index_new: bool,
}

impl<'c> Server<'c> {
    /// Starts from the files of the last build.
    pub(super) fn new(context: &'c BuildContext, name: String) -> Self {
        let files = context.output_files(name);
        Self {
            manifest: BuildManifest::read(&files.build_manifest()),
            published: Published::read(files.dev_index()),
            timed_out: TimedOut::read(&files.stopped_imports()),
            context,
            files,
            has_left_threads: false,
            inputs: None,
            known_ids: LockFile::default(),
            is_settled: false,
            pending: None,
        }
    }

    pub(super) fn files(&self) -> &OutputFiles {
        &self.files
    }

    /// Whether imports were stopped whose threads end only with the process.
    pub(super) fn has_left_threads(&self) -> bool {
        self.has_left_threads
    }

    /// The file of the dev index for clients.
    pub(super) fn index(&self) -> Option<&Path> {
        self.published.file.as_deref()
    }

    /// Imports what has changed and publishes it.
    pub(super) fn update(&mut self) -> UpdateResponse {
        self.try_update().unwrap_or_else(|diagnostics| UpdateResponse { diagnostics, ..UpdateResponse::default() })
    }

    /// If there is an error, nothing has changed.
    fn try_update(&mut self) -> Result<UpdateResponse, Vec<Diagnostic>> {
        let Some(snapshot) = self.snapshot(LockReading::Strict)? else { return Ok(UpdateResponse::default()) };
        let file = self.files.live_index();
        let bytes = dev_index(&snapshot.resolved).map_err(|e| vec![Diagnostic::file(&file, e.to_string())])?;
        let is_index_new = bytes != self.published.bytes || !self.published.exists();
        let mut response = UpdateResponse { diagnostics: snapshot.diagnostics.clone(), ..UpdateResponse::default() };
        if is_index_new {
            replace(&file, |out| out.write_all(&bytes)).map_err(|e| vec![Diagnostic::io("write it", &file, &e)])?;
            let assets = snapshot.resolved.assets.iter();
            let blobs = assets
                .map(|asset| (asset.naming.path.clone(), asset.source.as_ref().unwrap_or(&asset.record).blob_key))
                .collect();
            response.compare(&self.published.blobs, &blobs);
            self.published = Published { file: Some(file), bytes, blobs };
        }
        self.pending = Some(PendingCommit { snapshot, is_index_new });
        Ok(response)
    }

    /// The lock file as it should be; `None` if lock mode is off.
    pub(super) fn lock_state(&mut self) -> Result<Option<LockState>, Vec<Diagnostic>> {
        self.is_settled = false;
        let Some(Snapshot { lock: Some(lock), diagnostics, .. }) = self.snapshot(LockReading::Lenient)? else {
            return Ok(None);
        };
        let file = lock_file::path_for(&self.context.assets);
        Ok(Some(LockState { file, expected: lock.text(), diagnostics }))
    }

    /// The assets as they are now; `None` if nothing has changed since the last update and nothing is wrong.
    fn snapshot(&mut self, reading: LockReading) -> Result<Option<Snapshot>, Vec<Diagnostic>> {
        // The directory may have been moved away for only a moment.
        if let Some(diagnostic) = missing_directory(&self.context.assets) {
            return Err(vec![diagnostic]);
        }
        let session = Session::open(self.context);
        if !session.diagnostics.is_empty() {
            return Err(session.diagnostics);
        }
        let is_locked = session.rules.pack().lock;
        let lock = is_locked.then(|| read_file(&lock_file::path_for(&self.context.assets)).ok()).flatten();
        let inputs = InputTexts { settings: session.texts.clone(), lock };
        let same_rules = self.inputs.as_ref().is_some_and(|last| last.settings == inputs.settings);
        let last_good = LastGood {
            known: Known { manifest: &self.manifest, trust_stamps: true, same_rules, timed_out: &self.timed_out },
            is_settled: self.is_settled && self.inputs.as_ref() == Some(&inputs) && self.published.exists(),
            published: &self.published.blobs,
            known_ids: &mut self.known_ids,
            reading,
        };
        let checked = session.run(session.plan(), Policy::LastGood(last_good));
        let Imported { assets: unneeded, timed_out, has_left_threads, is_unchanged, began, .. } = checked.found;
        self.timed_out = timed_out;
        if has_left_threads {
            self.has_left_threads = true;
            self.timed_out.write(&self.files.stopped_imports());
        }
        let (diagnostics, lock) = (checked.diagnostics, is_locked.then_some(checked.lock.ids));
        match checked.resolved.filter(|_| !checked.is_ambiguous) {
            Some(resolved) => Ok(Some(Snapshot { resolved, unneeded, diagnostics, lock, inputs, began, is_unchanged })),
            None if diagnostics.is_empty() => Ok(None),
            None => Err(diagnostics),
        }
    }

    /// Keeps the result of the last update: in memory for the next update, on disk for the next start.
    pub(super) fn commit(&mut self) {
        let Some(PendingCommit { snapshot, is_index_new }) = self.pending.take() else { return };
        let Snapshot { resolved, unneeded, diagnostics, lock, inputs, began, is_unchanged } = snapshot;
        let lock_before = inputs.lock.clone();
        // The next import may rely on these settings, because everything in the manifest was imported by them.
        (self.inputs, self.is_settled) = (Some(inputs), diagnostics.is_empty());
        let imported = resolved.assets.iter().chain(&unneeded);
        let mut records: Vec<_> =
            imported.filter_map(|asset| Some((asset.path.as_str(), asset.source.as_deref()?))).collect();
        records.sort_by_key(|(path, _)| *path);
        records.dedup_by_key(|(path, _)| *path);
        if !is_unchanged {
            self.manifest = BuildManifest::new(records.iter().copied(), began);
        }
        // If a file cannot be written, it stays as it was, and the next update or build tries again.
        if is_index_new {
            BuildManifest::write(&self.files.build_manifest(), &BuildManifest::encode(records.into_iter(), began));
            let file = self.files.dev_index();
            // Read the file only now, because a build may have written it meanwhile.
            if read_record(&file).is_ok_and(|bytes| set_hash(&bytes) == Some(resolved.set_hash)) {
                let _ = write_if_changed(&file, &self.published.bytes);
            }
        }
        let lock_path = lock_file::path_for(&self.context.assets);
        // If another program has written the lock file meanwhile, the next update reads that.
        if let Some(lock) = lock.filter(|_| read_file(&lock_path).ok() == lock_before) {
            let _ = write_if_changed(&lock_path, lock.text().as_bytes());
        }
    }
}

impl Published {
    /// Reads the dev index of the last build; nothing is published if it does not exist or is damaged.
    fn read(file: PathBuf) -> Self {
        let bytes = read_record(&file).unwrap_or_default();
        match blobs_by_source(&bytes) {
            Some(blobs) => Self { file: Some(file), bytes, blobs },
            None => Self { bytes, ..Self::default() },
        }
    }

    fn exists(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.exists())
    }
}

/// The assets in a dev index and their blobs; `None` if it is damaged.
fn blobs_by_source(index: &[u8]) -> Option<BTreeMap<String, Key>> {
    let index = PackView::parse(index).ok()?.index()?;
    // The resources of a source share its blob, and the paths of sub-assets begin with the path of the asset.
    let mut paths: BTreeMap<u32, &str> = BTreeMap::new();
    for entry in index.entries() {
        let entry = entry.ok()?;
        let path = paths.entry(entry.blob).or_insert(entry.path);
        if entry.path.len() < path.len() {
            *path = entry.path;
        }
    }
    paths.into_iter().map(|(blob, path)| Some((path.to_owned(), Key(index.blob(blob)?)))).collect()
}

/// The hash of the set that an index contains.
fn set_hash(index: &[u8]) -> Option<[u8; 16]> {
    Some(PackView::parse(index).ok()?.index()?.set_hash())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::options::Build;

    #[test]
    fn a_lock_file_that_changes_during_an_update_is_left_to_the_next_one() {
        let dir = tempfile::tempdir().unwrap();
        let (assets, lock) = (dir.path().join("assets"), dir.path().join("assets.lock"));
        fs::create_dir(&assets).unwrap();
        fs::write(assets.join("a.bin"), "a").unwrap();
        let build = Build::new(&assets).out_dir(dir.path().join("out")).cache_dir(dir.path().join("cache"));
        let context = BuildContext::new(build.lock(true).debug(true).without_libraries()).unwrap();
        let mut server = Server::new(&context, "game".to_owned());
        server.update();
        let pulled = "0x00000007 raw a.bin\n";
        fs::write(&lock, pulled).unwrap();
        server.commit();
        assert_eq!(fs::read_to_string(&lock).unwrap(), pulled);
        server.update();
        server.commit();
        assert!(fs::read_to_string(&lock).unwrap().ends_with(pulled));
    }
}
