//! Everything that is wrong with a build, in one value: a build with five broken assets reports five.

use std::fmt;
use std::io;
use std::path::Path;

use crate::import::ImportError;
use crate::settings::SettingsError;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    place: String,
    message: String,
    help: Option<String>,
}

impl Problem {
    /// A problem of a file; `place` is how the user would name it, with line and column where there are any.
    pub(crate) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into(), help: None }
    }

    /// A file operation that failed.
    pub(crate) fn io(operation: &str, file: &Path, error: &io::Error) -> Self {
        Self::new(file.display().to_string(), format!("cannot {operation}: {error}"))
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn import(place: impl Into<String>, error: &ImportError) -> Self {
        Self { place: place.into(), message: error.to_string(), help: error.help_text().map(str::to_owned) }
    }

    /// The file, with line and column where there are any.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong with it.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl From<SettingsError> for Problem {
    fn from(error: SettingsError) -> Self {
        let place = format!("{}:{}:{}", error.label(), error.line(), error.column());
        Self { place, message: error.message().to_owned(), help: error.help().map(str::to_owned) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// Why a build failed; never empty, sorted by place.
#[derive(Clone, Debug)]
pub struct Errors(Vec<Problem>);

impl Errors {
    pub(crate) fn new(mut problems: Vec<Problem>) -> Self {
        debug_assert!(!problems.is_empty());
        problems.sort_by(|a, b| a.place.cmp(&b.place));
        Self(problems)
    }

    /// The problems.
    pub fn problems(&self) -> &[Problem] {
        &self.0
    }
}

impl From<Errors> for Vec<Problem> {
    fn from(errors: Errors) -> Self {
        errors.0
    }
}

impl From<Problem> for Errors {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
