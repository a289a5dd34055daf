//! Images → textures. macroquad's are RGBA of 8 bits without mip levels, so blocks for GPUs are unpacked.

use std::borrow::Cow;

use macroquad::miniquad::TextureWrap;
use macroquad::texture::{FilterMode, Texture2D};
use macroquad::window::get_internal_gl;
use rres_runtime::Image;
use rres_runtime::asset::{Filter, PixelFormat, Wrap};

use crate::error::{Error, ErrorKind};

/// Makes a texture of the first level of an image, with the filter and the wrap of the asset. In browsers and on Android, only textures whose
/// sides are powers of two can repeat.
///
/// # Errors
/// As [`rgba8`], and if a side has more than 65,535 pixels.
pub fn texture(image: &Image) -> Result<Texture2D, Error> {
    let side = |pixels: u32| u16::try_from(pixels).map_err(|_| Error::new(ErrorKind::Size { pixels }));
    let texture = Texture2D::from_rgba8(side(image.width())?, side(image.height())?, &rgba8(image)?);
    texture.set_filter(match image.filter() {
        Filter::Nearest => FilterMode::Nearest,
        Filter::Linear => FilterMode::Linear,
    });
    set_wrap(&texture, image);
    Ok(texture)
}

/// Sets how a texture goes on beyond its edges. macroquad has no function for that, and the layer below it does.
fn set_wrap(texture: &Texture2D, image: &Image) {
    let wrap = match image.wrap() {
        Wrap::Clamp => return, // as it is made
        Wrap::Repeat => TextureWrap::Repeat,
        Wrap::Mirror => TextureWrap::Mirror,
    };
    // Other textures that repeat are black in WebGL 1 and OpenGL ES 2.
    let is_old = cfg!(any(target_arch = "wasm32", target_os = "android"));
    if is_old && !(image.width().is_power_of_two() && image.height().is_power_of_two()) {
        return;
    }
    let id = texture.raw_miniquad_id();
    // SAFETY: The texture was made in the same context, on its thread, and nothing else refers to the context until the call ends.
    let context = unsafe { get_internal_gl() }.quad_context;
    context.texture_set_wrap(id, wrap, wrap);
}

/// Returns the pixels of the first level, four bytes each, in rows from the top. An image that has this format already is not copied.
///
/// # Errors
/// If it has blocks of another format than BC1, BC2 and BC3.
pub fn rgba8(image: &Image) -> Result<Cow<'_, [u8]>, Error> {
    match image.format() {
        PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => Ok(unpack(image, 8, bcdec_rs::bc1).into()),
        PixelFormat::DXT3_RGBA => Ok(unpack(image, 16, bcdec_rs::bc2).into()),
        PixelFormat::DXT5_RGBA => Ok(unpack(image, 16, bcdec_rs::bc3).into()),
        format => image.to_rgba8().ok_or_else(|| Error::new(ErrorKind::PixelFormat(format))),
    }
}

/// Unpacks blocks of 4 × 4 pixels, each of `size` bytes.
fn unpack(image: &Image, size: usize, decode: fn(&[u8], &mut [u8], usize)) -> Vec<u8> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (columns, rows) = (width.div_ceil(4), height.div_ceil(4));
    let pitch = columns * 16;
    let mut pixels = vec![0; pitch * rows * 4];
    for (number, block) in image.data().chunks_exact(size).take(columns * rows).enumerate() {
        decode(block, &mut pixels[number / columns * 4 * pitch + number % columns * 16..], pitch);
    }
    pixels.chunks(pitch).take(height).flat_map(|row| &row[..width * 4]).copied().collect()
}
