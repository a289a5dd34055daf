//! Pixels of a file → the pixels that rules ask for: keyed, scaled, bled and padded, in this order.
//!
//! This comes before conversions and mip levels, which are made of the result. Without a rule that asks for one of
//! these changes, pixels pass through untouched.

mod bleed;
mod resize;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Filter, Wrap};
use rres_settings::{ImagePadding, ImageSettings};

use super::convert::{Conversion, Pixel};
use super::mips::{self, Curve, Meaning};
use super::{Decoded, ImportError, checked_size, meaning, normals};

/// An image with the changes, and what the stored image no longer tells.
pub(super) struct Edited {
    pub(super) decoded: Decoded,
    /// The width and height of the picture, if padding follows it.
    pub(super) content: Option<(u32, u32)>,
    /// What is left of the picture, if transparent edges were cut off.
    pub(super) trim: Option<Trim>,
    /// Whether the file had mip levels, which were left out because they show the unchanged picture.
    pub(super) lost_levels: bool,
}

/// The place of a picture without its transparent edges in the whole one.
#[derive(Clone, Copy)]
pub(super) struct Trim {
    pub(super) left: u32,
    pub(super) top: u32,
    /// Width and height of the whole picture.
    pub(super) full: (u32, u32),
}

/// Level 0 of an image as numbers.
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<Pixel>,
}

/// Changes an image as the settings ask.
pub(super) fn apply(decoded: Decoded, settings: &ImageSettings, linear: bool) -> Result<Edited, ImportError> {
    let ImageProps { width, height, format, mipmaps } = decoded.props;
    // Not grey pictures, which no normals fit into, although a rule calls them a normal map.
    let are_normals = meaning(&decoded, settings) == Meaning::Normals;
    let size = scaled(settings, (width, height));
    let padded = match settings.pad {
        ImagePadding::None => size,
        ImagePadding::PowerOfTwo => (size.0.next_power_of_two(), size.1.next_power_of_two()),
        ImagePadding::Block => (size.0.next_multiple_of(4), size.1.next_multiple_of(4)),
    };
    let key = settings.color_key;
    let bleeds = settings.alpha_bleed && !decoded.premultiplied && (format.has_alpha() || key.is_some());
    let trims = settings.atlas_trim && settings.atlas.is_some() && (format.has_alpha() || key.is_some());
    let asked = [
        (settings.atlas.is_some() && format.pixel_block().is_some(), "atlas"),
        (key.is_some(), "color_key"),
        (size != (width, height) && settings.fit.is_some(), "fit"),
        (size != (width, height), "scale"),
        (bleeds, "alpha_bleed"),
        (padded != size, "pad"),
        (trims, "atlas_trim"),
    ];
    let Some((_, name)) = asked.iter().find(|(is_asked, _)| *is_asked) else {
        return Ok(Edited { decoded, content: None, trim: None, lost_levels: false });
    };
    if format.pixel_block().is_some() {
        return Err(ImportError::new(format!("is block-compressed ({format}), and `image.{name}` needs pixels"))
            .with_help("remove the setting, or use an uncompressed source such as PNG"));
    }
    let format = if key.is_some() { with_alpha(format) } else { format };
    let props = ImageProps { width: padded.0, height: padded.1, format, mipmaps: 1 };
    // Before memory is taken for the numbers.
    checked_size(&props)?;

    let mut picture = read(&decoded, format);
    if let Some(key) = key {
        make_transparent(&mut picture.pixels, key);
    }
    if size != (width, height) {
        let curve = Curve::of(decoded.props.format, format, linear);
        // As for mip levels.
        let divides = decoded.premultiplied
            && format.has_alpha()
            && !linear
            && !are_normals
            && !mips::adds_light(&picture.pixels);
        let weigh = format.has_alpha() && (!decoded.premultiplied || divides) && !are_normals;
        if divides {
            picture.pixels.iter_mut().for_each(mips::divide_by_alpha);
        }
        picture = scale(&picture, size, settings, &curve, weigh, are_normals);
        if divides {
            picture.pixels.iter_mut().for_each(mips::multiply_by_alpha);
        }
    }
    if bleeds {
        bleed::bleed(&mut picture, settings.wrap == Some(Wrap::Repeat));
    }
    let trim = if trims { trim(&mut picture) } else { None };
    let props = match trim {
        Some(_) => ImageProps { width: picture.width as u32, height: picture.height as u32, ..props },
        None => props,
    };
    let mut out = Decoded::zeroed(props)?;
    write(&picture, &mut out);
    out.linear = decoded.linear;
    out.premultiplied = decoded.premultiplied;
    out.is_widened = decoded.is_widened;
    out.notes = decoded.notes;
    Ok(Edited { decoded: out, content: (padded != size).then_some(size), trim, lost_levels: mipmaps > 1 })
}

