//! A picture file → its pixels, in the format that keeps its channels.

use core::fmt;

use rres_format::chunk::image::ImageProps;
#[cfg(feature = "qoi")]
use rres_format::chunk::image::PixelFormat;
#[cfg(feature = "qoi")]
use rres_format::qoi_file::{self, QoiError, QoiHeader};

use crate::DecodeError;
#[cfg(feature = "jpeg")]
use crate::jpeg;
#[cfg(feature = "png")]
use crate::png;

/// The head of a picture file. Its pixels are decoded from this.
pub struct PictureFile<'a> {
    props: ImageProps,
    /// Decodes the pixels into a slice of their size.
    decode: Box<Decode<'a>>,
}

type Decode<'a> = dyn FnOnce(&mut [u8]) -> Result<(), DecodeError> + 'a;

impl<'a> PictureFile<'a> {
    /// Reads the head of a file, whose format is known from its first bytes.
    ///
    /// # Errors
    /// If the format is unknown or its feature is disabled, and if the head is damaged or the end is missing.
    pub fn open(file: &'a [u8]) -> Result<Self, DecodeError> {
        match file {
            #[cfg(feature = "jpeg")]
            [0xff, 0xd8, 0xff, ..] => {
                let jpeg = jpeg::JpegFile::open(file)?;
                Ok(Self { props: jpeg.props(), decode: Box::new(|pixels| jpeg.decode_into(pixels)) })
            }
            #[cfg(not(feature = "jpeg"))]
            [0xff, 0xd8, 0xff, ..] => Err(DecodeError::NoDecoder { format: "JPEG", feature: "jpeg" }),
            #[cfg(feature = "png")]
            [0x89, b'P', b'N', b'G', ..] => {
                let png = png::PngFile::open(file)?;
                Ok(Self { props: png.props(), decode: Box::new(|pixels| png.decode_into(pixels)) })
            }
            #[cfg(not(feature = "png"))]
            [0x89, b'P', b'N', b'G', ..] => Err(DecodeError::NoDecoder { format: "PNG", feature: "png" }),
            #[cfg(feature = "qoi")]
            [b'q', b'o', b'i', b'f', ..] => qoi_file(file),
            _ => Err(DecodeError::UnknownFormat { start: file.get(..4).unwrap_or(file).into() }),
        }
    }

    /// Returns the size and the format of the decoded pixels: one level, upright. They are not checked against any limit.
    pub fn props(&self) -> ImageProps {
        self.props
    }

    /// Decodes the pixels into `pixels`, which has as many bytes as [`Self::props`] say.
    ///
    /// # Errors
    /// If the file is damaged: what can be decoded of it is not a picture.
    pub fn decode_into(self, pixels: &mut [u8]) -> Result<(), DecodeError> {
        (self.decode)(pixels)
    }
}

#[cfg(feature = "qoi")]
fn qoi_file(file: &[u8]) -> Result<PictureFile<'_>, DecodeError> {
    let damaged = |part| move |e: QoiError| DecodeError::Damaged { format: "QOI", part, detail: e.to_string() };
    let header = QoiHeader::parse(file).map_err(damaged("its head"))?;
    let format = if header.channels == 4 { PixelFormat::RGBA8 } else { PixelFormat::RGB8 };
    let props = ImageProps { width: header.width, height: header.height, format, mipmaps: 1 };
    let decode = move |pixels: &mut [u8]| qoi_file::decode(file, pixels).map_err(damaged("its pixels"));
    Ok(PictureFile { props, decode: Box::new(decode) })
}

impl fmt::Debug for PictureFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PictureFile").field("props", &self.props).finish_non_exhaustive()
    }
}
