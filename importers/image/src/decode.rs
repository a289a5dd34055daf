//! Formats of the `image` crate → pixels, decoded directly into the block that is stored.

use std::io::{Cursor, ErrorKind};

use ::image::{ColorType, ImageDecoder, ImageError, ImageFormat, ImageReader};
use rres_decode::{DecodeError, PictureFile};
use rres_format::Limits;
use rres_format::chunk::image::{ImageProps, PixelFormat};

#[cfg(feature = "exr")]
use super::exr;
use rres_import::Note;
use rres_import::content::sniff;

use super::{Content, Decoded, HEAD, ImportError, aseprite, checked_size, facts, gif, ktx, png, tga};

/// Decodes an image file of this format.
pub(super) fn decode(bytes: &[u8], content: Content) -> Result<Decoded, ImportError> {
    let (format, name) = match content {
        Content::Jpeg => return decode_lossy(bytes),
        Content::Png => (ImageFormat::Png, "PNG"),
        Content::Bmp => (ImageFormat::Bmp, "BMP"),
        Content::Gif => (ImageFormat::Gif, "GIF"),
        Content::Hdr => (ImageFormat::Hdr, "Radiance HDR"),
        Content::Qoi => (ImageFormat::Qoi, "QOI"),
        Content::WebP => (ImageFormat::WebP, "WebP"),
        _ => (ImageFormat::Tga, "TGA"),
    };
    let failed = |error: ImageError| explain(name, &error);
    if format == ImageFormat::Tga && tga::has_alpha_bit(bytes) {
        return tga::read(bytes, failed);
    }
    let (bytes, frames) = match format {
        ImageFormat::Png => {
            let png::Essence { bytes, frames } = png::essence(bytes);
            (bytes, frames)
        }
        ImageFormat::Gif => (bytes.into(), gif::frames(bytes)),
        ImageFormat::WebP => (bytes.into(), facts::frames_of_webp(bytes)),
        _ => (bytes.into(), 1),
    };
    let mut reader = ImageReader::with_format(Cursor::new(&*bytes), format);
    let mut limits = ::image::Limits::default();
    limits.max_alloc = Some(Limits::DEFAULT.max_decoded);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(failed)?;
    let (width, height) = decoder.dimensions();
    let decoded = decoder.color_type();
    let (stored, depth) = match decoded {
        ColorType::L8 => (PixelFormat::GRAY8, Depth::Bytes),
        ColorType::La8 => (PixelFormat::GRAY_ALPHA8, Depth::Bytes),
        ColorType::Rgb8 => (PixelFormat::RGB8, Depth::Bytes),
        ColorType::Rgba8 => (PixelFormat::RGBA8, Depth::Bytes),
        ColorType::L16 => (PixelFormat::R32F, Depth::U16),
        // rres has no format with two float channels.
        ColorType::La16 => (PixelFormat::RGBA32F, Depth::U16GrayAlpha),
        ColorType::Rgb16 => (PixelFormat::RGB32F, Depth::U16),
        ColorType::Rgba16 => (PixelFormat::RGBA32F, Depth::U16),
        ColorType::Rgb32F => (PixelFormat::RGB32F, Depth::F32),
        ColorType::Rgba32F => (PixelFormat::RGBA32F, Depth::F32),
        other => return Err(ImportError::new(format!("has pixels of kind {other:?}, which rres has no format for"))),
    };
    let props = ImageProps { width, height, format: stored, mipmaps: 1 };
    checked_size(&props)?;
    let mut out = Decoded::zeroed(props)?;
    out.linear = format == ImageFormat::Hdr;
    if frames > 1 {
        let note =
            Note::new("only the first picture of an animation is stored").with_detail(format!("{frames} pictures"));
        out.notes.push(note.with_help("store all with image = { frames = \"all\" }, or accept it with notes = false"));
    }
    out.is_widened = matches!(depth, Depth::U16 | Depth::U16GrayAlpha);
    if depth == Depth::Bytes {
        decoder.read_image(&mut out.block[HEAD..]).map_err(failed)?;
        // Some programs write 32 bits a pixel and mean 24.
        let is_invisible = || out.block[HEAD..].chunks_exact(4).all(|pixel| pixel[3] == 0);
        if format == ImageFormat::Tga && stored == PixelFormat::RGBA8 && is_invisible() {
            let note = Note::new("every pixel of a TGA is transparent: its alpha is 0 everywhere");
            out.notes.push(
                note.with_help("if it should be seen: image = { format = \"rgb8\" }, or accept it with notes = false"),
            );
        }
        return Ok(out);
    }
    let size = usize::try_from(decoder.total_bytes()).map_err(|_| ImportError::new("is too large"))?;
    let mut raw = vec![0; size];
    decoder.read_image(&mut raw).map_err(failed)?;
    let pixels = out.data_mut();
    let unit = |v: &[u8]| (f32::from(u16::from_ne_bytes([v[0], v[1]])) / 65535.0).to_le_bytes();
    match depth {
        Depth::U16 => {
            for (v, out) in raw.chunks_exact(2).zip(pixels.chunks_exact_mut(4)) {
                out.copy_from_slice(&unit(v));
            }
        }
        Depth::U16GrayAlpha => {
            for (v, out) in raw.chunks_exact(4).zip(pixels.chunks_exact_mut(16)) {
                let (gray, alpha) = (unit(&v[..2]), unit(&v[2..]));
                for (channel, value) in out.chunks_exact_mut(4).zip([gray, gray, gray, alpha]) {
                    channel.copy_from_slice(&value);
                }
            }
        }
        Depth::F32 | Depth::Bytes => {
            for (v, out) in raw.chunks_exact(4).zip(pixels.chunks_exact_mut(4)) {
                out.copy_from_slice(&f32::from_ne_bytes([v[0], v[1], v[2], v[3]]).to_le_bytes());
            }
        }
    }
    Ok(out)
}

