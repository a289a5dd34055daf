//! What Cargo compiles with, asked from Cargo itself: it runs the build script of an empty package in the directory of the game.
//!
//! Flags for the compiler come from variables and from any number of configuration files, and setting them in one place hides the
//! others. To add a flag without losing the user's, one has to know all of them, and only Cargo does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::cargo::{self, BuildMessage};
use crate::exit::Failure;

/// The variable that the build script of the empty package sets.
const ANSWER: &str = "RRES_ANSWER";

/// Between flags, as in the variable `CARGO_ENCODED_RUSTFLAGS`.
pub(super) const SEPARATOR: char = '\u{1f}';

/// What Cargo compiles a game with.
#[derive(Debug)]
pub(super) struct Toolchain {
    /// The flags of the user for the compiler.
    pub(super) flags: Vec<String>,
    /// The target triple.
    pub(super) target: String,
    /// The directory of the compiler and its standard library.
    pub(super) sysroot: PathBuf,
}

impl Toolchain {
    /// Asks Cargo, in the directory `root`. `target` is the option `--target`.
    pub(super) fn ask(root: &Path, target: Option<&str>) -> Result<Self, Failure> {
        let failed = |why: &str| Failure::Fault(format!("cannot find out what Cargo compiles with: {}", why.trim()));
        let dir = tempfile::tempdir().map_err(|e| failed(&e.to_string()))?;
        let files = [
            (
                "Cargo.toml",
                "[package]\nname = \"rres-ask\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n".to_owned(),
            ),
            ("lib.rs", String::new()),
            ("build.rs", SCRIPT.replace("ANSWER", ANSWER)),
        ];
        for (name, text) in files {
            let file = if name == "lib.rs" { dir.path().join("src").join(name) } else { dir.path().join(name) };
            let written = fs::create_dir_all(file.parent().unwrap_or(dir.path())).and_then(|()| fs::write(&file, text));
            written.map_err(|e| failed(&format!("{}: {e}", file.display())))?;
        }
        let mut command = cargo::command(root);
        command.args(["check", "--quiet", "--offline", "--message-format=json", "--manifest-path"]);
        command.arg(dir.path().join("Cargo.toml")).arg("--target-dir").arg(dir.path().join("target"));
        // The user's configured place for build files does not matter here.
        command.env("CARGO_BUILD_BUILD_DIR", dir.path().join("target"));
        if let Some(target) = target {
            command.args(["--target", target]);
        }
        let mut answers = BTreeSet::new();
        let (_, stderr) = cargo::run_build(command.stderr(Stdio::piped()), |message| {
            if let BuildMessage::ScriptExecuted { variables, .. } = message {
                answers.extend(variables.into_iter().filter(|(name, _)| name == ANSWER).map(|(_, answer)| answer));
            }
        })?;
        if answers.len() > 1 {
            let text = "Cargo's configuration builds for several targets; choose one with --target";
            return Err(Failure::Usage(text.to_owned()));
        }
        // The package itself may not compile, if the target has no standard library. The game will say so.
        let answer = answers.pop_first().ok_or_else(|| failed(&stderr))?;
        let mut parts = answer.split('|');
        let mut part = || parts.next().unwrap_or_default().to_owned();
        let (target, sysroot, flags) = (part(), part(), part());
        let flags = flags.split(SEPARATOR).filter(|flag| !flag.is_empty()).map(str::to_owned).collect();
        Ok(Self { flags, target, sysroot: sysroot.into() })
    }
}

/// Answers with the target, the sysroot and the flags.
const SCRIPT: &str = r#"
use std::env::var;
fn main() {
    let rustc = std::process::Command::new(var("RUSTC").unwrap()).args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8_lossy(&rustc.stdout);
    let flags = var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    println!("cargo::rustc-env=ANSWER={}|{}|{}", var("TARGET").unwrap(), sysroot.trim(), flags);
}
"#;
