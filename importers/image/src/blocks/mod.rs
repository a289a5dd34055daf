//! Pixels → blocks of a GPU format, if a rule asks for one and the blocks are good enough.
//!
//! A rule names a format, or says "block": then [`choice`] looks at the picture and lists formats, and the first one
//! that is good enough is taken. Without any, the pixels stay uncompressed, and a note says why. How good blocks are is
//! measured by decoding them with a decoder that shares no code with the encoder.

#[cfg(feature = "gpu")]
mod astc;
#[cfg(feature = "gpu")]
mod bc7;
mod choice;
#[cfg(feature = "gpu")]
pub(super) mod encode;
#[cfg(feature = "gpu")]
mod etc2;
#[cfg(feature = "gpu")]
mod flat;
#[cfg(feature = "gpu")]
mod light;
#[cfg(feature = "gpu")]
mod quality;
#[cfg(feature = "gpu")]
mod rdo;
#[cfg(feature = "gpu")]
mod ssim;
#[cfg(feature = "gpu")]
mod whole;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_import::Note;
use rres_settings::{ImageFormat, ImageSettings, Word};

use self::choice::Picture;
use super::convert::Conversion;
use super::mips::Meaning;
use super::{Decoded, ImportError};

/// The pixels of a block, row by row.
#[cfg(feature = "gpu")]
type Texels = [[u8; 4]; 16];

/// What became of an image.
pub(super) struct Stored {
    pub(super) decoded: Decoded,
    /// How good the blocks are; `None` for uncompressed pixels.
    pub(super) quality: Option<Quality>,
}

/// How good blocks are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Quality {
    /// The peak signal-to-noise ratio in decibels: 10 log10(peak² / mean of the squared errors) over the channels that the
    /// format has.
    pub(super) psnr: f64,
    /// The structural similarity, at most 1: the mean over the windows and channels.
    pub(super) ssim: f64,
}

/// What the file says about its pixels.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) format: PixelFormat,
    /// The numbers are linear, by the format of the file or by a setting.
    pub(super) is_linear: bool,
    /// Whole numbers of 16 bits, which are stored as floats.
    pub(super) is_widened: bool,
}

impl Source {
    /// Whether the pixels are floats of linear light.
    fn is_light(&self) -> bool {
        matches!(self.format, PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F) && self.is_linear
    }
}

/// Whether a rule asks for blocks.
pub(super) fn is_asked(settings: &ImageSettings) -> bool {
    settings.format.is_blocks() || settings.format.exact().is_some_and(|format| format.pixel_block().is_some())
}

/// Whether the format of a rule has no variant in sRGB, so that its numbers are linear.
pub(super) fn is_linear_only(settings: &ImageSettings) -> bool {
    settings.format.exact().is_some_and(|format| format.pixel_block().is_some() && format.is_always_linear())
}

/// Stores pixels that were prepared as [`ImageFormat::of`] says.
pub(super) fn store(
    prepared: Decoded,
    source: Source,
    settings: &ImageSettings,
    meaning: Meaning,
    notes: &mut Vec<Note>,
) -> Result<Stored, ImportError> {
    // Whole numbers of 16 bits are seldom light, and keep their depth.
    let is_light = source.is_light() && !source.is_widened;
    let is_candidate = match prepared.props.format {
        PixelFormat::RGBA8 => true,
        PixelFormat::RGBA32F => is_light || settings.format.exact().is_some(),
        _ => false,
    };
    if !is_candidate {
        return Ok(Stored { decoded: prepared, quality: None });
    }
    let picture = Picture::new(&prepared, meaning);
    let (candidates, floor) = match settings.format.exact() {
        Some(format) => {
            refuse_loss(format, &picture, source)?;
            if !picture.is_whole(format) {
                notes.push(not_whole_blocks(format, "its blocks have pixels beyond the edges, which WebGPU refuses"));
            }
            if settings.rdo > 0.0 && is_astc(format) {
                let note = Note::new("image.rdo has no effect on ASTC, whose blocks stay as good as they are");
                notes.push(note.with_help("leave it out for this format"));
            }
            (vec![(format, 0.0)], settings.min_psnr.unwrap_or(0.0))
        }
        None => match picture.formats(settings) {
            Ok(formats) => (formats, settings.min_psnr.unwrap_or(choice::FLOOR)),
            Err(reason) => {
                notes.extend(reason);
                return Ok(Stored { decoded: uncompressed(prepared, source.format)?, quality: None });
            }
        },
    };
    let floor = Quality { psnr: floor.into(), ssim: settings.min_ssim.map_or(-1.0, f64::from) };
    let mut best = Quality::default();
    for (format, enough) in &candidates {
        let (blocks, quality) = encoded(&prepared, *format, settings)?;
        if quality.psnr >= floor.psnr.max(*enough) && quality.ssim >= floor.ssim {
            if picture.is_light {
                notes.extend(clipped(&prepared));
            }
            return Ok(Stored { decoded: blocks, quality: Some(quality) });
        }
        best = quality;
    }
    let word = ImageFormat::Exact(candidates.last().map_or(PixelFormat::BC7, |(format, _)| *format)).word();
    let note = Note::new("blocks are not as good as asked, so the pixels stay uncompressed");
    let (detail, key) = if best.psnr < floor.psnr {
        (format!("{word} has {:.1} dB, the floor is {:.1}", best.psnr, floor.psnr), "min_psnr")
    } else {
        (format!("{word} has an SSIM of {:.4}, the floor is {}", best.ssim, floor.ssim as f32), "min_ssim")
    };
    let help = format!("accept it with a smaller image.{key}, or set image = {{ format = \"gpu\" }} for them");
    notes.push(note.with_detail(detail).with_help(help));
    Ok(Stored { decoded: uncompressed(prepared, source.format)?, quality: None })
}

