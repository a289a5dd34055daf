//! Materials and the images of their textures → base colours, sub-assets `image/N`, dependencies.
//!
//! Images inside the file become sub-assets. Images beside it are assets with their own settings, and the model depends
//! on them if they are a base colour. For images inside the file, the defaults of the settings come from the model: the
//! sampler, and linear numbers for normals, roughness and occlusion.

use gltf::json::material::{AlphaMode, Material as GltfMaterial};
use gltf::json::texture::{MagFilter, Texture, WrappingMode};
use gltf::json::validation::Checked;
use gltf::json::{Root, Value};
use rres_format::chunk::model::Material;
use rres_format::index::{ColorSpace, Filter, Wrap};

use super::super::image::{decoded_size, import_image};
use super::super::{ImportError, ImportedResource};
use super::Skipped;
use super::buffers::Buffers;
use super::demand::MAX_PIXELS;
use super::document::{item, unreadable};
use super::uri::{self, Uri};
use crate::byte_size::ByteSize;
use crate::model::Dependency;
use crate::settings::{ImageFrames, ImagePadding, ImageSettings};

/// The materials of a document.
#[derive(Default)]
pub(super) struct Materials<'r> {
    pub(super) materials: Vec<Material<'r>>,
    /// The dependencies that materials refer to by number.
    pub(super) dependencies: Vec<Dependency>,
    /// The images inside the file.
    pub(super) images: Vec<ImportedResource>,
}

/// What an image is used for.
#[derive(Clone, Copy, Default)]
struct Use<'r> {
    /// The first texture that uses it.
    texture: Option<&'r Texture>,
    is_base_color: bool,
    is_color: bool,
    is_data: bool,
    is_normal: bool,
}

impl<'r> Materials<'r> {
    /// Reads every material, and every image that a texture uses.
    pub(super) fn read(
        root: &'r Root,
        buffers: &mut Buffers<'_, '_, '_>,
        skipped: &mut Skipped,
    ) -> Result<Self, ImportError> {
        let mut read = Self::default();
        let uses = uses(root)?;
        check_pixels(root, buffers, &uses)?;
        let mut numbers = vec![None; uses.len()];
        for (index, used) in uses.iter().enumerate() {
            let Some(texture) = used.texture else {
                skipped.unused_images += 1;
                continue;
            };
            let what = format!("image {index}");
            let dependency = read.image(root, buffers, (index, used, texture)).map_err(|e| e.within(&what))?;
            if used.is_base_color {
                let known = read.dependencies.iter().position(|other| *other == dependency);
                numbers[index] = Some(known.unwrap_or(read.dependencies.len()) as u32);
                if known.is_none() {
                    read.dependencies.push(dependency);
                }
            }
        }
        for material in &root.materials {
            let image = base_color(root, material)?;
            read.materials.push(Material {
                name: material.name.as_deref().unwrap_or_default(),
                base_color: material.pbr_metallic_roughness.base_color_factor.0,
                base_color_image: image.and_then(|image| numbers[image]),
            });
        }
        Ok(read)
    }

    /// Imports an image inside the file, or returns the path of one beside it.
    fn image(
        &mut self,
        root: &Root,
        buffers: &mut Buffers<'_, '_, '_>,
        (index, used, texture): (usize, &Use<'_>, &Texture),
    ) -> Result<Dependency, ImportError> {
        let image = &root.images[index];
        let settings = settings(&buffers.source().settings.image, root, used, texture);
        let path = buffers.source().path;
        let name = format!("image/{index}");
        let part = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match uri::read(uri, "it")? {
                Uri::Data(bytes) => import_image(&bytes, path, "", &settings)?,
                Uri::File(relative) => {
                    // Only its path: whether it is an asset is not known here.
                    buffers.source().input_path(&relative)?;
                    return Ok(Dependency::Asset(relative));
                }
            },
            (None, Some(view)) => import_image(buffers.view(view.value())?.bytes(), path, "", &settings)?,
            (None, None) => {
                return Err(ImportError::new("has neither a URI nor a buffer view").with_damage_help("export it again"));
            }
        };
        self.images.push(ImportedResource { name: name.clone(), ..part });
        Ok(Dependency::SubAsset(name))
    }
}

/// Refuses images that take too much together, by their heads. What cannot be read is reported by the import.
fn check_pixels(root: &Root, buffers: &mut Buffers<'_, '_, '_>, uses: &[Use<'_>]) -> Result<(), ImportError> {
    let mut total = 0u64;
    for (image, _) in root.images.iter().zip(uses).filter(|(_, used)| used.texture.is_some()) {
        let pixels = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match uri::read(uri, "it") {
                Ok(Uri::Data(bytes)) => decoded_size(&bytes),
                _ => None,
            },
            (None, Some(view)) => buffers.view(view.value()).ok().and_then(|view| decoded_size(view.bytes())),
            (None, None) => None,
        };
        total = total.saturating_add(pixels.unwrap_or_default());
    }
    if total <= MAX_PIXELS {
        return Ok(());
    }
    let message = format!("has images of {} in all, more than {}", ByteSize(total), ByteSize(MAX_PIXELS));
    Err(ImportError::new(message).with_help("split the model, or save its images beside it"))
}

