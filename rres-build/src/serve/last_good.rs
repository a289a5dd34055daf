//! The last good version of each asset, which replaces one that is broken.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use rres_format::AssetKind;

use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::import::choose_importer;
use crate::key::Key;
use crate::model::{FileStamp, ImportedAsset, SourceRecord, find_asset};
use crate::pipeline::{UnavailableSource, missing_dependencies};
use crate::settings::Rules;

/// The published assets and their blobs, by path in the pack. They include everything that they depend on.
pub(super) struct LastGood<'s> {
    pub(super) context: &'s BuildContext,
    pub(super) rules: &'s Rules,
    pub(super) published: &'s BTreeMap<String, Key>,
}

impl LastGood<'_> {
    /// Completes `assets`, which are sorted by path, so that they include everything that they depend on. Adds the last
    /// good versions of unavailable sources, of missing dependencies, and of assets whose dependencies are not
    /// available. Returns the diagnostics of dependencies.
    pub(super) fn complete(
        &self,
        assets: &mut Vec<ImportedAsset>,
        unavailable: &[UnavailableSource],
    ) -> Vec<Diagnostic> {
        for source in unavailable {
            // An unreadable folder represents everything in it.
            let is_inside = |path: &str| path.strip_prefix(&*source.path).is_some_and(|rest| rest.starts_with('/'));
            self.restore(&source.path, assets);
            for path in self.published.keys().map(|path| self.rules.file_of(path)).filter(|path| is_inside(path)) {
                self.restore(&path, assets);
            }
        }
        let is_unavailable = |path: &str| unavailable.iter().any(|source| source.path == path);
        let mut diagnostics = Vec::new();
        let mut dropped: HashSet<String> = HashSet::new();
        // Each round restores an asset, or drops one for good, so the loop ends.
        loop {
            let missing = missing_dependencies(assets);
            if missing.is_empty() {
                return diagnostics;
            }
            // Do not report last good versions, nor sources that have their own diagnostics.
            for missing in missing.iter().filter(|missing| !is_unavailable(&missing.path)) {
                let diagnostic = missing.diagnostic(self.context);
                if !dropped.contains(&missing.needed_by) && !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
            }
            let mut restored = 0;
            for missing in missing.iter().filter(|missing| !dropped.contains(&missing.path)) {
                restored += usize::from(self.restore(&missing.path, assets));
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
                        self.restore(&path, assets);
                    }
                }
            }
        }
    }

    /// Adds the last good version of an asset, if it has one and is missing. Returns whether it was added.
    fn restore(&self, path: &str, assets: &mut Vec<ImportedAsset>) -> bool {
        let settings = self.rules.resolve(path);
        let naming = settings.naming(path);
        let (Some(blob), Err(at)) = (self.published.get(&naming.path), find_asset(assets, path)) else { return false };
        let Some(resources) = self.context.cache.look_up(blob) else { return false };
        // The rectangle of a sprite does not say which image is in it. This server knows that only since its first update.
        if resources.first().is_some_and(|info| info.kind == AssetKind::Sprite) {
            return false;
        }
        let record = SourceRecord {
            stamp: FileStamp::default(),
            content_hash: [0; 32],
            source_key: *blob,
            blob_key: *blob,
            resources,
        };
        let dir = self.context.dir_of(path);
        let file = self.context.source_file(path);
        let importer = choose_importer(path, &file, &settings, &dir.importers);
        let asset = ImportedAsset {
            path: path.to_owned(),
            naming,
            is_of_library: !Arc::ptr_eq(dir, &self.context.own_dir),
            prints_notes: settings.asset.notes,
            folders_are_groups: importer.description.folders_are_groups,
            record,
            in_atlas: None,
            is_cached: true,
            source_size: 0,
            elapsed: Duration::ZERO,
        };
        assets.insert(at, asset);
        true
    }
}
