//! Materials: the numbers, colours and textures of glTF and its extensions.

use rres_format::chunk::scene::{Factor, FactorRecord, TextureRecord, TextureSlot};

use crate::asset::{Filter, Image, Wrap};
use crate::id::Id;

/// What a primitive looks like. The names and the meaning of the numbers come from glTF 2.0 and its extensions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Material {
    /// Its name; empty if the source file has none.
    pub name: Box<str>,
    /// Linear red, green, blue, alpha.
    pub base_color: [f32; 4],
    /// The image that the colour is multiplied by. [`Material::texture`] has the way it is sampled.
    pub base_color_image: Option<Id<Image>>,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// The alpha below which nothing is drawn with [`AlphaMode::Mask`].
    pub alpha_cutoff: f32,
    /// Whether both sides are drawn.
    pub is_double_sided: bool,
    /// Whether light has no effect.
    pub is_unlit: bool,
    /// 0 for other materials, 1 for metals.
    pub metallic: f32,
    /// 0 smooth to 1 rough.
    pub roughness: f32,
    /// Linear colour of the light that it gives off.
    pub emissive: [f32; 3],
    /// What that colour is multiplied by.
    pub emissive_strength: f32,
    /// Index of refraction.
    pub ior: f32,
    /// Strength of reflections of materials that are not metals.
    pub specular: f32,
    /// Linear colour of these reflections.
    pub specular_color: [f32; 3],
    /// Strength of the coat.
    pub clearcoat: f32,
    /// Roughness of the coat.
    pub clearcoat_roughness: f32,
    /// Linear colour of the sheen.
    pub sheen_color: [f32; 3],
    /// Roughness of the sheen.
    pub sheen_roughness: f32,
    /// The part of the light that passes through the surface.
    pub transmission: f32,
    /// Thickness of the volume below the surface, 0 for none.
    pub thickness: f32,
    /// The distance after which light has the attenuation colour; `None` if it never has.
    pub attenuation_distance: Option<f32>,
    /// Linear colour of light after that distance.
    pub attenuation_color: [f32; 3],
    /// Strength of the iridescence.
    pub iridescence: f32,
    /// Index of refraction of the thin film.
    pub iridescence_ior: f32,
    /// The smallest and the largest thickness of the film in nanometres.
    pub iridescence_thickness: [f32; 2],
    /// Strength of the anisotropy.
    pub anisotropy: f32,
    /// Its direction in radians, counter-clockwise from the tangent.
    pub anisotropy_rotation: f32,
    /// Strength of the dispersion.
    pub dispersion: f32,
    /// The part of the light that is spread behind the surface.
    pub diffuse_transmission: f32,
    /// Linear colour of that light.
    pub diffuse_transmission_color: [f32; 3],
    /// The numbers of the older specular-glossiness model, if the source file has them.
    pub specular_glossiness: Option<SpecularGlossiness>,
    /// Its textures, with the texture of the base colour.
    pub textures: Vec<Texture>,
}

/// How the alpha of a material is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AlphaMode {
    /// It has no effect.
    #[default]
    Opaque,
    /// What is below [`Material::alpha_cutoff`] is not drawn, the rest is opaque.
    Mask,
    /// It mixes the colour with what is behind.
    Blend,
}

/// The specular-glossiness model of `KHR_materials_pbrSpecularGlossiness`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecularGlossiness {
    /// Linear red, green, blue, alpha.
    pub diffuse: [f32; 4],
    /// Linear colour of reflections.
    pub specular: [f32; 3],
    /// 0 rough to 1 smooth.
    pub glossiness: f32,
}

/// A texture of a material: an image, and how it is sampled.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Texture {
    /// What it is for.
    pub slot: TextureSlot,
    /// The image.
    pub image: Id<Image>,
    /// Which texture coordinates it uses, counted from 0.
    pub tex_coord: u32,
    /// How it is sampled.
    pub sampler: Sampler,
    /// The scale of a normal map, the strength of an occlusion map, otherwise 1.
    pub strength: f32,
    /// Added to the texture coordinates after they are scaled and rotated.
    pub offset: [f32; 2],
    /// Rotation in radians, counter-clockwise as seen in the image.
    pub rotation: f32,
    /// What texture coordinates are multiplied by first.
    pub scale: [f32; 2],
}

/// How a texture is sampled. The game chooses what is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Between pixels that are drawn larger.
    pub magnify: Option<Filter>,
    /// Between pixels that are drawn smaller.
    pub minify: Option<Filter>,
    /// Between mip levels; `None` beside a filter for [`Self::minify`] if only the largest is used.
    pub between_levels: Option<Filter>,
    /// Beyond the left and right edges.
    pub wrap_horizontal: Wrap,
    /// Beyond the top and bottom edges.
    pub wrap_vertical: Wrap,
}

