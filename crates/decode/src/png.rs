//! PNG → pixels of the file's depth and alpha: 8-bit channels stay so, 16-bit ones become floats, palettes their colours.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Limits, Transformations};

use crate::DecodeError;
use rres_format::chunk::image::{ImageProps, PixelFormat};

/// The name in messages.
const FORMAT: &str = "PNG";

/// A PNG whose head was read.
pub(crate) struct PngFile<'a> {
    reader: png::Reader<Cursor<&'a [u8]>>,
    props: ImageProps,
    layout: Layout,
}

/// The channels that the decoder makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Bytes,
    Words,
    /// Gray and alpha, which no format of floats has.
    GrayAlphaWords,
}

impl<'a> PngFile<'a> {
    pub(crate) fn open(file: &'a [u8]) -> Result<Self, DecodeError> {
        // A head that claims a large picture makes the decoder allocate a few rows of it at most.
        let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: 64 << 20 });
        decoder.set_transformations(Transformations::EXPAND);
        let reader = decoder.read_info().map_err(|e| explain("its head", &e))?;
        let (format, layout) = match reader.output_color_type() {
            (ColorType::Grayscale, BitDepth::Sixteen) => (PixelFormat::R32F, Layout::Words),
            (ColorType::GrayscaleAlpha, BitDepth::Sixteen) => (PixelFormat::RGBA32F, Layout::GrayAlphaWords),
            (ColorType::Rgb, BitDepth::Sixteen) => (PixelFormat::RGB32F, Layout::Words),
            (_, BitDepth::Sixteen) => (PixelFormat::RGBA32F, Layout::Words),
            (ColorType::Grayscale, _) => (PixelFormat::GRAY8, Layout::Bytes),
            (ColorType::GrayscaleAlpha, _) => (PixelFormat::GRAY_ALPHA8, Layout::Bytes),
            (ColorType::Rgb, _) => (PixelFormat::RGB8, Layout::Bytes),
            _ => (PixelFormat::RGBA8, Layout::Bytes),
        };
        let (width, height) = reader.info().size();
        Ok(Self { reader, props: ImageProps { width, height, format, mipmaps: 1 }, layout })
    }

    pub(crate) fn props(&self) -> ImageProps {
        self.props
    }

    pub(crate) fn decode_into(mut self, pixels: &mut [u8]) -> Result<(), DecodeError> {
        if self.layout == Layout::Bytes {
            return self.reader.next_frame(pixels).map(drop).map_err(|e| explain("its pixels", &e));
        }
        // Half of the floats' size, or a quarter if gray becomes three channels.
        let size = pixels.len() / if self.layout == Layout::Words { 2 } else { 4 };
        let mut words = vec![0; size];
        self.reader.next_frame(&mut words).map_err(|e| explain("its pixels", &e))?;
        let unit = |word: &[u8; 2]| (f32::from(u16::from_be_bytes(*word)) / 65535.0).to_le_bytes();
        let (words, floats) = (words.as_chunks::<2>().0, pixels.as_chunks_mut::<4>().0);
        match self.layout {
            Layout::GrayAlphaWords => {
                for (pixel, words) in floats.chunks_exact_mut(4).zip(words.chunks_exact(2)) {
                    let (gray, alpha) = (unit(&words[0]), unit(&words[1]));
                    pixel.copy_from_slice(&[gray, gray, gray, alpha]);
                }
            }
            _ => floats.iter_mut().zip(words).for_each(|(float, word)| *float = unit(word)),
        }
        Ok(())
    }
}

fn explain(part: &'static str, error: &png::DecodingError) -> DecodeError {
    match error {
        png::DecodingError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            DecodeError::EndsEarly { format: FORMAT }
        }
        png::DecodingError::LimitsExceeded => DecodeError::TooLarge { format: FORMAT },
        _ => DecodeError::Damaged { format: FORMAT, part, detail: error.to_string().trim_end_matches('.').to_owned() },
    }
}
