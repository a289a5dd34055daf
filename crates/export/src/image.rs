//! Images as `.png` files, and which format of file holds every pixel of an image.

use std::borrow::Cow;

use png::{BitDepth, ColorType, Encoder};
use rres_runtime::Image;
use rres_runtime::asset::{Level, PixelFormat};

use crate::layers::of_layers;
use crate::{Contents, ExportError, dds, hdr, ktx, ktx2};

/// The format of a file that holds every pixel of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageForm {
    /// Portable Network Graphics, with 8 or 16 bits per channel. Has one mip level.
    Png,
    /// Radiance: floats that share an exponent.
    Hdr,
    /// DirectDraw Surface, with all mip levels.
    Dds,
    /// KTX 2, for ETC2 and ASTC, which a `.dds` file cannot hold.
    Ktx2,
    /// KTX 1.1, for ETC1 and PVRTC.
    Ktx,
}

impl ImageForm {
    /// Returns the form for an image from the source file `path`. What came from a `.dds` or a `.hdr` file becomes one again.
    pub fn lossless(image: &Image, path: &str) -> Self {
        let format = image.format();
        let has_extension = |extension: &str| path.to_ascii_lowercase().ends_with(extension);
        let is_block = format.pixel_block().is_some();
        let is_dds = is_bc(format);
        match format {
            _ if ktx2::holds(format) => Self::Ktx2,
            _ if is_block && !is_dds => Self::Ktx,
            _ if (is_block || has_extension(".dds")) && dds::holds(image) => Self::Dds,
            PixelFormat::RGB32F if has_extension(".hdr") && hdr::is_exact(image) => Self::Hdr,
            PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F if depth16(image, 0).is_none() => Self::Dds,
            _ => Self::Png,
        }
    }

    /// Encodes an image: all of its mip levels, but for `.png` and `.hdr`, which have the largest alone.
    ///
    /// # Errors
    /// [`ExportError::Unsupported`] if the file cannot hold pixels of this format.
    pub fn encode(self, image: &Image) -> Result<Contents<'static>, ExportError> {
        match self {
            Self::Png => png(image),
            Self::Hdr => hdr(image),
            Self::Dds => dds(image),
            Self::Ktx2 => ktx2(image),
            Self::Ktx => ktx(image),
        }
    }

    /// Returns the extension of the file, with the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => ".png",
            Self::Hdr => ".hdr",
            Self::Dds => ".dds",
            Self::Ktx2 => ".ktx2",
            Self::Ktx => ".ktx",
        }
    }
}

/// Whether the format is one of BC1 to BC7, which `.dds` files hold.
fn is_bc(format: PixelFormat) -> bool {
    matches!(
        format,
        PixelFormat::DXT1_RGB
            | PixelFormat::DXT1_RGBA
            | PixelFormat::DXT3_RGBA
            | PixelFormat::DXT5_RGBA
            | PixelFormat::BC4
            | PixelFormat::BC4_SIGNED
            | PixelFormat::BC5
            | PixelFormat::BC5_SIGNED
            | PixelFormat::BC6H
            | PixelFormat::BC6H_SIGNED
            | PixelFormat::BC7
    )
}

/// Encodes the largest mip level of an image.
pub fn png(image: &Image) -> Result<Contents<'static>, ExportError> {
    let contents = png_of_level(image, 0)?;
    let left_out = if image.mipmaps() > 1 { ", without the smaller mip levels" } else { "" };
    let layers = of_layers(image);
    let layers = if layers.is_empty() { layers } else { format!("{layers} one above the other") };
    Ok(Contents { conversion: contents.conversion.map(|conversion| conversion + left_out + &layers), ..contents })
}

