//! Materials → `StandardMaterial`.

use bevy_asset::{Handle, LoadContext};
use bevy_color::{Color, LinearRgba};
use bevy_image::{Image, ImageLoaderSettings};
use bevy_material::AlphaMode;
use bevy_math::Affine2;
use bevy_mesh::UvChannel;
use bevy_pbr::StandardMaterial;
use rres_bevy::asset_path;
use rres_runtime::asset::model::{AlphaMode as Stored, Material, Primitive, Texture, TextureSlot};
use rres_runtime::{Id, Model, Store};
use wgpu_types::Face;

use crate::error::ModelError;

/// The textures of a material, as handles of the pack's images.
struct Textures<'a, 'c> {
    material: &'a Material,
    store: &'a Store,
    context: &'a mut LoadContext<'c>,
    /// Those that Bevy has a place for.
    used: Vec<TextureSlot>,
}

impl Textures<'_, '_> {
    fn take(&mut self, slot: TextureSlot) -> Result<(UvChannel, Option<Handle<Image>>), ModelError> {
        self.used.push(slot);
        let Some(texture) = self.material.texture(slot) else { return Ok((UvChannel::Uv0, None)) };
        let channel = match texture.tex_coord {
            0 => UvChannel::Uv0,
            1 => UvChannel::Uv1,
            other => {
                let (path, name) = (self.context.path(), &self.material.name);
                tracing::warn!(
                    "{path}: material \"{name}\" has a {slot} texture with texture coordinates {other}, and Bevy has 0 and 1; it takes 0"
                );
                UvChannel::Uv0
            }
        };
        Ok((channel, Some(self.image(slot, texture.image)?)))
    }

    fn image(&mut self, slot: TextureSlot, image: Id<rres_runtime::Image>) -> Result<Handle<Image>, ModelError> {
        let path = asset_path(self.context, self.store, image).ok_or_else(|| ModelError::MissingImage {
            material: self.material.name.to_string(),
            slot,
            image: image.resource(),
        })?;
        if has_numbers(slot) {
            // As Bevy's own loader does. An image that is linear already stays so.
            let linear = |settings: &mut ImageLoaderSettings| settings.is_srgb = false;
            return Ok(self.context.load_builder().with_settings(linear).load(path));
        }
        Ok(self.context.load(path))
    }

    /// Tells what Bevy draws otherwise than the material says.
    fn warn(&self) {
        let unused = self.material.textures.iter().map(|texture| texture.slot).filter(|slot| !self.used.contains(slot));
        let unused: Vec<String> = unused.map(|slot| slot.to_string()).collect();
        if !unused.is_empty() {
            let (path, name) = (self.context.path(), &self.material.name);
            tracing::warn!(
                "{path}: material \"{name}\" is drawn without its textures {}; the features pbr_* of rres-bevy-model take more of them",
                unused.join(", ")
            );
        }
        let base = transform(self.material.texture(TextureSlot::BASE_COLOR));
        let differs = |texture: &&Texture| self.used.contains(&texture.slot) && transform(Some(texture)) != base;
        if let Some(texture) = self.material.textures.iter().find(differs) {
            let (path, name, slot) = (self.context.path(), &self.material.name, texture.slot);
            tracing::warn!(
                "{path}: material \"{name}\" moves its {slot} texture otherwise than the one of its base color, and Bevy moves all alike"
            );
        }
    }
}

