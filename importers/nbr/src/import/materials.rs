//! The materials of a model, and its textures as images.
//!
//! `nbr` stores a texture once for each use, so equal ones become one image. It stores the one texture of metallic and roughness of a glTF
//! twice; if they differ after all, their channels become one image.

use std::borrow::Cow;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::scene::{Factor, TextureRecord, TextureSlot};
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_import::model::ModelMaterial;
use rres_import::{Asset, ImportError, Source};
use rres_settings::{ImageFrames, ImagePadding};

use super::checks::check_finite;
use crate::{Model, Pixels, Texture};

/// Filtered, and clamped to the edges, as the engine does for all models: the numbers of the chunk.
const SAMPLER: [u8; 4] = [2, 2, 0, 0];

#[derive(Default)]
pub(super) struct Materials {
    pub(super) materials: Vec<ModelMaterial>,
    /// What the textures refer to, by their order.
    pub(super) images: Vec<Asset>,
}

/// The pixels of an image, and what it is used for.
struct Picture<'m> {
    width: u32,
    height: u32,
    pixels: Cow<'m, Pixels<'m>>,
    is_color: bool,
    is_data: bool,
    is_normal: bool,
}

impl Materials {
    pub(super) fn read(
        model: &Model<'_>,
        source: &Source<'_>,
        left_out: &mut Vec<String>,
    ) -> Result<Self, ImportError> {
        let mut read = Self::default();
        let mut pictures: Vec<Picture<'_>> = Vec::new();
        for (number, material) in (0..).zip(&model.materials) {
            let mut stored = with_factors(number, material)?;
            let of = |texture: Option<u8>| texture.and_then(|texture| model.textures.get(usize::from(texture)));
            let surface = match (of(material.metallic_texture), of(material.roughness_texture)) {
                (Some(metallic), Some(roughness)) if metallic != roughness => match both(metallic, roughness) {
                    Some(pixels) => Some((roughness, Cow::Owned(pixels))),
                    None => {
                        left_out.push("without textures of metallic of another size than roughness".to_owned());
                        Some((roughness, Cow::Borrowed(&roughness.pixels)))
                    }
                },
                (metallic, roughness) => {
                    roughness.or(metallic).map(|texture| (texture, Cow::Borrowed(&texture.pixels)))
                }
            };
            let whole = |texture| of(texture).map(|texture| (texture, Cow::Borrowed(&texture.pixels)));
            let slots = [
                (TextureSlot::BASE_COLOR, whole(material.albedo_texture)),
                (TextureSlot::METALLIC_ROUGHNESS, surface),
                (TextureSlot::NORMAL, whole(material.normal_texture)),
                (TextureSlot::EMISSIVE, whole(material.emissive_texture)),
            ];
            for (slot, texture) in slots {
                let Some((Texture { width, height, .. }, pixels)) = texture else { continue };
                let image = picture(&mut pictures, *width, *height, pixels, slot);
                stored = stored.with_texture(TextureRecord { sampler: SAMPLER, ..TextureRecord::new(slot, image) });
            }
            read.materials.push(stored);
        }
        // A model without textures has one white pixel.
        let is_spare = |texture: &&Texture<'_>| texture.pixels != Pixels::Rgba8(vec![255; 4].into());
        let used: Vec<u8> = model.materials.iter().flat_map(|material| material.textures()).flatten().collect();
        let unused =
            (0..).zip(&model.textures).filter(|(number, _)| !used.contains(number)).map(|(_, texture)| texture);
        if unused.filter(is_spare).count() > 0 {
            left_out.push("without textures that no material uses".to_owned());
        }
        for (number, picture) in pictures.iter().enumerate() {
            let image = picture.asset(source).map_err(|error| error.within(&format!("image {number}")))?;
            read.images.push(image.named(format!("image/{number}")));
        }
        Ok(read)
    }
}

