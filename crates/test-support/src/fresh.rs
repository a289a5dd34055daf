//! A fresh crate outside the workspace, as a user writes it, built by Cargo.
//!
//! It has the profiles and the target directory of this workspace, and [`Fresh::new`] has the features of its crates, so nothing that the
//! workspace has compiled is compiled again. Each crate has another name, because all executables go into one directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A crate in a directory.
#[derive(Debug)]
pub struct Fresh {
    name: &'static str,
    dir: PathBuf,
    /// Removes the directory at the end.
    temporary: Option<tempfile::TempDir>,
}

impl Fresh {
    /// A crate whose dependencies have all the features that the workspace compiles them with.
    pub fn new(name: &'static str, main: &str) -> Self {
        Self::temporary(name, main, &with_all_features(&manifest(name, &["engine"])))
    }

    /// A crate as users have it, with these features of `rres-build`, which is compiled for it.
    pub fn with_features(name: &'static str, features: &[&str], main: &str) -> Self {
        Self::temporary(name, main, &(manifest(name, features) + &profiles_without_features()))
    }

    /// The same in the directory `dir`, which stays. A test needs it whose compiler flags contain the directory: with another one
    /// each time, all dependencies would be compiled each time.
    pub fn at(dir: PathBuf, name: &'static str, features: &[&str], main: &str) -> Self {
        let of_features = manifest(name, features) + &profiles_without_features();
        Self::write_to(dir, name, main, &of_features)
    }

    fn temporary(name: &'static str, main: &str, manifest: &str) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let mut fresh = Self::write_to(temporary.path().to_owned(), name, main, manifest);
        fresh.temporary = Some(temporary);
        fresh
    }

    fn write_to(dir: PathBuf, name: &'static str, main: &str, manifest: &str) -> Self {
        let fresh = Self { name, dir, temporary: None };
        fresh.write("Cargo.toml", manifest);
        // The same versions as in this workspace, so that Cargo need not resolve them.
        fresh.write("Cargo.lock", fs::read(workspace().join("Cargo.lock")).unwrap());
        fresh.write("build.rs", "fn main() {\n    rres_build::import(\"assets\").build_or_exit();\n}\n");
        fresh.write("src/main.rs", main);
        fresh
    }

    /// The path of a file of the crate.
    pub fn path(&self, file: &str) -> PathBuf {
        self.dir.join(file)
    }

    /// Writes a file of the crate, and makes its directory.
    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let file = self.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// The executable of a profile's directory, `debug` or `release`.
    pub fn executable(&self, profile: &str) -> PathBuf {
        target_dir().join(profile).join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX))
    }

    /// A program that runs in the crate's directory, with its own import cache.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.dir).env("RRES_CACHE_DIR", self.path("cache"));
        for variable in ["OUT_DIR", "RRES_PATH", "RRES_RELOAD"] {
            command.env_remove(variable);
        }
        command
    }

    /// A program that builds into the target directory of this workspace.
    pub fn building_command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = self.command(program);
        command.env("CARGO_TARGET_DIR", target_dir());
        // What a release program contains does not depend on optimisation, and the dependencies compile in a third of the time.
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        command
    }

    /// Runs Cargo, and returns its output.
    pub fn cargo(&self, arguments: &[&str]) -> (String, String) {
        let mut command = self.building_command(cargo());
        let Output { stdout, stderr, .. } = command.args(arguments).arg("--offline").output().expect("cargo runs");
        (String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned())
    }
}

impl Drop for Fresh {
    /// Removes the build scripts and executables of a crate in a temporary directory: no later run can use them, and each has a copy of
    /// everything that it links.
    fn drop(&mut self) {
        if self.temporary.is_none() {
            return;
        }
        let prefix = format!("{}-", self.name);
        for profile in ["debug", "release"] {
            let dirs = ["build", "deps"].map(|name| target_dir().join(profile).join(name));
            let built = dirs.iter().filter_map(|dir| fs::read_dir(dir).ok()).flatten().flatten();
            let is_own = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&prefix);
            for path in built.filter(is_own).map(|entry| entry.path()).chain([self.executable(profile)]) {
                // What cannot be removed does no harm: Windows keeps a program that still runs.
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
}

/// These arguments of Cargo, and in `.ci/nightly` the same with `--release`: it compiles all dependencies once more.
pub fn in_profiles<'a>(arguments: &[&'a str]) -> Vec<Vec<&'a str>> {
    let release = crate::is_nightly().then(|| [arguments, &["--release"]].concat());
    [arguments.to_vec()].into_iter().chain(release).collect()
}

/// The manifest of a package that depends on `rres-runtime` and on these features of `rres-build`.
fn manifest(name: &str, features: &[&str]) -> String {
    format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nrres-runtime = {{ path = {:?}, features = [\"hot-reload\"] }}\n\
         [build-dependencies]\nrres-build = {{ path = {:?}, default-features = false, features = {features:?} }}\n",
        workspace().join("rres-runtime"),
        workspace().join("rres-build"),
    )
}

/// The manifest of a package that depends on `rres-runtime` and `rres-build`, with all the features and the profiles that the workspace
/// compiles them with: nothing has to be compiled for it but the package itself.
pub fn with_all_features(manifest: &str) -> String {
    let directory = workspace().join("crates/all-features");
    let manifest = ["dependencies", "build-dependencies"].iter().fold(manifest.to_owned(), |manifest, table| {
        let head = format!("\n[{table}]\n");
        manifest.replace(&head, &format!("{head}rres-all-features = {{ path = {directory:?} }}\n"))
    });
    // The path is part of what Cargo compares, so these crates are compiled again anyway, and sooner if they are not optimised.
    manifest + &profiles(|package| !["rres-codec", "rres-decode", "rres-format"].contains(&package))
}

/// Cargo. If the tests run in Wine, it is not the one that has compiled them.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| env!("CARGO").into(), PathBuf::from)
}

/// The root of this workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// The target directory of this workspace, wherever `CARGO_TARGET_DIR` or the configuration put it: test programs are in
/// `PROFILE/deps` there.
pub fn target_dir() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(3).unwrap().to_owned()
}

/// The packages with a profile of their own that exist without features: Cargo warns if a package is missing.
const WITHOUT_FEATURES: [&str; 7] =
    ["blake3", "crc32fast", "lz4_flex", "zlib-rs", "zrip-core", "zrip-decode", "zstd-sys"];

/// The tables `[profile.…]` of this workspace for a package with few features.
pub fn profiles_without_features() -> String {
    profiles(|package| WITHOUT_FEATURES.contains(&package))
}

/// The tables `[profile.…]` of this workspace, and of single packages if `has` is true for them.
fn profiles(has: impl Fn(&str) -> bool) -> String {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let tables = manifest.split("\n[").skip(1).filter(|table| table.starts_with("profile."));
    let package = |table: &str| Some(table.split_once(']')?.0.strip_prefix("profile.dev.package.")?.to_owned());
    let wanted = tables.filter(|table| package(table).is_none_or(|package| has(&package)));
    wanted.map(|table| format!("\n[{table}")).collect()
}
