//! Importers of a build script in a program that has only their names: the script is run, and the import cache then has the result.

use std::path::Path;
use std::sync::OnceLock;

use rres_import::ImportError;

use crate::diagnostic::escape_controls;
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

    /// Why the source in `file`, which the importer `name` reads, is not in the cache after all.
    pub(super) fn error(&self, name: &str, file: &Path) -> ImportError {
        let reported = self.reported.get().map(Vec::as_slice).unwrap_or_default();
        let file = escape_controls(&file.display().to_string());
        let about = reported.iter().find(|line| is_about(line, &file)).or(reported.first());
        let why = match about {
            Some(line) => format!(", which reports: {line}"),
            None => ", and has changed since the last build".to_owned(),
        };
        let message = format!("is read by the importer `{name}` of the build script{why}");
        ImportError::new(message).with_help("run `cargo build`, which imports it, and try again").without_fix()
    }
}

/// Whether a line that a script has reported is about this file: a colon follows it, and not more of a longer name.
fn is_about(line: &str, file: &str) -> bool {
    line.strip_prefix(file).is_some_and(|rest| rest.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_other_files_with_similar_names_are_not_taken() {
        let reported = ["/a/sub/b.curve: is empty", "/a/b.curve2: is cut off", "/a/b.curve:3:1: expected a number"];
        let script = ScriptImporters { run: None, reported: OnceLock::new() };
        script.reported.set(reported.map(str::to_owned).into()).unwrap();
        let error = script.error("curve", Path::new("/a/b.curve")).to_string();
        assert!(error.ends_with("which reports: /a/b.curve:3:1: expected a number"), "{error}");
        // An error that names no file, such as one of the script itself, is better than none.
        let error = script.error("curve", Path::new("/a/c.curve")).to_string();
        assert!(error.ends_with("which reports: /a/sub/b.curve: is empty"), "{error}");
    }
}
