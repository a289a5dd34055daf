//! Images → textures, and the samplers that they ask for.

use std::fmt;

use rres_runtime::Image;
use rres_runtime::asset::{Filter, ImageShape, PixelFormat, Wrap};
use wgpu::util::{DeviceExt, TextureDataOrder};
use wgpu::{
    AddressMode, Device, Extent3d, Features, FilterMode, MipmapFilterMode, Queue, Sampler, Texture, TextureFormat,
};

use crate::format::named;

/// Makes a texture with all mip levels of an image, for shaders to sample.
///
/// A cubemap and a texture array get a layer for each picture, and a 3D texture its slices. A view of a cubemap needs
/// `TextureViewDimension::Cube`; that of an array is one by itself.
///
/// An image in sRGB gets a format in sRGB, so shaders see linear colours. Pixels in a format that WebGPU lacks, such as RGB, become RGBA of 8
/// bits, level by level; the rule `format = "gpu"` spares that.
///
/// # Errors
/// If the device lacks the feature for the blocks of the image, or for a linear filter of floats of 32 bits, or the image is too large for it.
pub fn texture(device: &Device, queue: &Queue, image: &Image) -> Result<Texture, TextureError> {
    let upload = image.to_wgpu().and_then(|(name, data)| Some((named(name)?, data)));
    let (format, data) = upload.ok_or_else(|| TextureError::Format(image.format()))?;
    check(device, image, format)?;
    let descriptor = wgpu::TextureDescriptor {
        label: None,
        size: Extent3d {
            width: image.width(),
            height: image.height() / image.shape().layers(),
            depth_or_array_layers: image.shape().layers(),
        },
        mip_level_count: image.mipmaps(),
        sample_count: 1,
        dimension: match image.shape() {
            ImageShape::Volume(_) => wgpu::TextureDimension::D3,
            _ => wgpu::TextureDimension::D2,
        },
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    };
    Ok(device.create_texture_with_data(queue, &descriptor, TextureDataOrder::MipMajor, &data))
}

fn check(device: &Device, image: &Image, format: TextureFormat) -> Result<(), TextureError> {
    let mut wanted = format.required_features();
    if let ImageShape::Volume(_) = image.shape() {
        if wanted.contains(Features::TEXTURE_COMPRESSION_ETC2) {
            return Err(TextureError::Format(image.format()));
        }
        if wanted.contains(Features::TEXTURE_COMPRESSION_BC) {
            wanted |= Features::TEXTURE_COMPRESSION_BC_SLICED_3D;
        }
        if wanted.contains(Features::TEXTURE_COMPRESSION_ASTC) {
            wanted |= Features::TEXTURE_COMPRESSION_ASTC_SLICED_3D;
        }
    }
    // The sampler that the image asks for blends pixels, and not every device can do so with these.
    if image.filter() == Filter::Linear && matches!(format, TextureFormat::R32Float | TextureFormat::Rgba32Float) {
        wanted |= Features::FLOAT32_FILTERABLE;
    }
    let missing = wanted - device.features();
    if !missing.is_empty() {
        return Err(TextureError::Feature { format, missing });
    }
    let (layers, limits) = (image.shape().layers(), device.limits());
    let (width, height) = (image.width(), image.height() / layers);
    let (limit, most) = match image.shape() {
        ImageShape::Volume(_) => (limits.max_texture_dimension_3d, limits.max_texture_dimension_3d),
        _ => (limits.max_texture_dimension_2d, limits.max_texture_array_layers),
    };
    if width.max(height) > limit {
        return Err(TextureError::Size { width, height, limit });
    }
    if layers > most {
        return Err(TextureError::Layers { layers, limit: most });
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
        address_mode_w: address_mode,
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
    /// The device was created without features that the format needs, or its filter.
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
    /// The image has more layers or slices than the device allows.
    Layers {
        /// The layers or slices of the image.
        layers: u32,
        /// `Limits::max_texture_array_layers` of the device, or `max_texture_dimension_3d` for slices.
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
    /// WebGPU has no such format, or has it for 3D textures of no device, and the pixels cannot be turned into RGBA.
    Format(PixelFormat),
}

impl fmt::Display for TextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Feature { format, missing } if *missing == Features::FLOAT32_FILTERABLE => write!(
                f,
                "a linear filter of {format:?} needs FLOAT32_FILTERABLE; create the device with that, or set image.filter = \"nearest\" in \
                 the asset's rule"
            ),
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
            Self::Layers { layers, limit } => {
                write!(f, "the image has {layers} layers, and the device allows {limit}; split the sheet")
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