/// The properties of materials that are not stored, if any material has them.
pub(super) fn skipped(root: &Root) -> Vec<&str> {
    let has = |property: fn(&GltfMaterial) -> bool| root.materials.iter().any(property);
    let is_metallic = |material: &GltfMaterial| {
        let pbr = &material.pbr_metallic_roughness;
        pbr.metallic_roughness_texture.is_some() || pbr.metallic_factor.0 != 1.0 || pbr.roughness_factor.0 != 1.0
    };
    let is_emissive =
        |material: &GltfMaterial| material.emissive_texture.is_some() || material.emissive_factor.0 != [0.0; 3];
    let properties = [
        ("doubleSided", has(|material| material.double_sided)),
        ("alphaMode", has(|material| material.alpha_mode != Checked::Valid(AlphaMode::Opaque))),
        ("metallic and roughness", has(is_metallic)),
        ("normal maps", has(|material| material.normal_texture.is_some())),
        ("occlusion maps", has(|material| material.occlusion_texture.is_some())),
        ("emission", has(is_emissive)),
    ];
    let of_extensions = root.extensions_used.iter().map(String::as_str);
    let of_extensions = of_extensions.filter(|name| name.starts_with("KHR_materials_"));
    properties.into_iter().filter_map(|(name, occurs)| occurs.then_some(name)).chain(of_extensions).collect()
}

/// What each image is used for.
fn uses(root: &Root) -> Result<Vec<Use<'_>>, ImportError> {
    let mut uses = vec![Use::default(); root.images.len()];
    for texture in &root.textures {
        if let Some(used) = source(texture).and_then(|image| uses.get_mut(image)) {
            used.texture.get_or_insert(texture);
        }
    }
    for material in &root.materials {
        if let Some(image) = base_color(root, material)? {
            uses[image].is_base_color = true;
        }
        let image =
            |texture: usize| root.textures.get(texture).and_then(source).filter(|image| *image < root.images.len());
        let pbr = &material.pbr_metallic_roughness;
        let colors = [&pbr.base_color_texture, &material.emissive_texture];
        for image in colors.into_iter().flatten().filter_map(|info| image(info.index.value())) {
            uses[image].is_color = true;
        }
        let data = [
            pbr.metallic_roughness_texture.as_ref().map(|info| info.index),
            material.normal_texture.as_ref().map(|info| info.index),
            material.occlusion_texture.as_ref().map(|info| info.index),
        ];
        for image in data.into_iter().flatten().filter_map(|texture| image(texture.value())) {
            uses[image].is_data = true;
        }
        let normals = material.normal_texture.as_ref().and_then(|info| image(info.index.value()));
        if let Some(image) = normals {
            uses[image].is_normal = true;
        }
    }
    Ok(uses)
}

/// The image that a material's base colour is multiplied with.
fn base_color(root: &Root, material: &GltfMaterial) -> Result<Option<usize>, ImportError> {
    let Some(info) = &material.pbr_metallic_roughness.base_color_texture else { return Ok(None) };
    let number = info.index.value();
    let texture = item(&root.textures, "texture", number)?;
    let Some(image) = source(texture) else {
        let extension = texture.extensions.as_ref().and_then(|all| all.others.keys().next());
        return Err(extension.map_or_else(
            || ImportError::new(format!("texture {number} has no image")).with_damage_help("export it again"),
            |name| unreadable(name),
        ));
    };
    item(&root.images, "image", image)?;
    Ok(Some(image))
}

/// The index of a texture's image. It may be left out if an extension has one; those for DDS and WebP are supported.
fn source(texture: &Texture) -> Option<usize> {
    let index = texture.source.value();
    if index != u32::MAX as usize {
        return Some(index);
    }
    let extensions = &texture.extensions.as_ref()?.others;
    let other = ["MSFT_texture_dds", "EXT_texture_webp"].iter().find_map(|name| extensions.get(*name))?;
    other.get("source").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok())
}

/// The settings of an image inside a model. Values that no rule sets come from the sampler and the use of the image.
fn settings(given: &ImageSettings, root: &Root, used: &Use<'_>, texture: &Texture) -> ImageSettings {
    let mut settings = given.clone();
    let sampler = texture.sampler.and_then(|sampler| root.samplers.get(sampler.value()));
    settings.filter.get_or_insert_with(|| match sampler.and_then(|sampler| sampler.mag_filter) {
        Some(Checked::Valid(MagFilter::Nearest)) => Filter::Nearest,
        _ => Filter::Linear,
    });
    // rres has one value for both directions, so the first one is used.
    settings.wrap.get_or_insert_with(|| match sampler.map(|sampler| sampler.wrap_s) {
        Some(Checked::Valid(WrappingMode::ClampToEdge)) => Wrap::Clamp,
        Some(Checked::Valid(WrappingMode::MirroredRepeat)) => Wrap::Mirror,
        _ => Wrap::Repeat,
    });
    if used.is_data && !used.is_color {
        settings.color_space.get_or_insert(ColorSpace::Linear);
    }
    if used.is_normal && settings.color_space == Some(ColorSpace::Linear) {
        settings.normal_map.get_or_insert(true);
    }
    // The texture coordinates of a model cover the whole image.
    settings.pad = ImagePadding::None;
    settings.atlas = None;
    (settings.frames, settings.grid, settings.sheet) = (ImageFrames::First, None, false);
    settings
}
