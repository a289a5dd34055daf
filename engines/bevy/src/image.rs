//! Images → Bevy's images.

use std::borrow::Cow;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

use bevy_asset::io::VecReader;
use bevy_asset::{AssetLoader, LoadContext, RenderAssetUsages};
use bevy_image::{
    CompressedImageFormats, Image, ImageAddressMode, ImageArrayLayout, ImageFilterMode, ImageFormatSetting,
    ImageLoader, ImageLoaderSettings, ImageSampler, ImageSamplerDescriptor,
};
use rres_runtime::Store;
use rres_runtime::asset::{ColorSpace, Filter, ImageShape, PixelFormat, Wrap};
use serde::Deserialize;
use serde::de::value::{Error as NoSuchName, StrDeserializer};
use wgpu_types::{
    Extent3d, TextureDataOrder, TextureDimension, TextureFormat, TextureUsages, TextureViewDescriptor,
    TextureViewDimension,
};

use crate::convert::FromStore;
use crate::device::Device;
use crate::error::LoadError;

impl FromStore for Image {
    type Stored = rres_runtime::Image;
    /// Bevy's own, so that code which loads files with settings stays as it is.
    type Settings = ImageLoaderSettings;
    type Error = LoadError;

    fn from_store(
        image: &rres_runtime::Image,
        settings: &ImageLoaderSettings,
        _: &Store,
        context: &mut LoadContext<'_>,
    ) -> Result<Self, LoadError> {
        Images::default().make(image, settings, context)
    }
}

/// What an app does with images.
#[derive(Debug, Default)]
pub(crate) struct Images {
    pub(crate) device: Device,
    /// For images that do not say how they are sampled, or only half of it.
    pub(crate) sampler: ImageSamplerDescriptor,
}

impl Images {
    pub(crate) fn make(
        &self,
        image: &rres_runtime::Image,
        settings: &ImageLoaderSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<Image, LoadError> {
        warn_if_premultiplied(image, context);
        let mut made = convert(image, settings.asset_usage)?;
        made.sampler = sampler(image, &self.sampler);
        let made = apply(settings, made)?;
        self.device.check(&made)?;
        Ok(made)
    }
}

/// Has Bevy's own loader make an image of a file.
pub(crate) fn image_of_file(
    file: Vec<u8>,
    settings: &ImageLoaderSettings,
    formats: CompressedImageFormats,
    context: &mut LoadContext<'_>,
) -> Result<Image, LoadError> {
    let (loader, mut reader, mut settings) = (ImageLoader::new(formats), VecReader::new(file), settings.clone());
    // The loader would panic.
    if context.path().path().extension().is_none() && matches!(settings.format, ImageFormatSetting::FromExtension) {
        settings.format = ImageFormatSetting::Guess;
    }
    let load = pin!(loader.load(&mut reader, &settings, context));
    match load.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(image) => image.map_err(LoadError::File),
        Poll::Pending => unreachable!("the file is in memory"),
    }
}

/// Warns once: sprites and the user interface of Bevy have no blending for such images, and draw them without an error.
fn warn_if_premultiplied(image: &rres_runtime::Image, context: &LoadContext<'_>) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    let is_affected = image.is_premultiplied() && image.format().has_alpha();
    if is_affected && !WARNED.swap(true, Ordering::Relaxed) {
        tracing::warn!(
            "{}: its colours are multiplied by alpha, and translucent pixels are too dark in Bevy's sprites and user interface, which \
             multiply them again; remove `image.premultiply` from its rule, or use it in materials with `AlphaMode::Premultiplied` only \
             (logged for the first such image)",
            context.path().path().display()
        );
    }
}

/// Makes Bevy's image of ours: all mip levels, with the colour space of the asset.
fn convert(image: &rres_runtime::Image, asset_usage: RenderAssetUsages) -> Result<Image, LoadError> {
    let (format, data) = pixels(image).ok_or_else(|| LoadError::Format(image.format()))?;
    let shape = image.shape();
    let layers = shape.layers();
    let size = Extent3d { width: image.width(), height: image.height() / layers, depth_or_array_layers: layers };
    let dimension = if let ImageShape::Volume(_) = shape { TextureDimension::D3 } else { TextureDimension::D2 };
    let mut made = Image::new_uninit(size, dimension, format, asset_usage);
    made.data = Some(data.into_owned());
    made.texture_descriptor.mip_level_count = image.mipmaps();
    if image.mipmaps() > 1 {
        // When such an image changes, Bevy would write the first level alone into its texture. Without this, it makes a new texture.
        made.texture_descriptor.usage -= TextureUsages::COPY_DST;
    }
    if layers > 1 {
        made.data_order = TextureDataOrder::MipMajor; // each level is all of its faces or layers
    }
    let view = match shape {
        ImageShape::Cube => Some(TextureViewDimension::Cube),
        ImageShape::Array(_) => Some(TextureViewDimension::D2Array),
        _ => None,
    };
    if let Some(dimension) = view {
        let dimension = Some(dimension);
        made.texture_view_descriptor = Some(TextureViewDescriptor { dimension, ..Default::default() });
    }
    Ok(made)
}

