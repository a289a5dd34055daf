//! Text and source code → TEXT: the bytes as they are, with encoding, language and culture.

use rres_format::chunk::text::{self, CodeLanguage, TextEncoding, TextProps};
use rres_format::{AssetKind, FourCc};

use crate::settings::Culture;

use super::{Block, ImportContext, ImportError, ImportedResource, Importer};

pub(super) struct TextImporter;

impl Importer for TextImporter {
    fn version(&self) -> u32 {
        1
    }

    fn import(&self, source: &mut ImportContext<'_>) -> Result<Vec<ImportedResource>, ImportError> {
        let settings = &source.settings.text;
        let encoding = match settings.encoding {
            Some(encoding) => encoding,
            None => detect_encoding(source.bytes),
        };
        let decoded = text::decode(encoding, source.bytes).map_err(|e| invalid(&e, source.path, settings.encoding))?;
        let language = match settings.lang {
            Some(language) => language,
            None => CodeLanguage::from_extension(&source.extension()),
        };
        let lines = decoded.lines().count();
        let mut summary = format!("{lines} {} {encoding}", if lines == 1 { "line" } else { "lines" });
        if language != CodeLanguage::UNDEFINED {
            summary += &format!(" {language}");
        }
        let size = u32::try_from(source.bytes.len())
            .map_err(|_| ImportError::new("is a text of 4 GiB or more").with_help("split it into several files"))?;
        let props = TextProps {
            size,
            encoding,
            language,
            culture: settings.culture.as_ref().and_then(Culture::lcid).unwrap_or(0),
        };
        Ok(vec![ImportedResource::new(
            AssetKind::Text,
            vec![Block::new(FourCc::TEXT, props.block(source.bytes))],
            summary,
        )])
    }
}

/// The error for bytes that are not text in the encoding that was set or detected.
fn invalid(error: &rres_format::Error, path: &str, set: Option<TextEncoding>) -> ImportError {
    let found = match error {
        rres_format::Error::Inconsistent { detail, .. } => detail.clone(),
        other => other.to_string(),
    };
    let remedy = match set {
        None => "save it as UTF-8",
        Some(_) => "set the encoding that the file has",
    };
    let help = format!("{remedy}, or store it unchanged with kind = \"raw\" under [\"{path}\"] in assets.toml");
    ImportError::new(format!("is not valid text: {found}")).with_help(help)
}

/// The encoding of the byte order mark, or UTF-8 if there is none.
fn detect_encoding(bytes: &[u8]) -> TextEncoding {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => TextEncoding::UTF8_BOM,
        [0xff, 0xfe, ..] => TextEncoding::UTF16_LE,
        [0xfe, 0xff, ..] => TextEncoding::UTF16_BE,
        _ => TextEncoding::UTF8,
    }
}

#[cfg(test)]
mod tests {
    use rres_format::chunk::PayloadView;
    use rres_format::chunk::text::TextView;

    use super::super::testing::import;
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn encoding_and_language_are_detected_and_bytes_are_kept() {
        for (path, bytes, encoding, language, summary) in [
            ("a.txt", &b"gr\xc3\xbc\xc3\x9fe\n"[..], TextEncoding::UTF8, CodeLanguage::UNDEFINED, "1 line UTF-8"),
            ("a.GLSL", b"", TextEncoding::UTF8, CodeLanguage::GLSL, "0 lines UTF-8 GLSL"),
            ("a.txt", b"\xff\xfea\0\n\0b\0", TextEncoding::UTF16_LE, CodeLanguage::UNDEFINED, "2 lines UTF-16LE"),
            ("a.rs", b"\xef\xbb\xbfx", TextEncoding::UTF8_BOM, CodeLanguage::RUST, "1 line UTF-8 with BOM Rust"),
        ] {
            let part = import(&TextImporter, path, bytes, &Settings::default()).unwrap().remove(0);
            let view = TextView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
            assert_eq!((view.bytes(), view.props().encoding, view.props().language), (bytes, encoding, language));
            assert_eq!(part.summary, summary);
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_refused_with_a_remedy() {
        let error = import(&TextImporter, "a.txt", b"ab\xff", &Settings::default()).unwrap_err();
        assert_eq!(error.to_string(), "is not valid text: invalid UTF-8 at byte 2");
        let help = error.help().unwrap();
        assert!(help.contains("kind = \"raw\"") && !help.contains("encoding"), "{help}");
    }
}
