//! The names of formats in WebGPU → the types of wgpu.

use rres_runtime::Image;
use wgpu::{AstcBlock, AstcChannel, TextureFormat, VertexFormat};

/// Returns the format of a texture into which the levels of an image can be written as they are; `None` if WebGPU has none, as for three
/// channels.
pub fn texture_format(image: &Image) -> Option<TextureFormat> {
    named(image.wgpu_format()?)
}

/// Returns the format with this name, such as "rgba8unorm-srgb".
pub(crate) fn named(name: &str) -> Option<TextureFormat> {
    if let Some(name) = name.strip_prefix("astc-") {
        let (block, channel) = name.split_once('-')?;
        return Some(TextureFormat::Astc { block: astc_block(block)?, channel: astc_channel(channel)? });
    }
    Some(match name {
        "r8unorm" => TextureFormat::R8Unorm,
        "rg8unorm" => TextureFormat::Rg8Unorm,
        "rgba8unorm" => TextureFormat::Rgba8Unorm,
        "rgba8unorm-srgb" => TextureFormat::Rgba8UnormSrgb,
        "r32float" => TextureFormat::R32Float,
        "rgba32float" => TextureFormat::Rgba32Float,
        "bc1-rgba-unorm" => TextureFormat::Bc1RgbaUnorm,
        "bc1-rgba-unorm-srgb" => TextureFormat::Bc1RgbaUnormSrgb,
        "bc2-rgba-unorm" => TextureFormat::Bc2RgbaUnorm,
        "bc2-rgba-unorm-srgb" => TextureFormat::Bc2RgbaUnormSrgb,
        "bc3-rgba-unorm" => TextureFormat::Bc3RgbaUnorm,
        "bc3-rgba-unorm-srgb" => TextureFormat::Bc3RgbaUnormSrgb,
        "etc2-rgb8unorm" => TextureFormat::Etc2Rgb8Unorm,
        "etc2-rgb8unorm-srgb" => TextureFormat::Etc2Rgb8UnormSrgb,
        "etc2-rgba8unorm" => TextureFormat::Etc2Rgba8Unorm,
        "etc2-rgba8unorm-srgb" => TextureFormat::Etc2Rgba8UnormSrgb,
        "bc4-r-unorm" => TextureFormat::Bc4RUnorm,
        "bc4-r-snorm" => TextureFormat::Bc4RSnorm,
        "bc5-rg-unorm" => TextureFormat::Bc5RgUnorm,
        "bc5-rg-snorm" => TextureFormat::Bc5RgSnorm,
        "bc6h-rgb-ufloat" => TextureFormat::Bc6hRgbUfloat,
        "bc6h-rgb-float" => TextureFormat::Bc6hRgbFloat,
        "bc7-rgba-unorm" => TextureFormat::Bc7RgbaUnorm,
        "bc7-rgba-unorm-srgb" => TextureFormat::Bc7RgbaUnormSrgb,
        "etc2-rgb8a1unorm" => TextureFormat::Etc2Rgb8A1Unorm,
        "etc2-rgb8a1unorm-srgb" => TextureFormat::Etc2Rgb8A1UnormSrgb,
        "eac-r11unorm" => TextureFormat::EacR11Unorm,
        "eac-r11snorm" => TextureFormat::EacR11Snorm,
        "eac-rg11unorm" => TextureFormat::EacRg11Unorm,
        "eac-rg11snorm" => TextureFormat::EacRg11Snorm,
        _ => return None,
    })
}

fn astc_channel(name: &str) -> Option<AstcChannel> {
    Some(match name {
        "unorm" => AstcChannel::Unorm,
        "unorm-srgb" => AstcChannel::UnormSrgb,
        _ => return None,
    })
}

