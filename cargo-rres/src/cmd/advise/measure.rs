//! A build of a directory → what the files of each folder take: in the pack, in memory, and to load.

use std::collections::{BTreeMap, HashMap};
use std::iter;
use std::path::Path;

use rres_engine::{AssetDirectory, Build, PackMode, PlannedAsset};
use rres_format::AssetKind;
use rres_format::index::MetaKey;
use rres_format::seal::Keys;
use rres_packs::pack_set;
use rres_settings::RefusedFiles;
use rres_settings::diagnostic::BuildError;

use super::files::{Files, Measured};
use super::settings_text::SettingsText;
use super::trials::Candidate;
use crate::exit::Failure;
use crate::key;
use crate::loading::load;
use crate::progress_bar::ProgressBar;

/// How often assets are loaded. The least time counts.
const LOADS: usize = 3;

/// A directory whose files are measured.
pub(super) struct Subject {
    pub(super) settings: SettingsText,
    build: Build,
    keys: Option<Keys>,
    /// The folder that the files are in in packs, if they are those of a library. Rules of its settings file do not name it.
    own_folder: String,
    /// The folders of other libraries.
    libraries: Vec<String>,
    /// The files that each asset is one of, by its path in the pack.
    files: HashMap<String, Files>,
}

impl Subject {
    /// Reads what a build of the directory `dir` would import.
    pub(super) fn new(dir: &Path, build: Build, keys: Option<Keys>) -> Result<Self, Failure> {
        // Without the files that a build refuses, which say nothing about others.
        let build = build.refused(RefusedFiles::Warn).limits_only_warn();
        let fail = |error: BuildError| Failure::Fault(error.to_string());
        let planned = build.clone().plan().map_err(fail)?;
        let mut folders =
            build.clone().directories().map_err(fail)?.into_iter().map(|AssetDirectory { folder, .. }| folder);
        let own_folder = folders.next().unwrap_or_default();
        let libraries: Vec<String> = folders.collect();
        // A library cannot change the settings of another one.
        let is_own = |source: &str| own_folder.is_empty() || in_folder(&own_folder, source).is_some();
        let files = planned.into_iter().filter(|of| is_own(&of.source)).map(|PlannedAsset { path, source, .. }| {
            let files = Files::of(in_folder(&own_folder, &source).unwrap_or(&source));
            (path, files)
        });
        let files = files.collect();
        Ok(Self { settings: SettingsText::read(dir)?, build, keys, own_folder, libraries, files })
    }

    /// Builds the directory with rules added to its settings file, each for the files of a folder, and measures all files. What is of no single file, such as an atlas
    /// that the rules had before, is measured as if it was one.
    pub(super) fn measure(&self, rules: &[(&Files, &Candidate)]) -> Result<BTreeMap<Files, Measured>, Failure> {
        let scratch =
            tempfile::tempdir().map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))?;
        let texts: Vec<String> = rules.iter().map(|(files, candidate)| self.settings.rule(files, candidate)).collect();
        let build = match &texts[..] {
            [] => self.build.clone(),
            texts => self.build.clone().settings_text(self.settings.with(texts)),
        };
        let atlas = |(files, candidate): &(&Files, &Candidate)| {
            let atlas = candidate.atlas(files)?;
            Some(if self.own_folder.is_empty() { atlas } else { format!("{}/{atlas}", self.own_folder) })
        };
        let atlases = rules.iter().filter_map(|rule| Some((atlas(rule)?, rule.0)));
        self.measure_build(build, scratch.path(), &atlases.collect())
    }

    /// The files that the asset at `path` is one of. The name of a file may have a `#`, too, which begins the name of a sub-asset otherwise.
    fn files_of(&self, path: &str) -> Option<&Files> {
        let starts = path.rmatch_indices('#').map(|(end, _)| &path[..end]);
        iter::once(path).chain(starts).find_map(|file| self.files.get(file))
    }

    fn measure_build(
        &self,
        build: Build,
        dir: &Path,
        atlases: &HashMap<String, &Files>,
    ) -> Result<BTreeMap<Files, Measured>, Failure> {
        let build = key::for_build(build, self.keys.as_ref()).out_dir(dir).debug(false);
        // The paths say which files are measured.
        let build = build.pack_mode(PackMode::Always).packs_only().paths(true);
        let bar = ProgressBar::start();
        let report = bar.follow(build).build();
        bar.stop();
        let report = report.map_err(|error| Failure::Fault(error.to_string()))?;
        let opener = key::opener().keys(self.keys.clone());
        let first: Vec<_> = report.packs.iter().take(1).cloned().collect();
        let sets = opener.open_sets(&first)?;
        let mut measured: BTreeMap<Files, Measured> = BTreeMap::new();
        for (pack, list) in pack_set::packs(&sets).zip(pack_set::resource_lists(&sets)) {
            for resource in list.resources {
                let path = resource.path.as_deref().unwrap_or_default();
                let (files, has_file) = match (self.files_of(path), atlases.get(path)) {
                    (Some(files), _) => (files.clone(), true),
                    (None, Some(files)) => ((*files).clone(), false),
                    (None, None) => (Files::of(path), false),
                };
                let of = measured.entry(files).or_default();
                if has_file {
                    of.kinds.extend(resource.kind.filter(|kind| !of.kinds.contains(kind)));
                    of.assets += 1;
                }
                of.textures += u64::from(resource.kind == Some(AssetKind::Image));
                of.stored += resource.stored_size;
                let mut decoded_size = resource.decoded_size;
                of.video += resource.video_memory().unwrap_or_default();
                if let (Some(pack), Some(kind), None) = (pack.runtime_pack(), resource.kind, resource.sealed_with()) {
                    let loads = (0..LOADS).filter_map(|_| load(pack, resource.id, kind).ok().flatten());
                    if let Some(loaded) = loads.min_by_key(|loaded| loaded.time) {
                        of.load += loaded.time;
                        decoded_size = decoded_size.max(loaded.size);
                    }
                }
                of.decoded += decoded_size;
                let meta = resource.slot.and_then(|slot| pack.view().index()?.meta(slot).ok());
                let quality = |key| Some(f32::from_bits(meta.as_ref()?.get(key)?));
                of.psnr = of.psnr.into_iter().chain(quality(MetaKey::PSNR)).reduce(f32::min);
                of.ssim = of.ssim.into_iter().chain(quality(MetaKey::SSIM)).reduce(f32::min);
            }
        }
        let mut images: HashMap<String, u64> = HashMap::new();
        for (files, measured) in &measured {
            *images.entry(files.folder.clone()).or_default() += measured.textures;
        }
        for (files, measured) in &mut measured {
            measured.has_other_images = images[&files.folder] > measured.textures;
            let is_in = |library: &String| files.folder == *library || in_folder(library, &files.folder).is_some();
            measured.is_of_library = self.libraries.iter().any(is_in);
        }
        Ok(measured)
    }
}

/// The part of a path that is below a folder.
fn in_folder<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}
