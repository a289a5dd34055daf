//! What a file is by its first bytes, whatever its name says.
//!
//! Importers of binary kinds compare this with the extension, so that a GIF called `.png` is an error that says so.

/// A kind of file that can be told by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(super) enum Content {
    Png, Jpeg, Bmp, Gif, Hdr, Qoi, Dds, WebP, Tiff, Psd, Ktx, Avif, Svg,
    Wav, Rf64, Ogg, Flac, Mp3, Aiff, Mp4, Adts, Matroska, Midi,
    Ttf, Zip, Gzip, Xml, Html, Pdf, Glb, LfsPointer,
}

impl Content {
    /// How messages call it, article included.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Png => "a PNG",
            Self::Jpeg => "a JPEG",
            Self::Bmp => "a BMP",
            Self::Gif => "a GIF",
            Self::Hdr => "a Radiance HDR",
            Self::Qoi => "a QOI",
            Self::Dds => "a DDS",
            Self::WebP => "a WebP image",
            Self::Tiff => "a TIFF image",
            Self::Psd => "a Photoshop document",
            Self::Ktx => "a KTX texture",
            Self::Avif => "an AVIF or HEIF image",
            Self::Svg => "an SVG drawing",
            Self::Wav => "a WAV",
            Self::Rf64 => "a 64-bit WAV (RF64)",
            Self::Ogg => "an Ogg stream",
            Self::Flac => "a FLAC",
            Self::Mp3 => "an MP3",
            Self::Aiff => "an AIFF sound",
            Self::Mp4 => "an MP4 or M4A container",
            Self::Adts => "an AAC stream",
            Self::Matroska => "a Matroska or WebM container",
            Self::Midi => "a MIDI score",
            Self::Ttf => "a font",
            Self::Zip => "a zip archive",
            Self::Gzip => "a gzip file",
            Self::Xml => "an XML document",
            Self::Html => "an HTML page",
            Self::Pdf => "a PDF",
            Self::Glb => "a binary glTF",
            Self::LfsPointer => "a Git LFS pointer",
        }
    }

    /// What to do with a file of this kind that cannot be imported as what it was taken for; `name` is its path.
    pub(super) fn help(self, name: &str) -> String {
        let raw = format!("store it as it is with kind = \"raw\" under [\"{name}\"] in assets.toml");
        match self {
            Self::LfsPointer => "fetch the file itself with git lfs pull".to_owned(),
            Self::WebP | Self::Tiff | Self::Psd | Self::Ktx | Self::Avif | Self::Svg => {
                format!("convert it to PNG, or {raw}")
            }
            Self::Rf64 | Self::Aiff | Self::Mp4 | Self::Adts | Self::Matroska | Self::Midi => {
                format!("convert it to OGG, FLAC or WAV, or {raw}")
            }
            _ => match self.extension() {
                Some(extension) => format!("rename it to .{extension}, or {raw}"),
                None => raw,
            },
        }
    }

    /// The extension that an importer takes it by.
    fn extension(self) -> Option<&'static str> {
        Some(match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Bmp => "bmp",
            Self::Gif => "gif",
            Self::Hdr => "hdr",
            Self::Qoi => "qoi",
            Self::Dds => "dds",
            Self::Wav => "wav",
            Self::Ogg => "ogg",
            Self::Flac => "flac",
            Self::Mp3 => "mp3",
            Self::Ttf => "ttf",
            Self::Glb => "glb",
            _ => return None,
        })
    }
}

/// What `bytes` start with, or `None` for what has no mark: text, TGA, anything unknown.
pub(super) fn sniff(bytes: &[u8]) -> Option<Content> {
    let at = |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    const MARKS: &[(&[u8], Content)] = &[
        (b"\x89PNG\r\n\x1a\n", Content::Png),
        (b"\xff\xd8\xff", Content::Jpeg),
        (b"GIF87a", Content::Gif),
        (b"GIF89a", Content::Gif),
        (b"#?RADIANCE", Content::Hdr),
        (b"#?RGBE", Content::Hdr),
        (b"qoif", Content::Qoi),
        (b"DDS ", Content::Dds),
        (b"II*\0", Content::Tiff),
        (b"MM\0*", Content::Tiff),
        (b"8BPS", Content::Psd),
        (b"\xabKTX", Content::Ktx),
        (b"<svg", Content::Svg),
        (b"RF64", Content::Rf64),
        (b"OggS", Content::Ogg),
        (b"fLaC", Content::Flac),
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
        (b"version https://git-lfs.github.com", Content::LfsPointer),
    ];
    if let Some((_, content)) = MARKS.iter().find(|(magic, _)| at(0, magic)) {
        return Some(*content);
    }
    if at(0, b"RIFF") {
        return [(&b"WAVE"[..], Content::Wav), (b"WEBP", Content::WebP)]
            .into_iter()
            .find_map(|(form, content)| at(8, form).then_some(content));
    }
    if at(0, b"FORM") && (at(8, b"AIFF") || at(8, b"AIFC")) {
        return Some(Content::Aiff);
    }
    if at(4, b"ftyp") {
        let is_image = [&b"avif"[..], b"avis", b"heic", b"heix", b"mif1"].iter().any(|brand| at(8, brand));
        return Some(if is_image { Content::Avif } else { Content::Mp4 });
    }
    // Two letters alone are no proof: the reserved field of a BMP is zero and its header has one of the known sizes.
    if at(0, b"BM")
        && (at(6, &[0; 4]) || matches!(bytes.get(14..18), Some([12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0])))
    {
        return Some(Content::Bmp);
    }
    mpeg_audio(bytes)
}

/// The first bytes, as text where they are.
pub(super) fn first_bytes(bytes: &[u8]) -> String {
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
        // Layer, bit rate and sample rate of an MPEG audio frame are none of the reserved values.
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
    fn marks_are_found_at_their_places() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], Some(Content::Png)),
            (b"RIFF\x10\0\0\0WAVEfmt ", Some(Content::Wav)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(Content::WebP)),
            (b"RIFF\x10\0\0\0AVI LIST", None),
            (b"ID3\x04\0\0\0\0\0\x02xxfLaC", Some(Content::Flac)),
            (b"ID3\x04\0\0\0\0\x7f\x02xx\xff\xfb", Some(Content::Mp3)),
            (b"\xff\xfb\x90\x64", Some(Content::Mp3)),
            (b"\xff\xf1\x50\x80", Some(Content::Adts)),
            (b"\0\0\0\x20ftypavif", Some(Content::Avif)),
            (b"\0\0\0\x20ftypM4A ", Some(Content::Mp4)),
            (b"BMlack is a name", None),
            (b"\0\0\x02\0\0\0\0\0", None),
            (b"version https://git-lfs.github.com/spec/v1\n", Some(Content::LfsPointer)),
            (b"", None),
        ] {
            assert_eq!(sniff(bytes), expected, "{bytes:?}");
        }
    }
}
