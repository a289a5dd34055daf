//! Pixels → blocks of a GPU format, if a rule asks for one and the blocks are good enough.
//!
//! A rule names a format, or says "block": then [`choice`] looks at the picture and lists formats, of which the first one
//! that is good enough is taken. Without any, the pixels stay uncompressed, and a note says why. How good blocks are is
//! measured by decoding them with a decoder that shares no code with the encoder.

mod choice;
#[cfg(feature = "gpu")]
mod encode;
#[cfg(feature = "gpu")]
mod flat;
#[cfg(feature = "gpu")]
mod quality;
#[cfg(feature = "gpu")]
mod rdo;

use rres_format::chunk::image::{ImageProps, PixelFormat};

use self::choice::Picture;
use super::convert::Conversion;
use super::mips::Meaning;
use super::{Decoded, ImportError};
use crate::note::Note;
use crate::settings::{ImageFormat, ImageSettings, Word};

/// What became of an image.
pub(super) struct Stored {
    pub(super) decoded: Decoded,
    /// The quality of blocks in decibels; `None` for uncompressed pixels.
    pub(super) quality: Option<f64>,
}

/// Whether a rule asks for blocks.
pub(super) fn is_asked(settings: &ImageSettings) -> bool {
    settings.format.is_blocks() || settings.format.exact().is_some_and(|format| format.pixel_block().is_some())
}

/// Whether the format of a rule has no variant in sRGB, so that its numbers are linear.
pub(super) fn is_linear_only(settings: &ImageSettings) -> bool {
    matches!(settings.format.exact(), Some(PixelFormat::BC4 | PixelFormat::BC5))
}

/// Stores pixels that were prepared as [`ImageFormat::of`] says. `source` is the format of the file.
pub(super) fn store(
    prepared: Decoded,
    source: PixelFormat,
    settings: &ImageSettings,
    meaning: Meaning,
    notes: &mut Vec<Note>,
) -> Result<Stored, ImportError> {
    if prepared.props.format != PixelFormat::RGBA8 {
        return Ok(Stored { decoded: prepared, quality: None });
    }
    let picture = Picture::new(&prepared, meaning);
    let (candidates, floor) = match settings.format.exact() {
        Some(format) => {
            if format == PixelFormat::DXT1_RGB && !picture.is_opaque {
                let error =
                    ImportError::new("has transparent pixels, and is stored with format = \"bc1\", which has no alpha");
                return Err(error.with_help("set image = { format = \"bc7\" } or \"bc3\", which have it"));
            }
            if !picture.is_whole_blocks {
                notes.push(not_whole_blocks("its blocks have pixels beyond the edges, which WebGPU refuses"));
            }
            (vec![(format, 0.0)], settings.min_psnr)
        }
        None => match picture.formats(settings) {
            Ok(formats) => (formats, Some(settings.min_psnr.unwrap_or(choice::FLOOR))),
            Err(reason) => {
                notes.extend(reason);
                return Ok(Stored { decoded: uncompressed(prepared, source)?, quality: None });
            }
        },
    };
    let floor = floor.map_or(0.0, f64::from);
    let mut best = 0.0f64;
    for (format, enough) in &candidates {
        let (blocks, quality) = encoded(&prepared, *format, settings)?;
        if quality >= floor.max(*enough) {
            return Ok(Stored { decoded: blocks, quality: Some(quality) });
        }
        best = best.max(quality);
    }
    let word = ImageFormat::Exact(candidates.last().map_or(PixelFormat::BC7, |(format, _)| *format)).word();
    let note = Note::new("blocks are not as good as asked, so the pixels stay uncompressed");
    let note = note.with_detail(format!("{word} has {best:.1} dB, the floor is {floor:.1}"));
    notes.push(note.with_help("accept it with a smaller image.min_psnr, or set image = { format = \"gpu\" } for them"));
    Ok(Stored { decoded: uncompressed(prepared, source)?, quality: None })
}

fn not_whole_blocks(topic: &str) -> Note {
    Note::new(format!("edges are no multiples of 4, so {topic}"))
        .with_help("set image = { pad = \"block\" } for them, or scale them")
}

/// The pixels in the nearest format that every GPU takes.
fn uncompressed(prepared: Decoded, source: PixelFormat) -> Result<Decoded, ImportError> {
    let target = ImageFormat::Gpu.of(source);
    if !matches!(target, PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8) {
        return Ok(prepared);
    }
    let conversion = Conversion { source: prepared.props.format, target, premultiply: false };
    let mut converted = Decoded::zeroed(ImageProps { format: target, ..prepared.props })?;
    // Levels follow one another without gaps in both formats.
    conversion.convert(prepared.data(), converted.data_mut());
    Ok(Decoded { block: converted.block, props: converted.props, ..prepared })
}

/// All levels as blocks, and how good those of the first level are.
#[cfg(feature = "gpu")]
fn encoded(prepared: &Decoded, format: PixelFormat, settings: &ImageSettings) -> Result<(Decoded, f64), ImportError> {
    let mut blocks = Decoded::zeroed(ImageProps { format, ..prepared.props })?;
    encode::levels(prepared, settings, &mut blocks);
    let quality = quality::psnr(prepared, &blocks);
    Ok((blocks, quality))
}

#[cfg(not(feature = "gpu"))]
fn encoded(_: &Decoded, format: PixelFormat, _: &ImageSettings) -> Result<(Decoded, f64), ImportError> {
    let word = ImageFormat::Exact(format).word();
    let error = ImportError::new(format!("would be stored as {word}, but the feature `gpu` of rres-build is disabled"));
    Err(error
        .with_help("enable it with `cargo add --build rres-build --features gpu`, or set image = { format = \"gpu\" }"))
}

#[cfg(all(test, feature = "gpu"))]
mod tests;
