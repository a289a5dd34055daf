//! Importers of a build script in a program that has only their names: the script is run, and the import cache then has the result.

use std::sync::OnceLock;

use crate::import::ImportError;
use crate::options::RunScript;

/// What the importers of the build script are asked for, at most once in a build.
pub(super) struct ScriptImporters {
    /// `None` if the script cannot be run.
    pub(super) run: Option<RunScript>,
    /// The errors that the script has reported, once it has run.
    pub(super) reported: OnceLock<Vec<String>>,
}

impl ScriptImporters {
    /// Runs the script, unless it has been run.
    pub(super) fn run(&self) {
        self.reported.get_or_init(|| self.run.as_ref().map(|run| run()).unwrap_or_default());
    }

    /// Why the source at `path`, which the importer `name` reads, is not in the cache after all.
    pub(super) fn error(&self, name: &str, path: &str) -> ImportError {
        let reported = self.reported.get().map(Vec::as_slice).unwrap_or_default();
        let about = reported.iter().find(|line| line.contains(path)).or(reported.first());
        let why = match about {
            Some(line) => format!(", which reports: {line}"),
            None => ", and has changed since the last build".to_owned(),
        };
        let message = format!("is read by the importer `{name}` of the build script{why}");
        ImportError::new(message).with_help("run `cargo build`, which imports it, and try again").without_fix()
    }
}
