//! Materials and the images of their textures → base colours, textures, sub-assets `image/N`, dependencies.
//!
//! Images inside the file become sub-assets. Images beside it are assets with their own settings. The model depends on
//! those that a material uses, and says which hold normals, roughness and other quantities. For images inside the file,
//! the defaults of the settings come from the model: the sampler, and linear numbers for quantities.

use std::collections::HashMap;

use gltf::json::texture::{MagFilter, MinFilter, Sampler, Texture, WrappingMode};
use gltf::json::validation::Checked;
use gltf::json::{Root, Value};
use rres_format::chunk::model::Material;
use rres_format::chunk::scene::{FactorRecord, TextureRecord, TextureSlot};
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_import::{Asset, Dependency, ImportError, PictureFile};
use rres_settings::{ByteSize, ColorProfile, ImageFrames, ImagePadding, ImageSettings};

use super::Skipped;
use super::appearance::{Appearance, TextureUse, is_color, is_normal};
use super::buffers::Buffers;
use super::demand::MAX_PIXELS;
use super::document::{item, unreadable};
use super::uri::{self, Uri};

/// The materials of a document.
#[derive(Default)]
pub(super) struct Materials<'r> {
    pub(super) materials: Vec<Material<'r>>,
    /// Their numbers and colours besides the base colour.
    pub(super) factors: Vec<FactorRecord>,
    /// Their textures, with the base colour.
    pub(super) textures: Vec<TextureRecord>,
    /// The dependencies that materials refer to by number.
    pub(super) dependencies: Vec<Dependency>,
    /// The images inside the file.
    pub(super) images: Vec<Asset>,
}

/// What an image is used for.
#[derive(Clone, Copy, Default)]
struct Use<'r> {
    /// The first texture that uses it.
    texture: Option<&'r Texture>,
    is_of_material: bool,
    is_color: bool,
    is_data: bool,
    is_normal: bool,
}

