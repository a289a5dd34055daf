//! Raw files: bytes that are not imported.

use std::ops::Deref;

use rres_format::chunk::raw::RawView;
use rres_format::chunk::text::TextView;
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::bytes::AssetBytes;
use crate::error::Result;
use crate::resource::{Chunk, LoadedResource};

/// The bytes of a file as they are. Uncompressed ones are a view of the pack. It dereferences to `[u8]`.
///
/// ```
/// use rres_runtime::Raw;
///
/// fn is_webp(file: &Raw) -> bool {
///     file.len() > 12 && file.starts_with(b"RIFF") && &file[8..12] == b"WEBP"
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Raw {
    bytes: AssetBytes,
    extension: Box<str>,
}

impl Raw {
    /// Returns the contents of the file, as a slice.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the contents of the file; clone them to keep them without a copy.
    pub fn data(&self) -> &AssetBytes {
        &self.bytes
    }

    /// Returns the extension with its dot, as written; empty if the file has none, or one of more than 6 letters.
    pub fn extension(&self) -> &str {
        &self.extension
    }
}

impl Deref for Raw {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Raw {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// Shares the bytes without a copy.
impl From<Raw> for AssetBytes {
    fn from(raw: Raw) -> Self {
        raw.bytes
    }
}

impl Asset for Raw {
    const KIND: AssetKind = AssetKind::Raw;
}

impl FromResource for Raw {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let chunk = resource.chunk(FourCc::RAWD)?;
        let view = RawView::parse(chunk.payload()?)?;
        Ok(Self { bytes: chunk.share(view.bytes()), extension: String::from_utf8_lossy(view.extension()).into() })
    }

    /// The bytes of a text, which is stored as they are, too.
    fn from_file(file: &Chunk, _: &LoadedResource<'_>) -> Option<Result<Self>> {
        let bytes = |payload| Ok(Self { bytes: file.share(TextView::parse(payload)?.bytes()), extension: "".into() });
        (file.kind == FourCc::TEXT).then(|| file.payload().and_then(bytes))
    }
}
