//! What can keep the game from starting, worded for the player: which file, what is wrong, what to do.

use std::fmt;

/// Why the game cannot start or go on.
#[derive(Debug)]
pub(crate) enum Error {
    /// The pack or an asset in it.
    Assets(rres_runtime::Error),
    /// What of a group could not be loaded.
    Group(rres_runtime::GroupError),
    /// An asset that the engine cannot make anything of.
    Content { path: String, why: String },
    /// The command line.
    Usage(String),
    /// Writing the screenshot or the table.
    Output(String),
}

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn content(path: &str, why: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), why: why.into() }
    }

    /// 2 for a mistake on the command line, 1 for the rest.
    pub(crate) fn exit_code(&self) -> u8 {
        if matches!(self, Self::Usage(_)) { 2 } else { 1 }
    }
}

impl From<rres_runtime::Error> for Error {
    fn from(error: rres_runtime::Error) -> Self {
        Self::Assets(error)
    }
}

impl From<rres_runtime::GroupError> for Error {
    fn from(error: rres_runtime::GroupError) -> Self {
        Self::Group(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assets(error) => {
                write!(f, "{error}")?;
                let mut cause = std::error::Error::source(error);
                while let Some(inner) = cause {
                    write!(f, ": {inner}")?;
                    cause = inner.source();
                }
                Ok(())
            }
            Self::Group(error) => write!(f, "{error}"),
            Self::Content { path, why } => write!(f, "asset \"{path}\": {why}; correct the file in assets/"),
            Self::Usage(why) => write!(f, "{why}; --help lists the options"),
            Self::Output(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

/// A mistake in an asset's content, as the game's own types report it: the store adds the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// From 1; 0 where no one line is to blame.
    line: usize,
    why: String,
}

impl Fault {
    pub(crate) fn new(line: usize, why: impl Into<String>) -> Self {
        Self { line, why: why.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.why),
            line => write!(f, "line {line}: {}", self.why),
        }
    }
}

impl std::error::Error for Fault {}