/// Makes the material. A mirrored one is for nodes that mirror: triangles show their other side there.
pub(crate) fn standard(
    material: &Material,
    is_mirrored: bool,
    store: &Store,
    context: &mut LoadContext<'_>,
) -> Result<StandardMaterial, ModelError> {
    let linear = |[red, green, blue]: [f32; 3]| Color::linear_rgb(red, green, blue);
    let [red, green, blue, alpha] = material.base_color;
    let mut made = StandardMaterial {
        base_color: Color::linear_rgba(red, green, blue, alpha),
        perceptual_roughness: material.roughness,
        metallic: material.metallic,
        emissive: {
            let [red, green, blue] = material.emissive.map(|part| part * material.emissive_strength);
            LinearRgba::rgb(red, green, blue)
        },
        reflectance: material.specular * 0.5,
        specular_tint: linear(material.specular_color),
        specular_transmission: material.transmission,
        diffuse_transmission: material.diffuse_transmission,
        thickness: material.thickness,
        ior: material.ior,
        attenuation_distance: material.attenuation_distance.unwrap_or(f32::INFINITY),
        attenuation_color: linear(material.attenuation_color),
        clearcoat: material.clearcoat,
        clearcoat_perceptual_roughness: material.clearcoat_roughness,
        anisotropy_strength: material.anisotropy,
        anisotropy_rotation: material.anisotropy_rotation,
        double_sided: material.is_double_sided,
        cull_mode: match (material.is_double_sided, is_mirrored) {
            (true, _) => None,
            (false, true) => Some(Face::Front),
            (false, false) => Some(Face::Back),
        },
        unlit: material.is_unlit,
        alpha_mode: match material.alpha_mode {
            Stored::Opaque => AlphaMode::Opaque,
            Stored::Mask => AlphaMode::Mask(material.alpha_cutoff),
            Stored::Blend => AlphaMode::Blend,
        },
        uv_transform: transform(material.texture(TextureSlot::BASE_COLOR)),
        ..Default::default()
    };
    let mut textures = Textures { material, store, context, used: Vec::new() };
    let from = &mut textures;
    (made.base_color_channel, made.base_color_texture) = from.take(TextureSlot::BASE_COLOR)?;
    // Packs of older versions have this one alone.
    if let (None, Some(image)) = (&made.base_color_texture, material.base_color_image) {
        made.base_color_texture = Some(from.image(TextureSlot::BASE_COLOR, image)?);
    }
    (made.metallic_roughness_channel, made.metallic_roughness_texture) = from.take(TextureSlot::METALLIC_ROUGHNESS)?;
    (made.normal_map_channel, made.normal_map_texture) = from.take(TextureSlot::NORMAL)?;
    (made.occlusion_channel, made.occlusion_texture) = from.take(TextureSlot::OCCLUSION)?;
    (made.emissive_channel, made.emissive_texture) = from.take(TextureSlot::EMISSIVE)?;
    #[cfg(feature = "pbr_specular_textures")]
    {
        (made.specular_channel, made.specular_texture) = from.take(TextureSlot::SPECULAR)?;
        (made.specular_tint_channel, made.specular_tint_texture) = from.take(TextureSlot::SPECULAR_COLOR)?;
    }
    #[cfg(feature = "pbr_transmission_textures")]
    {
        (made.specular_transmission_channel, made.specular_transmission_texture) =
            from.take(TextureSlot::TRANSMISSION)?;
        (made.thickness_channel, made.thickness_texture) = from.take(TextureSlot::THICKNESS)?;
        (made.diffuse_transmission_channel, made.diffuse_transmission_texture) =
            from.take(TextureSlot::DIFFUSE_TRANSMISSION)?;
    }
    #[cfg(feature = "pbr_multi_layer_material_textures")]
    {
        (made.clearcoat_channel, made.clearcoat_texture) = from.take(TextureSlot::CLEARCOAT)?;
        (made.clearcoat_roughness_channel, made.clearcoat_roughness_texture) =
            from.take(TextureSlot::CLEARCOAT_ROUGHNESS)?;
        (made.clearcoat_normal_channel, made.clearcoat_normal_texture) = from.take(TextureSlot::CLEARCOAT_NORMAL)?;
    }
    #[cfg(feature = "pbr_anisotropy_texture")]
    {
        (made.anisotropy_channel, made.anisotropy_texture) = from.take(TextureSlot::ANISOTROPY)?;
    }
    if !is_mirrored {
        textures.warn();
    }
    Ok(made)
}

/// The number of the material of a primitive, if the model has it.
pub(crate) fn number(model: &Model, primitive: &Primitive) -> Option<u32> {
    primitive.material().filter(|number| (*number as usize) < model.materials().len())
}

/// Whether a material takes numbers from the red, green or blue of the images of a slot, and not a colour. Alpha is a number in each image.
fn has_numbers(slot: TextureSlot) -> bool {
    matches!(
        slot,
        TextureSlot::METALLIC_ROUGHNESS
            | TextureSlot::NORMAL
            | TextureSlot::OCCLUSION
            | TextureSlot::TRANSMISSION
            | TextureSlot::THICKNESS
            | TextureSlot::CLEARCOAT
            | TextureSlot::CLEARCOAT_ROUGHNESS
            | TextureSlot::CLEARCOAT_NORMAL
            | TextureSlot::ANISOTROPY
    )
}

/// What texture coordinates are multiplied by.
fn transform(texture: Option<&Texture>) -> Affine2 {
    texture.map_or(Affine2::IDENTITY, |texture| {
        Affine2::from_scale_angle_translation(texture.scale.into(), -texture.rotation, texture.offset.into())
    })
}
