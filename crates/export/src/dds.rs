//! Images as `.dds` files with all of their mip levels: a header, then the levels as packs store them.

use rres_runtime::Image;
use rres_runtime::asset::{ColorSpace, ImageShape, PixelFormat};

use super::{Contents, ExportError};

/// What the header says about the pixels.
enum Layout {
    /// Four letters, or a number of Direct3D 9. The flag says whether there is alpha beside it.
    Code([u8; 4], bool),
    /// A number of bytes per pixel, and the masks of red, green, blue and alpha; 0 if there is none.
    Masks(u32, [u32; 4]),
    /// Gray in red's mask.
    Gray(u32, [u32; 4]),
    /// A number of DXGI, in the header that Direct3D 10 added.
    Dxgi(u32),
}

const FLAGS: u32 = 0x1007; // caps, height, width, pixel format
const HAS_PITCH: u32 = 0x8;
const HAS_LEVELS: u32 = 0x2_0000;
const HAS_SIZE: u32 = 0x8_0000;
const HAS_DEPTH: u32 = 0x80_0000;
const TEXTURE: u32 = 0x1000;
const COMPLEX: u32 = 0x8;
const ALL_FACES: u32 = 0xfe00;
const VOLUME: u32 = 0x20_0000;
const COMPLEX_WITH_LEVELS: u32 = 0x40_0008;

const FORMAT_ALPHA: u32 = 0x1;
const FORMAT_CODE: u32 = 0x4;
const FORMAT_RGB: u32 = 0x40;
const FORMAT_LUMINANCE: u32 = 0x2_0000;

/// Numbers of formats: D3DFMT_R32F, D3DFMT_A32B32G32R32F, and formats of DXGI.
const D3D_R32F: u8 = 114;
const D3D_RGBA32F: u8 = 116;
const DXGI_RGB32F: u32 = 6;
const DXGI_BC4: u32 = 80;
const DXGI_BC4_SIGNED: u32 = 81;
const DXGI_BC5: u32 = 83;
const DXGI_BC5_SIGNED: u32 = 84;
const DXGI_BC6H: u32 = 95;
const DXGI_BC6H_SIGNED: u32 = 96;
const DXGI_BC7: u32 = 98;
const DXGI_BC7_SRGB: u32 = 99;

/// DDS_ALPHA_MODE_STRAIGHT, _PREMULTIPLIED and _OPAQUE.
const ALPHA_STRAIGHT: u32 = 1;
const ALPHA_PREMULTIPLIED: u32 = 2;
const ALPHA_OPAQUE: u32 = 3;

fn layout(image: &Image) -> Option<Layout> {
    // DXT2 and DXT4 are DXT3 and DXT5 with colours that are multiplied by alpha.
    let code = |plain: &[u8; 4], premultiplied: &[u8; 4]| {
        Layout::Code(if image.is_premultiplied() { *premultiplied } else { *plain }, false)
    };
    Some(match image.format() {
        PixelFormat::GRAY8 => Layout::Gray(1, [0xff, 0, 0, 0]),
        PixelFormat::GRAY_ALPHA8 => Layout::Gray(2, [0xff, 0, 0, 0xff00]),
        PixelFormat::RGB565 => Layout::Masks(2, [0xf800, 0x07e0, 0x001f, 0]),
        PixelFormat::RGBA5551 => Layout::Masks(2, [0xf800, 0x07c0, 0x003e, 0x0001]),
        PixelFormat::RGBA4444 => Layout::Masks(2, [0xf000, 0x0f00, 0x00f0, 0x000f]),
        PixelFormat::RGB8 => Layout::Masks(3, [0xff, 0xff00, 0xff_0000, 0]),
        PixelFormat::RGBA8 => Layout::Masks(4, [0xff, 0xff00, 0xff_0000, 0xff00_0000]),
        PixelFormat::R32F => Layout::Code([D3D_R32F, 0, 0, 0], false),
        PixelFormat::RGB32F => Layout::Dxgi(DXGI_RGB32F),
        PixelFormat::RGBA32F => Layout::Code([D3D_RGBA32F, 0, 0, 0], false),
        PixelFormat::DXT1_RGB => Layout::Code(*b"DXT1", false),
        PixelFormat::DXT1_RGBA => Layout::Code(*b"DXT1", true),
        PixelFormat::DXT3_RGBA => code(b"DXT3", b"DXT2"),
        PixelFormat::DXT5_RGBA => code(b"DXT5", b"DXT4"),
        PixelFormat::BC4 => Layout::Dxgi(DXGI_BC4),
        PixelFormat::BC4_SIGNED => Layout::Dxgi(DXGI_BC4_SIGNED),
        PixelFormat::BC5 => Layout::Dxgi(DXGI_BC5),
        PixelFormat::BC5_SIGNED => Layout::Dxgi(DXGI_BC5_SIGNED),
        PixelFormat::BC6H => Layout::Dxgi(DXGI_BC6H),
        PixelFormat::BC6H_SIGNED => Layout::Dxgi(DXGI_BC6H_SIGNED),
        PixelFormat::BC7 => Layout::Dxgi(match image.color_space() {
            ColorSpace::Srgb => DXGI_BC7_SRGB,
            ColorSpace::Linear => DXGI_BC7,
        }),
        _ => return None,
    })
}

