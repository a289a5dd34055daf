//! Decodes the files that rres packs keep as they are: pictures to pixels, sounds to samples, fonts to glyphs.
//!
//! A pack keeps the file of a picture or of a short sound that was lossy at the source, because its pixels or samples would
//! take several times the bytes. The build and the runtime decode it with this crate, so both find the same. Other programs pack
//! files of lossless formats as well. The crate works on bytes: it opens no file and contains no `unsafe` code.
//!
//! | feature | decodes | with |
//! |---|---|---|
//! | `jpeg`, `png`, `qoi` | pictures: [`PictureFile`] | `zune-jpeg`, `png`, `rres-format` |
//! | `flac`, `mp3`, `ogg`, `wav` | sounds: [`SoundFile`], [`SoundStream`] | `symphonia` |
//! | `opus` | Opus in Ogg, likewise | `ropus` |
//! | `qoa` | QOA, likewise | this crate |
//! | `font` | TTF and OTF: `FontFile` | `fontdue`, `ttf-parser` |
//!
//! No feature is enabled by default. A file whose feature is disabled is refused by name.
//!
#![cfg_attr(feature = "png", doc = "```")]
#![cfg_attr(not(feature = "png"), doc = "```ignore")]
//! use rres_decode::{DecodeError, PictureFile};
//!
//! /// The pixels of a picture of a known format, up to a size.
//! fn pixels(file: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
//!     let picture = PictureFile::open(file)?;
//!     let size = picture.props().data_size()?;
//!     assert!(size < 1 << 30, "sizes come from the file: check them before you allocate memory");
//!     let mut pixels = vec![0; size as usize];
//!     picture.decode_into(&mut pixels)?;
//!     Ok(pixels)
//! }
//!
//! // One white pixel.
//! let file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\
//!              \0\0\0\nIDATx\xdac\xf8\x0f\0\x01\x01\x01\0\x1c\xb0\x8c\x99\0\0\0\0IEND\xaeB`\x82";
//! assert_eq!(pixels(file)?, [255]);
//!
//! let error = pixels(b"GIF89a").unwrap_err();
//! assert_eq!(error.to_string(), "is a file of an unknown format, which starts with \"GIF8\"");
//! assert!(error.downcast_ref::<DecodeError>().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod decode;
mod error;
#[cfg(feature = "font")]
mod font;
mod form;
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
mod picture;
#[cfg(feature = "png")]
mod png;
#[doc(hidden)]
#[cfg(feature = "qoa")]
pub mod qoa;
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

pub use error::{DecodeError, FontError};
#[cfg(feature = "font")]
pub use font::{Axis, DistanceField, FontDrawing, FontFile, FontPage, FontStrike, GlyphPicture, LineMetrics};
pub use form::SampleForm;
#[doc(hidden)]
#[cfg(feature = "ogg")]
pub use ogg::pages_are_whole;
#[cfg(feature = "jpeg")]
pub use orientation::Orientation;
pub use picture::PictureFile;
#[doc(hidden)]
#[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
pub use samples::append as append_samples;
pub use sound::{Extent, SoundFile};
pub use stream::SoundStream;
#[doc(hidden)]
#[cfg(feature = "wav")]
pub use wav::{UnreadableWav, Wav, chunks as wav_chunks};

/// Returns whether a file begins like a TTF or OTF font, or a collection of them.
pub fn is_font(file: &[u8]) -> bool {
    const MARKS: [&[u8]; 4] = [b"\0\x01\0\0", b"OTTO", b"true", b"ttcf"];
    MARKS.iter().any(|mark| file.starts_with(mark))
}