/// Refuses pixels that have what a named format has not.
fn refuse_loss(format: PixelFormat, picture: &Picture, source: Source) -> Result<(), ImportError> {
    if format == PixelFormat::DXT1_RGB && !picture.is_opaque {
        let error = ImportError::new("has transparent pixels, and is stored with format = \"bc1\", which has no alpha");
        return Err(error.with_help("set image = { format = \"bc7\" } or \"bc3\", which have it"));
    }
    if format == PixelFormat::ETC2_RGB && !picture.is_opaque {
        let error =
            ImportError::new("has transparent pixels, and is stored with format = \"etc2\", which has no alpha");
        return Err(error.with_help("set image = { format = \"etc2_rgba\" }, which has it, or \"block_etc2\""));
    }
    if format != PixelFormat::BC6H {
        return Ok(());
    }
    if !source.is_light() {
        let error = ImportError::new(format!(
            "has pixels in {}{}, and is stored with format = \"bc6h\", which is for floats of linear light",
            source.format,
            if source.is_linear { "" } else { " with colours in sRGB" }
        ));
        return Err(error.with_help("set image = { format = \"block\" }, which chooses a format for each picture"));
    }
    match picture.missing_in_bc6h() {
        Some(what) => {
            let error =
                ImportError::new(format!("{what}, and is stored with format = \"bc6h\", which cannot store them"));
            Err(error.with_help("set image = { format = \"gpu\" }, which keeps floats of 32 bits"))
        }
        None => Ok(()),
    }
}

/// A note about light that is brighter than half floats can be.
fn clipped(prepared: &Decoded) -> Option<Note> {
    const LARGEST: f32 = 65504.0;
    let (pixels, _) = prepared.data().as_chunks::<16>();
    let count = pixels.iter().filter(|pixel| choice::channels(pixel)[..3].iter().any(|v| *v > LARGEST)).count();
    (count > 0).then(|| {
        Note::new(format!("numbers above {LARGEST} are stored as {LARGEST}, the largest one of BC6H"))
            .with_detail(format!("pixels: {count}"))
            .with_help(
                "accept it with notes = false, or set image = { format = \"gpu\" }, which keeps floats of 32 bits",
            )
    })
}

fn not_whole_blocks(format: PixelFormat, topic: &str) -> Note {
    let edge = format.pixel_block().map_or(4, |block| block.width);
    let help = match edge {
        4 => "set image = { pad = \"block\" } for them, or scale them",
        _ => "scale them, or choose a format with blocks of 4×4",
    };
    Note::new(format!("edges are not multiples of {edge}, so {topic}")).with_help(help)
}

/// Whether the encoder of ASTC makes this format.
fn is_astc(format: PixelFormat) -> bool {
    matches!(format, PixelFormat::ASTC_4X4_RGBA | PixelFormat::ASTC_6X6_RGBA | PixelFormat::ASTC_8X8_RGBA)
}

/// The pixels in the nearest format that every GPU takes.
fn uncompressed(prepared: Decoded, source: PixelFormat) -> Result<Decoded, ImportError> {
    let target = ImageFormat::Gpu.of(source);
    if !matches!(target, PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8 | PixelFormat::R32F) {
        return Ok(prepared);
    }
    let conversion = Conversion { source: prepared.props.format, target, premultiply: false };
    let mut converted = Decoded::zeroed(ImageProps { format: target, ..prepared.props })?;
    // Levels follow one another without gaps in both formats.
    conversion.convert(prepared.data(), converted.data_mut());
    Ok(Decoded { block: converted.block, props: converted.props, ..prepared })
}

/// All levels as blocks, and how good the blocks of the first level are.
#[cfg(feature = "gpu")]
fn encoded(
    prepared: &Decoded,
    format: PixelFormat,
    settings: &ImageSettings,
) -> Result<(Decoded, Quality), ImportError> {
    let mut blocks = Decoded::zeroed(ImageProps { format, ..prepared.props })?;
    let quality = if format == PixelFormat::BC6H {
        light::levels(prepared, settings, &mut blocks);
        quality::of_light(prepared, &blocks)
    } else {
        encode::levels(prepared, settings, &mut blocks);
        quality::of_colors(prepared, &blocks)
    };
    Ok((blocks, quality))
}

#[cfg(not(feature = "gpu"))]
fn encoded(_: &Decoded, format: PixelFormat, _: &ImageSettings) -> Result<(Decoded, Quality), ImportError> {
    let word = ImageFormat::Exact(format).word();
    let error = ImportError::new(format!("would be stored as {word}, but the feature `gpu` of rres-build is disabled"));
    Err(error
        .with_help("enable it with `cargo add --build rres-build --features gpu`, or set image = { format = \"gpu\" }"))
}

#[cfg(all(test, feature = "gpu"))]
mod tests;
