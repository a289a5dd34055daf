//! What a report is about: a pack, what a package has built, or a folder of assets, which is built for it. With the sources,
//! as far as they can be found.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rres_engine::{Build, Explained, PackMode, Report};
use rres_format::seal::Keys;
use rres_settings::RefusedFiles;
use tempfile::TempDir;

use super::Args;
use super::decisions::Decisions;
use crate::asset_builds::{AssetBuild, AssetBuilds};
use crate::exit::Failure;
use crate::output::Output;
use crate::pack_args::Need;
use crate::progress_bar::ProgressBar;

/// The packs of a report and what is known about their sources.
#[derive(Debug)]
pub(super) struct Input {
    /// What the reader calls it: the name of the pack or the folder.
    pub(super) title: String,
    pub(super) packs: Vec<PathBuf>,
    pub(super) sources: Sources,
    /// What the build of the sources said; `None` if they were not built for the report.
    pub(super) build: Option<Report>,
    /// What the settings decided about the assets.
    pub(super) decisions: Decisions,
    /// The licences that are stated, by the paths of assets in the pack.
    pub(super) licenses: HashMap<String, String>,
    /// The pack of a folder, which exists as long as the report is made.
    _built: Option<TempDir>,
}

/// The source files of assets.
#[derive(Debug)]
pub(super) struct Sources {
    /// The assets directory.
    pub(super) dir: Option<PathBuf>,
    by_path: BTreeMap<String, Source>,
}

/// A source file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Bytes.
    pub(super) size: u64,
    /// How long its import took, if it was not in the import cache.
    pub(super) import: Option<Duration>,
}

impl Input {
    pub(super) fn choose(args: &Args, keys: Option<&Keys>, out: &mut Output) -> Result<Self, Failure> {
        let folder = args.pack.as_deref().map(Path::new).filter(|path| path.is_dir());
        if let Some(folder) = folder {
            if args.sources.is_some() {
                let text = format!("cannot use --sources together with the folder {}", folder.display());
                return Err(Failure::Usage(text));
            }
            return Self::folder(folder, keys, args.import_times);
        }
        let (packs, names) = args.packs.choose(args.pack.as_deref(), &[], Need::Bytes, out)?;
        if let [name, ..] = &names[..] {
            return Err(Failure::Usage(format!("cannot report on {name}: expected a pack or a folder of assets")));
        }
        let dir = match &args.sources {
            Some(dir) if !dir.is_dir() => {
                let text = format!("cannot read the sources in {}: no such directory", dir.display());
                return Err(Failure::Usage(text));
            }
            Some(dir) => Some(dir.clone()),
            None => packs.first().and_then(|pack| source_directory(pack)),
        };
        let builds = match &args.sources {
            Some(dir) => AssetBuilds::of_directory(dir, Vec::new())?,
            None => AssetBuilds::beside(&packs, args.packs.package(), out)?,
        };
        let licenses = licenses(builds.builds.iter().map(|of| of.build.clone()));
        let mut explained = explain(builds, out)?;
        if args.sources.is_none() {
            // A build script may build several packs.
            let is_shown = |name: &str| packs.iter().any(|pack| pack.file_stem().is_some_and(|stem| stem == name));
            explained.retain(|explained| is_shown(&explained.pack));
        }
        let report = match &dir {
            Some(dir) if args.import_times => Some(build(dir, keys, &temporary()?, true)?.0),
            None if args.import_times => {
                let text = "cannot measure imports: the sources of the pack are not known; name their directory with --sources";
                return Err(Failure::Usage(text.to_owned()));
            }
            _ => None,
        };
        let times = report.as_ref().map(by_path).unwrap_or_default();
        let name = |pack: &PathBuf| pack.file_name().unwrap_or(pack.as_os_str()).display().to_string();
        let title = packs.iter().map(name).collect::<Vec<_>>().join(", ");
        Ok(Self {
            title,
            packs,
            sources: Sources { dir, by_path: times },
            build: report,
            decisions: Decisions::new(explained),
            licenses,
            _built: None,
        })
    }

