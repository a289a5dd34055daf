//! A build script without importers: it starts the installed command `cargo-rres`, which does the work.
//!
//! The script writes its options to a file, which the command reads (`hosted_script.rs`). Environment, working directory,
//! standard input and output are inherited, so the command can print directives and serve a running game.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::{Mutex, PoisonError};

use crate::cargo::{self, CargoEnv};
use crate::diagnostic::{BuildError, Diagnostic, Place};
use crate::options::Build;
use crate::script_exit::ScriptExit;
use crate::script_options::write_options;
use crate::settings::{PACK_ROWS, all_rows, faults};

/// The version of this crate, and so of the command.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The command that installs the right version.
const INSTALL: &str = concat!("cargo install cargo-rres --version =", env!("CARGO_PKG_VERSION"), " --locked");

/// The options of the builds that this process has run: a script may call [`import`](crate::import) several times, and only the process
/// connects these builds.
static EARLIER: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[cfg(not(feature = "engine"))]
impl Build {
    /// Runs the build, or serves the running game that started the build script; for the `main` of `build.rs`. The
    /// installed command `cargo-rres` does the work.
    ///
    /// If the build fails, reports every fault to Cargo and exits with code 1. If a running game started the script
    /// (the variable `RRES_SERVE` is set), serves that game until it ends, then exits with code 0.
    pub fn build_or_exit(self) {
        build_or_exit(self);
    }
}

/// Lets the installed command do the work of [`Build::build_or_exit`].
pub(crate) fn build_or_exit(build: Build) {
    match run(build) {
        Ok(ScriptExit::Done) => {}
        Ok(ScriptExit::Served) => process::exit(0),
        Ok(ScriptExit::Failed) => process::exit(1),
        Err(error) => {
            cargo::report(&error, CargoEnv::read().manifest_dir.as_deref());
            process::exit(1);
        }
    }
}

fn run(mut build: Build) -> Result<ScriptExit, BuildError> {
    let cargo = CargoEnv::read();
    let out_dir = build.find_out_dir(&cargo)?;
    BuildError::check(value_faults(&build))?;
    let tool = find();
    if build.out_dir.is_none() {
        cargo::watch_tool(tool.as_ref().ok().map(PathBuf::as_path));
    }
    let tool = tool?;
    check_version(&tool)?;

    // The command is compiled in another profile than this program.
    build.debug = build.debug.or(Some(cargo.is_debug));
    build.script = env::current_exe().ok();
    let text = write_options(&build)?;
    let mut earlier = EARLIER.lock().unwrap_or_else(PoisonError::into_inner);
    build.earlier.clone_from(&earlier);
    earlier.push(text);
    drop(earlier);
    let text = write_options(&build)?;

    let cannot_write = |e| Diagnostic::io("write the options of the build", &out_dir, &e);
    fs::create_dir_all(&out_dir).map_err(cannot_write)?;
    // A build and a script that serves may run at the same time.
    let options = out_dir.join(format!("rres-options.{}.toml", process::id()));
    fs::write(&options, text).map_err(cannot_write)?;
    let status = Command::new(&tool).arg("build-script").arg(&options).status();
    // The command has removed it if it could read it.
    let _ = fs::remove_file(&options);
    let status = status.map_err(|e| Diagnostic::io("start it", &tool, &e))?;
    for exit in [ScriptExit::Done, ScriptExit::Failed, ScriptExit::Served] {
        if status.code() == Some(i32::from(exit as u8)) {
            return Ok(exit);
        }
    }
    Err(Diagnostic::file(tool, format!("ended unexpectedly: {status}")).into())
}

/// What is wrong with values that only code can set, and TOML has no form for.
fn value_faults(build: &Build) -> Vec<Diagnostic> {
    let rules = build.rules.iter().flat_map(|(place, _, rule)| faults(all_rows(), &rule.values, place));
    faults(PACK_ROWS, &build.values, &build.place()).into_iter().chain(rules).collect()
}

/// Finds the command: by the variable, or in Cargo's directory for installed programs, or on the search path.
fn find() -> Result<PathBuf, Diagnostic> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(tool) = variable(cargo::TOOL) {
        let tool = PathBuf::from(tool);
        return if tool.is_file() { Ok(tool) } else { Err(not_found(&format!("{} is not a file", tool.display()))) };
    }
    let cargo_home = variable("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let paths = variable("PATH").map(|paths| env::split_paths(&paths).collect::<Vec<_>>()).unwrap_or_default();
    let name = format!("cargo-rres{EXE_SUFFIX}");
    let mut candidates = cargo_home.map(|home| home.join("bin")).into_iter().chain(paths).map(|dir| dir.join(&name));
    candidates.find(|file| file.is_file()).ok_or_else(|| not_found("it is not installed"))
}

fn not_found(why: &str) -> Diagnostic {
    let place = Place::Name("cargo-rres".to_owned());
    Diagnostic::new(place, format!("cannot run the command that imports the assets: {why}")).with_help(help())
}

fn help() -> String {
    format!("{INSTALL}; or replace the feature \"tool\" of rres-build by \"engine\" and importers")
}

/// Makes sure that `tool` has the version of this crate.
fn check_version(tool: &Path) -> Result<(), Diagnostic> {
    let output = Command::new(tool).arg("--version").output().map_err(|e| Diagnostic::io("start it", tool, &e))?;
    let output = String::from_utf8_lossy(&output.stdout);
    let found = output.trim();
    if found.strip_prefix("cargo-rres ") == Some(VERSION) {
        return Ok(());
    }
    let found = if found.is_empty() { "nothing" } else { found.lines().next().unwrap_or_default() };
    let message = format!("has another version than rres-build: found {found}, expected cargo-rres {VERSION}");
    Err(Diagnostic::file(tool, message).with_help(help()))
}
