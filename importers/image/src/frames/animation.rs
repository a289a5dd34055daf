//! Animated GIF, APNG, WebP and Aseprite files → one image with all pictures side by side, and how long each is shown.

use std::io::Cursor;

use ::image::codecs::gif::GifDecoder;
use ::image::codecs::png::PngDecoder;
use ::image::codecs::webp::WebPDecoder;
use ::image::{AnimationDecoder, ImageDecoder, ImageError, ImageResult, Limits as DecoderLimits};
use rres_format::Limits;
use rres_format::chunk::frames::FrameProps;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_import::content::sniff;

use super::super::{Content, Decoded, ImportError, aseprite, checked_size, decode, facts, gif, png};
use super::{DEFAULT_MILLISECONDS, Frames, Named, check_count};

/// The number of pictures of a file: 0 or 1 if it is not an animation.
pub(in super::super) fn count(bytes: &[u8]) -> u32 {
    count_of(bytes, sniff(bytes)).map_or(1, |(count, _)| count)
}

/// The number of pictures, and the name of the format.
fn count_of(bytes: &[u8], content: Option<Content>) -> Option<(u32, &'static str)> {
    match content? {
        Content::Gif => Some((gif::frames(bytes), "GIF")),
        Content::Png => Some((png::frames(bytes), "PNG")),
        Content::WebP => Some((facts::frames_of_webp(bytes), "WebP")),
        Content::Aseprite => Some((aseprite::frames(bytes), "Aseprite file")),
        _ => None,
    }
}

/// Every picture of an animation; `None` if the file has only one.
pub(in super::super) fn decode(bytes: &[u8], content: Content) -> Result<Option<(Decoded, Frames)>, ImportError> {
    let Some((count, name)) = count_of(bytes, Some(content)).filter(|(count, _)| *count > 1) else {
        return Ok(None);
    };
    check_count(count.into())?;
    if content == Content::Aseprite {
        return decode_aseprite(bytes).map(Some);
    }
    let failed = |error: ImageError| decode::explain(name, &error);
    let size = size(bytes, content).map_err(failed)?;
    let mut sheet = Sheet::new(count, size)?;
    for frame in pictures(bytes, content).map_err(failed)?.take(count as usize) {
        let frame = frame.map_err(failed)?;
        let (number, delay) = (sheet.frames.frames.len(), frame.delay().numer_denom_ms());
        let picture = frame.into_buffer();
        if picture.dimensions() != size {
            return Err(ImportError::damaged(format!("is a damaged {name}: frame {number} has another size")));
        }
        sheet.add(picture.as_raw(), shown((delay.0 + delay.1 / 2) / delay.1.max(1), content));
    }
    let found = sheet.frames.frames.len();
    if found < count as usize {
        return Err(ImportError::damaged(format!("is a {name} that ends early: {found} of {count} frames")));
    }
    Ok(Some((sheet.pixels, sheet.frames)))
}

fn decode_aseprite(bytes: &[u8]) -> Result<(Decoded, Frames), ImportError> {
    let file = aseprite::File::parse(bytes)?;
    let mut sheet = Sheet::new(file.frames.len() as u32, file.size)?;
    file.check_work(file.frames.len())?;
    let mut picture = vec![0; file.size.0 as usize * file.size.1 as usize * 4];
    for (number, frame) in file.frames.iter().enumerate() {
        picture.fill(0);
        file.draw(number, &mut picture)?;
        sheet.add(&picture, shown(frame.milliseconds, Content::Aseprite));
    }
    sheet.frames.animations = file
        .tags
        .into_iter()
        .map(|aseprite::Tag { name, first, count, direction }| Named { name, first, count, direction })
        .collect();
    Ok((sheet.pixels, sheet.frames))
}

/// Pictures of one size, side by side.
struct Sheet {
    pixels: Decoded,
    frames: Frames,
    columns: u32,
}

impl Sheet {
    /// A sheet for `count` pictures of this size.
    fn new(count: u32, size: (u32, u32)) -> Result<Self, ImportError> {
        let columns = columns(count, size);
        let props = ImageProps {
            width: size.0.saturating_mul(columns),
            height: size.1.saturating_mul(count.div_ceil(columns)),
            format: PixelFormat::RGBA8,
            mipmaps: 1,
        };
        checked_size(&props)?;
        Ok(Self { pixels: Decoded::zeroed(props)?, frames: Frames { size, ..Frames::default() }, columns })
    }

    /// Adds a picture.
    fn add(&mut self, picture: &[u8], milliseconds: u32) {
        let (width, height) = self.frames.size;
        let number = self.frames.frames.len() as u32;
        let (x, y) = (number % self.columns * width, number / self.columns * height);
        let row = width as usize * 4;
        let sheet_width = self.pixels.props.width as usize;
        for (line, from) in picture.chunks_exact(row).enumerate() {
            let at = ((y as usize + line) * sheet_width + x as usize) * 4;
            self.pixels.data_mut()[at..at + row].copy_from_slice(from);
        }
        self.frames.frames.push(FrameProps { x, y, width, height, milliseconds, ..FrameProps::default() });
    }
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
