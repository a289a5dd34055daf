//! TEXT: text with its encoding, programming language and culture.
//!
//! Properties: size in bytes, encoding, code language, culture (a Windows language id: 0x0409 is en-US, 0 is none).
//! Data: the text, without a terminator.

use super::{PayloadView, block};
use crate::error::{Error, Result};
use crate::open_enum::open_enum;

open_enum! {
    /// The encoding of a text (`rresTextEncoding`).
    pub struct TextEncoding(u32);
    /// Not specified; read as UTF-8.
    UNDEFINED = 0, "undefined";
    /// UTF-8.
    UTF8 = 1, "UTF-8";
    /// UTF-8 that starts with a byte order mark.
    UTF8_BOM = 2, "UTF-8 with BOM";
    /// UTF-16, little-endian.
    UTF16_LE = 10, "UTF-16LE";
    /// UTF-16, big-endian.
    UTF16_BE = 11, "UTF-16BE";
}

open_enum! {
    /// The programming language of a text (`rresCodeLang`).
    pub struct CodeLanguage(u32);
    /// Not source code.
    UNDEFINED = 0, "none";
    /// C.
    C = 1, "C";
    /// C++.
    CPP = 2, "C++";
    /// C#.
    CS = 3, "C#";
    /// Lua.
    LUA = 4, "Lua";
    /// JavaScript.
    JS = 5, "JavaScript";
    /// Python.
    PYTHON = 6, "Python";
    /// Rust.
    RUST = 7, "Rust";
    /// Zig.
    ZIG = 8, "Zig";
    /// Odin.
    ODIN = 9, "Odin";
    /// Jai.
    JAI = 10, "Jai";
    /// GDScript.
    GDSCRIPT = 11, "GDScript";
    /// GLSL.
    GLSL = 12, "GLSL";
}

impl CodeLanguage {
    /// Returns the language of files with this extension, which has no dot; [`Self::UNDEFINED`] if it is unknown.
    pub fn from_extension(extension: &str) -> Self {
        match extension.to_ascii_lowercase().as_str() {
            "c" | "h" => Self::C,
            "cpp" | "cc" | "cxx" | "hpp" => Self::CPP,
            "cs" => Self::CS,
            "lua" => Self::LUA,
            "js" | "mjs" => Self::JS,
            "py" => Self::PYTHON,
            "rs" => Self::RUST,
            "zig" => Self::ZIG,
            "odin" => Self::ODIN,
            "jai" => Self::JAI,
            "gd" => Self::GDSCRIPT,
            "glsl" | "vs" | "fs" | "vert" | "frag" | "comp" | "geom" => Self::GLSL,
            _ => Self::UNDEFINED,
        }
    }
}

/// The properties of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextProps {
    /// Size of the text in bytes.
    pub size: u32,
    /// Encoding of the text.
    pub encoding: TextEncoding,
    /// Programming language of the text.
    pub language: CodeLanguage,
    /// Windows language id; 0 for none.
    pub culture: u32,
}

impl TextProps {
    /// Returns the properties of a UTF-8 text of `size` bytes without a language or culture.
    pub const fn utf8(size: u32) -> Self {
        Self { size, encoding: TextEncoding::UTF8, language: CodeLanguage::UNDEFINED, culture: 0 }
    }

    /// Returns the block with these properties and `text`.
    pub fn block(&self, text: &[u8]) -> Vec<u8> {
        block(&[self.size, self.encoding.0, self.language.0, self.culture], text)
    }
}

/// A borrowed TEXT payload.
#[derive(Clone, Copy, Debug)]
pub struct TextView<'a> {
    props: TextProps,
    bytes: &'a [u8],
}

impl<'a> TextView<'a> {
    /// Checks that the data has the size in the properties.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the data is too short.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [size, encoding, language, culture] = payload.first_props()?;
        let props = TextProps { size, encoding: TextEncoding(encoding), language: CodeLanguage(language), culture };
        Ok(Self { props, bytes: payload.data_of("text", size.into())? })
    }

    /// Returns the properties as stored.
    pub fn props(&self) -> TextProps {
        self.props
    }

    /// Returns the bytes as stored, including any byte order mark.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Decodes the text from its encoding and removes a byte order mark.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn decode(&self) -> Result<std::borrow::Cow<'a, str>> {
        decode(self.props.encoding, self.bytes)
    }
}

/// Decodes `bytes` from `encoding` and removes a byte order mark.
///
/// # Errors
/// [`Error::Inconsistent`] if the bytes are invalid in that encoding, or the encoding is unknown.
pub fn decode(encoding: TextEncoding, bytes: &[u8]) -> Result<std::borrow::Cow<'_, str>> {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        if !bytes.len().is_multiple_of(2) {
            let detail = format!("{} bytes of {encoding}, expected an even number", bytes.len());
            return Err(Error::inconsistent("text", detail));
        }
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text = char::decode_utf16(units)
            .collect::<Result<String, _>>()
            .map_err(|e| Error::inconsistent("text", format!("invalid {encoding}: {e}")))?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text).into())
    };
    match encoding {
        TextEncoding::UTF16_LE => utf16(u16::from_le_bytes),
        TextEncoding::UTF16_BE => utf16(u16::from_be_bytes),
        TextEncoding::UNDEFINED | TextEncoding::UTF8 | TextEncoding::UTF8_BOM => {
            let text = core::str::from_utf8(bytes)
                .map_err(|e| Error::inconsistent("text", format!("invalid UTF-8 at byte {}", e.valid_up_to())))?;
            Ok(text.strip_prefix('\u{feff}').unwrap_or(text).into())
        }
        other => Err(Error::inconsistent("text", format!("encoding {} is unknown", other.0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_encodings_decode_to_the_same_text() {
        let text = "Grüße, 世界 🌍";
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let le: Vec<u8> = utf16.iter().flat_map(|u| u.to_le_bytes()).collect();
        let be: Vec<u8> = std::iter::once(0xfeff).chain(utf16).flat_map(u16::to_be_bytes).collect();
        let bom = [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat();
        assert_eq!(decode(TextEncoding::UTF8, text.as_bytes()).unwrap(), text);
        assert_eq!(decode(TextEncoding::UTF8_BOM, &bom).unwrap(), text);
        assert_eq!(decode(TextEncoding::UTF16_LE, &le).unwrap(), text);
        assert_eq!(decode(TextEncoding::UTF16_BE, &be).unwrap(), text);
    }

    #[test]
    fn invalid_text_is_an_error() {
        assert!(decode(TextEncoding::UTF8, b"ab\xff").unwrap_err().to_string().contains("byte 2"));
        assert!(decode(TextEncoding::UTF16_LE, b"abc").is_err());
        assert!(decode(TextEncoding::UTF16_LE, &[0x00, 0xd8]).is_err());
        assert!(decode(TextEncoding(77), b"").is_err());
    }

    #[test]
    fn a_size_that_exceeds_the_data_is_an_error() {
        let block = TextProps::utf8(100).block(b"ab");
        assert!(matches!(TextView::parse(PayloadView::parse(&block).unwrap()), Err(Error::Truncated { .. })));
    }
}
