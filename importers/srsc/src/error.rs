//! What can be wrong with a file, and where.
//!
//! Readers of record bodies know nothing of files: they return a [`Fault`], which has a field and an offset in the body. The
//! archive adds its path, the record and its position, which makes an [`Error`] of it. Warnings are errors that the reader can go
//! on from.

use std::fmt;

use crate::record_type::RecordKey;

/// The result of reading an archive or a database.
pub type Result<T> = std::result::Result<T, Error>;

/// What is wrong, without the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The file does not begin with `SRSC`.
    NotSrsc {
        /// Its first bytes.
        found: Vec<u8>,
    },
    /// The version of the container is not supported.
    Version {
        /// The version.
        found: u16,
    },
    /// The field goes beyond the end of the part that contains it.
    Truncated {
        /// How many bytes it has, at least.
        needed: u64,
        /// How many are left.
        left: u64,
    },
    /// The field has a value that it cannot have.
    Invalid {
        /// The value.
        found: String,
        /// The values that it can have.
        expected: String,
    },
    /// The field asks for more than the [`Limits`](crate::Limits) allow.
    TooLarge {
        /// The size or number.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// Compressed data cannot be decompressed, or is not as long as the field says.
    Compressed {
        /// The reason.
        reason: String,
    },
    /// The field refers to a record or a database that does not exist.
    Missing {
        /// What it refers to.
        what: String,
    },
    /// Things refer to each other in a circle.
    Cycle {
        /// The path of the circle; the last is the first.
        path: Vec<String>,
    },
    /// A path leads out of the directory that files are read from.
    Outside {
        /// The path, as the file has it.
        path: String,
    },
    /// A file cannot be read.
    Read {
        /// The reason.
        reason: String,
    },
    /// A part of unknown meaning or layout, which is kept as bytes.
    Unknown {
        /// What it is.
        what: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSrsc { found } => write!(f, "is \"{}\", expected \"SRSC\"", found.escape_ascii()),
            Self::Version { found } => {
                write!(f, "is 0x{found:04x}, expected 0x0100, or 0x0101 with the directory at the end")
            }
            Self::Truncated { needed, left } => write!(f, "needs {needed} bytes, and {left} are left"),
            Self::Invalid { found, expected } => write!(f, "is {found}, expected {expected}"),
            Self::TooLarge { found, limit } => write!(f, "is {found}, and the limit is {limit}"),
            Self::Compressed { reason } => write!(f, "cannot be decompressed: {reason}"),
            Self::Missing { what } => write!(f, "refers to {what}"),
            Self::Cycle { path } => write!(f, "leads in a circle: {}", path.join(" -> ")),
            Self::Outside { path } => write!(f, "leads out of the directory of the database: {path:?}"),
            Self::Read { reason } => write!(f, "cannot be read: {reason}"),
            Self::Unknown { what } => write!(f, "{what}"),
        }
    }
}

/// What is wrong with a record body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of the field, as in the tables of `docs/srsc.md`.
    pub field: &'static str,
    /// The offset of the field, in bytes from the start of the body.
    pub offset: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

impl Fault {
    pub(crate) fn new(field: &'static str, offset: usize, problem: Problem) -> Self {
        Self { field, offset: offset as u64, problem }
    }

    pub(crate) fn invalid(
        field: &'static str,
        offset: usize,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Self {
        Self::new(field, offset, Problem::Invalid { found: found.to_string(), expected: expected.to_string() })
    }

    pub(crate) fn unknown(field: &'static str, offset: usize, what: impl Into<String>) -> Self {
        Self::new(field, offset, Problem::Unknown { what: what.into() })
    }
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The path of the file.
    pub file: String,
    /// The record; `None` for the container and for `.db` files.
    pub record: Option<RecordKey>,
    /// The name of the field.
    pub field: &'static str,
    /// The offset of the field, in bytes from the start of the file.
    pub offset: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

impl Error {
    pub(crate) fn in_file(file: &str, field: &'static str, offset: u64, problem: Problem) -> Self {
        Self { file: file.to_owned(), record: None, field, offset, problem }
    }
}

/// Formats place and problem: `Synth.txd: record 0x0040:0x0007, pitch at offset 0x1a2: is 3, expected at least 8`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(record) = self.record {
            write!(f, "record {record}, ")?;
        }
        write!(f, "{} at offset 0x{:x}: {}", self.field, self.offset, self.problem)
    }
}

impl std::error::Error for Error {}
