//! Finds the compiled build scripts of a package through the manifests that they have written, and asks them for the
//! lock file that fits the assets. `docs/hot-reload.md` describes manifests and protocol.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

use rres_protocol::client::{Client, LockResponse};
use rres_protocol::serve::ScriptManifest;

use crate::build_directory;
use crate::exit::Failure;

/// A compiled build script that can serve a pack.
#[derive(Debug)]
pub(crate) struct ServingScript {
    /// Name of the pack.
    name: String,
    /// The executable.
    pub(crate) file: PathBuf,
    manifest: ScriptManifest,
}

impl ServingScript {
    /// Returns the scripts of the package in `root`: for each of its packs the one that was built last.
    ///
    /// `directories` are the directories that Cargo builds into.
    pub(crate) fn of_package(root: &Path, directories: &[PathBuf]) -> Vec<Self> {
        let mut newest: BTreeMap<String, (SystemTime, Self)> = BTreeMap::new();
        let mut manifests = Vec::new();
        for dir in directories {
            build_directory::visit_files(dir, &mut |file| {
                if file.extension().is_some_and(|extension| extension == ScriptManifest::EXTENSION) {
                    manifests.push(file.to_owned());
                }
            });
        }
        for manifest in manifests {
            let Some(script) = Self::read(&manifest, root) else { continue };
            let Ok(time) = fs::metadata(&manifest).and_then(|metadata| metadata.modified()) else { continue };
            if newest.get(&script.name).is_none_or(|(other, _)| *other < time) {
                newest.insert(script.name.clone(), (time, script));
            }
        }
        newest.into_values().map(|(_, script)| script).collect()
    }

    /// Returns the script of a manifest, if it belongs to the package in `root` and still exists.
    fn read(manifest: &Path, root: &Path) -> Option<Self> {
        let name = manifest.file_stem()?.to_str()?.to_owned();
        let manifest = ScriptManifest::parse(&fs::read_to_string(manifest).ok()?)?;
        let package = manifest.variable("CARGO_MANIFEST_DIR")?;
        let belongs_to_package = fs::canonicalize(package).ok()? == fs::canonicalize(root).ok()?;
        let file = PathBuf::from(&manifest.script);
        (belongs_to_package && file.is_file()).then_some(Self { name, file, manifest })
    }

    /// Asks the script for the lock file that fits the assets.
    pub(crate) fn lock(&self) -> Result<LockResponse, Failure> {
        let response = Client::start(&self.manifest, &self.name, Stdio::null()).and_then(|mut client| client.lock());
        response.map_err(|e| Failure::Fault(format!("{e}; run `cargo build` and try again")))
    }
}
