//! Builds the programs with Cargo, and takes from its messages where they and the output directories of build scripts are.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::machine_paths::MachinePaths;
use super::options::CargoOptions;
use super::toolchain::{SEPARATOR, Toolchain};
use crate::cargo::{self, BuildMessage, Graph, Package, Target};
use crate::exit::Failure;

/// A program that Cargo has built.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) name: String,
    pub(super) file: PathBuf,
}

/// What a build has made.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) programs: Vec<Program>,
    /// Cargo's names of packages, each with an output directory of its build script.
    pub(super) out_dirs: Vec<(String, PathBuf)>,
}

/// How to build the programs of a package.
#[derive(Debug)]
pub(super) struct Recipe<'a> {
    pub(super) package: &'a Package,
    pub(super) programs: &'a [String],
    pub(super) options: &'a CargoOptions,
    pub(super) toolchain: &'a Toolchain,
    /// The paths to keep out of the programs, if they are not to be kept.
    pub(super) hidden: Option<&'a MachinePaths>,
}

impl Recipe<'_> {
    /// Runs Cargo, whose progress goes to standard error.
    pub(super) fn build(&self) -> Result<Built, Failure> {
        let mut command = self.command(self.options.for_build(&self.package.id, self.programs))?;
        let mut built = Built::default();
        let (status, _) = cargo::run_build(&mut command, |message| match message {
            BuildMessage::Executable { package, name, file } if package == self.package.id => {
                built.programs.push(Program { name, file });
            }
            BuildMessage::ScriptExecuted { package, out_dir, .. } => built.out_dirs.push((package, out_dir)),
            _ => {}
        })?;
        if !status.success() {
            return Err(Failure::Fault(format!("{} does not build; see above", self.package.name)));
        }
        built.programs.retain(|program| self.programs.contains(&program.name));
        match self.programs.iter().find(|name| built.programs.iter().all(|built| built.name != **name)) {
            Some(name) => Err(Failure::Fault(format!("Cargo has built no executable of the program `{name}`"))),
            None => Ok(built),
        }
    }

    /// Returns the command that compiles one target in the same way, whose arguments those of the compiler may follow.
    pub(super) fn lint(&self, target: &Target) -> Result<Command, Failure> {
        self.command(self.options.for_rustc(&self.package.id, target))
    }

    /// Returns Cargo with arguments, the directory for what it builds, and the flags of the compiler.
    fn command(&self, arguments: Vec<String>) -> Result<Command, Failure> {
        let mut command = cargo::command(&self.package.root);
        command.args(arguments);
        if let Some(dir) = &self.options.target_dir {
            command.arg("--target-dir").arg(absolute(dir)?);
        }
        if let Some(hidden) = self.hidden {
            // Every flag of the user comes along: this variable hides all other sources of flags.
            let mut flags: Vec<OsString> = self.toolchain.flags.iter().map(OsString::from).collect();
            flags.extend(hidden.flags());
            command.env("CARGO_ENCODED_RUSTFLAGS", flags.join(&OsString::from(SEPARATOR.to_string())));
        }
        Ok(command)
    }
}

impl Built {
    /// Returns the output directory of the build script of a package, for the code that is linked into the programs. A
    /// package that build scripts use, too, can have another one for those.
    pub(super) fn out_dir_of(&self, package: &str) -> Option<&Path> {
        let of: Vec<&PathBuf> = self.out_dirs.iter().filter(|(id, _)| id == package).map(|(_, dir)| dir).collect();
        if let [_, _, ..] = &of[..] {
            // A program contains the end of the path, to find the pack when it is started by hand.
            let programs: Vec<Vec<u8>> =
                self.programs.iter().filter_map(|program| fs::read(&program.file).ok()).collect();
            let is_in = |dir: &Path| {
                let parts: Vec<_> = dir.iter().filter_map(|part| part.to_str()).collect();
                let tail = parts.iter().rposition(|part| *part == "build").map(|at| parts[at..].join("/") + "/");
                let finder = tail.map(|tail| memchr::memmem::Finder::new(&tail).into_owned());
                finder.is_some_and(|finder| programs.iter().any(|bytes| finder.find(bytes).is_some()))
            };
            if let Some(dir) = of.iter().find(|dir| is_in(dir)) {
                return Some(dir);
            }
        }
        of.last().map(|dir| dir.as_path())
    }
}

/// Returns the names of the programs to ship: those that the user names, the only one, or the one that `cargo run` runs.
pub(super) fn choose_programs(package: &Package, graph: &Graph, named: &[String]) -> Result<Vec<String>, Failure> {
    let all: Vec<&str> = package.targets.iter().filter_map(Target::program).collect();
    let list = || all.join(", ");
    if let Some(unknown) = named.iter().find(|name| !all.contains(&name.as_str())) {
        return Err(Failure::Usage(format!("{} has no program `{unknown}`; it has {}", package.name, list())));
    }
    if !named.is_empty() {
        let mut programs: Vec<String> = Vec::new();
        named.iter().for_each(|name| {
            if !programs.contains(name) {
                programs.push(name.clone());
            }
        });
        return Ok(programs);
    }
    let default = graph.get(&package.id).and_then(|package| package.default_run.clone());
    match (&all[..], default) {
        ([], _) => Err(Failure::Usage(format!("{} has no program to ship, only a library", package.name))),
        ([only], _) => Ok(vec![(*only).to_owned()]),
        (_, Some(default)) => Ok(vec![default]),
        _ => Err(Failure::Usage(format!(
            "{} has several programs: {}; choose with --bin, or set `default-run` in Cargo.toml",
            package.name,
            list()
        ))),
    }
}

/// Returns a path that does not depend on the current directory.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    let current = env::current_dir();
    let current = current.map_err(|e| Failure::Usage(format!("cannot find the current directory: {e}")))?;
    Ok(current.join(path))
}
