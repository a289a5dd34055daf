//! What can keep the game from starting, worded for the player: which file, what is wrong, what to do.

use std::fmt;

/// Why the game cannot start or go on.
#[derive(Debug)]
pub(crate) enum Error {
    /// The pack or an asset in it.
    Assets(rres_runtime::Error),
    /// The content of an asset, at a line where that is known (0 elsewhere).
    Content { path: String, line: usize, why: String },
    /// The command line.
    Usage(String),
    /// Writing the screenshot or the table.
    Output(String),
}

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn content(path: &str, line: usize, why: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), line, why: why.into() }
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
            Self::Content { path, line: 0, why } => write!(f, "\"{path}\": {why}; correct the file in assets/"),
            Self::Content { path, line, why } => {
                write!(f, "\"{path}\", line {line}: {why}; correct the file in assets/")
            }
            Self::Usage(why) => write!(f, "{why}; --help lists the options"),
            Self::Output(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}
