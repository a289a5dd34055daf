//! Detects the format of a file from its first bytes, whatever its name.
//!
//! Importers of binary kinds compare the format with the extension, so that a GIF called `.png` is an error that names
//! both.

use rres_format::{AssetKind, SoundFormat};
use rres_settings::diagnostic::Fix;

use crate::ImportError;

/// Declares the file formats that importers support or recognise: variant, name with article, kind, the extensions of
/// files that an importer accepts, and the formats to convert to if no importer accepts it.
macro_rules! contents {
    ($($variant:ident $name:literal $kind:ident $extensions:tt $convert_to:expr;)*) => {
        /// A file format, recognised by its first bytes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // The rows below name them.
        pub enum Content { $($variant,)* }

        impl Content {
            const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in messages, article included.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The kind of asset that files of this format contain.
            fn kind(self) -> AssetKind {
                match self { $(Self::$variant => AssetKind::$kind,)* }
            }

            /// The extensions of files that an importer accepts; the usual one first.
            fn extensions(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &$extensions,)* }
            }

            /// The formats to convert a file to if no importer accepts it.
            fn convert_to(self) -> Option<&'static str> {
                match self { $(Self::$variant => $convert_to,)* }
            }
        }
    };
}

const PNG: Option<&str> = Some("PNG");
const SOUND: Option<&str> = Some("OGG, FLAC or WAV");

contents! {
    Png "a PNG" Image ["png"] None;
    Jpeg "a JPEG" Image ["jpg", "jpeg"] None;
    Bmp "a BMP" Image ["bmp"] None;
    Tga "a TGA" Image ["tga"] None;
    Gif "a GIF" Image ["gif"] None;
    Hdr "a Radiance HDR" Image ["hdr"] None;
    Exr "an OpenEXR file" Image ["exr"] None;
    Qoi "a QOI" Image ["qoi"] None;
    Dds "a DDS" Image ["dds"] None;
    WebP "a WebP" Image ["webp"] None;
    Tiff "a TIFF image" Image [] PNG;
    Psd "a Photoshop document" Image [] PNG;
    Aseprite "an Aseprite file" Image ["aseprite", "ase"] None;
    Ktx "a KTX texture" Image ["ktx", "ktx2"] None;
    Avif "an AVIF or HEIF image" Image [] PNG;
    Svg "an SVG drawing" Image [] PNG;
    Wav "a WAV" Sound ["wav", "wave"] None;
    Ogg "an Ogg stream" Sound ["ogg", "oga", "opus"] None;
    Flac "a FLAC" Sound ["flac"] None;
    Mp3 "an MP3" Sound ["mp3"] None;
    Aiff "an AIFF" Sound ["aiff", "aif", "aifc"] None;
    Mp4 "an MP4" Sound ["m4a"] None;
    Caf "a CAF" Sound ["caf"] None;
    Adts "an AAC stream" Sound ["aac"] None;
    Qoa "a QOA" Sound ["qoa"] None;
    Matroska "a Matroska or WebM container" Sound [] SOUND;
    Midi "a MIDI score" Sound [] SOUND;
    Ttf "a font" Font ["ttf", "otf", "ttc", "otc"] None;
    Glb "a binary glTF" Model ["glb"] None;
    MaxScene "a scene of 3ds Max (ASCII)" Model [] Some("glTF");
    Swatches "a collection of colours (Adobe Swatch Exchange)" Raw [] None;
    Zip "a zip archive" Raw [] None;
    Gzip "a gzip file" Raw [] None;
    Xml "an XML document" Raw [] None;
    Html "an HTML page" Raw [] None;
    Pdf "a PDF" Raw [] None;
}

