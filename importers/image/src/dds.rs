//! DDS → pixels: blocks and their mip levels are kept, and channels of any mask are stored in a format that
//! preserves them.

use ddsfile::{AlphaMode, Caps2, D3D10ResourceDimension, Dds, DxgiFormat, FourCC, MiscFlag, PixelFormatFlags};
use rres_format::chunk::image::{ImageProps, PixelFormat, level_edge};
use rres_format::index::ImageShape;

use super::convert::{Pixel, pack};
use super::half_float::half_float;
use super::{Decoded, ImportError, checked_size, cubemap, layers};

/// The layout of the pixels in the file.
enum Layout {
    /// As stored.
    As(PixelFormat),
    /// One little-endian number of this many bytes per pixel, and the masks of red, green, blue and alpha; 0 if there
    /// is none.
    Masks { bytes: usize, masks: [u32; 4], gray: bool },
    /// Channels of 16 bits each: integers or half floats.
    Words { channels: usize, half: bool },
}

/// Reads a DDS file.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Decoded, ImportError> {
    let dds = Dds::read(bytes).map_err(|e| match e {
        ddsfile::Error::Io(_) => ImportError::damaged("is a DDS that ends in its header"),
        e => ImportError::damaged(format!("is a damaged DDS: its head makes no sense ({e})")),
    })?;
    let layout = layout(&dds).ok_or_else(|| unknown(&dds, name))?;
    let format = match &layout {
        Layout::As(format) => *format,
        Layout::Masks { masks, gray, .. } => format_of_masks(masks, *gray),
        Layout::Words { channels: 1, .. } => PixelFormat::R32F,
        Layout::Words { .. } => PixelFormat::RGBA32F,
    };
    let (width, height) = (dds.header.width, dds.header.height);
    let props = ImageProps { width, height, format, mipmaps: dds.header.mip_map_count.unwrap_or(1).max(1) };
    let shape = shape(&dds, name)?;
    // The slices of a volume are one picture as high as all of them, and its smaller levels have fewer.
    let levels = props.mipmaps;
    let props = match shape {
        ImageShape::Volume(slices) => {
            let block = format.pixel_block().map_or(1, |block| block.height);
            if !height.is_multiple_of(block) {
                let message = format!("is a DDS with slices of {width}×{height} {format}, expected whole blocks");
                return Err(ImportError::new(message).with_help("export it in another size"));
            }
            layers::checked_stack(props, layers::check_count(slices.into())?)?
        }
        ImageShape::Array(count) => {
            layers::checked_stack(props, layers::check_count(count.into())?)?;
            props
        }
        _ => props,
    };
    let size = checked_size(&props)?;
    let stored = match layout {
        Layout::As(_) => size,
        Layout::Masks { bytes, .. } => pixel_count(&props) * bytes,
        Layout::Words { channels, .. } => pixel_count(&props) * channels * 2,
    };
    let faces = if matches!(shape, ImageShape::Volume(_)) { 1 } else { shape.layers() as usize };
    let needed = stored.saturating_mul(faces);
    let data = dds.data.get(..needed).ok_or_else(|| {
        let found = dds.data.len();
        let shape = match shape {
            ImageShape::Cube => "six faces of ".to_owned(),
            ImageShape::Array(layers) => format!("{layers} layers of "),
            ImageShape::Volume(slices) => format!("{slices} slices of "),
            _ => String::new(),
        };
        ImportError::damaged(format!(
            "is a DDS that ends early: {shape}{width}×{height} {format} with mip levels: {} needs {needed} bytes, found \
             {found}",
            props.mipmaps
        ))
    })?;
    match shape {
        ImageShape::Flat => picture(&dds, &layout, props, data),
        ImageShape::Volume(_) => {
            let mut volume = picture(&dds, &layout, props, data)?;
            volume.shape = shape;
            volume.notes.extend(layers::left_out_levels(levels));
            Ok(volume)
        }
        // Each face or layer has all of its levels.
        _ => {
            let faces = data.chunks_exact(stored).map(|data| picture(&dds, &layout, props, data));
            let faces = faces.collect::<Result<Vec<_>, _>>()?;
            if shape == ImageShape::Cube {
                cubemap::of_texture_faces(&faces)
            } else {
                layers::of_texture_layers(&faces, shape)
            }
        }
    }
}

