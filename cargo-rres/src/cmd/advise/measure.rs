//! A build of a directory → what the files of each folder take: in the pack, in memory, and to load.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use rres_engine::{Build, PackMode, PlannedAsset};
use rres_format::AssetKind;
use rres_format::index::MetaKey;
use rres_format::seal::Keys;
use rres_packs::pack_set;
use rres_settings::RefusedFiles;

use super::files::{Files, Measured};
use super::trials::Candidate;
use crate::exit::Failure;
use crate::key;
use crate::loading::load;
use crate::progress_bar::ProgressBar;

/// How often assets are loaded. The least time counts.
const LOADS: usize = 3;

/// A directory whose files are measured.
pub(super) struct Subject {
    build: Build,
    keys: Option<Keys>,
    /// The files that each asset is one of, by its path in the pack.
    files: HashMap<String, Files>,
}

impl Subject {
    /// Reads what a build would import.
    pub(super) fn new(build: Build, keys: Option<Keys>) -> Result<Self, Failure> {
        let planned = build.clone().plan().map_err(|error| Failure::Fault(error.to_string()))?;
        let files = planned.into_iter().map(|PlannedAsset { path, source, .. }| (path, Files::of(&source)));
        Ok(Self { build, keys, files: files.collect() })
    }

    /// Builds the directory with rules added to its own, each for the files of a folder, and measures all files. What is of no single file, such as an atlas
    /// that the rules had before, is measured as if it was one.
    pub(super) fn measure(&self, rules: &[(&Files, &Candidate)]) -> Result<BTreeMap<Files, Measured>, Failure> {
        let scratch =
            tempfile::tempdir().map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))?;
        let add = |build: Build, (files, candidate): &(&Files, &Candidate)| {
            build.rule(&files.globs()[0], |rule| candidate.set(rule, files))
        };
        let build = rules.iter().fold(self.build.clone(), add);
        let atlases = rules.iter().filter_map(|(files, candidate)| Some((candidate.atlas(files)?, *files)));
        self.measure_build(build, scratch.path(), &atlases.collect())
    }

    fn measure_build(
        &self,
        build: Build,
        dir: &Path,
        atlases: &HashMap<String, &Files>,
    ) -> Result<BTreeMap<Files, Measured>, Failure> {
        let build = key::for_build(build, self.keys.as_ref()).out_dir(dir).debug(false);
        // The paths say which files are measured.
        let build = build.pack_mode(PackMode::Release).packs_only().paths(true);
        let bar = ProgressBar::start();
        let report = bar.follow(build.refused(RefusedFiles::Warn).limits_only_warn()).build();
        bar.stop();
        let report = report.map_err(|error| Failure::Fault(error.to_string()))?;
        let opener = key::opener().keys(self.keys.clone());
        let first: Vec<_> = report.packs.iter().take(1).cloned().collect();
        let sets = opener.open_sets(&first)?;
        let mut measured: BTreeMap<Files, Measured> = BTreeMap::new();
        for (pack, list) in pack_set::packs(&sets).zip(pack_set::resource_lists(&sets)) {
            for resource in list.resources {
                let path = resource.path.as_deref().unwrap_or_default();
                let path = path.split('#').next().unwrap_or(path);
                let (files, has_file) = match (self.files.get(path), atlases.get(path)) {
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
        }
        Ok(measured)
    }
}
