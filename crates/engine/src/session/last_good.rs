//! The last good version of each asset, which replaces one that is broken.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use rres_format::AssetKind;

use super::LockReading;
use crate::diagnostic::Diagnostic;
use crate::key::Key;
use crate::lock_file::{LockFile, SourceSet};
use crate::model::{FileStamp, ImportedAsset, SourceRecord, find_asset};
use crate::pipeline::{Known, UnavailableSource, missing_dependencies, resource_paths};
use crate::scope::Scope;

/// What a serving script knows from earlier runs.
pub(crate) struct LastGood<'s> {
    pub(crate) known: Known<'s>,
    /// Whether there is nothing to do as long as no source changes.
    pub(crate) is_settled: bool,
    /// The published assets and their blobs, by path in the pack. They include everything that they depend on.
    pub(crate) published: &'s BTreeMap<String, Key>,
    /// Every id that has been in the lock file.
    pub(crate) known_ids: &'s mut LockFile,
    pub(crate) reading: LockReading,
}

impl LastGood<'_> {
    /// Adds the last good versions of unavailable sources to `assets`, which are sorted by path.
    pub(super) fn restore_all(
        &self,
        scope: Scope<'_>,
        assets: &mut Vec<ImportedAsset>,
        unavailable: &[UnavailableSource],
    ) {
        if unavailable.is_empty() {
            return;
        }
        for source in unavailable {
            self.restore(scope, &source.path, assets);
        }
        // An unreadable folder represents everything in it.
        let unavailable = paths_of(unavailable);
        let published = self.published.keys().map(|path| scope.rules.file_of(path));
        for path in published.filter(|path| unavailable.contains(path)) {
            self.restore(scope, &path, assets);
        }
    }

    /// Completes `assets`, so that they include everything that they depend on. Adds the last good versions of missing
    /// dependencies, and of assets whose dependencies are not available. Returns the diagnostics of dependencies.
    pub(super) fn complete(
        &self,
        scope: Scope<'_>,
        assets: &mut Vec<ImportedAsset>,
        unavailable: &[UnavailableSource],
    ) -> Vec<Diagnostic> {
        let unavailable = paths_of(unavailable);
        let mut diagnostics = Vec::new();
        let mut dropped: HashSet<String> = HashSet::new();
        // Each round restores an asset, or drops one for good, so the loop ends.
        loop {
            let missing = missing_dependencies(assets);
            if missing.is_empty() {
                return diagnostics;
            }
            // Do not report last good versions, nor sources that have their own diagnostics.
            let paths: Vec<String> = resource_paths(assets).collect();
            for missing in missing.iter().filter(|missing| !unavailable.contains(&missing.path)) {
                let diagnostic = missing.diagnostic(scope, paths.iter().map(String::as_str));
                if !dropped.contains(&missing.needed_by) && !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
            }
            let mut restored = 0;
            for missing in missing.iter().filter(|missing| !dropped.contains(&missing.path)) {
                restored += usize::from(self.restore(scope, &missing.path, assets));
            }
            if restored > 0 {
                continue;
            }
            for missing in missing {
                let path = missing.needed_by;
                if let Ok(at) = find_asset(assets, &path) {
                    assets.remove(at);
                    // Restore its last good version, unless that is the one that was dropped.
                    if dropped.insert(path.clone()) {
                        self.restore(scope, &path, assets);
                    }
                }
            }
        }
    }

    /// Adds the last good version of an asset, if it has one and is missing. Returns whether it was added.
    fn restore(&self, scope: Scope<'_>, path: &str, assets: &mut Vec<ImportedAsset>) -> bool {
        let Scope { context, rules } = scope;
        let settings = rules.resolve(path);
        let naming = settings.naming(path);
        let (Some(blob), Err(at)) = (self.published.get(&naming.path), find_asset(assets, path)) else { return false };
        let Some(resources) = context.cache.look_up(blob) else { return false };
        // The rectangle of a sprite does not say which image is in it. This server knows that only since its first update.
        if resources.first().is_some_and(|info| info.kind == AssetKind::Sprite) {
            return false;
        }
        let record = Arc::new(SourceRecord {
            stamp: FileStamp::default(),
            content_hash: [0; 32],
            source_key: *blob,
            blob_key: *blob,
            resources,
        });
        let dir = context.dir_of(path);
        let file = scope.source_file(path);
        let importer = dir.importers.choose(path, &file, &settings);
        let asset = ImportedAsset {
            path: path.to_owned(),
            naming,
            is_of_library: !Arc::ptr_eq(dir, &context.own_dir),
            prints_notes: settings.asset.notes,
            folders_are_groups: importer.description.folders_are_groups,
            source: Some(Arc::clone(&record)),
            record,
            is_cached: true,
            source_size: 0,
            elapsed: Duration::ZERO,
        };
        assets.insert(at, asset);
        true
    }

    /// Hashes of the contents that the source at `path` had.
    pub(super) fn hashes(&self, scope: Scope<'_>, path: &str) -> Vec<[u8; 32]> {
        let stored = scope.rules.resolve(path).naming(path).path;
        let blob = self.published.get(&stored).map(|blob| blob.0);
        blob.into_iter().chain(self.known.manifest.content_hash(path)).collect()
    }
}

fn paths_of(unavailable: &[UnavailableSource]) -> SourceSet<'_> {
    SourceSet::new(unavailable.iter().map(|source| source.path.as_str()))
}