/// The pixels of one picture with its levels.
fn picture(dds: &Dds, layout: &Layout, props: ImageProps, data: &[u8]) -> Result<Decoded, ImportError> {
    let format = props.format;
    let mut out = Decoded::zeroed(props)?;
    out.premultiplied = matches!(dds.header.spf.fourcc, Some(FourCC(FourCC::DXT2 | FourCC::DXT4)))
        || dds.header10.as_ref().is_some_and(|h| h.alpha_mode == AlphaMode::PreMultiplied);
    let float = matches!(format, PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F);
    // Floats are linear light; integers of 10 and 16 bits are encoded like integers of 8 bits.
    out.linear = !float && format.is_always_linear()
        || float && matches!(layout, Layout::As(_) | Layout::Words { half: true, .. });
    match *layout {
        Layout::As(_) => out.data_mut().copy_from_slice(data),
        Layout::Masks { bytes, masks, gray } => {
            each_pixel(data, bytes, &mut out, |v| {
                let mut number = [0; 4];
                number[..v.len()].copy_from_slice(v);
                let number = u32::from_le_bytes(number);
                let [r, g, b, a] = masks.map(|mask| channel(number, mask));
                let [r, g, b] = if gray { [r; 3] } else { [r, g, b].map(|v| v.or(Some(0.0))) };
                // A file with only an alpha channel is a mask, so its colour is white.
                [r.unwrap_or(1.0), g.unwrap_or(1.0), b.unwrap_or(1.0), a.unwrap_or(1.0)]
            });
        }
        Layout::Words { channels, half } => {
            each_pixel(data, channels * 2, &mut out, |v| {
                let mut pixel = [0.0; 4];
                for (value, v) in pixel.iter_mut().zip(v.chunks_exact(2)) {
                    let word = u16::from_le_bytes([v[0], v[1]]);
                    *value = if half { half_float(word) } else { f32::from(word) / 65535.0 };
                }
                pixel
            });
        }
    }
    Ok(out)
}

/// The number of pixels in all levels. It cannot overflow, because the size was checked.
fn pixel_count(props: &ImageProps) -> usize {
    let edges = |level| (level_edge(props.width, level) as usize, level_edge(props.height, level) as usize);
    (0..props.mipmaps).map(edges).map(|(w, h)| w * h).sum()
}

fn each_pixel(data: &[u8], size: usize, out: &mut Decoded, read: impl Fn(&[u8]) -> Pixel) {
    let format = out.props.format;
    let stored = format.bytes_per_pixel().unwrap_or(1) as usize;
    for (v, to) in data.chunks_exact(size).zip(out.data_mut().chunks_exact_mut(stored)) {
        pack(format, &[read(v)], to);
    }
}

/// The bits of `mask` as a number from 0 to 1, or `None` without mask.
fn channel(number: u32, mask: u32) -> Option<f32> {
    if mask == 0 {
        return None;
    }
    let shift = mask.trailing_zeros();
    Some(((number & mask) >> shift) as f32 / (mask >> shift) as f32)
}

/// The smallest format that preserves every number.
fn format_of_masks(masks: &[u32; 4], gray: bool) -> PixelFormat {
    let bits = masks.map(u32::count_ones);
    let alpha = bits[3] > 0;
    match bits {
        [5, 6, 5, 0] => PixelFormat::RGB565,
        [5, 5, 5, 1] => PixelFormat::RGBA5551,
        [4, 4, 4, 4] => PixelFormat::RGBA4444,
        _ if bits.iter().any(|n| *n > 8) => match (gray, alpha) {
            (_, true) => PixelFormat::RGBA32F,
            (true, false) => PixelFormat::R32F,
            (false, false) => PixelFormat::RGB32F,
        },
        _ => match (gray, alpha) {
            (true, true) => PixelFormat::GRAY_ALPHA8,
            (true, false) => PixelFormat::GRAY8,
            (false, true) => PixelFormat::RGBA8,
            (false, false) => PixelFormat::RGB8,
        },
    }
}

/// Whether a file is a cubemap.
fn is_cube(dds: &Dds) -> bool {
    dds.header.caps2.contains(Caps2::CUBEMAP)
        || dds.header10.as_ref().is_some_and(|head| head.misc_flag.contains(MiscFlag::TEXTURECUBE))
}

/// What the pictures of a file are. Parts of cubes and several cubes are refused.
fn shape(dds: &Dds, name: &str) -> Result<ImageShape, ImportError> {
    let header10 = dds.header10.as_ref();
    let faces = dds.header.caps2 & Caps2::CUBEMAP_ALLFACES;
    let count = header10.map_or(1, |head| head.array_size);
    let what = if is_cube(dds) && header10.is_none() && faces != Caps2::CUBEMAP_ALLFACES {
        "only some of the six faces of a cubemap"
    } else if is_cube(dds) && count > 1 {
        "several cubemaps"
    } else if is_cube(dds) {
        return Ok(ImageShape::Cube);
    } else if (dds.header.caps2.contains(Caps2::VOLUME) && dds.header.depth.unwrap_or(1) > 1)
        || header10.is_some_and(|head| head.resource_dimension == D3D10ResourceDimension::Texture3D)
    {
        return Ok(ImageShape::Volume(dds.header.depth.unwrap_or(1).max(1)));
    } else if count > 1 {
        return Ok(ImageShape::Array(count));
    } else {
        return Ok(ImageShape::Flat);
    };
    Err(ImportError::new(format!("is a DDS with {what}, and an rres image is one picture or one cubemap")).with_help(format!(
        "export each as a file of its own, or store it as it is with kind = \"raw\" under [\"{name}\"] in assets.toml"
    )))
}