/// The layout of a texture array, which the header of Direct3D 10 alone can state.
fn layout_of_array(image: &Image) -> Option<Layout> {
    let is_srgb = image.color_space() == ColorSpace::Srgb;
    Some(Layout::Dxgi(match image.format() {
        PixelFormat::GRAY8 => 61,
        PixelFormat::RGBA8 => 28 + u32::from(is_srgb),
        PixelFormat::RGB565 => 85,
        PixelFormat::R32F => 41,
        PixelFormat::RGB32F => DXGI_RGB32F,
        PixelFormat::RGBA32F => 2,
        PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => 71 + u32::from(is_srgb),
        PixelFormat::DXT3_RGBA => 74 + u32::from(is_srgb),
        PixelFormat::DXT5_RGBA => 77 + u32::from(is_srgb),
        _ => match layout(image)? {
            Layout::Dxgi(number) => number,
            _ => return None,
        },
    }))
}

/// Whether a file can hold the image with its shape.
pub(super) fn holds(image: &Image) -> bool {
    let layout = if let ImageShape::Array(_) = image.shape() { layout_of_array(image) } else { layout(image) };
    layout.is_some()
}

/// Encodes all levels of an image as a `.dds` file, with its layers, slices or faces.
pub(crate) fn dds(image: &Image) -> Result<Contents<'static>, ExportError> {
    let format = image.format();
    let unsupported = || ExportError::Unsupported(format!("a .dds file cannot contain pixels of format {format}"));
    let shape = image.shape();
    let layout = if let ImageShape::Array(_) = shape { layout_of_array(image) } else { layout(image) };
    let layout = layout.ok_or_else(unsupported)?;
    let layers = shape.layers();
    let first = image.level(0).ok_or_else(unsupported)?;
    let is_block = format.pixel_block().is_some();
    let pitch_or_size = if is_block { first.pixels.len() as u32 } else { first.bytes_per_row };
    let levels = image.mipmaps();
    let flags = FLAGS | if is_block { HAS_SIZE } else { HAS_PITCH } | if levels > 1 { HAS_LEVELS } else { 0 };
    let alpha_flag = |masks: [u32; 4]| if masks[3] == 0 { 0 } else { FORMAT_ALPHA };
    let (format_flags, code, bits, masks) = match layout {
        Layout::Code(code, has_alpha) => {
            (FORMAT_CODE | if has_alpha { FORMAT_ALPHA } else { 0 }, u32::from_le_bytes(code), 0, [0; 4])
        }
        Layout::Masks(bytes, masks) => (FORMAT_RGB | alpha_flag(masks), 0, bytes * 8, masks),
        Layout::Gray(bytes, masks) => (FORMAT_LUMINANCE | alpha_flag(masks), 0, bytes * 8, masks),
        Layout::Dxgi(_) => (FORMAT_CODE, u32::from_le_bytes(*b"DX10"), 0, [0; 4]),
    };
    let (depth, depth_flag, caps2) = match shape {
        ImageShape::Volume(slices) => (slices, HAS_DEPTH, VOLUME),
        ImageShape::Cube => (0, 0, ALL_FACES),
        _ => (0, 0, 0),
    };
    // The size is that of one face, layer or slice.
    let pitch_or_size = if is_block { pitch_or_size / layers } else { pitch_or_size };
    let mut header =
        vec![124, flags | depth_flag, image.height() / layers, image.width(), pitch_or_size, depth, levels];
    header.extend([0; 11]); // reserved
    header.extend([32, format_flags, code, bits]);
    header.extend(masks);
    let several = if layers > 1 { COMPLEX } else { 0 };
    header.push(TEXTURE | several | if levels > 1 { COMPLEX_WITH_LEVELS } else { 0 });
    header.extend([caps2, 0, 0, 0]);
    if let Layout::Dxgi(number) = layout {
        let alpha = match format.has_alpha() {
            true if image.is_premultiplied() => ALPHA_PREMULTIPLIED,
            true => ALPHA_STRAIGHT,
            // BC1 with and without alpha have one number.
            false if format == PixelFormat::DXT1_RGB => ALPHA_OPAQUE,
            false => 0, // unknown
        };
        // A picture of two dimensions is 3, one of three 4; a cube has a flag, and counts once.
        let (dimension, flag, count) = match shape {
            ImageShape::Volume(_) => (4, 0, 1),
            ImageShape::Cube => (3, 4, 1),
            ImageShape::Array(layers) => (3, 0, layers),
            _ => (3, 0, 1),
        };
        header.extend([number, dimension, flag, count, alpha]);
    }
    let mut bytes = b"DDS ".to_vec();
    header.iter().for_each(|number: &u32| bytes.extend_from_slice(&number.to_le_bytes()));
    match shape {
        ImageShape::Volume(_) => image.levels().for_each(|level| bytes.extend_from_slice(level.pixels)),
        // Each face or layer has all of its levels.
        _ => {
            for number in 0..layers {
                let levels = (0..levels).filter_map(|level| image.layer(number, level));
                levels.for_each(|level| bytes.extend_from_slice(level.pixels));
            }
        }
    }
    let what = if is_block { "blocks" } else { "pixels" };
    let of_levels = if levels > 1 { format!(", {levels} mip levels") } else { String::new() };
    Ok(Contents::converted(bytes, format!("{what} as .dds, {format}{of_levels}{}", crate::layers::of_layers(image))))
}