    /// Builds the pack of a folder.
    fn folder(folder: &Path, keys: Option<&Keys>, is_fresh: bool) -> Result<Self, Failure> {
        let built = temporary()?;
        let (report, explained) = build(folder, keys, &built, is_fresh)?;
        let licenses = licenses([rres_build::import(folder).out_dir(built.path()).debug(false)]);
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let title = absolute.file_name().unwrap_or(folder.as_os_str()).display().to_string();
        let sources = Sources { dir: Some(folder.to_owned()), by_path: by_path(&report) };
        let packs = report.packs.iter().take(1).cloned().collect();
        let decisions = Decisions::new(vec![explained]);
        Ok(Self { title, packs, sources, build: Some(report), decisions, licenses, _built: Some(built) })
    }
}

impl Sources {
    /// Returns the source of an asset.
    pub(super) fn of(&self, path: &str) -> Option<Source> {
        let known = self.by_path.get(path).copied();
        known.or_else(|| {
            let file = fs::metadata(self.dir.as_ref()?.join(path)).ok().filter(fs::Metadata::is_file)?;
            Some(Source { size: file.len(), import: None })
        })
    }
}

fn by_path(report: &Report) -> BTreeMap<String, Source> {
    let source = |asset: &rres_engine::AssetReport| Source {
        size: asset.source_size,
        import: Some(asset.elapsed).filter(|_| !asset.cached),
    };
    report.assets.iter().map(|asset| (asset.path.clone(), source(asset))).collect()
}

/// Builds a folder into a temporary directory, as `cargo rres build` does, and explains it. A fresh build has an import cache of its
/// own.
fn build(folder: &Path, keys: Option<&Keys>, into: &TempDir, is_fresh: bool) -> Result<(Report, Explained), Failure> {
    let folder =
        std::path::absolute(folder).map_err(|e| Failure::Usage(format!("cannot find {}: {e}", folder.display())))?;
    let bar = ProgressBar::start();
    let mut build = crate::key::for_build(rres_build::import(&folder), keys)
        .out_dir(into.path().join("out"))
        .debug(false)
        .pack_mode(PackMode::Release)
        // The report names the files that are left out, and what is beyond a limit.
        .refused(RefusedFiles::Warn)
        .limits_only_warn();
    if is_fresh {
        build = build.cache_dir(into.path().join("cache"));
    }
    let result = bar.follow(build.clone()).build();
    let result = result.and_then(|report| Ok((report, build.explain_all()?)));
    bar.stop();
    result.map_err(|error| {
        let faults: Vec<String> = error.diagnostics().iter().map(ToString::to_string).collect();
        Failure::Fault(format!("cannot build {}:\n{}", folder.display(), faults.join("\n")))
    })
}

/// The licences that are stated, by the paths of assets in the packs of `builds`. What is wrong with files, `cargo rres licenses` says.
fn licenses(builds: impl IntoIterator<Item = Build>) -> HashMap<String, String> {
    let sources = builds.into_iter().flat_map(|build| build.licenses().unwrap_or_default().0);
    sources.filter_map(|source| Some((source.path, source.terms.license?))).collect()
}

/// Explains builds. One that cannot be explained has changed since it built its pack, which a warning says.
fn explain(builds: AssetBuilds, out: &mut Output) -> Result<Vec<Explained>, Failure> {
    let mut all = Vec::new();
    for AssetBuild { build, .. } in &builds.builds {
        let bar = ProgressBar::start();
        let explained = bar.follow(build.clone()).explain_all();
        bar.stop();
        match explained {
            Ok(explained) => all.push(explained),
            Err(error) => out.warn(&format!("cannot say what decided the assets: {error}"))?,
        }
    }
    Ok(all)
}

fn temporary() -> Result<TempDir, Failure> {
    tempfile::tempdir().map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))
}

/// Returns the assets directory of a pack that a build script has written: Cargo keeps beside its output directory what
/// the script printed, and that names the directory for Cargo to watch.
fn source_directory(pack: &Path) -> Option<PathBuf> {
    let record = fs::read_to_string(pack.parent()?.with_file_name("output")).ok()?;
    let watched = record.lines().filter_map(|line| {
        line.strip_prefix("cargo::rerun-if-changed=").or_else(|| line.strip_prefix("cargo:rerun-if-changed="))
    });
    watched.map(PathBuf::from).find(|path| path.is_dir())
}
