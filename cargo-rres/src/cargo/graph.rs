//! The crates that are linked into a program, with what their manifests say about licences and authors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::exit::Failure;

/// A package of the dependency graph.
#[derive(Clone, Debug)]
pub(crate) struct Crate {
    /// Cargo's name for exactly this package.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// The SPDX expression of its licence.
    pub(crate) license: Option<String>,
    /// The file with its licence, if the manifest names one.
    pub(crate) license_file: Option<PathBuf>,
    pub(crate) authors: Vec<String>,
    pub(crate) repository: Option<String>,
    pub(crate) description: Option<String>,
    /// The directory of its manifest.
    pub(crate) root: PathBuf,
    /// The source that Cargo got it from: `registry+https://…`. `None` for a path.
    pub(crate) source: Option<String>,
    pub(crate) is_member: bool,
    /// The program that `cargo run` runs.
    pub(crate) default_run: Option<String>,
    /// The name of its application bundle: `identifier` under `[package.metadata.bundle]`.
    pub(crate) bundle_identifier: Option<String>,
    /// Whether it runs in the compiler, and is not part of the program.
    is_proc_macro: bool,
}

/// The dependencies that Cargo has resolved.
#[derive(Debug)]
pub(crate) struct Graph {
    crates: BTreeMap<String, Crate>,
    /// The ids of the packages that the code of a package uses.
    edges: BTreeMap<String, Vec<String>>,
    pub(crate) workspace_root: PathBuf,
    pub(crate) target_directory: PathBuf,
    /// With the setting `build.build-dir`, the directory for files that are not results.
    pub(crate) build_directory: PathBuf,
}

impl Graph {
    /// Asks Cargo for the graph of the workspace that contains `root`. `arguments` choose features and platform.
    pub(crate) fn read(root: &Path, arguments: &[String]) -> Result<Self, Failure> {
        let metadata = super::metadata(root, arguments)?;
        let path = |key: &str| PathBuf::from(metadata[key].as_str().unwrap_or_default());
        let members: BTreeSet<&str> = strings(&metadata["workspace_members"]).collect();
        let crates = list(&metadata["packages"]).filter_map(|package| Crate::from_metadata(package, &members));
        let edges = list(&metadata["resolve"]["nodes"]).filter_map(|node| {
            // Build scripts and tests are not part of the program.
            let is_code = |dep: &&Value| list(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null());
            let uses = list(&node["deps"]).filter(is_code).filter_map(|dep| dep["pkg"].as_str().map(str::to_owned));
            Some((node["id"].as_str()?.to_owned(), uses.collect()))
        });
        let target_directory = path("target_directory");
        Ok(Self {
            crates: crates.map(|package| (package.id.clone(), package)).collect(),
            edges: edges.collect(),
            workspace_root: path("workspace_root"),
            build_directory: metadata["build_directory"].as_str().map_or(target_directory.clone(), PathBuf::from),
            target_directory,
        })
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Crate> {
        self.crates.get(id)
    }

    /// Returns the package `id` and every package whose code is linked into its programs, sorted by name and version.
    pub(crate) fn linked(&self, id: &str) -> Vec<&Crate> {
        let mut seen = BTreeSet::from([id]);
        let mut rest = vec![id];
        while let Some(next) = rest.pop() {
            for used in self.edges.get(next).into_iter().flatten() {
                let is_linked = self.crates.get(used).is_some_and(|package| !package.is_proc_macro);
                if is_linked && seen.insert(used) {
                    rest.push(used);
                }
            }
        }
        let mut linked: Vec<&Crate> = seen.into_iter().filter_map(|id| self.crates.get(id)).collect();
        linked.sort_by_key(|package| (&package.name, &package.version, &package.source));
        linked
    }

    /// Returns the packages among `of` that the code of `id` uses directly.
    pub(crate) fn uses<'g>(&'g self, id: &str, of: &[&'g Crate]) -> Vec<&'g Crate> {
        let used = self.edges.get(id).map(Vec::as_slice).unwrap_or_default();
        of.iter().filter(|package| used.contains(&package.id)).copied().collect()
    }
}

impl Crate {
    fn from_metadata(package: &Value, members: &BTreeSet<&str>) -> Option<Self> {
        let text = |key: &str| package[key].as_str().map(str::to_owned);
        let id = text("id")?;
        let root = Path::new(package["manifest_path"].as_str()?).parent()?.to_owned();
        let is_proc_macro = |target: &Value| strings(&target["kind"]).any(|kind| kind == "proc-macro");
        Some(Self {
            is_member: members.contains(id.as_str()),
            id,
            name: text("name")?,
            version: text("version")?,
            license: text("license"),
            license_file: text("license_file").map(|file| root.join(file)),
            authors: strings(&package["authors"]).map(str::to_owned).collect(),
            repository: text("repository").or_else(|| text("homepage")),
            description: text("description"),
            root,
            source: text("source"),
            default_run: text("default_run"),
            bundle_identifier: package["metadata"]["bundle"]["identifier"].as_str().map(str::to_owned),
            is_proc_macro: list(&package["targets"]).any(is_proc_macro),
        })
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn strings(value: &Value) -> impl Iterator<Item = &str> {
    list(value).filter_map(Value::as_str)
}
