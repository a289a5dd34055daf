//! wasm-bindgen, which makes the scripts between a program and the browser.
//!
//! The command and the crate must have the same version. If the command that is installed has another one, Cargo installs the right one
//! in the directory for build results, as `trunk` does it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cargo::{self, Crate};
use crate::exit::Failure;
use crate::output::{Output, Style};

/// The name of its files, without extension.
const NAME: &str = "game";

/// Finds the command, and installs it if there is none.
#[derive(Debug)]
pub(in super::super) struct Installer {
    /// The directory for build results.
    pub(in super::super) target_directory: PathBuf,
    /// Arguments of `cargo install`.
    pub(in super::super) arguments: Vec<String>,
}

/// The command in the version of the crate.
#[derive(Debug)]
pub(super) struct Bindgen {
    command: PathBuf,
}

impl Installer {
    pub(super) fn get(&self, crates: &[&Crate], out: &mut Output) -> Result<Bindgen, Failure> {
        let package = crates.iter().find(|package| package.name == "wasm-bindgen");
        let version = &package
            .ok_or_else(|| {
                Failure::Fault("the program uses wasm-bindgen, which is not among its dependencies".to_owned())
            })?
            .version;
        let root = self.target_directory.join(format!("rres-tools/wasm-bindgen-{version}"));
        let own = root.join("bin").join(format!("wasm-bindgen{}", std::env::consts::EXE_SUFFIX));
        let commands = [PathBuf::from("wasm-bindgen"), own.clone()];
        if let Some(command) = commands.into_iter().find(|command| has_version(command, version)) {
            return Ok(Bindgen { command });
        }
        out.message(
            Style::Bold,
            "note:",
            &format!("installing wasm-bindgen {version}, which takes some minutes once"),
        )?;
        let mut command = cargo::command(&self.target_directory);
        command.args(["install", "wasm-bindgen-cli", "--version", &format!("={version}"), "--root"]).arg(&root);
        command.args(&self.arguments);
        // These are for the game, which is for another target.
        for variable in ["CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
            command.env_remove(variable);
        }
        // Standard output may be JSON.
        let status = command.stdout(Stdio::null()).status();
        match status {
            Ok(status) if status.success() && has_version(&own, version) => Ok(Bindgen { command: own }),
            _ => Err(Failure::Usage(format!(
                "cannot install wasm-bindgen {version}, the version in Cargo.lock; see above, or install it yourself: cargo install \
                 wasm-bindgen-cli --version {version}"
            ))),
        }
    }
}

/// Whether this is the command in this version.
fn has_version(command: &Path, version: &str) -> bool {
    let output = Command::new(command).arg("--version").stderr(Stdio::null()).output();
    let printed = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    printed.is_some_and(|printed| version_in(&printed) == Some(version))
}

/// The version in what the command prints: `wasm-bindgen 0.2.100`, and perhaps the commit that it was built from.
fn version_in(printed: &str) -> Option<&str> {
    printed.split_whitespace().nth(1)
}

impl Bindgen {
    /// Writes the scripts of a program into a directory, and returns the program that goes with them. With `engine`, another script
    /// instantiates the program, so the scripts only have what it imports.
    pub(super) fn run(&self, program: &Path, engine: bool, dir: &Path) -> Result<PathBuf, Failure> {
        let mut command = Command::new(&self.command);
        command.args(["--target", if engine { "bundler" } else { "web" }, "--no-typescript", "--out-name", NAME]);
        command.arg("--out-dir").arg(dir).arg(program);
        let output = command.stdout(Stdio::null()).output();
        let output = output.map_err(|e| Failure::Usage(format!("cannot run {}: {e}", self.command.display())))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::Fault(format!("wasm-bindgen cannot read {}: {}", program.display(), text.trim())));
        }
        Ok(dir.join(format!("{NAME}_bg.wasm")))
    }
}

/// Returns those of the files that wasm-bindgen has made that pages load: scripts, but not the one for bundlers that imports the program.
pub(super) fn scripts(mut paths: Vec<String>) -> Vec<String> {
    let glue = format!("{NAME}_bg.js");
    let for_bundlers = paths.contains(&glue).then(|| format!("{NAME}.js"));
    paths.retain(|path| path.ends_with(".js") && Some(path) != for_bundlers.as_ref());
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_pages_are_found_with_their_snippets() {
        let made = |paths: &[&str]| scripts(paths.iter().map(|path| (*path).to_owned()).collect());
        let web = ["game.js", "game_bg.wasm", "snippets/audio-1f/inline0.js", "snippets/audio-1f/notes.txt"];
        assert_eq!(made(&web), ["game.js", "snippets/audio-1f/inline0.js"]);
        assert_eq!(made(&["game.js", "game_bg.js", "game_bg.wasm"]), ["game_bg.js"]);
    }

    #[test]
    fn versions_are_compared_whole() {
        assert_eq!(version_in("wasm-bindgen 0.2.100 (2405ec2b4)\n"), Some("0.2.100"));
        assert_eq!(version_in("wasm-bindgen 0.2.10\n"), Some("0.2.10"));
        assert_eq!(version_in(""), None);
        assert!(!has_version(Path::new("there is no such command"), "0.2.100"));
    }
}