/// Makes a material with the numbers that are not the defaults of the chunk.
fn with_factors(number: u32, material: &crate::Material) -> Result<ModelMaterial, ImportError> {
    let crate::Material { color: [r, g, b], metallic, roughness, emissive, .. } = *material;
    check_finite(&[r, g, b, metallic, roughness, emissive], || format!("material {number}"))?;
    let light = emissive.clamp(0.0, 1.0);
    let factors = [
        (Factor::METALLIC, [metallic, 0.0, 0.0, 0.0], 1.0),
        (Factor::ROUGHNESS, [roughness, 0.0, 0.0, 0.0], 1.0),
        (Factor::EMISSIVE, [light, light, light, 0.0], 0.0),
        (Factor::EMISSIVE_STRENGTH, [emissive.max(1.0), 0.0, 0.0, 0.0], 1.0),
    ];
    let set = factors.into_iter().filter(|(_, value, default)| value[0] != *default);
    let plain = ModelMaterial::new("", [r, g, b, 1.0]);
    Ok(set.fold(plain, |material, (factor, value, _)| material.with_factor(factor, value)))
}

/// Notes a use of pixels, and returns the number of their image.
fn picture<'m>(
    pictures: &mut Vec<Picture<'m>>,
    width: u32,
    height: u32,
    pixels: Cow<'m, Pixels<'m>>,
    slot: TextureSlot,
) -> u32 {
    let known =
        pictures.iter().position(|known| (known.width, known.height, &known.pixels) == (width, height, &pixels));
    let number = known.unwrap_or_else(|| {
        pictures.push(Picture { width, height, pixels, is_color: false, is_data: false, is_normal: false });
        pictures.len() - 1
    });
    let is_color = matches!(slot, TextureSlot::BASE_COLOR | TextureSlot::EMISSIVE);
    let picture = &mut pictures[number];
    picture.is_color |= is_color;
    picture.is_data |= !is_color;
    picture.is_normal |= slot == TextureSlot::NORMAL;
    number as u32
}

/// One texture of metallic in blue and roughness in green; `None` if they differ in more than that.
fn both(metallic: &Texture<'_>, roughness: &Texture<'_>) -> Option<Pixels<'static>> {
    let (Pixels::Rgba8(blue), Pixels::Rgba8(green)) = (&metallic.pixels, &roughness.pixels) else { return None };
    if (metallic.width, metallic.height) != (roughness.width, roughness.height) {
        return None;
    }
    let mut pixels = green.to_vec();
    for (pixel, from) in pixels.chunks_exact_mut(4).zip(blue.chunks_exact(4)) {
        pixel[2] = from[2];
    }
    Some(Pixels::Rgba8(pixels.into()))
}

impl Picture<'_> {
    /// The image. Values that no rule sets come from its use, as for images inside of a glTF.
    fn asset(&self, source: &Source<'_>) -> Result<Asset, ImportError> {
        let mut settings = source.settings.image.clone();
        settings.filter.get_or_insert(Filter::Linear);
        settings.wrap.get_or_insert(Wrap::Clamp);
        if self.is_data && !self.is_color {
            settings.color_space.get_or_insert(ColorSpace::Linear);
        }
        if self.is_normal && settings.color_space == Some(ColorSpace::Linear) {
            settings.normal_map.get_or_insert(true);
        }
        // The texture coordinates of a model cover the whole image.
        settings.pad = ImagePadding::None;
        settings.atlas = None;
        (settings.frames, settings.grid, settings.sheet) = (ImageFrames::First, None, false);
        let (format, pixels) = bytes(&self.pixels);
        let props = ImageProps { width: self.width, height: self.height, format, mipmaps: 1 };
        source.encoders.images()?.of_levels(props, &pixels, &settings)
    }
}

/// Pixels as their format and bytes.
pub(super) fn bytes<'p>(pixels: &'p Pixels<'_>) -> (PixelFormat, Cow<'p, [u8]>) {
    match pixels {
        Pixels::Rgba8(bytes) => (PixelFormat::RGBA8, Cow::Borrowed(bytes)),
        Pixels::Rgba32F(floats) => {
            (PixelFormat::RGBA32F, floats.iter().flat_map(|value| value.to_le_bytes()).collect())
        }
    }
}
