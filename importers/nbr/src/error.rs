//! What is wrong with a file: the operation, the place, what was found and what was expected.

use std::fmt;

use crate::types::ResourceType;

/// The reason why a file cannot be read or written.
///
/// `Display` has everything: `cannot read the texture: width at byte 7: found 0, expected 1 or more`. The name of the file is not
/// known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub(crate) kind: ErrorKind,
    pub(crate) operation: Operation,
    pub(crate) position: usize,
    pub(crate) field: String,
    pub(crate) found: String,
    pub(crate) expected: String,
}

/// The sort of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file ends inside of a field.
    Truncated,
    /// The first byte is not the mark of an NBR file.
    NotNbr,
    /// The version, or the layout that the type had in it, is not known.
    UnsupportedVersion,
    /// The resource has a type that has no files.
    UnsupportedType,
    /// A field has a value that it cannot have.
    Invalid,
    /// The file goes on after the resource.
    TrailingBytes,
    /// A value does not fit into the field that the format has for it. Only writing fails so.
    TooLarge,
}

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Reading the header.
    ReadHeader,
    /// Reading a resource of this type.
    Read(ResourceType),
    /// Writing a resource of this type.
    Write(ResourceType),
}

impl Error {
    /// The sort of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What was being done.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// Offset of the field in the file, in bytes.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// The field, with what it is in: `meshes[2].indices[5]`.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// What the file has there.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What it should have.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// Puts the field into a member of a list: `indices` → `meshes[2].indices`.
    pub(crate) fn within(mut self, list: &str, number: usize) -> Self {
        self.field = format!("{list}[{number}].{}", self.field);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, position, field, found, expected, .. } = self;
        write!(f, "{operation}: {field} at byte {position}: found {found}, expected {expected}")
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadHeader => f.write_str("cannot read the header"),
            Self::Read(of) => write!(f, "cannot read the {of}"),
            Self::Write(of) => write!(f, "cannot write the {of}"),
        }
    }
}

/// Something that is read by a rule, although the file contradicts itself or has lost something. There is one of each sort: for the first
/// place, with the number of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub(crate) kind: WarningKind,
    pub(crate) position: usize,
    pub(crate) field: String,
    pub(crate) text: String,
    pub(crate) count: usize,
}

/// The sort of a [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// The label of the pixels is not what they are: RGBA16F, and the pixels are floats of 32 bits; or R8, and there are four channels.
    PixelFormat,
    /// The size of a sound counts frames and not bytes, or does not end with a frame.
    AudioSize,
    /// A number of a texture or of a material is larger than the list, and is taken for none.
    Reference,
    /// A joint has the root as its child, which means a child that is not a joint; it is left out.
    RootAsChild,
    /// A name is not UTF-8, because it was cut off.
    Name,
    /// A glyph has a number that is not a character; it is left out.
    Codepoint,
    /// The metrics of a font are whole numbers, as they were before the layout changed within version 0.8.
    OldFont,
}

impl Warning {
    /// The sort of the warning.
    #[must_use]
    pub fn kind(&self) -> WarningKind {
        self.kind
    }

    /// Offset of the field in the file, in bytes.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// The field, as in [`Error::field`].
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// The number of places with this warning; 1 or more.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.field, self.position, self.text)?;
        match self.count - 1 {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}
