//! Why a source could not be imported.

use std::fmt;
use std::path::{Path, PathBuf};

use rres_settings::diagnostic::{Diagnostic, Fix, Place, Position};

use crate::relative_to;

/// Why a source could not be imported: what was found, and what to do.
///
/// An importer of a build script returns it with what was found in lower case and without a full stop, as
/// `expected 3 fields, found 2`; the build puts the file in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    message: String,
    /// The place in the file.
    position: Option<Position>,
    help: Option<String>,
    /// Whether the file is as good as lost, so that a rule may be the only way to go on.
    is_damage: bool,
    /// The keys of a rule that settle it; `None` if a rule is not the way to settle it.
    pub fix: Option<&'static str>,
    /// In a box, since results contain errors and should be small.
    more: Option<Box<More>>,
}

/// What few errors have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct More {
    /// The asset path of the file that it is about, if that is not the source but a file that the source refers to.
    file: Option<String>,
    /// Other faults of the same source.
    others: Vec<ImportError>,
}

impl ImportError {
    /// Creates an error with a message: lower case, no full stop. A rule that stores the file as it is settles it.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), position: None, help: None, is_damage: false, fix: Some(Fix::RAW), more: None }
    }

    /// An error of a file that is damaged or cut off.
    pub fn damaged(message: impl Into<String>) -> Self {
        Self::new(message).with_damage_help("copy or save it again")
    }

    /// The same error of a file that is damaged, with what to do if it can be made again. A rule that leaves the file out settles it:
    /// the bytes of a damaged file are of no use to a game.
    #[must_use]
    pub fn with_damage_help(self, help: impl Into<String>) -> Self {
        Self { is_damage: true, ..self.with_help(help).with_fix(Fix::IGNORE) }
    }

    /// The same error, settled by a rule with these keys.
    #[must_use]
    pub fn with_fix(self, fix: &'static str) -> Self {
        Self { fix: Some(fix), ..self }
    }

    /// The same error, which no rule settles, and none of those that were added to it.
    #[must_use]
    pub fn without_fix(mut self) -> Self {
        self.fix = None;
        for other in self.more.iter_mut().flat_map(|more| &mut more.others) {
            other.fix = None;
        }
        self
    }

    /// Adds what to do about the error.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the place in the source, line and column, both counted from 1.
    #[must_use]
    pub fn at(self, line: u32, column: u32) -> Self {
        Self { position: Some(Position { line, column }), ..self }
    }

    /// The same error in a file that the source refers to, by its asset path.
    #[must_use]
    pub fn in_file(mut self, path: &str) -> Self {
        self.more.get_or_insert_default().file = Some(path.to_owned());
        self
    }

    /// The same error, and another one of the same source.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        let further = other.more.as_mut().map(|more| std::mem::take(&mut more.others)).unwrap_or_default();
        let others = &mut self.more.get_or_insert_default().others;
        others.push(other);
        others.extend(further);
        self
    }

    /// Names the part of the source that the error is about: `what` precedes the message.
    pub fn within(self, what: &str) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }

    /// The line in the source.
    pub fn line(&self) -> Option<u32> {
        self.position.map(|position| position.line)
    }

    /// The same error about the source as a whole.
    #[must_use]
    pub fn without_position(self) -> Self {
        Self { position: None, ..self }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The diagnostic for this error in `file`, the source of the asset `path`.
    pub fn into_diagnostic(self, file: &Path, path: &str) -> Diagnostic {
        let help = match self.help {
            // Other people's files cannot be saved again.
            Some(help) if self.is_damage => Some(format!(
                "{help}; or leave it out with ignore = true, or store its bytes with kind = \"raw\", under [\"{path}\"] in \
                 assets.toml"
            )),
            help => help,
        };
        let More { file: other, others } = self.more.map(|more| *more).unwrap_or_default();
        let about = match &other {
            Some(other) => beside(file, &relative_to(path, other)),
            None => file.to_owned(),
        };
        let diagnostic =
            Diagnostic::new(Place::File(about, self.position), self.message).with_help(help).with_asset(path);
        let diagnostic = match self.fix {
            Some(fix) => diagnostic.with_fix(path, fix),
            None => diagnostic,
        };
        others.into_iter().fold(diagnostic, |all, other| all.and(other.into_diagnostic(file, path)))
    }

    /// The other faults of the same source.
    pub fn others(&self) -> &[Self] {
        self.more.as_ref().map_or(&[], |more| &more.others)
    }

    /// The file, line and column, if they are known.
    pub fn place(&self) -> (Option<&str>, Option<(u32, u32)>) {
        (self.more.as_ref().and_then(|more| more.file.as_deref()), self.position.map(|at| (at.line, at.column)))
    }
}

/// The file at a path relative to the directory of `file`.
fn beside(file: &Path, relative: &str) -> PathBuf {
    let mut path = file.parent().unwrap_or(Path::new("")).to_owned();
    for name in relative.split('/') {
        if name == ".." {
            path.pop();
        } else {
            path.push(name);
        }
    }
    path
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ImportError {}

/// A message of its own is a better error; this is for `?`.
impl From<String> for ImportError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

/// As for a text.
impl From<&str> for ImportError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}
