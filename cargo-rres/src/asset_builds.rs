//! The builds that a subcommand about source files is for: the builds of the package's build scripts, with their recorded
//! options, or one of an assets directory alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rres_engine::{Build, RecordedBuild};
use rres_format::normalize_path;

use crate::cargo::build_directory;
use crate::cargo::{self, Package, PackageArgs};
use crate::exit::Failure;
use crate::output::Output;
use crate::serving_script::ServingScript;

/// The options that choose builds.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    package: PackageArgs,
    /// Assets directory: only its assets.toml counts [default: what the package's build script builds]
    #[arg(short, long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

/// The builds, the directory for files that they need while they are looked at, and where their constants may be named.
pub(crate) struct AssetBuilds {
    pub(crate) builds: Vec<AssetBuild>,
    /// The directories of the members of the workspace.
    pub(crate) packages: Vec<PathBuf>,
    /// Removed with this value.
    _scratch: Option<tempfile::TempDir>,
}

/// A build of one assets directory.
pub(crate) struct AssetBuild {
    /// The assets directory; absolute.
    pub(crate) dir: PathBuf,
    pub(crate) build: Build,
}

/// The assets directory of a package that has not been built.
const DEFAULT_DIRECTORY: &str = "assets";

impl BuildArgs {
    /// Whether no option chooses a build.
    pub(crate) fn is_default(&self) -> bool {
        self.assets.is_none() && self.package.package.is_none() && self.package.manifest_path.is_none()
    }

    /// Returns the builds that the options choose. Warns if the rules of a build script are not known.
    pub(crate) fn find(&self, out: &mut Output) -> Result<AssetBuilds, Failure> {
        if let Some(dir) = &self.assets {
            return AssetBuilds::of_directory(dir, Vec::new());
        }
        let packages = self.package.find()?;
        let members = packages.first().map(|package| package.members.clone()).unwrap_or_default();
        let mut builds = Vec::new();
        let mut with_builds: Vec<&str> = Vec::new();
        for package in &packages {
            let recorded = recorded(package, out)?;
            if !recorded.is_empty() {
                with_builds.push(&package.name);
            }
            builds.extend(recorded);
        }
        let with_assets: Vec<&Package> =
            packages.iter().filter(|package| package.root.join(DEFAULT_DIRECTORY).is_dir()).collect();
        if !builds.is_empty() {
            // The package that was built last would be a surprise.
            if let Some(other) = with_assets.iter().find(|package| !with_builds.contains(&package.name.as_str())) {
                let text = format!(
                    "several packages have assets: {}, {}; choose one with --package",
                    with_builds.join(", "),
                    other.name
                );
                return Err(Failure::Usage(text));
            }
            return Ok(AssetBuilds { builds, packages: members, _scratch: None });
        }
        match with_assets[..] {
            [package] => {
                if package.has_build_script {
                    out.warn("without a build of the package only assets.toml counts: rules in build.rs do not apply")?;
                }
                AssetBuilds::of_directory(&package.root.join(DEFAULT_DIRECTORY), members)
            }
            [] => {
                let text = "found no build of this package and no directory `assets`; name one with --assets";
                Err(Failure::Usage(text.to_owned()))
            }
            _ => {
                let names: Vec<&str> = with_assets.iter().map(|package| package.name.as_str()).collect();
                let text = format!("several packages have assets: {}; choose one with --package", names.join(", "));
                Err(Failure::Usage(text))
            }
        }
    }

    /// As [`Self::find`]; outside of a package, the assets directory is the nearest one above `file` with a settings file.
    pub(crate) fn find_for(&self, file: &str, out: &mut Output) -> Result<AssetBuilds, Failure> {
        if self.assets.is_none() && self.package.manifest_path.is_none() && cargo::root(None).is_err() {
            let file = absolute(Path::new(file))?;
            let mut above = file.ancestors().skip(1);
            if let Some(dir) = above.find(|dir| dir.join("assets.toml").is_file()) {
                return AssetBuilds::of_directory(dir, Vec::new());
            }
            let text = "there is neither a package nor an assets.toml here; name the assets directory with --assets";
            return Err(Failure::Usage(text.to_owned()));
        }
        self.find(out)
    }
}

impl AssetBuilds {
    /// Returns the builds that wrote their options beside `packs`, in the output directory of a build script of the package.
    pub(crate) fn beside(packs: &[PathBuf], package: &PackageArgs, out: &mut Output) -> Result<Self, Failure> {
        let files = records_beside(packs);
        // Cargo need not be asked about a pack that lies elsewhere.
        let packages = if files.is_empty() { Vec::new() } else { package.find().unwrap_or_default() };
        let roots: Vec<&Path> = packages.iter().map(|package| package.root.as_path()).collect();
        Self::of_records(&files, &roots, out)
    }

    /// Returns the builds that wrote their options beside `packs`, of the packages in these directories.
    pub(crate) fn of_crates(packs: &[PathBuf], roots: &[&Path], out: &mut Output) -> Result<Self, Failure> {
        Self::of_records(&records_beside(packs), roots, out)
    }