fn unknown(dds: &Dds, name: &str) -> ImportError {
    let format = match (&dds.header10, &dds.header.spf.fourcc) {
        (Some(header10), _) => format!("{:?}", header10.dxgi_format),
        (None, Some(FourCC(code))) => {
            let letters = code.to_le_bytes();
            match std::str::from_utf8(&letters) {
                Ok(text) if text.chars().all(|c| c.is_ascii_graphic()) => text.to_owned(),
                _ => format!("D3D format {code}"),
            }
        }
        (None, None) => "invalid channel masks".to_owned(),
    };
    ImportError::new(format!("is a DDS with {format}, which rres has no pixel format for")).with_help(format!(
        "export it as BC1 to BC7 or uncompressed, or store it as it is with kind = \"raw\" \
         under [\"{name}\"] in assets.toml"
    ))
}

/// Codes of BC4 and BC5 before there were numbers for them. `ATI2` has two orders of channels, so it is refused.
const BC4: u32 = u32::from_le_bytes(*b"BC4U");
const ATI1: u32 = u32::from_le_bytes(*b"ATI1");
const BC4_SIGNED: u32 = u32::from_le_bytes(*b"BC4S");
const BC5: u32 = u32::from_le_bytes(*b"BC5U");
const BC5_SIGNED: u32 = u32::from_le_bytes(*b"BC5S");

/// Whether a block of BC1 has a transparent pixel. Many writers do not set the flag of alpha, which is for uncompressed pixels.
fn has_holes(blocks: &[u8]) -> bool {
    let (blocks, _) = blocks.as_chunks::<8>();
    blocks.iter().any(|[a, b, c, d, indices @ ..]| {
        let is_punched = u16::from_le_bytes([*a, *b]) <= u16::from_le_bytes([*c, *d]);
        is_punched && indices.iter().any(|four| (0..4).any(|at| four >> (2 * at) & 3 == 3))
    })
}

/// The layout of the pixels in the file, or `None` if rres has no format for them.
fn layout(dds: &Dds) -> Option<Layout> {
    if let Some(header10) = &dds.header10 {
        return layout_dxgi(header10.dxgi_format, header10.alpha_mode);
    }
    let spf = &dds.header.spf;
    if let Some(FourCC(code)) = spf.fourcc {
        return Some(match code {
            FourCC::DXT1 if spf.flags.contains(PixelFormatFlags::ALPHA_PIXELS) || has_holes(&dds.data) => {
                Layout::As(PixelFormat::DXT1_RGBA)
            }
            FourCC::DXT1 => Layout::As(PixelFormat::DXT1_RGB),
            FourCC::DXT2 | FourCC::DXT3 => Layout::As(PixelFormat::DXT3_RGBA),
            FourCC::DXT4 | FourCC::DXT5 => Layout::As(PixelFormat::DXT5_RGBA),
            BC4 | ATI1 => Layout::As(PixelFormat::BC4),
            BC4_SIGNED => Layout::As(PixelFormat::BC4_SIGNED),
            BC5 => Layout::As(PixelFormat::BC5),
            BC5_SIGNED => Layout::As(PixelFormat::BC5_SIGNED),
            FourCC::A16B16G16R16 => Layout::Words { channels: 4, half: false },
            FourCC::R16F => Layout::Words { channels: 1, half: true },
            FourCC::A16B16G16R16F => Layout::Words { channels: 4, half: true },
            FourCC::R32F => Layout::As(PixelFormat::R32F),
            FourCC::A32B32G32R32F => Layout::As(PixelFormat::RGBA32F),
            _ => return None,
        });
    }
    let gray = !spf.flags.contains(PixelFormatFlags::RGB);
    // ddsfile reads the masks only if the flags match the specification; the mask of luminance is in red.
    let alpha = spf.a_bit_mask.unwrap_or(0);
    let (bits, masks) = if spf.flags.contains(PixelFormatFlags::RGB) {
        let mask = |mask: Option<u32>| mask.unwrap_or(0);
        (spf.rgb_bit_count?, [mask(spf.r_bit_mask), mask(spf.g_bit_mask), mask(spf.b_bit_mask), alpha])
    } else if spf.flags.contains(PixelFormatFlags::LUMINANCE) {
        let bits = spf.rgb_bit_count?;
        let low = if alpha == 0 { bits } else { alpha.trailing_zeros() };
        (bits, [1u32.checked_shl(low).unwrap_or(0).wrapping_sub(1), 0, 0, alpha])
    } else if spf.flags.contains(PixelFormatFlags::ALPHA) && alpha != 0 {
        (alpha.count_ones(), [0, 0, 0, alpha])
    } else {
        return None;
    };
    masks_layout(bits, masks, gray)
}

