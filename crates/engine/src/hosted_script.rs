//! The command `cargo-rres` in place of a build script: it reads the script's options and does its work.
//!
//! `tool.rs` is the other side. Environment, working directory, standard input and output are the script's, so
//! Cargo and a running game see no difference.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use crate::build::Outcome;
use crate::cargo::{self, CargoEnv};
use crate::context::BuildContext;
use crate::diagnostic::{BuildError, Diagnostic};
use crate::import::RresImporters;
use crate::script_exit::ScriptExit;
use crate::script_options::read_options;
use crate::session::Session;

/// Does the work of a build script whose options are in the file `options`, which is then removed, with the importers of this program. Faults are reported to
/// Cargo. Only for `cargo rres build-script`.
#[must_use]
pub fn host_build_script(options: &Path, importers: &Arc<RresImporters>) -> ExitCode {
    let exit = run(options, importers).unwrap_or_else(|error| {
        cargo::report(&error, CargoEnv::read().manifest_dir.as_deref());
        ScriptExit::Failed
    });
    ExitCode::from(exit as u8)
}

fn run(options: &Path, importers: &Arc<RresImporters>) -> Result<ScriptExit, BuildError> {
    let text = fs::read_to_string(options).map_err(|e| Diagnostic::io("read the options", options, &e))?;
    // While a game is served, nobody else would remove it.
    let _ = fs::remove_file(options);
    let build = read_options(options, &text, importers)?;
    for text in &build.earlier {
        let context = BuildContext::new(read_options(options, text, importers)?)?;
        let files = Session::open(&context).files;
        // What is wrong with an earlier build has been reported.
        let _ = context.claim(&files);
    }
    Ok(match build.build_unless_fresh()? {
        Outcome::Built(_) | Outcome::Skipped => ScriptExit::Done,
        Outcome::Served => ScriptExit::Served,
    })
}
