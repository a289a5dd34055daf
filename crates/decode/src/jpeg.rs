//! JPEG → pixels, decoded strictly: a decoder that goes on after damage makes noise of the rest.

use std::borrow::Cow;

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use crate::DecodeError;
use crate::orientation::Orientation;
use rres_format::chunk::image::{ImageProps, PixelFormat};

/// The name in messages.
const FORMAT: &str = "JPEG";

/// A JPEG whose head was read.
pub(crate) struct JpegFile<'a> {
    /// The file without stray bytes.
    bytes: Cow<'a, [u8]>,
    /// Width and height of the stored pixels, before they are turned.
    stored: (usize, usize),
    format: PixelFormat,
    colors: ColorSpace,
    orientation: Orientation,
}

impl<'a> JpegFile<'a> {
    /// Reads the head of a file, and looks for its end.
    pub(crate) fn open(file: &'a [u8]) -> Result<Self, DecodeError> {
        let bytes = without_stray_bytes(file).ok_or(DecodeError::EndsEarly { format: FORMAT })?;
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bytes[..]), options());
        decoder.decode_headers().map_err(|e| explain("its head", &e))?;
        let (Some(info), Some(colors)) = (decoder.info(), decoder.input_colorspace()) else {
            let detail = "it has no pixels".to_owned();
            return Err(DecodeError::Damaged { format: FORMAT, part: "its head", detail });
        };
        let (colors, format) = match colors {
            ColorSpace::Luma => (colors, PixelFormat::GRAY8),
            ColorSpace::LumaA => (colors, PixelFormat::GRAY_ALPHA8),
            ColorSpace::RGBA => (colors, PixelFormat::RGBA8),
            _ => (ColorSpace::RGB, PixelFormat::RGB8),
        };
        let orientation = decoder.exif().map_or(Orientation::UPRIGHT, |exif| Orientation::of_exif(exif));
        let stored = (info.width.into(), info.height.into());
        Ok(Self { bytes, stored, format, colors, orientation })
    }

    pub(crate) fn props(&self) -> ImageProps {
        let (width, height) = (self.stored.0 as u32, self.stored.1 as u32);
        let (width, height) = if self.orientation.swaps_edges() { (height, width) } else { (width, height) };
        ImageProps { width, height, format: self.format, mipmaps: 1 }
    }

    pub(crate) fn decode_into(self, pixels: &mut [u8]) -> Result<(), DecodeError> {
        if self.orientation == Orientation::UPRIGHT {
            return self.decode_stored_into(pixels);
        }
        let mut stored = vec![0; pixels.len()];
        self.decode_stored_into(&mut stored)?;
        let size = self.format.bytes_per_pixel().unwrap_or(0) as usize;
        self.orientation.turn(size, &stored, self.stored, pixels);
        Ok(())
    }

    fn decode_stored_into(&self, pixels: &mut [u8]) -> Result<(), DecodeError> {
        let options = options().jpeg_set_out_colorspace(self.colors);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&self.bytes[..]), options);
        decoder.decode_into(pixels).map_err(|e| explain("its pixels", &e))
    }
}

fn options() -> DecoderOptions {
    DecoderOptions::default().set_strict_mode(true).set_max_width(usize::MAX).set_max_height(usize::MAX)
}

/// The file without bytes between its segments that belong to none, or `None` if its end is missing. The decoder fills what
/// is missing with grey, so a cut must be found here: in pixels, another mark follows every byte 0xff, and they
/// end with the end mark.
fn without_stray_bytes(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut at = 2;
    // The segments so far, once there was a stray byte between them.
    let mut cleaned: Option<Vec<u8>> = None;
    // Segments before the pixels are passed over: thumbnails in them have end marks of their own.
    loop {
        let [first, mark, rest @ ..] = bytes.get(at..)? else { return None };
        let len = match (first, mark, rest) {
            (0xff, 0x01 | 0xd0..=0xd8, _) => 2,
            (0xff, 0xda, _) => {
                let has_end = rest.windows(2).any(|pair| pair == [0xff, 0xd9]);
                return has_end.then(|| match cleaned {
                    Some(mut cleaned) => {
                        cleaned.extend_from_slice(&bytes[at..]);
                        cleaned.into()
                    }
                    None => bytes.into(),
                });
            }
            (0xff, 0x02..=0xcf | 0xd9..=0xfe, [high, low, ..]) => {
                2 + usize::from(u16::from_be_bytes([*high, *low])).max(2)
            }
            // 0xff may be repeated before a mark; 0xff 0x00 is none.
            _ => {
                cleaned.get_or_insert_with(|| bytes[..at].to_vec());
                at += 1;
                continue;
            }
        };
        let segment = bytes.get(at..at + len)?;
        if let Some(cleaned) = &mut cleaned {
            cleaned.extend_from_slice(segment);
        }
        at += len;
    }
}

/// What went wrong in the decoder: in our words, then in its own.
fn explain(part: &'static str, error: &DecodeErrors) -> DecodeError {
    let detail = plain(error);
    match error {
        DecodeErrors::Unsupported(_) => DecodeError::Unsupported { format: FORMAT, detail },
        DecodeErrors::LargeDimensions(_) => DecodeError::TooLarge { format: FORMAT },
        _ => DecodeError::Damaged { format: FORMAT, part, detail },
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