/// RGBA pixels of sRGB colours in another size.
pub(super) fn resized(rgba: &[u8], (width, height): (u32, u32), size: (u32, u32)) -> Vec<u8> {
    let format = PixelFormat::RGBA8;
    let conversion = Conversion { source: format, target: format, premultiply: false };
    let (width, height) = (width as usize, height as usize);
    let mut picture = Picture { width, height, pixels: vec![[0.0; 4]; width * height] };
    conversion.read(rgba, &mut picture.pixels);
    let size = (size.0 as usize, size.1 as usize);
    let mut scaled = resize::smooth(&picture, size, Wrap::Clamp, true, &Curve::of(format, format, false));
    let mut out = vec![0; size.0 * size.1 * 4];
    conversion.write(&mut scaled.pixels, &mut out);
    out
}

/// The size after `scale` and `fit`.
pub(super) fn scaled(settings: &ImageSettings, (width, height): (u32, u32)) -> (u32, u32) {
    let round = |edge: f64| (edge + 0.5).clamp(1.0, f64::from(u32::MAX)) as u32;
    let scale = f64::from(settings.scale);
    let (width, height) = (round(f64::from(width) * scale), round(f64::from(height) * scale));
    let longest = width.max(height);
    match settings.fit {
        Some(fit) if longest > fit => {
            let edge = |edge: u32| round(f64::from(edge) * f64::from(fit) / f64::from(longest));
            (edge(width), edge(height))
        }
        _ => (width, height),
    }
}

/// The smallest format with alpha that preserves the colours of another.
fn with_alpha(format: PixelFormat) -> PixelFormat {
    match format {
        PixelFormat::GRAY8 => PixelFormat::GRAY_ALPHA8,
        PixelFormat::RGB8 | PixelFormat::RGB565 => PixelFormat::RGBA8,
        PixelFormat::R32F | PixelFormat::RGB32F => PixelFormat::RGBA32F,
        format => format,
    }
}

/// Level 0 as numbers; `format` is the format of the result.
fn read(decoded: &Decoded, format: PixelFormat) -> Picture {
    let ImageProps { width, height, format: source, .. } = decoded.props;
    let (width, height) = (width as usize, height as usize);
    let mut pixels = vec![[0.0; 4]; width * height];
    Conversion { source, target: format, premultiply: false }.read(decoded.data(), &mut pixels);
    Picture { width, height, pixels }
}

/// Stores a picture at the top left; its last column and row are repeated up to the edges, as a sampler that clamps would.
fn write(picture: &Picture, out: &mut Decoded) {
    let ImageProps { width, height, format, .. } = out.props;
    let row_size = format.level_size(width, 1).unwrap_or(0) as usize;
    let conversion = Conversion { source: format, target: format, premultiply: false };
    let mut row = vec![[0.0; 4]; width as usize];
    for (y, to) in out.data_mut().chunks_exact_mut(row_size).take(height as usize).enumerate() {
        let from = &picture.pixels[y.min(picture.height - 1) * picture.width..][..picture.width];
        row[..picture.width].copy_from_slice(from);
        row[picture.width..].fill(from[picture.width - 1]);
        conversion.write(&mut row, to);
    }
}

/// Makes the pixels of a colour transparent black. The numbers are compared as 8 bits, which is how the rule names them.
fn make_transparent(pixels: &mut [Pixel], key: [u8; 3]) {
    let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    for pixel in pixels {
        if pixel[..3].iter().zip(key).all(|(v, key)| byte(*v) == key) {
            *pixel = [0.0; 4];
        }
    }
}

fn scale(
    from: &Picture,
    size: (u32, u32),
    settings: &ImageSettings,
    curve: &Curve,
    weigh: bool,
    are_normals: bool,
) -> Picture {
    let size = (size.0 as usize, size.1 as usize);
    if settings.filter == Some(Filter::Nearest) {
        return resize::nearest(from, size);
    }
    let mut out = resize::smooth(from, size, settings.wrap.unwrap_or_default(), weigh, curve);
    if are_normals {
        out.pixels.iter_mut().for_each(normals::renormalise);
    }
    out
}

/// Cuts off the transparent edges, if there are any. Of a picture without a visible pixel, one pixel is left.
fn trim(picture: &mut Picture) -> Option<Trim> {
    let Picture { width, height, ref pixels } = *picture;
    let visible = |x: usize, y: usize| pixels[y * width + x][3] > 0.0;
    let column = |x: &usize| (0..height).any(|y| visible(*x, y));
    let row = |y: &usize| (0..width).any(|x| visible(x, *y));
    let (left, right) = ((0..width).find(column).unwrap_or(0), (0..width).rfind(column).unwrap_or(0));
    let (top, bottom) = ((0..height).find(row).unwrap_or(0), (0..height).rfind(row).unwrap_or(0));
    let (new_width, new_height) = (right - left + 1, bottom - top + 1);
    if (new_width, new_height) == (width, height) {
        return None;
    }
    let rows = pixels.chunks_exact(width).skip(top).take(new_height);
    let kept = rows.flat_map(|row| &row[left..=right]).copied().collect();
    *picture = Picture { width: new_width, height: new_height, pixels: kept };
    Some(Trim { left: left as u32, top: top as u32, full: (width as u32, height as u32) })
}
