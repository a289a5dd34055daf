//! Images → textures. Pixels and blocks that raylib and the graphics card have are uploaded as they are, others as RGBA of 8 bits.

use raylib::RaylibThread;
use raylib::consts::{self, TextureFilter, TextureWrap};
use raylib::texture::{RaylibTexture2D as _, Texture2D};
use rres_runtime::Image;

use rres_runtime::asset::{Filter, Level, PixelFormat, Wrap};

use crate::error::{Error, ErrorKind};
use crate::ffi::{self, Levels};

/// Makes a texture of an image, with its mip levels, its filter and its wrap. Mip levels are blended, if the filter is linear.
///
/// The numbers in the pixels stay as they are: raylib knows no colour spaces. Draw an image that [`Image::is_premultiplied`] with
/// `BLEND_ALPHA_PREMULTIPLY`.
///
/// # Errors
/// If the window is closed, the graphics card has neither the format of the pixels nor can they be turned into RGBA, or there are 2 GiB of them.
pub fn texture(thread: &RaylibThread, image: &Image) -> Result<Texture2D, Error> {
    if !ffi::has_window() {
        return Err(Error::new(ErrorKind::Window));
    }
    let texture = match as_stored(image).and_then(|levels| ffi::upload(thread, levels)) {
        Some(texture) => texture,
        None => as_rgba8(thread, image)?,
    };
    let filter = match image.filter() {
        Filter::Nearest => TextureFilter::TEXTURE_FILTER_POINT,
        Filter::Linear if texture.mipmaps() > 1 => TextureFilter::TEXTURE_FILTER_TRILINEAR,
        Filter::Linear => TextureFilter::TEXTURE_FILTER_BILINEAR,
    };
    texture.set_texture_filter(thread, filter);
    let wrap = match image.wrap() {
        Wrap::Clamp => TextureWrap::TEXTURE_WRAP_CLAMP,
        Wrap::Repeat => TextureWrap::TEXTURE_WRAP_REPEAT,
        Wrap::Mirror => TextureWrap::TEXTURE_WRAP_MIRROR_REPEAT,
    };
    texture.set_texture_wrap(thread, wrap);
    Ok(texture)
}

/// The levels that raylib reads as they are stored; `None` if raylib does not have the format.
fn as_stored(image: &Image) -> Option<Levels<'_>> {
    let format = format(image.format())?;
    // raylib computes other sizes for small levels of some blocks, so it gets the levels before those.
    let fits = |level: &Level<'_>| {
        let edge = |edge: u32| i32::try_from(edge).ok();
        edge(level.width)
            .zip(edge(level.height))
            .and_then(|(width, height)| ffi::level_size(format, width, height))
            .is_some_and(|size| size == level.pixels.len())
    };
    let fitting: Vec<usize> = image.levels().take_while(fits).map(|level| level.pixels.len()).collect();
    levels(format, image, fitting.len(), &image.data()[..fitting.iter().sum()])
}

/// Uploads pixels that raylib or the graphics card cannot read as they are.
fn as_rgba8(thread: &RaylibThread, image: &Image) -> Result<Texture2D, Error> {
    let unknown = || Error::new(ErrorKind::PixelFormat(image.format()));
    let mut pixels = Vec::new();
    let mut count = 0;
    for (number, level) in (0..).zip(image.levels()) {
        match decoder(image.format()) {
            Some((size, decode)) => pixels.extend(unpack(&level, size, decode)),
            None => pixels.extend_from_slice(&image.level_to_rgba8(number).ok_or_else(unknown)?),
        }
        count += 1;
    }
    let format = consts::PixelFormat::PIXELFORMAT_UNCOMPRESSED_R8G8B8A8;
    let bytes = pixels.len() as u64;
    let levels = levels(format, image, count, &pixels).ok_or_else(|| Error::new(ErrorKind::Size { bytes }))?;
    ffi::upload(thread, levels).ok_or_else(|| Error::new(ErrorKind::Upload))
}

/// `None` if there are none, or raylib cannot count their bytes.
fn levels<'a>(format: consts::PixelFormat, image: &Image, count: usize, data: &'a [u8]) -> Option<Levels<'a>> {
    let number = |number: u32| i32::try_from(number).ok().filter(|number| *number > 0);
    i32::try_from(data.len()).ok()?;
    Some(Levels {
        format,
        width: number(image.width())?,
        height: number(image.height())?,
        count: i32::try_from(count).ok().filter(|count| *count > 0)?,
        data,
    })
}

