//! Images → textures, and the samplers that they ask for.

use std::fmt;

use rres_runtime::Image;
use rres_runtime::asset::{Filter, PixelFormat, Wrap};
use wgpu::util::{DeviceExt, TextureDataOrder};
use wgpu::{
    AddressMode, Device, Extent3d, Features, FilterMode, MipmapFilterMode, Queue, Sampler, Texture, TextureFormat,
};

use crate::format::named;

/// Makes a texture with all mip levels of an image, for shaders to sample.
///
/// An image in sRGB gets a format in sRGB, so shaders see linear colours. Pixels in a format that WebGPU lacks, such as RGB, become RGBA of 8
/// bits, level by level; the rule `format = "gpu"` spares that.
///
/// # Errors
/// If the device lacks the feature for the blocks of the image, or the image is too large for it.
pub fn texture(device: &Device, queue: &Queue, image: &Image) -> Result<Texture, TextureError> {
    let upload = image.to_wgpu().and_then(|(name, data)| Some((named(name)?, data)));
    let (format, data) = upload.ok_or_else(|| TextureError::Format(image.format()))?;
    check(device, image, format)?;
    let descriptor = wgpu::TextureDescriptor {
        label: None,
        size: Extent3d { width: image.width(), height: image.height(), depth_or_array_layers: 1 },
        mip_level_count: image.mipmaps(),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    };
    Ok(device.create_texture_with_data(queue, &descriptor, TextureDataOrder::LayerMajor, &data))
}

fn check(device: &Device, image: &Image, format: TextureFormat) -> Result<(), TextureError> {
    let missing = format.required_features() - device.features();
    if !missing.is_empty() {
        return Err(TextureError::Feature { format, missing });
    }
    let (width, height, limit) = (image.width(), image.height(), device.limits().max_texture_dimension_2d);
    if width.max(height) > limit {
        return Err(TextureError::Size { width, height, limit });
    }
    let block = format.block_dimensions();
    if !width.is_multiple_of(block.0) || !height.is_multiple_of(block.1) {
        return Err(TextureError::Blocks { width, height, block });
    }
    Ok(())
}

/// Makes the sampler that an image asks for, with its filter and its wrap in both directions. Textures can share samplers: of images alike in
/// both, one is enough.
pub fn sampler(device: &Device, image: &Image) -> Sampler {
    let (filter, mipmap_filter) = match image.filter() {
        Filter::Nearest => (FilterMode::Nearest, MipmapFilterMode::Nearest),
        Filter::Linear => (FilterMode::Linear, MipmapFilterMode::Linear),
    };
    let address_mode = match image.wrap() {
        Wrap::Repeat => AddressMode::Repeat,
        Wrap::Clamp => AddressMode::ClampToEdge,
        Wrap::Mirror => AddressMode::MirrorRepeat,
    };
    device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: address_mode,
        address_mode_v: address_mode,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter,
        ..Default::default()
    })
}

/// Why no texture can be made of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextureError {
    /// The device was created without features that the format needs.
    Feature {
        /// The format of the image.
        format: TextureFormat,
        /// What to ask for in `DeviceDescriptor::required_features`.
        missing: Features,
    },
    /// The image is larger than the device allows.
    Size {
        /// The width of the image.
        width: u32,
        /// The height of the image.
        height: u32,
        /// `Limits::max_texture_dimension_2d` of the device.
        limit: u32,
    },
    /// The image consists of blocks, and its size is no multiple of theirs.
    Blocks {
        /// The width of the image.
        width: u32,
        /// The height of the image.
        height: u32,
        /// The width and height of a block.
        block: (u32, u32),
    },
    /// WebGPU has no such format, and the pixels cannot be turned into RGBA.
    Format(PixelFormat),
}

impl fmt::Display for TextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Feature { format, missing } => {
                write!(
                    f,
                    "the format {format:?} needs {missing:?}; create the device with that, or set another format in the asset's rule"
                )
            }
            Self::Size { width, height, limit } => {
                write!(
                    f,
                    "the image has {width} × {height} pixels, and the device allows {limit} × {limit}; set image.scale in the asset's rule"
                )
            }
            Self::Blocks { width, height, block: (columns, rows) } => write!(
                f,
                "the image has {width} × {height} pixels, and WebGPU wants multiples of the blocks of {columns} × {rows}; set image.pad = \"block\" or another format in the asset's rule"
            ),
            Self::Format(format) => {
                write!(f, "WebGPU has no format for {format:?}; set format = \"gpu\" in the asset's rule")
            }
        }
    }
}

impl std::error::Error for TextureError {}
