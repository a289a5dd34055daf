//! Files that packs keep as they are → what an asset consists of.
//!
//! A pack keeps the file of a picture or of a short sound that was lossy at the source, because its pixels or samples would
//! take several times the bytes. The build and the runtime decode it with the code in this module, so both find the same.
//! Other programs pack files of lossless formats as well. Each format is a feature of the crate, named after it; without it
//! the file is refused by name.

mod decode;
#[cfg(feature = "font")]
mod font;
#[cfg(feature = "jpeg")]
mod jpeg;
#[cfg(feature = "ogg")]
mod ogg;
#[cfg(feature = "opus")]
mod opus;
#[cfg(feature = "jpeg")]
mod orientation;
#[cfg(any(feature = "ogg", feature = "opus"))]
mod pages;
#[cfg(feature = "png")]
mod png;
#[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
mod samples;
mod sound;
#[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
mod spliced;
mod stream;
#[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
mod symphonia;
#[cfg(feature = "ogg")]
mod vorbis;
#[cfg(feature = "wav")]
mod wav;

use core::fmt;

use crate::chunk::image::ImageProps;
#[cfg(feature = "qoi")]
use crate::chunk::image::PixelFormat;
#[cfg(feature = "qoi")]
use crate::qoi_file::{self, QoiError, QoiHeader};
pub use crate::source_error::{FontError, SourceError};
#[cfg(feature = "font")]
pub use font::{Axis, DistanceField, FontDrawing, FontFile, FontPage, FontStrike, GlyphPicture, LineMetrics};
#[doc(hidden)]
#[cfg(feature = "ogg")]
pub use ogg::pages_are_whole;
#[cfg(feature = "jpeg")]
pub use orientation::Orientation;
#[doc(hidden)]
#[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
pub use samples::append as append_samples;
#[doc(hidden)]
pub use sound::is_wav;
pub use sound::{Extent, SampleForm, SoundFile, SoundFormat};
pub use stream::SoundStream;
#[doc(hidden)]
#[cfg(feature = "wav")]
pub use wav::{UnreadableWav, Wav, chunks as wav_chunks};

/// Returns whether a file begins like a TTF or OTF font, or a collection of them.
pub fn is_font(file: &[u8]) -> bool {
    const MARKS: [&[u8]; 4] = [b"\0\x01\0\0", b"OTTO", b"true", b"ttcf"];
    MARKS.iter().any(|mark| file.starts_with(mark))
}

/// The head of a picture file. Its pixels are decoded from this.
///
#[cfg_attr(feature = "jpeg", doc = "```")]
#[cfg_attr(not(feature = "jpeg"), doc = "```ignore")]
/// use rres_format::source::{PictureFile, SourceError};
///
/// /// Decodes a picture file of a known format, up to a size.
/// fn pixels(file: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
///     let picture = PictureFile::open(file)?;
///     let size = picture.props().data_size()?;
///     assert!(size < 1 << 30, "sizes come from the file: check them before you allocate memory");
///     let mut pixels = vec![0; size as usize];
///     picture.decode_into(&mut pixels)?;
///     Ok(pixels)
/// }
///
/// let error = pixels(b"GIF89a").unwrap_err();
/// assert_eq!(error.to_string(), "is a file of an unknown format, which starts with \"GIF8\"");
/// # let _: &SourceError = error.downcast_ref().unwrap();
/// ```
pub struct PictureFile<'a> {
    props: ImageProps,
    /// Decodes the pixels into a slice of their size.
    decode: Box<Decode<'a>>,
}

type Decode<'a> = dyn FnOnce(&mut [u8]) -> Result<(), SourceError> + 'a;

impl<'a> PictureFile<'a> {
    /// Reads the head of a file, whose format is known from its first bytes.
    ///
    /// # Errors
    /// If the format is unknown or its feature is disabled, and if the head is damaged or the end is missing.
    pub fn open(file: &'a [u8]) -> Result<Self, SourceError> {
        match file {
            #[cfg(feature = "jpeg")]
            [0xff, 0xd8, 0xff, ..] => {
                let jpeg = jpeg::JpegFile::open(file)?;
                Ok(Self { props: jpeg.props(), decode: Box::new(|pixels| jpeg.decode_into(pixels)) })
            }
            #[cfg(not(feature = "jpeg"))]
            [0xff, 0xd8, 0xff, ..] => Err(SourceError::NoDecoder { format: "JPEG", feature: "jpeg" }),
            #[cfg(feature = "png")]
            [0x89, b'P', b'N', b'G', ..] => {
                let png = png::PngFile::open(file)?;
                Ok(Self { props: png.props(), decode: Box::new(|pixels| png.decode_into(pixels)) })
            }
            #[cfg(not(feature = "png"))]
            [0x89, b'P', b'N', b'G', ..] => Err(SourceError::NoDecoder { format: "PNG", feature: "png" }),
            #[cfg(feature = "qoi")]
            [b'q', b'o', b'i', b'f', ..] => qoi_file(file),
            _ => Err(SourceError::UnknownFormat { start: file.get(..4).unwrap_or(file).into() }),
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
    pub fn decode_into(self, pixels: &mut [u8]) -> Result<(), SourceError> {
        (self.decode)(pixels)
    }
}

#[cfg(feature = "qoi")]
fn qoi_file(file: &[u8]) -> Result<PictureFile<'_>, SourceError> {
    let damaged = |part| move |e: QoiError| SourceError::Damaged { format: "QOI", part, detail: e.to_string() };
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