impl Material {
    /// Creates a material that has a base colour alone.
    pub(super) fn new(name: &str, base_color: [f32; 4], base_color_image: Option<Id<Image>>) -> Self {
        Self {
            name: name.into(),
            base_color,
            base_color_image,
            alpha_mode: AlphaMode::Opaque,
            alpha_cutoff: 0.5,
            is_double_sided: false,
            is_unlit: false,
            metallic: 1.0,
            roughness: 1.0,
            emissive: [0.0; 3],
            emissive_strength: 1.0,
            ior: 1.5,
            specular: 1.0,
            specular_color: [1.0; 3],
            clearcoat: 0.0,
            clearcoat_roughness: 0.0,
            sheen_color: [0.0; 3],
            sheen_roughness: 0.0,
            transmission: 0.0,
            thickness: 0.0,
            attenuation_distance: None,
            attenuation_color: [1.0; 3],
            iridescence: 0.0,
            iridescence_ior: 1.3,
            iridescence_thickness: [100.0, 400.0],
            anisotropy: 0.0,
            anisotropy_rotation: 0.0,
            dispersion: 0.0,
            diffuse_transmission: 0.0,
            diffuse_transmission_color: [1.0; 3],
            specular_glossiness: None,
            textures: Vec::new(),
        }
    }

    /// Returns the texture for a purpose.
    ///
    /// ```
    /// use rres_runtime::asset::model::{Material, TextureSlot};
    ///
    /// fn has_normal_map(material: &Material) -> bool {
    ///     material.texture(TextureSlot::NORMAL).is_some()
    /// }
    /// ```
    pub fn texture(&self, slot: TextureSlot) -> Option<&Texture> {
        self.textures.iter().find(|texture| texture.slot == slot)
    }

    /// Sets a factor. Factors of newer versions have no place.
    pub(super) fn set(&mut self, record: FactorRecord) {
        let value = record.value;
        let [x, y, z, _] = value;
        let color = [x, y, z];
        match record.factor {
            Factor::ALPHA_MODE => {
                self.alpha_mode = match x {
                    1.0 => AlphaMode::Mask,
                    2.0 => AlphaMode::Blend,
                    _ => AlphaMode::Opaque,
                }
            }
            Factor::ALPHA_CUTOFF => self.alpha_cutoff = x,
            Factor::DOUBLE_SIDED => self.is_double_sided = x != 0.0,
            Factor::UNLIT => self.is_unlit = x != 0.0,
            Factor::METALLIC => self.metallic = x,
            Factor::ROUGHNESS => self.roughness = x,
            Factor::EMISSIVE => self.emissive = color,
            Factor::EMISSIVE_STRENGTH => self.emissive_strength = x,
            Factor::IOR => self.ior = x,
            Factor::SPECULAR => self.specular = x,
            Factor::SPECULAR_COLOR => self.specular_color = color,
            Factor::CLEARCOAT => self.clearcoat = x,
            Factor::CLEARCOAT_ROUGHNESS => self.clearcoat_roughness = x,
            Factor::SHEEN_COLOR => self.sheen_color = color,
            Factor::SHEEN_ROUGHNESS => self.sheen_roughness = x,
            Factor::TRANSMISSION => self.transmission = x,
            Factor::THICKNESS => self.thickness = x,
            Factor::ATTENUATION_DISTANCE => self.attenuation_distance = (x > 0.0).then_some(x),
            Factor::ATTENUATION_COLOR => self.attenuation_color = color,
            Factor::IRIDESCENCE => self.iridescence = x,
            Factor::IRIDESCENCE_IOR => self.iridescence_ior = x,
            Factor::IRIDESCENCE_THICKNESS_MINIMUM => self.iridescence_thickness[0] = x,
            Factor::IRIDESCENCE_THICKNESS_MAXIMUM => self.iridescence_thickness[1] = x,
            Factor::ANISOTROPY => self.anisotropy = x,
            Factor::ANISOTROPY_ROTATION => self.anisotropy_rotation = x,
            Factor::DISPERSION => self.dispersion = x,
            Factor::DIFFUSE_TRANSMISSION => self.diffuse_transmission = x,
            Factor::DIFFUSE_TRANSMISSION_COLOR => self.diffuse_transmission_color = color,
            Factor::DIFFUSE => self.glossy().diffuse = value,
            Factor::SPECULAR_GLOSSINESS => self.glossy().specular = color,
            Factor::GLOSSINESS => self.glossy().glossiness = x,
            _ => {}
        }
    }

    fn glossy(&mut self) -> &mut SpecularGlossiness {
        let default = SpecularGlossiness { diffuse: [1.0; 4], specular: [1.0; 3], glossiness: 1.0 };
        self.specular_glossiness.get_or_insert(default)
    }
}

impl Texture {
    pub(super) fn new(record: &TextureRecord, image: Id<Image>) -> Self {
        let TextureRecord { slot, tex_coord, sampler, strength, offset, scale, rotation, .. } = *record;
        let [magnify, minify, horizontal, vertical] = sampler;
        let filter = |number: u8| match number {
            0 => None,
            odd if odd % 2 == 1 => Some(Filter::Nearest),
            _ => Some(Filter::Linear),
        };
        let wrap = |number: u8| match number {
            1 => Wrap::Repeat,
            2 => Wrap::Mirror,
            _ => Wrap::Clamp,
        };
        let sampler = Sampler {
            magnify: filter(magnify),
            minify: filter(minify),
            between_levels: match minify {
                3 | 4 => Some(Filter::Nearest),
                5 | 6 => Some(Filter::Linear),
                _ => None,
            },
            wrap_horizontal: wrap(horizontal),
            wrap_vertical: wrap(vertical),
        };
        Self { slot, image, tex_coord, sampler, strength, offset, rotation, scale }
    }
}
