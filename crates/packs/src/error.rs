//! The error of everything in this crate.

use std::fmt;

/// The result of an operation on packs.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation on packs failed. The message names the file, what was found and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A pack is damaged, or it is not the one that another file belongs to.
    Fault(String),
    /// A file or a resource does not exist, cannot be read or written, or is not of the kind that the operation needs.
    Unavailable(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(text) | Self::Unavailable(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}