    fn of_records(files: &[PathBuf], roots: &[&Path], out: &mut Output) -> Result<Self, Failure> {
        let mut builds = Vec::new();
        for file in files {
            for root in roots {
                match RecordedBuild::read(file, root, &rres_build::importers()) {
                    Ok(Some(record)) if record.dir.is_dir() => {
                        builds.push(AssetBuild { dir: record.dir, build: with_importers(file, record.build) });
                    }
                    Ok(_) => {}
                    Err(error) => out.warn(&error.to_string())?,
                }
            }
        }
        Ok(Self { builds, packages: Vec::new(), _scratch: None })
    }

    /// Returns the build of a directory by its own settings file.
    pub(crate) fn of_directory(dir: &Path, packages: Vec<PathBuf>) -> Result<Self, Failure> {
        let dir = absolute(dir)?;
        if !dir.is_dir() {
            let why = if dir.exists() { "it is not a directory" } else { "no such directory" };
            return Err(Failure::Usage(format!("cannot read {}: {why}", dir.display())));
        }
        let scratch =
            tempfile::tempdir().map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))?;
        let build = rres_build::import(&dir).out_dir(scratch.path()).debug(false);
        Ok(Self { builds: vec![AssetBuild { dir, build }], packages, _scratch: Some(scratch) })
    }
}

impl AssetBuild {
    /// Returns the asset path of a path that the user has typed: an asset path, or the path of a file.
    pub(crate) fn asset_path(&self, typed: &str) -> String {
        let normal = |path: &str| normalize_path(path).ok();
        let as_asset = normal(typed.trim_end_matches(['/', '\\']));
        let directories = self.build.clone().directories().unwrap_or_default();
        if let Some(path) = as_asset.as_ref().filter(|path| self.dir.join(path).symlink_metadata().is_ok()) {
            return directories.first().map_or_else(|| path.clone(), |own| own.asset_path(path));
        }
        let in_directory = |file: &Path, dir: &Path| normal(file.strip_prefix(dir).ok()?.to_str()?);
        let file = absolute(Path::new(typed)).unwrap_or_default();
        let real = |dir: &Path| {
            let parent = fs::canonicalize(file.parent()?).ok()?.join(file.file_name()?);
            in_directory(&parent, &fs::canonicalize(dir).ok()?)
        };
        let in_any = directories.iter().find_map(|of| {
            let local = in_directory(&file, &of.dir).or_else(|| real(&of.dir))?;
            Some(of.asset_path(&local))
        });
        in_any.or(as_asset).unwrap_or_else(|| typed.to_owned())
    }
}

/// Returns the builds that the build script of a package has recorded: for each module the last one.
fn recorded(package: &Package, out: &mut Output) -> Result<Vec<AssetBuild>, Failure> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    for dir in &package.build_directories {
        build_directory::visit_files(dir, &mut |file| {
            let time = fs::metadata(file).and_then(|metadata| metadata.modified());
            files.extend(time.ok().filter(|_| is_record(file)).map(|time| (time, file.to_owned())));
        });
    }
    files.sort_by(|a, b| b.cmp(a));
    let mut builds = BTreeMap::new();
    for (_, file) in files {
        match RecordedBuild::read(&file, &package.root, &rres_build::importers()) {
            Ok(Some(record)) if record.dir.is_dir() => {
                let build = with_importers(&file, record.build);
                builds.entry(record.module).or_insert(AssetBuild { dir: record.dir, build });
            }
            Ok(_) => {}
            Err(error) if builds.is_empty() => out.warn(&error.to_string())?,
            Err(_) => {}
        }
    }
    Ok(builds.into_values().collect())
}

/// The build that the script has recorded in `file`, which asks the script for what only importers of the script can import.
fn with_importers(file: &Path, build: Build) -> Build {
    let Some(out_dir) = file.parent().map(Path::to_owned).filter(|_| build.needs_script()) else { return build };
    build.run_script(move || match ServingScript::in_directory(&out_dir) {
        Some(script) => script.import(),
        None => vec!["the compiled build script no longer exists".to_owned()],
    })
}

/// Whether a build of the package in `root` that wrote to `out_dir` has imported the directory `assets`.
pub(crate) fn imports(out_dir: &Path, root: &Path, assets: &Path) -> bool {
    let files = fs::read_dir(out_dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut records = files
        .filter(|file| is_record(file))
        .filter_map(|file| RecordedBuild::read(&file, root, &rres_build::importers()).ok()?);
    records.any(|record| fs::canonicalize(record.dir).is_ok_and(|dir| dir == assets))
}

fn records_beside(packs: &[PathBuf]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut dirs: Vec<&Path> = packs.iter().filter_map(|pack| pack.parent()).collect();
    dirs.dedup();
    for entry in dirs.into_iter().filter_map(|dir| fs::read_dir(dir).ok()).flatten().flatten() {
        files.extend(Some(entry.path()).filter(|file| is_record(file)));
    }
    files.sort();
    files
}

fn is_record(file: &Path) -> bool {
    file.to_str().is_some_and(|file| file.ends_with(RecordedBuild::FILE_END))
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|e| Failure::Usage(format!("cannot find {}: {e}", path.display())))
}