/// Decodes a file of a format that packs keep, with the decoder of the runtime.
fn decode_lossy(bytes: &[u8]) -> Result<Decoded, ImportError> {
    let picture = PictureFile::open(bytes).map_err(|e| unreadable(&e))?;
    let props = picture.props();
    checked_size(&props)?;
    let mut out = Decoded::zeroed(props)?;
    picture.decode_into(out.data_mut()).map_err(|e| unreadable(&e))?;
    Ok(out)
}

/// Converts an error of the decoder that the runtime shares.
fn unreadable(error: &DecodeError) -> ImportError {
    match error {
        DecodeError::Unsupported { format, .. } => {
            ImportError::new(error.to_string()).with_help(format!("save it as a plain {format} or PNG"))
        }
        DecodeError::TooLarge { .. } => ImportError::new(error.to_string()).with_help("split it or scale it down"),
        _ => ImportError::damaged(error.to_string()),
    }
}

/// The size of the decoded pixels in bytes, according to the header of an image file; `None` if that is not known.
pub(crate) fn decoded_size(bytes: &[u8]) -> Option<u64> {
    match sniff(bytes) {
        Some(Content::Png) => png::decoded_size(bytes),
        #[cfg(feature = "exr")]
        Some(Content::Exr) => exr::decoded_size(bytes),
        Some(Content::Aseprite) => aseprite::decoded_size(bytes),
        Some(Content::Ktx) => ktx::decoded_size(bytes),
        Some(Content::Jpeg) => PictureFile::open(bytes).ok()?.props().data_size().ok(),
        _ => {
            let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
            Some(reader.into_decoder().ok()?.total_bytes())
        }
    }
}

/// The channels that the decoder returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Bytes,
    U16,
    U16GrayAlpha,
    F32,
}

fn ends_early(name: &str) -> ImportError {
    ImportError::damaged(format!("is a {name} that ends early"))
}

/// Converts an error of the decoder.
pub(super) fn explain(name: &str, error: &ImageError) -> ImportError {
    if let ImageError::Limits(_) = error {
        return ImportError::new(format!("is a {name} that needs more than 1 GiB to decode"))
            .with_help("split it or scale it down");
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let is_cut = |io: &std::io::Error| io.kind() == ErrorKind::UnexpectedEof;
    let text = cause.to_string();
    let looks_cut = text.to_lowercase().contains("unexpected end of file");
    if looks_cut || cause.downcast_ref::<std::io::Error>().is_some_and(is_cut) {
        return ends_early(name);
    }
    let text = text.trim_end_matches('.');
    match error {
        ImageError::Unsupported(_) => ImportError::new(format!("uses a part of {name} that is not supported: {text}"))
            .with_help("save it as a plain 8-bit PNG"),
        _ => ImportError::damaged(format!("is a damaged {name}: its pixels cannot be decoded ({text})")),
    }
}
