//! Resource ids and asset paths.

use core::fmt;

use crate::wire::wire_newtype;

/// The 32-bit id of a resource: the CRC-32 of its path, or a number chosen by hand.
///
/// No resource has the id 0, because `rres.h` returns it for "not found".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ResourceId(pub u32);

impl ResourceId {
    /// 0, the id of chunks that belong to no resource: directory, front index and padding.
    pub const NONE: Self = Self(0);

    /// Computes the id of a path as rres does: the CRC-32 (zlib's) of its bytes, which are not normalised.
    ///
    /// ```
    /// # use rres_format::ResourceId;
    /// assert_eq!(ResourceId::from_path("resources/audio/coin.wav"), ResourceId(0xc1fe82d8));
    /// ```
    pub fn from_path(path: &str) -> Self {
        Self(crc32fast::hash(path.as_bytes()))
    }
}

wire_newtype!(ResourceId);

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

/// The reason why a string is not an asset path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// It is empty after normalisation.
    Empty,
    /// It leads outside its directory (`..`), or is absolute (`/`, `C:`).
    Escapes,
    /// It contains a NUL or another control character.
    Control,
    /// It is longer than [`crate::limits::MAX_NAME_LEN`] bytes after normalisation.
    TooLong,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the path is empty",
            Self::Escapes => "the path leaves its directory",
            Self::Control => "the path contains a control character",
            Self::TooLong => "the path is longer than 1022 bytes",
        })
    }
}

impl core::error::Error for PathError {}

/// Normalises an asset path: separates its components with `/`, removes empty and `.` components, and resolves `..`.
///
/// The case is preserved. Unicode normalisation is up to the caller, because file systems differ and only the importer
/// knows them.
///
/// ```
/// # use rres_format::{normalize_path, PathError};
/// assert_eq!(normalize_path(r"ui\.\button.png").unwrap(), "ui/button.png");
/// assert_eq!(normalize_path("ui/../../etc/passwd"), Err(PathError::Escapes));
/// ```
///
/// # Errors
/// [`PathError`] if the result is not the path of a file inside the assets directory.
pub fn normalize_path(path: &str) -> Result<String, PathError> {
    if path.chars().any(char::is_control) {
        return Err(PathError::Control);
    }
    if path.starts_with(['/', '\\']) {
        return Err(PathError::Escapes);
    }
    let mut components: Vec<&str> = Vec::new();
    for component in path.split(['/', '\\']) {
        match component {
            "" | "." => {}
            ".." => {
                components.pop().ok_or(PathError::Escapes)?;
            }
            component => components.push(component),
        }
    }
    let normal = components.join("/");
    // Checked after normalisation, which turns `./C:evil` into a path with a drive.
    if matches!(normal.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Err(PathError::Escapes);
    }
    match normal.len() {
        0 => Err(PathError::Empty),
        len if len > crate::limits::MAX_NAME_LEN => Err(PathError::TooLong),
        _ => Ok(normal),
    }
}
