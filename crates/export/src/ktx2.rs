//! Images in block formats of mobile graphics chips as `.ktx2` files with all of their mip levels, which `rres-build` reads.

use rres_runtime::Image;
use rres_runtime::asset::{ColorSpace, ImageShape, PixelFormat};

use super::{Contents, ExportError};

const SIGNATURE: [u8; 12] = *b"\xabKTX 20\xbb\r\n\x1a\n";

/// What comes before the sections: the header and, for each level, its offset and its size in the file and uncompressed.
const HEADER: usize = 80;
const LEVEL_ENTRY: usize = 24;

/// Says that rows go from the top to the bottom.
const ORIENTATION: &[u8] = b"KTXorientation\0rd\0";

/// Numbers of the data format descriptor, which says for each channel where its bits are.
mod descriptor {
    pub(super) const HEAD: u32 = 24;
    pub(super) const SAMPLE: u32 = 16;
    pub(super) const VERSION: u32 = 2;
    pub(super) const BT709: u8 = 1;
    pub(super) const LINEAR: u8 = 1;
    pub(super) const SRGB: u8 = 2;
    pub(super) const PREMULTIPLIED: u8 = 1;
    pub(super) const ETC2: u8 = 161;
    pub(super) const ASTC: u8 = 162;
    pub(super) const RED: u8 = 0;
    pub(super) const GREEN: u8 = 1;
    pub(super) const COLOR: u8 = 2;
    pub(super) const ALPHA: u8 = 15;
    pub(super) const IS_LINEAR: u8 = 0x10;
    pub(super) const IS_SIGNED: u8 = 0x40;
}

/// What the file says about a format.
struct Layout {
    /// The number of the linear format in Vulkan.
    vulkan: u32,
    /// Whether the next number means the same format in sRGB.
    has_srgb: bool,
    model: u8,
    /// Channel, first bit and number of bits.
    channels: &'static [(u8, u16, u8)],
}

fn layout(format: PixelFormat) -> Option<Layout> {
    use descriptor::{ALPHA, ASTC, COLOR, ETC2, GREEN, RED};
    let etc = |vulkan, has_srgb, channels| Layout { vulkan, has_srgb, model: ETC2, channels };
    let astc = |vulkan| Layout { vulkan, has_srgb: true, model: ASTC, channels: &[(RED, 0, 128)] };
    Some(match format {
        PixelFormat::ETC2_RGB => etc(147, true, &[(COLOR, 0, 64)]),
        PixelFormat::ETC2_RGBA1 => etc(149, true, &[(COLOR, 0, 64), (ALPHA, 0, 64)]),
        PixelFormat::ETC2_EAC_RGBA => etc(151, true, &[(ALPHA, 0, 64), (COLOR, 64, 64)]),
        PixelFormat::EAC_R11 | PixelFormat::EAC_R11_SIGNED => etc(format.0 - 1000, false, &[(RED, 0, 64)]),
        PixelFormat::EAC_RG11 | PixelFormat::EAC_RG11_SIGNED => {
            etc(format.0 - 1000, false, &[(RED, 0, 64), (GREEN, 64, 64)])
        }
        PixelFormat::ASTC_4X4_RGBA => astc(157),
        PixelFormat::ASTC_8X8_RGBA => astc(171),
        _ if format.0 >= PixelFormat::ASTC_5X4_RGBA.0 => astc(format.0 - 1000),
        _ => return None,
    })
}

/// Whether a `.ktx2` file that this module writes can hold the format.
pub(super) fn holds(format: PixelFormat) -> bool {
    layout(format).is_some()
}

