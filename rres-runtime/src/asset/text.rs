//! Texts, decoded to UTF-8.

use std::borrow::Cow;

use rres_format::chunk::text::{CodeLanguage, TextEncoding, TextProps, TextView};
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::bytes::AssetBytes;
use crate::error::Result;
use crate::resource::LoadedResource;

/// A text. UTF-8 is a view of the pack; other encodings were decoded when it was loaded.
#[derive(Clone, Debug)]
pub struct Text {
    text: Stored,
    props: TextProps,
}

#[derive(Clone, Debug)]
enum Stored {
    /// UTF-8, as checked when the text was loaded.
    InPlace(AssetBytes),
    Decoded(Box<str>),
}

impl Text {
    /// Returns the text, without a byte order mark.
    pub fn as_str(&self) -> &str {
        match &self.text {
            // Checked again on every call: for texts that takes little time, and avoiding it would take `unsafe`.
            Stored::InPlace(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
            Stored::Decoded(text) => text,
        }
    }

    /// Returns the encoding of the source file.
    pub fn encoding(&self) -> TextEncoding {
        self.props.encoding
    }

    /// Returns the programming language of source code.
    pub fn language(&self) -> CodeLanguage {
        self.props.language
    }

    /// Returns the Windows language id (0x0409 is en-US); `None` if the text is for every culture.
    pub fn culture(&self) -> Option<u32> {
        Some(self.props.culture).filter(|culture| *culture != 0)
    }
}

impl Asset for Text {
    const KIND: AssetKind = AssetKind::Text;
}

impl FromResource for Text {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let chunk = resource.chunk(FourCc::TEXT)?;
        let view = TextView::parse(chunk.payload()?)?;
        let text = match view.decode()? {
            Cow::Borrowed(text) => Stored::InPlace(chunk.share(text.as_bytes())),
            Cow::Owned(text) => Stored::Decoded(text.into()),
        };
        Ok(Self { text, props: view.props() })
    }
}
