//! Text and source code → TEXT: the text with its encoding, language and culture.
//!
//! Unicode is stored byte for byte. Latin-1 and Windows-1252, for which rres has no number, become UTF-8.
#![forbid(unsafe_code)]

mod csv;
mod escape;
#[cfg(feature = "fluent")]
mod fluent;
#[cfg(feature = "po")]
mod po;
mod shader;
mod strings;
mod western;

use std::borrow::Cow;

use rres_format::chunk::text::{self, CodeLanguage, TextEncoding, TextProps};
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, Block, ImportError, Importer, Source};
use rres_settings::diagnostic::Fix;
use rres_settings::{Culture, Description, Settings, ShaderImport, SourceEncoding, Word};

/// The importer of texts, translations and shaders.
#[derive(Clone, Copy, Debug)]
pub struct TextImporter;

impl Importer for TextImporter {
    fn describe(&self) -> Description {
        // What becomes of a shader depends on the feature, too. With it, the key has the path.
        rres_settings::asset_kinds::describe("text", 3)
    }

    /// A shader may include files and name its stage. Most texts are not shaders.
    fn sees_path(&self, path: &str, settings: &Settings) -> bool {
        shader::treatment(path, settings) != ShaderImport::Keep
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let settings = &source.settings.text;
        let from = settings.encoding.unwrap_or_else(|| encoding_by_mark(source.bytes));
        let (encoding, bytes) = stored(from, source.bytes)?;
        let decoded =
            text::decode(encoding, &bytes).map_err(|e| invalid(&e, source.bytes, source.path, settings.encoding))?;
        let language = match settings.lang {
            Some(language) => language,
            None => CodeLanguage::from_extension(&source.extension()),
        };
        let file = TextFile { encoding, bytes: &bytes, text: &decoded, language };
        if settings.strings {
            return strings::import(&source.extension(), &decoded, file.asset(source)?, settings.culture.as_ref());
        }
        match shader::import(source, &file)? {
            Some(stages) => Ok(stages),
            None => Ok(vec![file.asset(source)?]),
        }
    }
}

/// A text that was read.
struct TextFile<'a> {
    /// The encoding of the bytes.
    encoding: TextEncoding,
    bytes: &'a [u8],
    /// What the bytes are, without byte order mark.
    text: &'a str,
    language: CodeLanguage,
}

impl<'a> TextFile<'a> {
    /// The same file with another text, in UTF-8.
    fn with_text(&self, text: &'a str) -> Self {
        Self { encoding: TextEncoding::UTF8, bytes: text.as_bytes(), text, language: self.language }
    }

    /// The asset of the text.
    fn asset(&self, source: &Source<'_>) -> Result<Asset, ImportError> {
        let Self { encoding, bytes, text, language } = *self;
        let lines = text.lines().count();
        let mut summary = format!("{lines} {} {encoding}", if lines == 1 { "line" } else { "lines" });
        if language != CodeLanguage::UNDEFINED {
            summary += &format!(" {language}");
        }
        let size = u32::try_from(bytes.len())
            .map_err(|_| ImportError::new("is a text of 4 GiB or more").with_help("split it into several files"))?;
        let culture = source.settings.text.culture.as_ref().and_then(Culture::lcid).unwrap_or(0);
        let props = TextProps { size, encoding, language, culture };
        let block = Block::new(FourCc::TEXT, props.block(bytes));
        Ok(Asset::new(AssetKind::Text, vec![block], summary))
    }
}

/// The encoding and the bytes that a text is stored with.
fn stored(from: SourceEncoding, bytes: &[u8]) -> Result<(TextEncoding, Cow<'_, [u8]>), ImportError> {
    Ok(match from {
        SourceEncoding::Utf8 => (TextEncoding::UTF8, bytes.into()),
        SourceEncoding::Utf8Bom => (TextEncoding::UTF8_BOM, bytes.into()),
        SourceEncoding::Utf16Le => (TextEncoding::UTF16_LE, bytes.into()),
        SourceEncoding::Utf16Be => (TextEncoding::UTF16_BE, bytes.into()),
        SourceEncoding::Latin1 => (TextEncoding::UTF8, western::latin1(bytes).into_bytes().into()),
        SourceEncoding::Windows1252 => {
            let text = western::windows_1252(bytes).map_err(|at| {
                let message =
                    format!("is not valid text: byte {at} is 0x{:02x}, which is not in Windows-1252", bytes[at]);
                ImportError::new(message)
                    .with_help("set the encoding that the file has, or kind = \"raw\" in assets.toml")
            })?;
            (TextEncoding::UTF8, text.into_bytes().into())
        }
    })
}

