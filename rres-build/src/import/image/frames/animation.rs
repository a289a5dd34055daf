//! Animated GIF, APNG and WebP → one image with all pictures side by side, and how long each is shown.

use std::io::Cursor;

use ::image::codecs::gif::GifDecoder;
use ::image::codecs::png::PngDecoder;
use ::image::codecs::webp::WebPDecoder;
use ::image::{AnimationDecoder, ImageDecoder, ImageError, ImageResult, Limits as DecoderLimits};
use rres_format::chunk::frames::FrameProps;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::limits::Limits;

use super::super::{Content, Decoded, ImportError, checked_size, decode, facts, gif, png};
use super::{DEFAULT_MILLISECONDS, Frames, check_count};

/// Every picture of an animation; `None` if the file has only one.
pub(in super::super) fn decode(bytes: &[u8], content: Content) -> Result<Option<(Decoded, Frames)>, ImportError> {
    let (count, name) = match content {
        Content::Gif => (gif::frames(bytes), "GIF"),
        Content::Png => (png::frames(bytes), "PNG"),
        Content::WebP => (facts::frames_of_webp(bytes), "WebP"),
        _ => return Ok(None),
    };
    if count < 2 {
        return Ok(None);
    }
    check_count(count.into())?;
    let failed = |error: ImageError| decode::explain(name, &error);
    let size = size(bytes, content).map_err(failed)?;
    let columns = columns(count, size);
    let props = ImageProps {
        width: size.0.saturating_mul(columns),
        height: size.1.saturating_mul(count.div_ceil(columns)),
        format: PixelFormat::RGBA8,
        mipmaps: 1,
    };
    checked_size(&props)?;
    let mut sheet = Decoded::zeroed(props)?;
    let mut frames = Frames { size, ..Frames::default() };
    for frame in pictures(bytes, content).map_err(failed)?.take(count as usize) {
        let frame = frame.map_err(failed)?;
        let (number, delay) = (frames.frames.len() as u32, frame.delay().numer_denom_ms());
        let picture = frame.into_buffer();
        if picture.dimensions() != size {
            return Err(ImportError::damaged(format!("is a damaged {name}: frame {number} has another size")));
        }
        let (x, y) = (number % columns * size.0, number / columns * size.1);
        let row = size.0 as usize * 4;
        for (line, from) in picture.as_raw().chunks_exact(row).enumerate() {
            let at = ((y as usize + line) * props.width as usize + x as usize) * 4;
            sheet.data_mut()[at..at + row].copy_from_slice(from);
        }
        let milliseconds = shown((delay.0 + delay.1 / 2) / delay.1.max(1), content);
        frames.frames.push(FrameProps { x, y, width: size.0, height: size.1, milliseconds, ..FrameProps::default() });
    }
    if frames.frames.len() < count as usize {
        let found = frames.frames.len();
        return Err(ImportError::damaged(format!("is a {name} that ends early: {found} of {count} frames")));
    }
    Ok(Some((sheet, frames)))
}

/// How long a frame is shown. Programs that show GIFs take very short times for a mistake, and files rely on that.
fn shown(milliseconds: u32, content: Content) -> u32 {
    let shortest = if content == Content::Gif { 20 } else { 1 };
    if milliseconds < shortest { DEFAULT_MILLISECONDS } else { milliseconds }
}

/// How many pictures are side by side in a sheet that is about as wide as high.
fn columns(count: u32, (width, height): (u32, u32)) -> u32 {
    let ideal = (f64::from(count) * f64::from(height) / f64::from(width.max(1))).sqrt().ceil();
    (ideal as u32).clamp(1, count)
}

fn limits() -> DecoderLimits {
    let mut limits = DecoderLimits::default();
    limits.max_alloc = Some(Limits::DEFAULT.max_decoded);
    limits
}

fn size(bytes: &[u8], content: Content) -> ImageResult<(u32, u32)> {
    Ok(match content {
        Content::Gif => GifDecoder::new(Cursor::new(bytes))?.dimensions(),
        Content::WebP => WebPDecoder::new(Cursor::new(bytes))?.dimensions(),
        _ => PngDecoder::with_limits(Cursor::new(png::animation(bytes)), limits())?.dimensions(),
    })
}

fn pictures(bytes: &[u8], content: Content) -> ImageResult<::image::Frames<'_>> {
    Ok(match content {
        Content::Gif => {
            let mut decoder = GifDecoder::new(Cursor::new(bytes))?;
            decoder.set_limits(limits())?;
            decoder.into_frames()
        }
        Content::WebP => WebPDecoder::new(Cursor::new(bytes))?.into_frames(),
        _ => PngDecoder::with_limits(Cursor::new(png::animation(bytes)), limits())?.apng()?.into_frames(),
    })
}
