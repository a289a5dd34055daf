//! Resource ids and the asset paths they come from.

use core::fmt;

/// The 32-bit id of a resource: CRC-32 of its path, or chosen by hand.
///
/// 0 is what `rres.h` answers for "not found", so no resource may have it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ResourceId(pub u32);

impl ResourceId {
    /// No resource: the id of directories, indexes and padding.
    pub const NONE: Self = Self(0);

    /// The rres rule: CRC-32 (zlib's) of the path's bytes, as they are.
    ///
    /// ```
    /// # use rres_format::ResourceId;
    /// assert_eq!(ResourceId::from_path("resources/audio/coin.wav"), ResourceId(0xc1fe82d8));
    /// ```
    pub fn from_path(path: &str) -> Self {
        Self(crc32fast::hash(path.as_bytes()))
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

impl fmt::Debug for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a string is no asset path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// Nothing is left of it.
    Empty,
    /// It leaves the directory it is relative to (`..`), or does not start in it (`/`, `C:`).
    Escapes,
    /// It holds a NUL or another control character.
    Control,
    /// It is longer than [`crate::limits::MAX_NAME_LEN`] bytes.
    TooLong,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the path is empty",
            Self::Escapes => "the path leaves its directory",
            Self::Control => "the path holds a control character",
            Self::TooLong => "the path is longer than 1022 bytes",
        })
    }
}

impl core::error::Error for PathError {}

/// An asset path in its one spelling: `/` between parts, no `.` parts, inside its directory.
///
/// Case is kept. Unicode composition is the caller's: file systems differ, and only the importer sees them.
///
/// ```
/// # use rres_format::{normalize_path, PathError};
/// assert_eq!(normalize_path(r"ui\.\button.png").unwrap(), "ui/button.png");
/// assert_eq!(normalize_path("ui/../../etc/passwd"), Err(PathError::Escapes));
/// ```
///
/// # Errors
/// See [`PathError`].
pub fn normalize_path(path: &str) -> Result<String, PathError> {
    if path.chars().any(char::is_control) {
        return Err(PathError::Control);
    }
    if path.starts_with(['/', '\\']) {
        return Err(PathError::Escapes);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(PathError::Escapes)?;
            }
            part => parts.push(part),
        }
    }
    let normal = parts.join("/");
    // Looked for here, since `./C:evil` becomes a drive only now.
    if matches!(normal.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Err(PathError::Escapes);
    }
    match normal.len() {
        0 => Err(PathError::Empty),
        len if len > crate::limits::MAX_NAME_LEN => Err(PathError::TooLong),
        _ => Ok(normal),
    }
}
