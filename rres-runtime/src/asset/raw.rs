//! Raw files.

use rres_format::chunk::raw::RawView;
use rres_format::{AssetKind, FourCc};

use super::{Asset, Loaded};
use crate::data::Data;
use crate::error::Result;

/// A file's bytes as they are; a view of the pack where the chunk is plain.
#[derive(Clone, Debug)]
pub struct Raw {
    bytes: Data,
    extension: Box<str>,
}

impl Raw {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, to keep without a copy.
    pub fn data(&self) -> Data {
        self.bytes.clone()
    }

    /// The extension with its dot, as written; empty where there is none or it has more than 6 letters.
    pub fn extension(&self) -> &str {
        &self.extension
    }
}

impl Asset for Raw {
    const KIND: AssetKind = AssetKind::Raw;

    fn from_loaded(loaded: Loaded<'_>) -> Result<Self> {
        loaded.make(|loaded| {
            let chunk = loaded.chunk(FourCc::RAWD)?;
            let view = RawView::parse(chunk.payload()?)?;
            Ok(Self { bytes: chunk.keep(view.bytes()), extension: String::from_utf8_lossy(view.extension()).into() })
        })
    }
}
