//! Small Cargo projects that depend on this workspace by path, for figures that need Cargo and rustc.
//!
//! They live in one directory per checkout in the system's temporary directory, which keeps their build output, so that
//! a second run does not compile the importers again. Deleting it is always safe.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::measure::{Usage, run};

/// Returns the checkout that this program was built from.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the directory of the projects, their output and generated assets.
pub fn workspace() -> PathBuf {
    let checkout = crc32fast::hash(env!("CARGO_MANIFEST_DIR").as_bytes());
    std::env::temp_dir().join(format!("rres-bench-{checkout:08x}"))
}

/// A Cargo project.
#[derive(Debug)]
pub struct Project {
    /// Its directory.
    pub dir: PathBuf,
    target: PathBuf,
}

impl Project {
    /// Writes the files of a project. `dependencies` are lines of `Cargo.toml` after `[package]`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn create(name: &str, dependencies: &str, build: Option<&str>, main: &str) -> Result<Self, Error> {
        let dir = workspace().join("projects").join(name);
        fs::create_dir_all(dir.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n{dependencies}\n\
             [profile.dev.build-override]\nopt-level = 3\ncodegen-units = 16\ndebug = false\n\n\
             [profile.dev.package.\"*\"]\nopt-level = 3\ncodegen-units = 16\ndebug = false\n\n\
             [profile.release]\nstrip = true\n"
        );
        fs::write(dir.join("Cargo.toml"), manifest)?;
        // The same versions as here, without a query of the registry's index.
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"), dir.join("Cargo.lock"))?;
        match build {
            Some(build) => fs::write(dir.join("build.rs"), build)?,
            None if dir.join("build.rs").exists() => fs::remove_file(dir.join("build.rs"))?,
            None => {}
        }
        fs::write(dir.join("src/main.rs"), main)?;
        Ok(Self { dir, target: workspace().join("target") })
    }

    /// Returns the same project with an empty target directory of its own.
    ///
    /// # Errors
    /// If old output cannot be removed.
    pub fn with_cold_target(mut self, name: &str) -> Result<Self, Error> {
        self.target = workspace().join(name);
        if self.target.exists() {
            fs::remove_dir_all(&self.target)?;
        }
        Ok(self)
    }

    /// Returns a `cargo` command in the project.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.dir).env("CARGO_TARGET_DIR", &self.target);
        command.env("RRES_CACHE_DIR", workspace().join("cache")).env("CARGO_TERM_COLOR", "never");
        command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        command
    }

    /// Runs `cargo build`.
    ///
    /// # Errors
    /// If it fails.
    pub fn build(&self, arguments: &[&str]) -> Result<Usage, Error> {
        run(self.cargo(&["build", "--quiet"]).args(arguments))
    }

    /// Runs `cargo build`, and returns what it made and whether that was fresh.
    ///
    /// # Errors
    /// If it fails.
    pub fn artifacts(&self, arguments: &[&str]) -> Result<Vec<Artifact>, Error> {
        let used = run(self.cargo(&["build", "--quiet", "--message-format=json"]).args(arguments))?;
        let lines = used.stdout.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let artifacts = lines.filter(|line| line["reason"] == "compiler-artifact");
        Ok(artifacts
            .map(|line| Artifact {
                name: line["target"]["name"].as_str().unwrap_or_default().to_owned(),
                fresh: line["fresh"] == true,
                files: line["filenames"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|f| Some(f.as_str()?.into()))
                    .collect(),
            })
            .collect())
    }

    /// Returns the path of the executable of a profile.
    pub fn executable(&self, profile: &str) -> Result<PathBuf, Error> {
        let name = self.dir.file_name().ok_or("the project has no name")?;
        Ok(self.target.join(profile).join(name).with_extension(std::env::consts::EXE_EXTENSION))
    }
}

/// What Cargo built for one target.
#[derive(Debug)]
pub struct Artifact {
    /// The name of the target.
    pub name: String,
    /// Whether it was up to date, so that Cargo did not compile it.
    pub fresh: bool,
    /// Its files.
    pub files: Vec<PathBuf>,
}
