//! Images → Bevy's images.

use std::sync::atomic::{AtomicBool, Ordering};

use bevy_asset::{LoadContext, RenderAssetUsages};
use bevy_image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use rres_runtime::Store;
use rres_runtime::asset::{Filter, Wrap};
use serde::de::value::{Error as NoSuchName, StrDeserializer};
use serde::{Deserialize, Serialize};
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

use crate::convert::FromStore;
use crate::error::LoadError;

/// How an image is loaded: for `AssetServer::load_with_settings`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageSettings {
    /// Where the pixels stay after they went to the graphics card. By default, in both places, as Bevy's images.
    pub asset_usage: RenderAssetUsages,
}

impl FromStore for Image {
    type Stored = rres_runtime::Image;
    type Settings = ImageSettings;
    type Error = LoadError;

    fn from_store(
        image: &rres_runtime::Image,
        settings: &ImageSettings,
        _: &Store,
        context: &mut LoadContext<'_>,
    ) -> Result<Self, LoadError> {
        warn_if_premultiplied(image, context);
        convert(image, settings.asset_usage)
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

/// Makes Bevy's image of ours: all mip levels, with the filter, the wrap and the colour space of the asset.
fn convert(image: &rres_runtime::Image, asset_usage: RenderAssetUsages) -> Result<Image, LoadError> {
    let upload = image.to_wgpu().and_then(|(name, data)| Some((named(name)?, data)));
    let (format, data) = upload.ok_or_else(|| LoadError::Format(image.format()))?;
    let size = Extent3d { width: image.width(), height: image.height(), depth_or_array_layers: 1 };
    let mut made = Image::new_uninit(size, TextureDimension::D2, format, asset_usage);
    made.data = Some(data.into_owned());
    made.texture_descriptor.mip_level_count = image.mipmaps();
    made.sampler = sampler(image);
    Ok(made)
}

/// Returns the format with this name in the standard of WebGPU.
fn named(name: &str) -> Option<TextureFormat> {
    TextureFormat::deserialize(StrDeserializer::<NoSuchName>::new(name)).ok()
}

fn sampler(image: &rres_runtime::Image) -> ImageSampler {
    let filter = match image.filter() {
        Filter::Nearest => ImageFilterMode::Nearest,
        Filter::Linear => ImageFilterMode::Linear,
    };
    let address_mode = match image.wrap() {
        Wrap::Repeat => ImageAddressMode::Repeat,
        Wrap::Clamp => ImageAddressMode::ClampToEdge,
        Wrap::Mirror => ImageAddressMode::MirrorRepeat,
    };
    ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: address_mode,
        address_mode_v: address_mode,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: filter,
        ..Default::default()
    })
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
