//! Texts.

use std::borrow::Cow;

use rres_format::chunk::text::{CodeLanguage, TextEncoding, TextProps, TextView};
use rres_format::{AssetKind, FourCc};

use super::{Asset, Loaded};
use crate::data::Data;
use crate::error::Result;

/// A text, decoded. UTF-8 stays where it is in the pack.
#[derive(Clone, Debug)]
pub struct Text {
    text: Stored,
    props: TextProps,
}

#[derive(Clone, Debug)]
enum Stored {
    /// Bytes that were checked to be UTF-8.
    InPlace(Data),
    Decoded(Box<str>),
}

impl Text {
    /// The text, without byte order mark.
    pub fn as_str(&self) -> &str {
        match &self.text {
            // Checked when the text was made; checking again would need no memory, but time on every call is little
            // for texts, and `unsafe` is not worth it.
            Stored::InPlace(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
            Stored::Decoded(text) => text,
        }
    }

    /// The encoding of the source file.
    pub fn encoding(&self) -> TextEncoding {
        self.props.encoding
    }

    /// The programming language, for source code.
    pub fn language(&self) -> CodeLanguage {
        self.props.language
    }

    /// The Windows language id (0x0409 is en-US), or `None` where the text is for every culture.
    pub fn culture(&self) -> Option<u32> {
        Some(self.props.culture).filter(|culture| *culture != 0)
    }
}

impl Asset for Text {
    const KIND: AssetKind = AssetKind::Text;

    fn from_loaded(loaded: Loaded<'_>) -> Result<Self> {
        loaded.make(|loaded| {
            let chunk = loaded.chunk(FourCc::TEXT)?;
            let view = TextView::parse(chunk.payload()?)?;
            let text = match view.decode()? {
                Cow::Borrowed(text) => Stored::InPlace(chunk.keep(text.as_bytes())),
                Cow::Owned(text) => Stored::Decoded(text.into()),
            };
            Ok(Self { text, props: view.props() })
        })
    }
}
