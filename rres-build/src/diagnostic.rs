//! The faults of a build, each with its place, and the error that contains all of them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// One fault of a build: where it is, what is wrong and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    place: Place,
    message: String,
    help: Option<String>,
    asset: Option<String>,
}

/// The place of a fault. Ordered by file, line and column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Not in a file: an environment variable, the output directory.
    Name(String),
    /// In a file or directory.
    File(PathBuf, Option<Position>),
}

/// A line and a column, both counted from 1; columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Diagnostic {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), help: None, asset: None }
    }

    /// A fault of a file as a whole.
    pub(crate) fn file(file: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self::new(Place::File(file.into(), None), message)
    }

    /// A failed file operation: `operation` completes "cannot …".
    pub(crate) fn io(operation: &str, file: &Path, error: &io::Error) -> Self {
        Self::file(file, format!("cannot {operation}: {error}"))
    }

    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }

    /// Names the asset whose source cannot be used.
    #[must_use]
    pub(crate) fn with_asset(mut self, path: impl Into<String>) -> Self {
        self.asset = Some(path.into());
        self
    }

    /// Returns the file or directory, or `None` if the fault is elsewhere, such as in an environment variable.
    pub fn file_path(&self) -> Option<&Path> {
        match &self.place {
            Place::Name(_) => None,
            Place::File(file, _) => Some(file),
        }
    }

    /// Returns line and column in the file, both counted from 1, if they are known.
    pub fn position(&self) -> Option<(u32, u32)> {
        match &self.place {
            Place::File(_, Some(Position { line, column })) => Some((*line, *column)),
            _ => None,
        }
    }

    /// Returns the place as shown in messages: `assets/assets.toml:3:9`.
    pub fn place(&self) -> String {
        self.place.to_string()
    }

    /// The place, with files inside `dir` relative to it.
    pub(crate) fn place_in(&self, dir: &Path) -> String {
        match &self.place {
            Place::File(file, position) => {
                Place::File(file.strip_prefix(dir).unwrap_or(file).to_owned(), *position).to_string()
            }
            name => name.to_string(),
        }
    }

    /// Returns the path of the asset whose source cannot be used, if the fault is about one asset.
    pub fn asset(&self) -> Option<&str> {
        self.asset.as_deref()
    }

    /// Returns the description of the fault.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns what to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::File(file, position) => {
                f.write_str(&escape_controls(&file.display().to_string()))?;
                match position {
                    Some(position) => write!(f, ":{position}"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// The text with control characters escaped: a file name must not control the terminal that shows it.
pub(crate) fn escape_controls(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl From<&std::panic::Location<'_>> for Place {
    fn from(location: &std::panic::Location<'_>) -> Self {
        let position = Position { line: location.line(), column: location.column() };
        Self::File(PathBuf::from(location.file()), Some(position))
    }
}

/// The error of a failed build: every fault that was found, sorted by place. Never empty.
#[derive(Clone, Debug)]
pub struct BuildError(Vec<Diagnostic>);

impl BuildError {
    pub(crate) fn new(mut diagnostics: Vec<Diagnostic>) -> Self {
        debug_assert!(!diagnostics.is_empty());
        diagnostics.sort();
        diagnostics.dedup();
        Self(diagnostics)
    }

    /// `Ok` if there are no diagnostics.
    pub(crate) fn check(diagnostics: Vec<Diagnostic>) -> Result<(), Self> {
        if diagnostics.is_empty() { Ok(()) } else { Err(Self::new(diagnostics)) }
    }

    /// Returns the faults, sorted by place.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl From<BuildError> for Vec<Diagnostic> {
    fn from(error: BuildError) -> Self {
        error.0
    }
}

impl From<Diagnostic> for BuildError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: &str, line: u32) -> Diagnostic {
        Diagnostic::new(Place::File(file.into(), Some(Position { line, column: 1 })), "is wrong")
    }

    #[test]
    fn faults_are_sorted_by_line_and_not_as_text() {
        let error = BuildError::new(vec![at("b", 9), at("a", 12), at("a", 9), at("a", 9)]);
        assert_eq!(error.to_string(), "a:9:1: is wrong\na:12:1: is wrong\nb:9:1: is wrong");
    }

    #[test]
    fn places_are_relative_to_a_directory_that_contains_them_and_only_to_that() {
        assert_eq!(at("/a/game/assets/x.png", 1).place_in(Path::new("/a/game")), "assets/x.png:1:1");
        assert_eq!(at("/a/game-target/x.png", 1).place_in(Path::new("/a/game")), "/a/game-target/x.png:1:1");
    }

    #[test]
    fn file_names_do_not_control_the_terminal() {
        let text = Diagnostic::file("a\u{1b}]0;owned\u{7}.png", "is wrong").to_string();
        assert_eq!(text, "a\\u{1b}]0;owned\\u{7}.png: is wrong");
    }
}
