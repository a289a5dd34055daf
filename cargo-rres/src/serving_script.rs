//! Finds the compiled build scripts of a package through the manifests that they have written, and asks them for the
//! lock file that fits the assets, or for the packs as they are now. `docs/hot-reload.md` describes manifests and protocol.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use rres_protocol::client::{Client, LockResponse};
use rres_protocol::serve::ScriptManifest;

use crate::cargo::build_directory;
use crate::exit::Failure;

/// A compiled build script that can serve a pack, or build it.
#[derive(Debug)]
pub(crate) struct ServingScript {
    /// Name of the pack.
    name: String,
    /// The executable.
    pub(crate) file: PathBuf,
    manifest: ScriptManifest,
    /// When it ran last.
    pub(crate) time: SystemTime,
}

impl ServingScript {
    /// Returns the scripts of debug builds of the package in `root`: for each of its packs the one that was built last.
    ///
    /// `directories` are the directories that Cargo builds into.
    pub(crate) fn of_debug_builds(root: &Path, directories: &[PathBuf]) -> Vec<Self> {
        Self::of_package(root, directories, |script| !script.is_of_release_build())
    }

    /// Returns the script of the package in `root` that was built last.
    pub(crate) fn newest(root: &Path, directories: &[PathBuf]) -> Option<Self> {
        Self::of_package(root, directories, |_| true).into_iter().max_by_key(|script| script.time)
    }

    /// Returns the script whose build has this output directory, if it is known there.
    pub(crate) fn in_directory(out_dir: &Path) -> Option<Self> {
        let files = fs::read_dir(out_dir).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut manifests: Vec<PathBuf> = files.filter(|file| is_manifest(file)).collect();
        manifests.sort();
        manifests.iter().find_map(|manifest| Self::parse(manifest))
    }

    /// Returns for each pack of the package in `root` the script that was built last, among those that `is_wanted`.
    fn of_package(root: &Path, directories: &[PathBuf], is_wanted: impl Fn(&Self) -> bool) -> Vec<Self> {
        let mut newest: BTreeMap<String, Self> = BTreeMap::new();
        let mut manifests = Vec::new();
        for dir in directories {
            build_directory::visit_files(dir, &mut |file| {
                if is_manifest(file) {
                    manifests.push(file.to_owned());
                }
            });
        }
        for manifest in manifests {
            let Some(script) = Self::read(&manifest, root).filter(&is_wanted) else { continue };
            if newest.get(&script.name).is_none_or(|other| other.time < script.time) {
                newest.insert(script.name.clone(), script);
            }
        }
        newest.into_values().collect()
    }

    /// Returns the script of a manifest, if it belongs to the package in `root` and still exists.
    fn read(manifest: &Path, root: &Path) -> Option<Self> {
        let script = Self::parse(manifest)?;
        let package = script.manifest.variable("CARGO_MANIFEST_DIR")?;
        (fs::canonicalize(package).ok()? == fs::canonicalize(root).ok()?).then_some(script)
    }

    /// Returns the script of a manifest, if it still exists.
    fn parse(manifest: &Path) -> Option<Self> {
        let name = manifest.file_stem()?.to_str()?.to_owned();
        // Builds leave a manifest alone that would be the same. Cargo writes what the script printed whenever it has run.
        let record = manifest.parent()?.with_file_name("output");
        let modified = |file: &Path| fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
        let time = modified(manifest).max(modified(&record))?;
        let manifest = ScriptManifest::parse(&fs::read_to_string(manifest).ok()?)?;
        let file = PathBuf::from(&manifest.script);
        file.is_file().then_some(Self { name, file, manifest, time })
    }

    /// Returns the directory that the script writes to.
    pub(crate) fn out_dir(&self) -> PathBuf {
        self.manifest.variable("OUT_DIR").unwrap_or(&self.manifest.dir).into()
    }

    fn is_of_release_build(&self) -> bool {
        let has_assertions = self.manifest.variable("CARGO_CFG_DEBUG_ASSERTIONS").is_some();
        self.manifest.variable("PROFILE") == Some("release") && !has_assertions
    }

    /// Returns the command that makes the script write its packs to `out_dir`, as in a release build.
    pub(crate) fn release_command(&self, out_dir: &Path) -> Command {
        let mut command = self.manifest.build_command();
        command.env("OUT_DIR", out_dir).env("PROFILE", "release").env("DEBUG", "false");
        command.env_remove("CARGO_CFG_DEBUG_ASSERTIONS");
        command
    }

    /// Makes the script import what has changed, as a build does, but into an output directory of its own, and returns what it
    /// reports as errors.
    pub(crate) fn import(&self) -> Vec<String> {
        let out_dir = self.out_dir();
        let parent = out_dir.parent().unwrap_or(&out_dir);
        let Ok(dir) = tempfile::Builder::new().prefix("rres-import").tempdir_in(parent) else {
            return vec![format!("cannot create a temporary directory in {}", parent.display())];
        };
        let output = match self.manifest.build_command().env("OUT_DIR", dir.path()).output() {
            Ok(output) => output,
            Err(error) => return vec![format!("cannot run the build script {}: {error}", self.file.display())],
        };
        let stdout = String::from_utf8_lossy(&output.stdout);
        let errors = stdout.lines().filter_map(|line| {
            line.strip_prefix("cargo::error=").or_else(|| line.strip_prefix("cargo:warning=error: ")).map(str::to_owned)
        });
        errors.collect()
    }

    /// Returns a warning if `build.rs` of the package in `root` has changed since the script was compiled.
    pub(crate) fn outdated_warning(&self, root: &Path) -> Option<&'static str> {
        let modified = |file: &Path| fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
        let is_outdated = modified(&root.join("build.rs")) > modified(&self.file);
        is_outdated.then_some("build.rs has changed since the last `cargo build`, whose rules are used")
    }

    /// Asks the script for the lock file that fits the assets.
    pub(crate) fn lock(&self) -> Result<LockResponse, Failure> {
        let response = Client::start(&self.manifest, &self.name, Stdio::null()).and_then(|mut client| client.lock());
        response.map_err(|e| Failure::Fault(format!("{e}; run `cargo build` and try again")))
    }
}

fn is_manifest(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == ScriptManifest::EXTENSION)
}
