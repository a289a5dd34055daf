//! The package that the command is run for: its name, its directory, and the directories that Cargo builds it in.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::exit::Failure;

/// The options that choose a package.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct PackageArgs {
    /// Package of the workspace [default: the one in the current directory]
    #[arg(short, long, value_name = "NAME")]
    pub(crate) package: Option<String>,
    /// Path to Cargo.toml [default: the nearest one in the current directory or above it]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// A package as Cargo sees it.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// The directory of its manifest.
    pub(crate) root: PathBuf,
    /// Cargo's name for exactly this package.
    pub(crate) id: String,
    pub(crate) has_build_script: bool,
    /// Its library and its programs.
    pub(crate) targets: Vec<Target>,
    /// The features without which Cargo does not compile a program, by its name.
    pub(crate) required_features: BTreeMap<String, Vec<String>>,
    /// The directory of the workspace's manifest.
    pub(crate) workspace: PathBuf,
    /// The directories of all members of the workspace.
    pub(crate) members: Vec<PathBuf>,
    /// The directories that Cargo builds it in.
    pub(crate) build_directories: Vec<PathBuf>,
}

/// What Cargo compiles of a package into a crate of its own.
#[derive(Debug)]
pub(crate) enum Target {
    Library,
    Program(String),
}

impl Target {
    /// Returns the name of a program; `None` for a library.
    pub(crate) fn program(&self) -> Option<&str> {
        match self {
            Self::Library => None,
            Self::Program(name) => Some(name),
        }
    }
}

impl PackageArgs {
    /// Returns the packages that the options choose: one, or the members of a workspace without a root package.
    pub(crate) fn find(&self) -> Result<Vec<Package>, Failure> {
        let root = root(self.manifest_path.as_deref())?;
        let metadata = super::metadata(&root, &["--no-deps".to_owned()])?;
        // With the setting `build.build-dir`, the output of build scripts is outside the target directory.
        let mut build_directories: Vec<PathBuf> = ["build_directory", "target_directory"]
            .iter()
            .filter_map(|key| Some(PathBuf::from(metadata[*key].as_str()?)))
            .collect();
        build_directories.dedup();
        let members = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let workspace = metadata["workspace_root"].as_str().map_or_else(|| root.clone(), PathBuf::from);
        let roots: Vec<PathBuf> = members.iter().filter_map(Package::root).collect();
        let read = |member| Package::from_metadata(member, &workspace, &build_directories, &roots);
        let members: Vec<Package> = members.iter().filter_map(read).collect();
        let Some(name) = &self.package else {
            let (own, others): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| is_same(&member.root, &root));
            return Ok(if own.is_empty() { others } else { own });
        };
        let names: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
        let found = members.into_iter().find(|member| member.name == *name);
        let missing = || Failure::Usage(format!("no package `{name}` in this workspace; it has {}", names.join(", ")));
        Ok(vec![found.ok_or_else(missing)?])
    }
}

impl Package {
    fn from_metadata(
        member: &Value,
        workspace: &Path,
        build_directories: &[PathBuf],
        members: &[PathBuf],
    ) -> Option<Self> {
        let is =
            |target: &Value, kind: &str| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&kind.into()));
        let target = |target: &Value| match target["name"].as_str() {
            Some(name) if is(target, "bin") => Some(Target::Program(name.to_owned())),
            Some(_) if ["lib", "rlib", "cdylib", "dylib", "staticlib"].iter().any(|kind| is(target, kind)) => {
                Some(Target::Library)
            }
            _ => None,
        };
        let targets = member["targets"].as_array()?;
        Some(Self {
            id: member["id"].as_str()?.to_owned(),
            targets: targets.iter().filter_map(target).collect(),
            required_features: targets
                .iter()
                .filter(|target| is(target, "bin"))
                .filter_map(required_features)
                .collect(),
            workspace: workspace.to_owned(),
            members: members.to_vec(),
            name: member["name"].as_str()?.to_owned(),
            root: Self::root(member)?,
            has_build_script: targets.iter().any(|target| is(target, "custom-build")),
            build_directories: build_directories.to_vec(),
        })
    }

    /// Returns the directory of a package of `cargo metadata`.
    fn root(member: &Value) -> Option<PathBuf> {
        Some(Path::new(member["manifest_path"].as_str()?).parent()?.to_owned())
    }
}

/// Returns the name of a target of `cargo metadata` and the features that it requires, if it requires some.
fn required_features(target: &Value) -> Option<(String, Vec<String>)> {
    let features = target["required-features"].as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
    Some((target["name"].as_str()?.to_owned(), features.collect()))
}

/// Returns the directory of a manifest, or of the nearest manifest in the current directory or above it.
pub(crate) fn root(manifest: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(manifest) = manifest {
        let dir = manifest.parent().filter(|_| manifest.is_file());
        let dir = dir.ok_or_else(|| Failure::Usage(format!("no such manifest: {}", manifest.display())))?;
        let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        return std::path::absolute(dir).map_err(|e| Failure::Usage(format!("cannot find {}: {e}", dir.display())));
    }
    let current = env::current_dir().map_err(|e| Failure::Usage(format!("cannot find the current directory: {e}")))?;
    let root = current.ancestors().find(|dir| dir.join("Cargo.toml").is_file());
    root.map(Path::to_owned).ok_or_else(|| {
        let current = current.display();
        Failure::Usage(format!("no Cargo.toml in {current} or above it; change to a package, or pass --manifest-path"))
    })
}

/// Returns the directories that Cargo builds the package in `root` in.
pub(crate) fn build_directories(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let manifest_path = Some(root.join("Cargo.toml"));
    let packages = PackageArgs { package: None, manifest_path }.find()?;
    Ok(packages.into_iter().next().map(|package| package.build_directories).unwrap_or_default())
}

/// Whether two paths lead to the same directory.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().ok().is_some_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_required_features_of_programs_are_known() {
        let target = |kind: &str, name: &str| json!({ "kind": [kind], "name": name });
        let mut tool = target("bin", "tool");
        tool["required-features"] = json!(["editor", "net"]);
        let member = json!({
            "id": "id",
            "name": "game",
            "manifest_path": "/game/Cargo.toml",
            "targets": [target("lib", "game"), target("bin", "game"), tool, target("custom-build", "build-script-build")],
        });
        let package = Package::from_metadata(&member, Path::new("/"), &[], &[]).unwrap();
        let expected = [("tool".to_owned(), vec!["editor".to_owned(), "net".to_owned()])];
        assert_eq!(package.required_features, expected.into());
        assert!(package.targets.len() == 3 && package.has_build_script);
    }
}