fn astc_block(name: &str) -> Option<AstcBlock> {
    Some(match name {
        "4x4" => AstcBlock::B4x4,
        "8x8" => AstcBlock::B8x8,
        "5x4" => AstcBlock::B5x4,
        "5x5" => AstcBlock::B5x5,
        "6x5" => AstcBlock::B6x5,
        "6x6" => AstcBlock::B6x6,
        "8x5" => AstcBlock::B8x5,
        "8x6" => AstcBlock::B8x6,
        "10x5" => AstcBlock::B10x5,
        "10x6" => AstcBlock::B10x6,
        "10x8" => AstcBlock::B10x8,
        "10x10" => AstcBlock::B10x10,
        "12x10" => AstcBlock::B12x10,
        "12x12" => AstcBlock::B12x12,
        _ => return None,
    })
}

/// Returns the format with this name, such as "float32x3".
pub(crate) fn vertex_format(name: &str) -> Option<VertexFormat> {
    Some(match name {
        "unorm8" => VertexFormat::Unorm8,
        "unorm8x2" => VertexFormat::Unorm8x2,
        "unorm8x4" => VertexFormat::Unorm8x4,
        "unorm16" => VertexFormat::Unorm16,
        "unorm16x2" => VertexFormat::Unorm16x2,
        "unorm16x4" => VertexFormat::Unorm16x4,
        "snorm8" => VertexFormat::Snorm8,
        "snorm8x2" => VertexFormat::Snorm8x2,
        "snorm8x4" => VertexFormat::Snorm8x4,
        "snorm16" => VertexFormat::Snorm16,
        "snorm16x2" => VertexFormat::Snorm16x2,
        "snorm16x4" => VertexFormat::Snorm16x4,
        "uint8" => VertexFormat::Uint8,
        "uint8x2" => VertexFormat::Uint8x2,
        "uint8x4" => VertexFormat::Uint8x4,
        "uint16" => VertexFormat::Uint16,
        "uint16x2" => VertexFormat::Uint16x2,
        "uint16x4" => VertexFormat::Uint16x4,
        "sint8" => VertexFormat::Sint8,
        "sint8x2" => VertexFormat::Sint8x2,
        "sint8x4" => VertexFormat::Sint8x4,
        "sint16" => VertexFormat::Sint16,
        "sint16x2" => VertexFormat::Sint16x2,
        "sint16x4" => VertexFormat::Sint16x4,
        "float16" => VertexFormat::Float16,
        "float16x2" => VertexFormat::Float16x2,
        "float16x4" => VertexFormat::Float16x4,
        "float32" => VertexFormat::Float32,
        "float32x2" => VertexFormat::Float32x2,
        "float32x3" => VertexFormat::Float32x3,
        "float32x4" => VertexFormat::Float32x4,
        "uint32" => VertexFormat::Uint32,
        "uint32x2" => VertexFormat::Uint32x2,
        "uint32x3" => VertexFormat::Uint32x3,
        "uint32x4" => VertexFormat::Uint32x4,
        "sint32" => VertexFormat::Sint32,
        "sint32x2" => VertexFormat::Sint32x2,
        "sint32x3" => VertexFormat::Sint32x3,
        "sint32x4" => VertexFormat::Sint32x4,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_wgpu() {
        let astc = ["astc-4x4-unorm", "astc-12x10-unorm-srgb", "astc-10x5-unorm"];
        let others = [
            "rgba8unorm-srgb",
            "r8unorm",
            "bc1-rgba-unorm",
            "bc7-rgba-unorm-srgb",
            "bc6h-rgb-float",
            "bc4-r-snorm",
            "etc2-rgb8a1unorm-srgb",
            "eac-rg11snorm",
            "rgba32float",
            "rg8unorm",
            "r32float",
        ];
        for name in astc.into_iter().chain(others) {
            let format = named(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(serde_json::to_value(format).unwrap(), name);
        }
        assert_eq!(named("rgb8unorm"), None);
        for name in ["unorm8x4", "uint16x4", "float32x3", "float16x2", "snorm16", "uint32"] {
            let format = vertex_format(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(serde_json::to_value(format).unwrap(), name);
        }
    }
}