/// The name of a format in raylib, which counts three more formats of 16 bits before the blocks.
fn format(format: PixelFormat) -> Option<consts::PixelFormat> {
    use consts::PixelFormat as Raylib;
    Some(match format {
        PixelFormat::GRAY8 => Raylib::PIXELFORMAT_UNCOMPRESSED_GRAYSCALE,
        PixelFormat::GRAY_ALPHA8 => Raylib::PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA,
        PixelFormat::RGB565 => Raylib::PIXELFORMAT_UNCOMPRESSED_R5G6B5,
        PixelFormat::RGB8 => Raylib::PIXELFORMAT_UNCOMPRESSED_R8G8B8,
        PixelFormat::RGBA5551 => Raylib::PIXELFORMAT_UNCOMPRESSED_R5G5B5A1,
        PixelFormat::RGBA4444 => Raylib::PIXELFORMAT_UNCOMPRESSED_R4G4B4A4,
        PixelFormat::RGBA8 => Raylib::PIXELFORMAT_UNCOMPRESSED_R8G8B8A8,
        PixelFormat::R32F => Raylib::PIXELFORMAT_UNCOMPRESSED_R32,
        PixelFormat::RGB32F => Raylib::PIXELFORMAT_UNCOMPRESSED_R32G32B32,
        PixelFormat::RGBA32F => Raylib::PIXELFORMAT_UNCOMPRESSED_R32G32B32A32,
        PixelFormat::DXT1_RGB => Raylib::PIXELFORMAT_COMPRESSED_DXT1_RGB,
        PixelFormat::DXT1_RGBA => Raylib::PIXELFORMAT_COMPRESSED_DXT1_RGBA,
        PixelFormat::DXT3_RGBA => Raylib::PIXELFORMAT_COMPRESSED_DXT3_RGBA,
        PixelFormat::DXT5_RGBA => Raylib::PIXELFORMAT_COMPRESSED_DXT5_RGBA,
        PixelFormat::ETC1_RGB => Raylib::PIXELFORMAT_COMPRESSED_ETC1_RGB,
        PixelFormat::ETC2_RGB => Raylib::PIXELFORMAT_COMPRESSED_ETC2_RGB,
        PixelFormat::ETC2_EAC_RGBA => Raylib::PIXELFORMAT_COMPRESSED_ETC2_EAC_RGBA,
        PixelFormat::PVRT_RGB => Raylib::PIXELFORMAT_COMPRESSED_PVRT_RGB,
        PixelFormat::PVRT_RGBA => Raylib::PIXELFORMAT_COMPRESSED_PVRT_RGBA,
        PixelFormat::ASTC_4X4_RGBA => Raylib::PIXELFORMAT_COMPRESSED_ASTC_4x4_RGBA,
        PixelFormat::ASTC_8X8_RGBA => Raylib::PIXELFORMAT_COMPRESSED_ASTC_8x8_RGBA,
        _ => return None,
    })
}

/// Writes the 4 × 4 pixels of a block at the start of a slice whose rows have a number of bytes.
type Decode = fn(&[u8], &mut [u8], usize);

/// The bytes of a block, and what unpacks it.
fn decoder(format: PixelFormat) -> Option<(usize, Decode)> {
    Some(match format {
        PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => (8, bcdec_rs::bc1),
        PixelFormat::DXT3_RGBA => (16, bcdec_rs::bc2),
        PixelFormat::DXT5_RGBA => (16, bcdec_rs::bc3),
        PixelFormat::BC7 => (16, bcdec_rs::bc7),
        _ => return None,
    })
}

fn unpack(level: &Level<'_>, size: usize, decode: Decode) -> Vec<u8> {
    let (width, height) = (level.width as usize, level.height as usize);
    let (columns, rows) = (width.div_ceil(4), height.div_ceil(4));
    let pitch = columns * 16;
    let mut pixels = vec![0; pitch * rows * 4];
    for (number, block) in level.pixels.chunks_exact(size).take(columns * rows).enumerate() {
        decode(block, &mut pixels[number / columns * 4 * pitch + number % columns * 16..], pitch);
    }
    pixels.chunks(pitch).take(height).flat_map(|row| &row[..width * 4]).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rres_format::FourCc;
    use rres_format::chunk::image::ImageProps;
    use rres_runtime::Id;

    use super::*;
    use crate::test_pack::store;

    fn image(format: PixelFormat, width: u32, height: u32, mipmaps: u32) -> Arc<Image> {
        let level = |number: u32| format.level_size((width >> number).max(1), (height >> number).max(1)).unwrap();
        let data = vec![0; (0..mipmaps).map(level).sum::<u64>() as usize];
        let block = ImageProps { width, height, format, mipmaps }.block(&data);
        store("a.dds", FourCc::IMGE, &block).load(Id::<Image>::from_path("a.dds")).unwrap().get()
    }

    #[test]
    fn raylib_reads_all_levels_of_its_formats_where_the_pack_has_them() {
        // raylib counts three formats of 16 bits from 11 on.
        for number in 1..=21 {
            let image = image(PixelFormat(number), 16, 8, if number == 21 { 1 } else { 5 });
            let levels = as_stored(&image).unwrap();
            assert_eq!(levels.format as u32, number + if number > 10 { 3 } else { 0 });
            assert_eq!((levels.width, levels.height, levels.count), (16, 8, image.mipmaps().cast_signed()));
            assert_eq!(levels.data.as_ptr_range(), image.data().as_ptr_range(), "{:?}", image.format());
        }
        assert!(as_stored(&image(PixelFormat::BC7, 4, 4, 1)).is_none());
    }

    #[test]
    fn raylib_gets_the_levels_before_one_whose_size_it_does_not_know() {
        // It takes a quarter of a block of 8 × 8 for each 4 × 4 pixels.
        let levels = |width, mipmaps| {
            as_stored(&image(PixelFormat::ASTC_8X8_RGBA, width, 16, mipmaps)).map(|levels| levels.count)
        };
        assert_eq!((levels(16, 5), levels(32, 2), levels(12, 1)), (Some(2), Some(2), None));
    }
}