impl<'r> Materials<'r> {
    /// Reads every material, and every image that a texture uses.
    pub(super) fn read(
        root: &'r Root,
        materials: &[Value],
        buffers: &mut Buffers<'_, '_, '_>,
        skipped: &mut Skipped,
    ) -> Result<Self, ImportError> {
        let Appearance { factors, mut textures } = Appearance::read(materials)?;
        // glTF allows textures that say nothing of an image.
        let is_blank = |number: usize| {
            root.textures.get(number).is_some_and(|texture| source(texture).is_none() && texture.extensions.is_none())
        };
        skipped.blank_textures = (0..root.textures.len()).filter(|number| is_blank(*number)).count();
        textures.retain(|used| !is_blank(used.texture));
        let mut read = Self { factors, ..Self::default() };
        let uses = uses(root, &textures)?;
        check_pixels(root, buffers, &uses)?;
        let mut numbers = vec![None; uses.len()];
        let mut known: HashMap<Dependency, u32> = HashMap::new();
        for (index, used) in uses.iter().enumerate() {
            let Some(texture) = used.texture else {
                skipped.unused_images += 1;
                continue;
            };
            let what = format!("image {index}");
            let dependency = read.image(root, buffers, (index, used, texture)).map_err(|e| e.within(&what))?;
            if used.is_of_material {
                // Several images of a document may be one file.
                let file = match &dependency {
                    Dependency::Quantities(path) => Dependency::Asset(path.clone()),
                    other => other.clone(),
                };
                let number = *known.entry(file).or_insert(read.dependencies.len() as u32);
                match read.dependencies.get_mut(number as usize) {
                    None => read.dependencies.push(dependency),
                    Some(earlier @ Dependency::Quantities(_)) => *earlier = dependency,
                    Some(_) => {}
                }
                numbers[index] = Some(number);
            }
        }
        for TextureUse { texture, record } in textures {
            let image = numbers[image_of(root, texture)?].unwrap_or(record.image);
            let sampler = root.textures[texture].sampler.and_then(|sampler| root.samplers.get(sampler.value()));
            let sampler = sampler.map_or(record.sampler, sampler_numbers);
            read.textures.push(TextureRecord { image, sampler, ..record });
        }
        let colors = read.textures.iter().filter(|texture| texture.slot == TextureSlot::BASE_COLOR);
        let colors: HashMap<u32, u32> = colors.map(|texture| (texture.material, texture.image)).collect();
        for (number, material) in (0..).zip(&root.materials) {
            read.materials.push(Material {
                name: material.name.as_deref().unwrap_or_default(),
                base_color: material.pbr_metallic_roughness.base_color_factor.0,
                base_color_image: colors.get(&number).copied(),
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
        let (path, encoders) = (buffers.source().path, buffers.source().encoders);
        let encode = |bytes: &[u8]| encoders.images()?.of_file(PictureFile { bytes, path, extension: "" }, &settings);
        let name = format!("image/{index}");
        let part = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match uri::read(uri, "it")? {
                Uri::Data(bytes) => encode(&bytes)?,
                Uri::File(relative) => {
                    // Only its path: whether it is an asset is not known here.
                    buffers.source().input_path(&relative)?;
                    return Ok(match used.is_data && !used.is_color {
                        true => Dependency::Quantities(relative),
                        false => Dependency::Asset(relative),
                    });
                }
            },
            (None, Some(view)) => encode(buffers.view(view.value())?.bytes())?,
            (None, None) => {
                return Err(ImportError::new("has neither a URI nor a buffer view").with_damage_help("export it again"));
            }
        };
        self.images.push(Asset { name: name.clone(), ..part });
        Ok(Dependency::SubAsset(name))
    }
}

/// Refuses images that take too much together, by their heads. What cannot be read is reported by the import.
fn check_pixels(root: &Root, buffers: &mut Buffers<'_, '_, '_>, uses: &[Use<'_>]) -> Result<(), ImportError> {
    let encoders = buffers.source().encoders;
    let mut total = 0u64;
    for (image, _) in root.images.iter().zip(uses).filter(|(_, used)| used.texture.is_some()) {
        let pixels = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match uri::read(uri, "it") {
                Ok(Uri::Data(bytes)) => encoders.decoded_size(&bytes),
                _ => None,
            },
            (None, Some(view)) => buffers.view(view.value()).ok().and_then(|view| encoders.decoded_size(view.bytes())),
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

/// What each image is used for.
fn uses<'r>(root: &'r Root, textures: &[TextureUse]) -> Result<Vec<Use<'r>>, ImportError> {
    let mut uses = vec![Use::default(); root.images.len()];
    for texture in &root.textures {
        if let Some(used) = source(texture).and_then(|image| uses.get_mut(image)) {
            used.texture.get_or_insert(texture);
        }
    }
    for TextureUse { texture, record } in textures {
        let used = &mut uses[image_of(root, *texture)?];
        used.is_of_material = true;
        used.is_color |= is_color(record.slot);
        used.is_data |= !is_color(record.slot);
        used.is_normal |= is_normal(record.slot);
    }
    Ok(uses)
}

/// The image of a texture.
fn image_of(root: &Root, number: usize) -> Result<usize, ImportError> {
    let texture = item(&root.textures, "texture", number)?;
    let Some(image) = source(texture) else {
        let extension = texture.extensions.as_ref().and_then(|all| all.others.keys().next());
        return Err(extension.map_or_else(
            || ImportError::new(format!("texture {number} has no image")).with_damage_help("export it again"),
            |name| unreadable(name),
        ));
    };
    item(&root.images, "image", image)?;
    Ok(image)
}

/// The filters and wrapping of a sampler in the numbers of the chunk.
fn sampler_numbers(sampler: &Sampler) -> [u8; 4] {
    let magnify = match sampler.mag_filter {
        Some(Checked::Valid(MagFilter::Nearest)) => 1,
        Some(Checked::Valid(MagFilter::Linear)) => 2,
        _ => 0,
    };
    let minify = match sampler.min_filter {
        Some(Checked::Valid(MinFilter::Nearest)) => 1,
        Some(Checked::Valid(MinFilter::Linear)) => 2,
        Some(Checked::Valid(MinFilter::NearestMipmapNearest)) => 3,
        Some(Checked::Valid(MinFilter::LinearMipmapNearest)) => 4,
        Some(Checked::Valid(MinFilter::NearestMipmapLinear)) => 5,
        Some(Checked::Valid(MinFilter::LinearMipmapLinear)) => 6,
        _ => 0,
    };
    let wrap = |mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => 0,
        Checked::Valid(WrappingMode::MirroredRepeat) => 2,
        _ => 1,
    };
    [magnify, minify, wrap(sampler.wrap_s), wrap(sampler.wrap_t)]
}

/// The index of a texture's image. It may be left out if an extension has one; those for DDS, WebP and
/// Basis Universal are supported.
fn source(texture: &Texture) -> Option<usize> {
    let index = texture.source.value();
    if index != u32::MAX as usize {
        return Some(index);
    }
    let extensions = &texture.extensions.as_ref()?.others;
    let other =
        ["KHR_texture_basisu", "MSFT_texture_dds", "EXT_texture_webp"].iter().find_map(|name| extensions.get(*name))?;
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
    // glTF: information on colours in the files of images is to be ignored.
    settings.color_profile = ColorProfile::Ignore;
    settings.pad = ImagePadding::None;
    settings.atlas = None;
    (settings.frames, settings.grid, settings.sheet) = (ImageFrames::First, None, false);
    (settings.layers, settings.slices) = (None, None);
    settings
}