/// Encodes a mip level of an image: with 8 bits per channel, or with 16 if the pixels are floats that these hold exactly.
/// Other floats are clamped to the range from 0 to 1, which the conversion says; [`ImageForm::lossless`] avoids it.
pub fn png_of_level(image: &Image, number: u32) -> Result<Contents<'static>, ExportError> {
    let format = image.format();
    let mut conversion = "pixels as .png".to_owned();
    let level = image.level(number).ok_or_else(|| ExportError::Damaged(format!("it has no mip level {number}")))?;
    let direct = match format {
        PixelFormat::GRAY8 => Some(ColorType::Grayscale),
        PixelFormat::GRAY_ALPHA8 => Some(ColorType::GrayscaleAlpha),
        PixelFormat::RGB8 => Some(ColorType::Rgb),
        PixelFormat::RGBA8 => Some(ColorType::Rgba),
        _ => None,
    };
    let (color, depth, pixels): (ColorType, BitDepth, Cow<'_, [u8]>) = match (direct, depth16(image, number)) {
        (Some(color), _) => (color, BitDepth::Eight, level.pixels.into()),
        (None, Some(pixels)) => {
            conversion += " of 16 bits";
            let color = match format {
                PixelFormat::R32F => ColorType::Grayscale,
                PixelFormat::RGB32F => ColorType::Rgb,
                _ => ColorType::Rgba,
            };
            (color, BitDepth::Sixteen, pixels.into())
        }
        (None, None) => {
            conversion += &format!(", from {format}");
            if matches!(format, PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F) {
                conversion += ", clamped and rounded to 8 bits";
            }
            let unsupported = || ExportError::Unsupported(format!("pixels of format {format} cannot be decoded"));
            (ColorType::Rgba, BitDepth::Eight, rgba8(image, number).ok_or_else(unsupported)?)
        }
    };
    if image.is_premultiplied() {
        conversion += ", colours multiplied by alpha";
    }
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, level.width, level.height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    // The file is in memory, so only the size of the image can be wrong.
    let damaged = |error: png::EncodingError| ExportError::Damaged(error.to_string());
    let mut writer = encoder.write_header().map_err(damaged)?;
    writer.write_image_data(&pixels).map_err(damaged)?;
    writer.finish().map_err(damaged)?;
    Ok(Contents::converted(bytes, conversion))
}

/// Returns the floats of a level as big-endian numbers of 16 bits; `None` if one would change, or if it has no floats.
/// The importer stores a number `n` of 16 bits as the float `n / 65535`.
fn depth16(image: &Image, number: u32) -> Option<Vec<u8>> {
    if !matches!(image.format(), PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F) {
        return None;
    }
    let (values, _) = image.level(number)?.pixels.as_chunks::<4>();
    let mut out = Vec::with_capacity(values.len() * 2);
    for value in values.iter().map(|bytes| f32::from_le_bytes(*bytes)) {
        // The cast clamps, and NaN becomes 0.
        let level = (value * 65535.0).round() as u16;
        if (f32::from(level) / 65535.0).to_bits() != value.to_bits() {
            return None;
        }
        out.extend_from_slice(&level.to_be_bytes());
    }
    Some(out)
}

/// Returns a mip level as 8-bit RGBA, with the blocks of BC1 to BC7 decoded; `None` for other block formats, and if the
/// image has no such level. One channel becomes gray, two become red and green; -1 becomes 0, and light above 1 is clamped.
pub fn rgba8(image: &Image, number: u32) -> Option<Cow<'_, [u8]>> {
    match image.format() {
        PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => {
            let mut pixels = decode_blocks(image.level(number)?, 8, bcdec_rs::bc1);
            if image.format() == PixelFormat::DXT1_RGB {
                // What is transparent in DXT1_RGBA is black here.
                pixels.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
            }
            Some(pixels.into())
        }
        PixelFormat::DXT3_RGBA => Some(decode_blocks(image.level(number)?, 16, bcdec_rs::bc2).into()),
        PixelFormat::DXT5_RGBA => Some(decode_blocks(image.level(number)?, 16, bcdec_rs::bc3).into()),
        PixelFormat::BC7 => Some(decode_blocks(image.level(number)?, 16, bcdec_rs::bc7).into()),
        PixelFormat::BC4 | PixelFormat::BC4_SIGNED => {
            let signed = image.format() == PixelFormat::BC4_SIGNED;
            Some(decode_blocks(image.level(number)?, 8, |block, out, pitch| bc4(block, out, pitch, signed)).into())
        }
        PixelFormat::BC5 | PixelFormat::BC5_SIGNED => {
            let signed = image.format() == PixelFormat::BC5_SIGNED;
            Some(decode_blocks(image.level(number)?, 16, |block, out, pitch| bc5(block, out, pitch, signed)).into())
        }
        PixelFormat::BC6H | PixelFormat::BC6H_SIGNED => {
            let signed = image.format() == PixelFormat::BC6H_SIGNED;
            Some(decode_blocks(image.level(number)?, 16, |block, out, pitch| bc6h(block, out, pitch, signed)).into())
        }
        _ => image.level_to_rgba8(number),
    }
}