/// The layout for masks that are contiguous and disjoint, in a number of one to four bytes.
fn masks_layout(bits: u32, masks: [u32; 4], gray: bool) -> Option<Layout> {
    if !matches!(bits, 8 | 16 | 24 | 32) {
        return None;
    }
    let mut seen = 0u32;
    for mask in masks.into_iter().filter(|mask| *mask != 0) {
        let run = mask >> mask.trailing_zeros();
        let is_run = run & run.wrapping_add(1) == 0;
        let fits = 32 - mask.leading_zeros() <= bits && run.count_ones() <= 16;
        if !is_run || !fits || seen & mask != 0 {
            return None;
        }
        seen |= mask;
    }
    (seen != 0).then_some(Layout::Masks { bytes: bits as usize / 8, masks, gray })
}

fn layout_dxgi(format: DxgiFormat, alpha: AlphaMode) -> Option<Layout> {
    use DxgiFormat as D;
    let masks = |bits, masks| masks_layout(bits, masks, false);
    match format {
        D::BC1_Typeless | D::BC1_UNorm | D::BC1_UNorm_sRGB if alpha == AlphaMode::Opaque => {
            Some(Layout::As(PixelFormat::DXT1_RGB))
        }
        D::BC1_Typeless | D::BC1_UNorm | D::BC1_UNorm_sRGB => Some(Layout::As(PixelFormat::DXT1_RGBA)),
        D::BC2_Typeless | D::BC2_UNorm | D::BC2_UNorm_sRGB => Some(Layout::As(PixelFormat::DXT3_RGBA)),
        D::BC3_Typeless | D::BC3_UNorm | D::BC3_UNorm_sRGB => Some(Layout::As(PixelFormat::DXT5_RGBA)),
        D::BC4_Typeless | D::BC4_UNorm => Some(Layout::As(PixelFormat::BC4)),
        D::BC4_SNorm => Some(Layout::As(PixelFormat::BC4_SIGNED)),
        D::BC5_Typeless | D::BC5_UNorm => Some(Layout::As(PixelFormat::BC5)),
        D::BC5_SNorm => Some(Layout::As(PixelFormat::BC5_SIGNED)),
        D::BC6H_Typeless | D::BC6H_UF16 => Some(Layout::As(PixelFormat::BC6H)),
        D::BC6H_SF16 => Some(Layout::As(PixelFormat::BC6H_SIGNED)),
        D::BC7_Typeless | D::BC7_UNorm | D::BC7_UNorm_sRGB => Some(Layout::As(PixelFormat::BC7)),
        D::R32_Float => Some(Layout::As(PixelFormat::R32F)),
        D::R32G32B32_Float => Some(Layout::As(PixelFormat::RGB32F)),
        D::R32G32B32A32_Float => Some(Layout::As(PixelFormat::RGBA32F)),
        D::R16_UNorm => Some(Layout::Words { channels: 1, half: false }),
        D::R16_Float => Some(Layout::Words { channels: 1, half: true }),
        D::R16G16B16A16_UNorm => Some(Layout::Words { channels: 4, half: false }),
        D::R16G16B16A16_Float => Some(Layout::Words { channels: 4, half: true }),
        D::R8_UNorm => masks_layout(8, [0xff, 0, 0, 0], true),
        D::A8_UNorm => masks_layout(8, [0, 0, 0, 0xff], true),
        D::R8G8B8A8_Typeless | D::R8G8B8A8_UNorm | D::R8G8B8A8_UNorm_sRGB => {
            masks(32, [0xff, 0xff00, 0xff_0000, 0xff00_0000])
        }
        D::B8G8R8A8_Typeless | D::B8G8R8A8_UNorm | D::B8G8R8A8_UNorm_sRGB => {
            masks(32, [0xff_0000, 0xff00, 0xff, 0xff00_0000])
        }
        D::B8G8R8X8_Typeless | D::B8G8R8X8_UNorm | D::B8G8R8X8_UNorm_sRGB => masks(32, [0xff_0000, 0xff00, 0xff, 0]),
        D::R10G10B10A2_UNorm => masks(32, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000]),
        D::B5G6R5_UNorm => masks(16, [0xf800, 0x7e0, 0x1f, 0]),
        D::B5G5R5A1_UNorm => masks(16, [0x7c00, 0x3e0, 0x1f, 0x8000]),
        D::B4G4R4A4_UNorm => masks(16, [0xf00, 0xf0, 0xf, 0xf000]),
        _ => None,
    }
}
