//! Writes assets as files of common formats: what `extract` puts into a directory, and what pages and previews show.

mod image;
mod sound;

pub(crate) use image::png;
pub(crate) use sound::wav;

use std::borrow::Cow;

/// The contents of a file.
pub(crate) struct Contents<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    /// How the bytes differ from the source file, or `None` if they do not.
    pub(crate) conversion: Option<String>,
}

/// The reason why a file cannot be made.
#[derive(Debug)]
pub(crate) enum ExportError {
    /// The format cannot represent the asset.
    Unsupported(String),
    /// The asset is damaged.
    Damaged(String),
}

impl<E: std::error::Error> From<E> for ExportError {
    fn from(error: E) -> Self {
        Self::Damaged(error.to_string())
    }
}