/// The format and the pixels of all levels. Grey ones become RGBA, as in Bevy's own loader: its materials read roughness from green and metallic
/// from blue. Shaders of programs read cubemaps, arrays and volumes, which stay as they are.
fn pixels(image: &rres_runtime::Image) -> Option<(TextureFormat, Cow<'_, [u8]>)> {
    let is_read_by_bevy = image.shape() == ImageShape::Flat && image.color_space() == ColorSpace::Linear;
    match image.format() {
        PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8 if is_read_by_bevy => {
            let levels = (0..image.mipmaps()).map(|level| image.level_to_rgba8(level)).collect::<Option<Vec<_>>>()?;
            Some((TextureFormat::Rgba8Unorm, levels.concat().into()))
        }
        PixelFormat::R32F if is_read_by_bevy => {
            let (grey, _) = image.data().as_chunks::<4>();
            let one = 1f32.to_le_bytes();
            let pixels: Vec<u8> = grey.iter().flat_map(|grey| [*grey, *grey, *grey, one]).flatten().collect();
            Some((TextureFormat::Rgba32Float, pixels.into()))
        }
        _ => {
            let (name, data) = image.to_wgpu()?;
            Some((named(name)?, data))
        }
    }
}

/// Applies what a program asks for. Bevy's defaults ask for nothing: the asset says what it is. A pack has no use for the format of a file.
fn apply(settings: &ImageLoaderSettings, mut image: Image) -> Result<Image, LoadError> {
    let format = &mut image.texture_descriptor.format;
    if !settings.is_srgb {
        *format = format.remove_srgb_suffix();
    }
    *format = settings.texture_format.unwrap_or(*format);
    if !matches!(settings.sampler, ImageSampler::Default) {
        image.sampler = settings.sampler.clone();
    }
    match settings.array_layout {
        None => Ok(image),
        Some(_) if image.texture_descriptor.mip_level_count > 1 => Err(LoadError::LayersOfLevels),
        Some(layout) => layers(image, layout),
    }
}

/// Cuts an image into the layers of an array, as Bevy's loader does.
fn layers(mut image: Image, layout: ImageArrayLayout) -> Result<Image, LoadError> {
    let parts = |edge: u32, of_part: u32| edge.checked_div(of_part).unwrap_or(0);
    let grid = match layout {
        ImageArrayLayout::RowCount { rows } => (rows, 1),
        ImageArrayLayout::RowHeight { pixels } => (parts(image.height(), pixels), 1),
        ImageArrayLayout::GridCount { columns, rows } => (rows, columns),
        ImageArrayLayout::GridSize { tile_width_pixels, tile_height_pixels } => {
            (parts(image.height(), tile_height_pixels), parts(image.width(), tile_width_pixels))
        }
    };
    match grid {
        (rows, 1) => image.reinterpret_stacked_2d_as_array(rows).map(|()| image),
        (rows, columns) => image.create_stacked_array_from_2d_grid(rows, columns),
    }
    .map_err(LoadError::Layers)
}

/// Returns the format with this name in the standard of WebGPU.
fn named(name: &str) -> Option<TextureFormat> {
    TextureFormat::deserialize(StrDeserializer::<NoSuchName>::new(name)).ok()
}

/// Returns the sampler of an image in an app with a default sampler. A pack does not tell a rule that asks for the defaults of rres from one that asks
/// for nothing, so each half that has them is the app's.
fn sampler(image: &rres_runtime::Image, default: &ImageSamplerDescriptor) -> ImageSampler {
    let (filter, wrap) = (image.filter(), image.wrap());
    if (filter, wrap) == (Filter::default(), Wrap::default()) {
        return ImageSampler::Default;
    }
    let mut sampler = default.clone();
    if filter != Filter::default() {
        let mode = match filter {
            Filter::Nearest => ImageFilterMode::Nearest,
            Filter::Linear => ImageFilterMode::Linear,
        };
        (sampler.mag_filter, sampler.min_filter, sampler.mipmap_filter) = (mode, mode, mode);
        // Only linear filters have more.
        sampler.anisotropy_clamp = 1;
    }
    if wrap != Wrap::default() {
        let mode = match wrap {
            Wrap::Repeat => ImageAddressMode::Repeat,
            Wrap::Clamp => ImageAddressMode::ClampToEdge,
            Wrap::Mirror => ImageAddressMode::MirrorRepeat,
        };
        (sampler.address_mode_u, sampler.address_mode_v, sampler.address_mode_w) = (mode, mode, mode);
    }
    ImageSampler::Descriptor(sampler)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_wgpu() {
        assert_eq!(named("rgba8unorm-srgb"), Some(TextureFormat::Rgba8UnormSrgb));
        assert_eq!(named("bc7-rgba-unorm"), Some(TextureFormat::Bc7RgbaUnorm));
        let astc =
            TextureFormat::Astc { block: wgpu_types::AstcBlock::B6x6, channel: wgpu_types::AstcChannel::UnormSrgb };
        assert_eq!(named("astc-6x6-unorm-srgb"), Some(astc));
        assert_eq!(named("rgb8unorm"), None);
    }
}
