//! A build of a directory → what the files of each folder take: in the pack, in memory, and to load.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::Duration;

use rres_engine::{Build, PackMode};
use rres_format::AssetKind;
use rres_format::index::MetaKey;
use rres_format::seal::Keys;
use rres_packs::pack_set;
use rres_settings::{RefusedFiles, extension_of};

use crate::exit::Failure;
use crate::key;
use crate::load_time::load_time;
use crate::progress_bar::ProgressBar;

/// The files of a folder with one extension. Their sizes do not depend on files elsewhere: a pack compares files with those of their folder only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Files {
    /// With `/` between folders; empty for the directory itself.
    pub(super) folder: String,
    pub(super) extension: String,
}

/// What files take.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    pub(super) assets: usize,
    /// The kind of the first of them.
    pub(super) kind: Option<AssetKind>,
    /// Bytes in the pack.
    pub(super) stored: u64,
    /// Bytes in memory.
    pub(super) decoded: u64,
    /// Bytes in video memory.
    pub(super) video: u64,
    pub(super) load: Duration,
    /// The least quality of their blocks, in decibels.
    pub(super) psnr: Option<f32>,
}

impl Files {
    /// The files beside the one at `path`, with its extension.
    fn of(path: &str) -> Self {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        Self { folder, extension: extension_of(path).to_owned() }
    }
}

/// Makes the packs of a build in `dir`, and measures the files in them. `sources` has the paths of the sources of assets that have others in the pack.
pub(super) fn measure(
    build: Build,
    dir: &Path,
    keys: Option<&Keys>,
    sources: &HashMap<String, String>,
) -> Result<BTreeMap<Files, Measured>, Failure> {
    let build = crate::key::for_build(build, keys).out_dir(dir).debug(false).pack_mode(PackMode::Release).packs_only();
    // The paths say which files are measured.
    let build = build.paths(true);
    let bar = ProgressBar::start();
    let report = bar.follow(build.refused(RefusedFiles::Warn).limits_only_warn()).build();
    bar.stop();
    let report = report.map_err(|error| Failure::Fault(error.to_string()))?;
    let opener = key::opener().keys(keys.cloned());
    let first: Vec<_> = report.packs.iter().take(1).cloned().collect();
    let sets = opener.open_sets(&first)?;
    let mut measured: BTreeMap<Files, Measured> = BTreeMap::new();
    for (pack, list) in pack_set::packs(&sets).zip(pack_set::resource_lists(&sets)) {
        for resource in list.resources {
            let path = resource.path.as_deref().unwrap_or_default();
            let path = path.split('#').next().unwrap_or(path);
            let source = sources.get(path).map_or(path, String::as_str);
            let of = measured.entry(Files::of(source)).or_default();
            of.kind = of.kind.or(resource.kind);
            of.assets += 1;
            of.stored += resource.stored_size;
            of.decoded += resource.decoded_size;
            of.video += resource.video_memory().unwrap_or_default();
            if let (Some(pack), Some(kind), None) = (pack.runtime_pack(), resource.kind, resource.sealed_with()) {
                of.load += load_time(pack, resource.id, kind).ok().flatten().unwrap_or_default();
            }
            let psnr = resource.slot.and_then(|slot| pack.view().index()?.meta(slot).ok()?.get(MetaKey::PSNR));
            of.psnr = psnr.map(f32::from_bits).into_iter().chain(of.psnr).reduce(f32::min);
        }
    }
    Ok(measured)
}