/// Decodes blocks of 4 × 4 pixels, each of `size` bytes, and cuts off what the blocks have beyond the edges.
fn decode_blocks(level: Level<'_>, size: usize, decode: impl Fn(&[u8], &mut [u8], usize)) -> Vec<u8> {
    const EDGE: usize = 4;
    let (width, height) = (level.width as usize, level.height as usize);
    let mut pixels = vec![0; width * height * 4];
    let columns = width.div_ceil(EDGE);
    let mut decoded = [0; EDGE * EDGE * 4];
    for (number, block) in level.pixels.chunks_exact(size).enumerate() {
        decode(block, &mut decoded, EDGE * 4);
        let (left, top) = (number % columns * EDGE, number / columns * EDGE);
        let visible = (width - left).min(EDGE) * 4;
        for (row, from) in decoded.chunks_exact(EDGE * 4).enumerate().take(height.saturating_sub(top)) {
            let at = ((top + row) * width + left) * 4;
            pixels[at..at + visible].copy_from_slice(&from[..visible]);
        }
    }
    pixels
}

/// Decodes a block of one channel.
fn bc4(block: &[u8], out: &mut [u8], pitch: usize, is_signed: bool) {
    let mut gray = [0; 16];
    bcdec_rs::bc4(block, &mut gray, 4, is_signed);
    for (row, gray) in out.chunks_mut(pitch).zip(gray.chunks_exact(4)) {
        for (pixel, value) in row.chunks_exact_mut(4).zip(gray) {
            let value = shown(*value, is_signed);
            pixel.copy_from_slice(&[value, value, value, 255]);
        }
    }
}

/// Decodes a block of two channels.
fn bc5(block: &[u8], out: &mut [u8], pitch: usize, is_signed: bool) {
    let mut pairs = [0; 32];
    bcdec_rs::bc5(block, &mut pairs, 8, is_signed);
    for (row, pairs) in out.chunks_mut(pitch).zip(pairs.chunks_exact(8)) {
        for (pixel, pair) in row.chunks_exact_mut(4).zip(pairs.chunks_exact(2)) {
            pixel.copy_from_slice(&[shown(pair[0], is_signed), shown(pair[1], is_signed), 0, 255]);
        }
    }
}

/// Decodes a block of half floats. They are linear light, and so are the results.
fn bc6h(block: &[u8], out: &mut [u8], pitch: usize, is_signed: bool) {
    let mut colors = [0.0; 48];
    bcdec_rs::bc6h_float(block, &mut colors, 12, is_signed);
    for (row, colors) in out.chunks_mut(pitch).zip(colors.chunks_exact(12)) {
        for (pixel, color) in row.chunks_exact_mut(4).zip(colors.chunks_exact(3)) {
            // The cast makes 0 of NaN.
            let [r, g, b] = [color[0], color[1], color[2]].map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
            pixel.copy_from_slice(&[r, g, b, 255]);
        }
    }
}

/// The number from 0 to 255 for one from -127 to 127, if the channel has signs.
fn shown(value: u8, is_signed: bool) -> u8 {
    if is_signed { value.wrapping_add(128) } else { value }
}
