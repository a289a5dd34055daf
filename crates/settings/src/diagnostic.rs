//! The faults of a build, each with its place, and the error that contains all of them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What comes before rules that settle faults.
pub const SUGGESTION: &str = "to settle this without a change of the files, append to assets.toml:";

/// One fault of a build: its place, what is wrong and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    place: Place,
    message: String,
    help: Option<String>,
    /// In a box, since results contain diagnostics and should be small.
    refusal: Option<Box<Refusal>>,
    /// Whether the cause is this machine at this moment.
    is_of_machine: bool,
}

/// The files that cannot be used because of a fault, and the rules that settle it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Refusal {
    /// The paths of assets.
    assets: Vec<String>,
    fixes: Vec<Fix>,
    /// Other faults of the same file, until [`Diagnostic::split`] takes them apart.
    others: Vec<Diagnostic>,
}

/// Keys of a rule that settle a fault without a change of the file: `ignore = true`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// The path of the file that the rule is for.
    pub path: String,
    /// One line of TOML.
    pub keys: String,
}

impl Fix {
    /// Leaves the file out.
    pub const IGNORE: &str = "ignore = true";
    /// Stores the bytes of the file.
    pub const RAW: &str = "kind = \"raw\"";
    /// Takes the file for an asset of its own.
    pub const NO_VARIANT: &str = "variants = false";
}

/// The place of a fault. Ordered by file, line and column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Not in a file: an environment variable, the output directory.
    Name(String),
    /// In a file or directory.
    File(PathBuf, Option<Position>),
}

/// A line and a column, both counted from 1; columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl Diagnostic {
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: escape_controls(&message.into()), help: None, refusal: None, is_of_machine: false }
    }

    /// A fault of a file as a whole.
    pub fn file(file: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self::new(Place::File(file.into(), None), message)
    }

    /// A failed file operation: `operation` completes "cannot …".
    pub fn io(operation: &str, file: &Path, error: &io::Error) -> Self {
        let diagnostic = Self::file(file, format!("cannot {operation}: {error}"));
        match error.kind() {
            // The same on every machine that has the same files.
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::InvalidData => diagnostic,
            _ => diagnostic.of_machine(),
        }
    }

    /// The same fault, whose cause is this machine at this moment and not the file: something cannot be read or written, or memory or time is short.
    #[must_use]
    pub fn of_machine(self) -> Self {
        Self { is_of_machine: true, ..self }
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into().map(|help| escape_controls(&help));
        self
    }

    /// Names an asset whose source cannot be used; [`Self::asset`] is the first.
    #[must_use]
    pub fn with_asset(mut self, path: impl Into<String>) -> Self {
        self.refusal.get_or_insert_default().assets.push(path.into());
        self
    }

    /// The same fault of the assets whose paths `path` returns for the paths of these.
    #[must_use]
    pub fn with_paths(mut self, path: impl Fn(&str) -> String) -> Self {
        if let Some(refusal) = &mut self.refusal {
            refusal.assets.iter_mut().for_each(|asset| *asset = path(asset));
            refusal.fixes.iter_mut().for_each(|fix| fix.path = path(&fix.path));
        }
        self
    }

    /// The same fault with the headers of rules in its help as they are written in the `assets.toml` of the directory that is `folder`.
    #[must_use]
    pub fn with_rules_below(mut self, folder: &str) -> Self {
        if folder.is_empty() {
            return self;
        }
        let shorten = |help: String| help.replace(&format!("[\"{folder}/"), "[\"");
        self.help = self.help.map(shorten);
        if let Some(refusal) = &mut self.refusal {
            let others = std::mem::take(&mut refusal.others);
            refusal.others = others.into_iter().map(|other| other.with_rules_below(folder)).collect();
        }
        self
    }

    /// Adds the keys of a rule for the file `path` that settle the fault.
    #[must_use]
    pub fn with_fix(mut self, path: impl Into<String>, keys: impl Into<String>) -> Self {
        self.refusal.get_or_insert_default().fixes.push(Fix { path: path.into(), keys: keys.into() });
        self
    }

    /// The same fault, and another one of the same file.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.refusal.get_or_insert_default().others.push(other);
        self
    }

    /// The fault, and those that were added to it.
    pub fn split(mut self) -> Vec<Self> {
        let others = self.refusal.as_mut().map(|refusal| std::mem::take(&mut refusal.others)).unwrap_or_default();
        let mut all = vec![self];
        all.extend(others.into_iter().flat_map(Self::split));
        all
    }

    /// The rules that settle the fault; empty if only a change of the file or of the settings does.
    pub fn fixes(&self) -> &[Fix] {
        self.refusal.as_ref().map_or(&[], |refusal| &refusal.fixes)
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
    pub fn place_in(&self, dir: &Path) -> String {
        match &self.place {
            Place::File(file, position) => {
                Place::File(file.strip_prefix(dir).unwrap_or(file).to_owned(), *position).to_string()
            }
            name => name.to_string(),
        }
    }

    /// Returns whether the cause is this machine at this moment, so that another one, or this one later, may do the same without a fault.
    pub fn is_of_machine(&self) -> bool {
        self.is_of_machine
    }

    /// Returns the path of the asset whose source cannot be used, if the fault is about one asset.
    pub fn asset(&self) -> Option<&str> {
        self.refused_paths().next()
    }

    /// The paths of the assets whose sources cannot be used because of the fault.
    pub fn refused_paths(&self) -> impl Iterator<Item = &str> {
        self.refusal.iter().flat_map(|refusal| &refusal.assets).map(String::as_str)
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
pub fn escape_controls(text: &str) -> String {
    // Writing right to left controls the terminal, too.
    let is_direction =
        |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let escape =
        |c: char| if c.is_control() || is_direction(c) { c.escape_default().to_string() } else { c.to_string() };
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
pub struct BuildError {
    diagnostics: Vec<Diagnostic>,
    suggested_rules: Option<String>,
}

impl BuildError {
    pub fn new(mut diagnostics: Vec<Diagnostic>) -> Self {
        debug_assert!(!diagnostics.is_empty());
        diagnostics.sort();
        diagnostics.dedup();
        Self { diagnostics, suggested_rules: None }
    }

    /// Adds rules that settle the faults of files.
    #[must_use]
    pub fn with_suggested_rules(mut self, rules: Option<String>) -> Self {
        self.suggested_rules = rules;
        self
    }

    /// `Ok` without diagnostics.
    pub fn check(diagnostics: Vec<Diagnostic>) -> Result<(), Self> {
        if diagnostics.is_empty() { Ok(()) } else { Err(Self::new(diagnostics)) }
    }

    /// Returns the faults, sorted by place.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns rules that settle the faults of files, as TOML to append to `assets.toml`: they ignore a file, store it unchanged,
    /// or name its encoding. `None` if no fault can be settled by a rule.
    pub fn suggested_rules(&self) -> Option<&str> {
        self.suggested_rules.as_deref()
    }
}

impl From<BuildError> for Vec<Diagnostic> {
    fn from(error: BuildError) -> Self {
        error.diagnostics
    }
}

impl From<Diagnostic> for BuildError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::new(vec![diagnostic])
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
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
        let name = "a\u{1b}]0;owned\u{7}\n.png";
        let text =
            Diagnostic::file(name, format!("differs from {name}")).with_help(format!("rename {name}")).to_string();
        let shown = "a\\u{1b}]0;owned\\u{7}\\n.png";
        assert_eq!(text, format!("{shown}: differs from {shown}\n  help: rename {shown}"));
    }
}