/// Encodes all levels of an image as a `.ktx2` file.
pub(crate) fn ktx2(image: &Image) -> Result<Contents<'static>, ExportError> {
    let format = image.format();
    let unsupported = || ExportError::Unsupported(format!("pixels of format {format} are not written as .ktx2"));
    let (layout, block) = layout(format).zip(format.pixel_block()).ok_or_else(unsupported)?;
    let is_srgb = layout.has_srgb && image.color_space() == ColorSpace::Srgb;
    let levels: Vec<_> = image.levels().collect();
    let descriptor = descriptor_of(image, &layout, (block.width, block.height, block.size), is_srgb);
    let mut pairs = (ORIENTATION.len() as u32).to_le_bytes().to_vec();
    pairs.extend_from_slice(ORIENTATION);
    pairs.resize(pairs.len().next_multiple_of(4), 0);

    let descriptor_at = HEADER + LEVEL_ENTRY * levels.len();
    let pairs_at = descriptor_at + descriptor.len();
    let mut bytes = SIGNATURE.to_vec();
    let number = layout.vulkan + u32::from(is_srgb);
    let (depth, layers, faces) = match image.shape() {
        ImageShape::Volume(slices) => (slices, 0, 1),
        ImageShape::Array(layers) => (0, layers, 1),
        ImageShape::Cube => (0, 0, 6),
        _ => (0, 0, 1),
    };
    let height = image.height() / image.shape().layers();
    // Of bytes; no compression of the levels. A level has its layers one after another, as the image has them.
    let header = [number, 1, image.width(), height, depth, layers, faces, levels.len() as u32, 0];
    let sections = [descriptor_at, descriptor.len(), pairs_at, pairs.len(), 0, 0, 0, 0].map(|v| v as u32);
    header.iter().chain(&sections).for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    // The smallest level comes first in the file, and last in the list.
    let data_at = (pairs_at + pairs.len()).next_multiple_of(block.size as usize);
    let mut at = data_at + levels.iter().map(|level| level.pixels.len()).sum::<usize>();
    for level in &levels {
        let size = level.pixels.len();
        at -= size;
        [at, size, size].iter().for_each(|number| bytes.extend_from_slice(&(*number as u64).to_le_bytes()));
    }
    bytes.extend_from_slice(&descriptor);
    bytes.extend_from_slice(&pairs);
    bytes.resize(data_at, 0);
    levels.iter().rev().for_each(|level| bytes.extend_from_slice(level.pixels));
    let of_levels = if levels.len() > 1 { format!(", {} mip levels", levels.len()) } else { String::new() };
    Ok(Contents::converted(bytes, format!("blocks as .ktx2, {format}{of_levels}{}", crate::layers::of_layers(image))))
}

/// Returns the data format descriptor with its size in front.
fn descriptor_of(image: &Image, layout: &Layout, (width, height, size): (u32, u32, u32), is_srgb: bool) -> Vec<u8> {
    let format = image.format();
    let is_signed = matches!(format, PixelFormat::EAC_R11_SIGNED | PixelFormat::EAC_RG11_SIGNED);
    let own_size = descriptor::HEAD + descriptor::SAMPLE * layout.channels.len() as u32;
    let mut bytes = Vec::new();
    // The size with this number, the basic descriptor of Khronos, its version and size.
    for number in [own_size + 4, 0, descriptor::VERSION | own_size << 16] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let transfer = if is_srgb { descriptor::SRGB } else { descriptor::LINEAR };
    let flags = if image.is_premultiplied() { descriptor::PREMULTIPLIED } else { 0 };
    bytes.extend_from_slice(&[layout.model, descriptor::BT709, transfer, flags]);
    bytes.extend_from_slice(&[(width - 1) as u8, (height - 1) as u8, 0, 0, size as u8, 0, 0, 0, 0, 0, 0, 0]);
    for &(channel, first, bits) in layout.channels {
        let is_linear = is_srgb && channel == descriptor::ALPHA;
        let kind = channel
            | if is_linear { descriptor::IS_LINEAR } else { 0 }
            | if is_signed { descriptor::IS_SIGNED } else { 0 };
        let [low, high] = if is_signed { [i32::MIN.cast_unsigned(), i32::MAX.cast_unsigned()] } else { [0, u32::MAX] };
        bytes.extend_from_slice(&first.to_le_bytes());
        bytes.extend_from_slice(&[bits - 1, kind, 0, 0, 0, 0]);
        bytes.extend_from_slice(&low.to_le_bytes());
        bytes.extend_from_slice(&high.to_le_bytes());
    }
    bytes
}