impl Content {
    /// The format that a file with `extension` (lower case) should have.
    fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|content| content.extensions().contains(&extension))
    }

    /// Whether files of this format may begin with any bytes.
    fn may_lack_signature(self) -> bool {
        // Zeros or the rest of a cut frame may precede the first frame of an MP3; a TGA has no signature at all.
        matches!(self, Self::Tga | Self::Mp3)
    }

    /// The error for a file of this format that should have been `expected`; `path` is the path of the asset.
    pub fn refuse(self, expected: &str, path: &str) -> ImportError {
        let raw = store_raw(path);
        let error = ImportError::new(format!("is {}, not {expected}", self.name()));
        match (self.convert_to(), self.extensions().first()) {
            (Some(formats), _) => error.with_help(format!("convert it to {formats}, or {raw}")),
            // The file is whole. No rule does what another name does.
            (None, Some(extension)) => error.with_help(format!("rename it to .{extension}, or {raw}")).without_fix(),
            (None, None) => error.with_help(raw),
        }
    }
}

/// The advice to store a file as raw bytes.
pub fn store_raw(path: &str) -> String {
    format!("store it as raw bytes with kind = \"raw\" under [\"{path}\"] in assets.toml")
}

/// Returns the format of a source that becomes an asset of kind `kind`, after checking that its first bytes match
/// `extension`: lower case, without dot, empty to accept any format of the kind. Formats that no importer accepts are
/// errors, unless `takes_all`.
///
/// # Errors
/// [`ImportError`], which names the format that was found and the one that was expected.
pub fn check_content(
    bytes: &[u8],
    path: &str,
    extension: &str,
    kind: AssetKind,
    takes_all: bool,
) -> Result<Content, ImportError> {
    if bytes.is_empty() {
        let help = "save it again, or leave it out with ignore = true in assets.toml";
        return Err(ImportError::new("is empty (0 bytes)").with_help(help).with_fix(Fix::IGNORE));
    }
    let expected = Content::of_extension(extension).filter(|content| content.kind() == kind);
    let article = if kind == AssetKind::Image { "an" } else { "a" };
    let any = || format!("{article} {kind} in a supported format");
    match (sniff(bytes), expected) {
        (Some(found), Some(expected)) if found == expected => Ok(found),
        (Some(found), Some(expected)) => Err(found.refuse(expected.name(), path)),
        (Some(found), None) if found.kind() == kind && (takes_all || !found.extensions().is_empty()) => Ok(found),
        (Some(found), None) => Err(found.refuse(&any(), path)),
        (None, Some(expected)) if expected.may_lack_signature() => Ok(expected),
        (None, expected) => {
            let expected = expected.map_or_else(any, |content| content.name().to_owned());
            let error = ImportError::new(format!("is not {expected}: it starts with {}", first_bytes(bytes)));
            Err(error.with_help(format!("save it again, or {}", store_raw(path))).with_fix(Fix::IGNORE))
        }
    }
}

/// The format that `bytes` start with, or `None` if they have no known signature: text, TGA, anything else.
pub fn sniff(bytes: &[u8]) -> Option<Content> {
    let at = |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    const MARKS: &[(&[u8], Content)] = &[
        (b"\x89PNG\r\n\x1a\n", Content::Png),
        (b"\xff\xd8\xff", Content::Jpeg),
        (b"GIF87a", Content::Gif),
        (b"GIF89a", Content::Gif),
        (b"#?RADIANCE", Content::Hdr),
        (b"#?RGBE", Content::Hdr),
        (b"\x76\x2f\x31\x01", Content::Exr),
        (b"qoif", Content::Qoi),
        (b"DDS ", Content::Dds),
        (b"II*\0", Content::Tiff),
        (b"MM\0*", Content::Tiff),
        (b"8BPS", Content::Psd),
        (b"\xabKTX", Content::Ktx),
        (b"<svg", Content::Svg),
        (b"OggS", Content::Ogg),
        (b"caff", Content::Caf),
        (b"fLaC", Content::Flac),
        (b"qoaf", Content::Qoa),
        (b"\x1aE\xdf\xa3", Content::Matroska),
        (b"MThd", Content::Midi),
        (b"OTTO", Content::Ttf),
        (b"\0\x01\0\0\0", Content::Ttf),
        (b"PK\x03\x04", Content::Zip),
        (b"\x1f\x8b\x08", Content::Gzip),
        (b"<?xml", Content::Xml),
        (b"<!DOCTYPE html", Content::Html),
        (b"<!doctype html", Content::Html),
        (b"<html", Content::Html),
        (b"%PDF-", Content::Pdf),
        (b"glTF", Content::Glb),
        (b"*3DSMAX_ASCIIEXPORT", Content::MaxScene),
        (b"ASEF", Content::Swatches),
    ];
    if let Some((_, content)) = MARKS.iter().find(|(magic, _)| at(0, magic)) {
        return Some(*content);
    }
    if SoundFormat::of(bytes) == Some(SoundFormat::Wav) {
        return Some(Content::Wav);
    }
    if at(0, b"RIFF") {
        return at(8, b"WEBP").then_some(Content::WebP);
    }
    if at(0, b"FORM") && (at(8, b"AIFF") || at(8, b"AIFC")) {
        return Some(Content::Aiff);
    }
    if at(4, b"ftyp") {
        let is_image = [&b"avif"[..], b"avis", b"heic", b"heix", b"mif1"].iter().any(|brand| at(8, brand));
        return Some(if is_image { Content::Avif } else { Content::Mp4 });
    }
    // Two bytes alone do not prove anything: a frame follows the header.
    if at(4, &[0xe0, 0xa5]) && at(132, &[0xfa, 0xf1]) {
        return Some(Content::Aseprite);
    }
    // Two letters alone do not prove anything: the reserved field of a BMP is zero and its header has one of the known sizes.
    if at(0, b"BM")
        && (at(6, &[0; 4]) || matches!(bytes.get(14..18), Some([12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0])))
    {
        return Some(Content::Bmp);
    }
    mpeg_audio(bytes)
}

