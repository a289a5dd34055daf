//! JPEG → pixels, decoded strictly: a decoder that goes on after damage makes noise of the rest.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::{Decoded, HEAD, ImportError, checked_size};

/// Decodes a JPEG file.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImportError> {
    let Some(bytes) = without_stray_bytes(bytes) else {
        return Err(ImportError::damaged("is a JPEG that ends early"));
    };
    let options = DecoderOptions::default().set_strict_mode(true).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bytes[..]), options);
    decoder.decode_headers().map_err(|e| explain("its head", &e))?;
    let (Some(info), Some(colors)) = (decoder.info(), decoder.input_colorspace()) else {
        return Err(ImportError::damaged("is a JPEG without pixels"));
    };
    let (stored, format) = match colors {
        ColorSpace::Luma => (colors, PixelFormat::GRAY8),
        ColorSpace::LumaA => (colors, PixelFormat::GRAY_ALPHA8),
        ColorSpace::RGBA => (colors, PixelFormat::RGBA8),
        _ => (ColorSpace::RGB, PixelFormat::RGB8),
    };
    let props = ImageProps { width: info.width.into(), height: info.height.into(), format, mipmaps: 1 };
    checked_size(&props)?;
    let options = decoder.options().jpeg_set_out_colorspace(stored);
    decoder.set_options(options);
    let mut out = Decoded::zeroed(props)?;
    decoder.decode_into(&mut out.block[HEAD..]).map_err(|e| explain("its pixels", &e))?;
    Ok(out)
}

/// Bytes of the pixels, by the head alone.
pub(super) fn decoded_size(bytes: &[u8]) -> Option<u64> {
    let mut decoder = JpegDecoder::new(ZCursor::new(bytes));
    decoder.decode_headers().ok()?;
    let info = decoder.info()?;
    Some(u64::from(info.width) * u64::from(info.height) * u64::from(info.components.clamp(1, 3)))
}

/// The file without bytes between its segments that belong to none, or `None` if its end is missing. The decoder fills what
/// is missing with grey, so a cut must be found here: pixels, in which the byte 0xff is always followed by another mark,
/// end with the end mark.
fn without_stray_bytes(bytes: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
    let mut segments = bytes.get(..2)?.to_vec();
    let (mut at, mut is_changed) = (2, false);
    // Segments before the pixels are passed over: thumbnails in them have end marks of their own.
    loop {
        let [first, mark, rest @ ..] = bytes.get(at..)? else { return None };
        let len = match (first, mark, rest) {
            (0xff, 0x01 | 0xd0..=0xd8, _) => 2,
            (0xff, 0xda, _) => {
                let has_end = rest.windows(2).any(|pair| pair == [0xff, 0xd9]);
                segments.extend_from_slice(&bytes[at..]);
                return has_end.then(|| if is_changed { segments.into() } else { bytes.into() });
            }
            (0xff, 0x02..=0xcf | 0xd9..=0xfe, [high, low, ..]) => {
                2 + usize::from(u16::from_be_bytes([*high, *low])).max(2)
            }
            // 0xff may be repeated before a mark; 0xff 0x00 is none.
            _ => {
                is_changed = true;
                at += 1;
                continue;
            }
        };
        segments.extend_from_slice(bytes.get(at..at + len)?);
        at += len;
    }
}

/// What went wrong in the decoder: in our words, then in its own.
fn explain(part: &str, error: &DecodeErrors) -> ImportError {
    match error {
        DecodeErrors::Unsupported(_) => {
            ImportError::new(format!("is a JPEG of a kind that is not supported ({})", plain(error)))
                .with_help("save it as a plain JPEG or PNG")
        }
        DecodeErrors::LargeDimensions(_) => {
            ImportError::new("is a JPEG with more pixels than fit").with_help("split it or scale it down")
        }
        _ => ImportError::damaged(format!("is a damaged JPEG: {part} cannot be decoded ({})", plain(error))),
    }
}

/// One line of what the decoder says.
fn plain(error: &DecodeErrors) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_matches(['"', '.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_kept_and_stray_bytes_are_not() {
        let file = b"\xff\xd8\xff\xe0\0\x04ab\xff\xda\0\x02pixels\xff\xd9";
        assert_eq!(without_stray_bytes(file).as_deref(), Some(&file[..]));
        let stray = b"\xff\xd8\xff\xe0\0\x04ab\0\0\xff\xff\xda\0\x02pixels\xff\xd9";
        assert_eq!(without_stray_bytes(stray).as_deref(), Some(&file[..]));
        for len in 0..file.len() {
            assert_eq!(without_stray_bytes(&file[..len]), None, "{len}");
        }
    }
}