/// The error for bytes that are not text in the encoding that was set or detected.
fn invalid(error: &rres_format::Error, bytes: &[u8], path: &str, set: Option<SourceEncoding>) -> ImportError {
    let found = match error {
        rres_format::Error::Inconsistent { detail, .. } => detail.clone(),
        other => other.to_string(),
    };
    let raw = format!("store it unchanged with kind = \"raw\" under [\"{path}\"] in assets.toml");
    if set.is_some() {
        let help = format!("set the encoding that the file has, or {raw}");
        return ImportError::new(format!("is not valid text: {found}")).with_help(help);
    }
    match western::guess(bytes) {
        Some((encoding, fix)) => {
            let name = if encoding == SourceEncoding::Latin1 { "Latin-1" } else { "Windows-1252" };
            let help = format!(
                "save it as UTF-8, or have it converted with text.encoding = \"{}\" under [\"{path}\"] in assets.toml",
                encoding.word()
            );
            ImportError::new(format!("is not valid text: {found}; it looks like {name}")).with_help(help).with_fix(fix)
        }
        None => {
            let help = format!("save it as UTF-8, or {raw}");
            ImportError::new(format!("is not valid text: {found}")).with_help(help).with_fix(Fix::RAW)
        }
    }
}

/// The encoding of the byte order mark, or UTF-8 if there is none.
fn encoding_by_mark(bytes: &[u8]) -> SourceEncoding {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => SourceEncoding::Utf8Bom,
        [0xff, 0xfe, ..] => SourceEncoding::Utf16Le,
        [0xfe, 0xff, ..] => SourceEncoding::Utf16Be,
        _ => SourceEncoding::Utf8,
    }
}

#[cfg(test)]
mod tests {
    use rres_format::chunk::PayloadView;
    use rres_format::chunk::text::TextView;
    use rres_import::MemoryFiles;
    use rres_settings::Settings;

    use super::*;

    fn import(path: &str, bytes: &[u8], settings: &Settings) -> Result<Vec<Asset>, ImportError> {
        MemoryFiles::new([(path, bytes)]).with_settings(settings).import(&TextImporter, path)
    }

    #[test]
    fn encoding_and_language_are_detected_and_bytes_are_kept() {
        for (path, bytes, encoding, language, summary) in [
            ("a.txt", &b"gr\xc3\xbc\xc3\x9fe\n"[..], TextEncoding::UTF8, CodeLanguage::UNDEFINED, "1 line UTF-8"),
            ("a.GLSL", b"", TextEncoding::UTF8, CodeLanguage::GLSL, "0 lines UTF-8 GLSL"),
            ("a.txt", b"\xff\xfea\0\n\0b\0", TextEncoding::UTF16_LE, CodeLanguage::UNDEFINED, "2 lines UTF-16LE"),
            ("a.rs", b"\xef\xbb\xbfx", TextEncoding::UTF8_BOM, CodeLanguage::RUST, "1 line UTF-8 with BOM Rust"),
        ] {
            let part = import(path, bytes, &Settings::default()).unwrap().remove(0);
            let view = TextView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
            assert_eq!((view.bytes(), view.props().encoding, view.props().language), (bytes, encoding, language));
            assert_eq!(part.summary, summary);
        }
    }

    #[test]
    fn western_encodings_are_stored_as_utf8() {
        for (encoding, bytes, text) in [
            (SourceEncoding::Latin1, &b"Gr\xfc\xdfe \x80"[..], "Grüße \u{80}"),
            (SourceEncoding::Windows1252, b"\x93Gr\xfc\xdfe\x94 \x80", "“Grüße” €"),
        ] {
            let mut settings = Settings::default();
            settings.text.encoding = Some(encoding);
            let part = import("a.txt", bytes, &settings).unwrap().remove(0);
            let view = TextView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
            assert_eq!((view.bytes(), view.props().encoding), (text.as_bytes(), TextEncoding::UTF8));
            assert_eq!(part.summary, "1 line UTF-8");
        }
        let mut settings = Settings::default();
        settings.text.encoding = Some(SourceEncoding::Windows1252);
        let error = import("a.txt", b"ab\x81", &settings).unwrap_err();
        assert_eq!(error.to_string(), "is not valid text: byte 2 is 0x81, which is not in Windows-1252");
    }

    #[test]
    fn bytes_that_are_not_text_are_refused_with_a_remedy() {
        for (bytes, message, help, fix) in [
            (&b"ab\xff\0"[..], "is not valid text: invalid UTF-8 at byte 2", "kind = \"raw\"", Fix::RAW),
            (
                b"All of this was written by M\xfcller.",
                "is not valid text: invalid UTF-8 at byte 28; it looks like Latin-1",
                "text.encoding = \"latin1\"",
                "text.encoding = \"latin1\"",
            ),
            (
                b"All of \x93this\x94 was written by Miller.",
                "is not valid text: invalid UTF-8 at byte 7; it looks like Windows-1252",
                "text.encoding = \"windows-1252\"",
                "text.encoding = \"windows-1252\"",
            ),
        ] {
            let error = import("a.txt", bytes, &Settings::default()).unwrap_err();
            assert_eq!((error.to_string().as_str(), error.fix), (message, Some(fix)));
            assert!(error.help().unwrap().contains(help) && !error.help().unwrap().contains("utf16"), "{error:?}");
        }
    }
}