/// The first bytes, as text if they are ASCII, else in hexadecimal digits.
pub fn first_bytes(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(8)];
    if head.iter().all(|b| (0x20..0x7f).contains(b)) {
        return format!("\"{}\"", String::from_utf8_lossy(head));
    }
    head.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ")
}

/// ID3, or an MPEG audio frame header without reserved values: sync bits alone occur in any file.
fn mpeg_audio(bytes: &[u8]) -> Option<Content> {
    match bytes {
        // An ID3 tag may precede FLAC and AAC too.
        [b'I', b'D', b'3', _, _, _, a, b, c, d, ..] => {
            let size = [a, b, c, d].iter().fold(0, |size, byte| (size << 7) | usize::from(**byte & 0x7f));
            match bytes.get(10 + size..) {
                Some([b'f', b'L', b'a', b'C', ..]) => Some(Content::Flac),
                Some([0xff, layer, ..]) if layer & 0xf6 == 0xf0 => Some(Content::Adts),
                _ => Some(Content::Mp3),
            }
        }
        [0xff, second, third, ..] if second & 0xf6 == 0xf0 && (third >> 2) & 15 < 13 => Some(Content::Adts),
        // Layer, bit rate and sample rate of an MPEG audio frame never have the reserved values.
        [0xff, second, third, ..]
            if second & 0xe0 == 0xe0
                && (second >> 3) & 3 != 1
                && (second >> 1) & 3 != 0
                && third >> 4 != 15
                && (third >> 2) & 3 != 3 =>
        {
            Some(Content::Mp3)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_found_at_their_offsets() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], Some(Content::Png)),
            (b"RIFF\x10\0\0\0WAVEfmt ", Some(Content::Wav)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(Content::WebP)),
            (b"RF64\xff\xff\xff\xffWAVEds64", Some(Content::Wav)),
            (b"RIFF\x10\0\0\0AVI LIST", None),
            (b"ID3\x04\0\0\0\0\0\x02xxfLaC", Some(Content::Flac)),
            (b"ID3\x04\0\0\0\0\x7f\x02xx\xff\xfb", Some(Content::Mp3)),
            (b"\xff\xfb\x90\x64", Some(Content::Mp3)),
            (b"\xff\xf1\x50\x80", Some(Content::Adts)),
            (b"\0\0\0\x20ftypavif", Some(Content::Avif)),
            (b"\0\0\0\x20ftypM4A ", Some(Content::Mp4)),
            (b"BMlack is a name", None),
            (b"\0\0\x02\0\0\0\0\0", None),
            (b"", None),
        ] {
            assert_eq!(sniff(bytes), expected, "{bytes:?}");
        }
    }
}
