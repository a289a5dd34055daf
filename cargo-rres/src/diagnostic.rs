//! Diagnostics of builds in this process and of serving build scripts, in one form for people and for JSON.

use std::fmt;

use rres_protocol::client::RemoteFailure;
use rres_settings::LintFinding;
use serde_json::{Value, json};

/// What is wrong with a source file or the settings.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    /// The file, with line and column if they are known, or the name of a variable.
    pub(crate) place: String,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn to_json(&self) -> Value {
        json!({ "place": self.place, "message": self.message, "help": self.help })
    }
}

impl From<&rres_settings::diagnostic::Diagnostic> for Diagnostic {
    fn from(diagnostic: &rres_settings::diagnostic::Diagnostic) -> Self {
        let (message, help) = (diagnostic.message().to_owned(), diagnostic.help().map(str::to_owned));
        Self { place: diagnostic.place(), message, help }
    }
}

impl From<RemoteFailure> for Diagnostic {
    fn from(RemoteFailure { place, message, help, .. }: RemoteFailure) -> Self {
        Self { place, message, help: Some(help).filter(|help| !help.is_empty()) }
    }
}

/// Returns the JSON of an asset or a budget beyond a limit.
pub(crate) fn lint_json(finding: &LintFinding) -> Value {
    json!({
        "asset": finding.asset,
        "lint": finding.lint,
        "level": finding.level_word(),
        "found": finding.found,
        "allowed": finding.allowed,
        "rule": finding.rule,
        "place": finding.place,
        "message": finding.message(),
    })
}

/// The place as a path from the current directory, if it is below it: the path that people type.
fn from_here(place: &str) -> &str {
    let below = std::env::current_dir().ok().and_then(|dir| place.strip_prefix(dir.to_str()?));
    below.and_then(|below| below.strip_prefix(std::path::MAIN_SEPARATOR)).unwrap_or(place)
}

/// Formats the diagnostic as builds do, with the help on a line of its own.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", from_here(&self.place), self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}
