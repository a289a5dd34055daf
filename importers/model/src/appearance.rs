//! Materials → every number, colour and texture that glTF and its extensions give them, by two tables.
//!
//! Only what differs from the default is kept. Values are as in the document; the renderer decides what an extension means.

use gltf::json::Value;
use rres_format::chunk::scene::{Factor, FactorRecord, NONE, TextureRecord, TextureSlot};
use rres_import::ImportError;

use super::json::{extension, index, number, numbers, wrong};

/// The place of a factor in the document.
#[derive(Debug)]
pub struct FactorRow {
    /// The object that has it: empty for the material itself, a member of it, or an extension.
    pub object: &'static str,
    /// Its key.
    pub key: &'static str,
    /// Which one it is.
    pub factor: Factor,
    /// What it is if the document does not have it.
    pub default: &'static [f32],
}

const fn row(object: &'static str, key: &'static str, factor: Factor, default: &'static [f32]) -> FactorRow {
    FactorRow { object, key, factor, default }
}

const PBR: &str = "pbrMetallicRoughness";
const SPECULAR: &str = "KHR_materials_specular";
const CLEARCOAT: &str = "KHR_materials_clearcoat";
const SHEEN: &str = "KHR_materials_sheen";
const TRANSMISSION: &str = "KHR_materials_transmission";
const VOLUME: &str = "KHR_materials_volume";
const IRIDESCENCE: &str = "KHR_materials_iridescence";
const ANISOTROPY: &str = "KHR_materials_anisotropy";
const DIFFUSE_TRANSMISSION: &str = "KHR_materials_diffuse_transmission";
/// The extension that has the factor `diffuseFactor`.
pub const GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";
/// The extension of materials without light.
pub const UNLIT: &str = "KHR_materials_unlit";

const TRANSFORM: &str = "KHR_texture_transform";

/// An extension of ours: textures that MTL has one by one, and glTF as channels of others.
pub(super) const MAPS: &str = "RRES_materials_maps";

/// The extensions whose every property is kept.
pub(super) const EXTENSIONS: &[&str] = &[
    SPECULAR,
    CLEARCOAT,
    SHEEN,
    TRANSMISSION,
    VOLUME,
    IRIDESCENCE,
    ANISOTROPY,
    DIFFUSE_TRANSMISSION,
    GLOSSINESS,
    UNLIT,
    MAPS,
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_dispersion",
];

/// Every factor that is one number or a colour.
pub const FACTORS: &[FactorRow] = &[
    row("", "alphaCutoff", Factor::ALPHA_CUTOFF, &[0.5]),
    row(PBR, "metallicFactor", Factor::METALLIC, &[1.0]),
    row(PBR, "roughnessFactor", Factor::ROUGHNESS, &[1.0]),
    row("", "emissiveFactor", Factor::EMISSIVE, &[0.0; 3]),
    row("KHR_materials_emissive_strength", "emissiveStrength", Factor::EMISSIVE_STRENGTH, &[1.0]),
    row("KHR_materials_ior", "ior", Factor::IOR, &[1.5]),
    row(SPECULAR, "specularFactor", Factor::SPECULAR, &[1.0]),
    row(SPECULAR, "specularColorFactor", Factor::SPECULAR_COLOR, &[1.0; 3]),
    row(CLEARCOAT, "clearcoatFactor", Factor::CLEARCOAT, &[0.0]),
    row(CLEARCOAT, "clearcoatRoughnessFactor", Factor::CLEARCOAT_ROUGHNESS, &[0.0]),
    row(SHEEN, "sheenColorFactor", Factor::SHEEN_COLOR, &[0.0; 3]),
    row(SHEEN, "sheenRoughnessFactor", Factor::SHEEN_ROUGHNESS, &[0.0]),
    row(TRANSMISSION, "transmissionFactor", Factor::TRANSMISSION, &[0.0]),
    row(VOLUME, "thicknessFactor", Factor::THICKNESS, &[0.0]),
    row(VOLUME, "attenuationDistance", Factor::ATTENUATION_DISTANCE, &[0.0]),
    row(VOLUME, "attenuationColor", Factor::ATTENUATION_COLOR, &[1.0; 3]),
    row(IRIDESCENCE, "iridescenceFactor", Factor::IRIDESCENCE, &[0.0]),
    row(IRIDESCENCE, "iridescenceIor", Factor::IRIDESCENCE_IOR, &[1.3]),
    row(IRIDESCENCE, "iridescenceThicknessMinimum", Factor::IRIDESCENCE_THICKNESS_MINIMUM, &[100.0]),
    row(IRIDESCENCE, "iridescenceThicknessMaximum", Factor::IRIDESCENCE_THICKNESS_MAXIMUM, &[400.0]),
    row(ANISOTROPY, "anisotropyStrength", Factor::ANISOTROPY, &[0.0]),
    row(ANISOTROPY, "anisotropyRotation", Factor::ANISOTROPY_ROTATION, &[0.0]),
    row("KHR_materials_dispersion", "dispersion", Factor::DISPERSION, &[0.0]),
    row(DIFFUSE_TRANSMISSION, "diffuseTransmissionFactor", Factor::DIFFUSE_TRANSMISSION, &[0.0]),
    row(DIFFUSE_TRANSMISSION, "diffuseTransmissionColorFactor", Factor::DIFFUSE_TRANSMISSION_COLOR, &[1.0; 3]),
    row(GLOSSINESS, "specularFactor", Factor::SPECULAR_GLOSSINESS, &[1.0; 3]),
    row(GLOSSINESS, "glossinessFactor", Factor::GLOSSINESS, &[1.0]),
];

/// Every texture: the object that has it, its key, its slot.
pub const TEXTURES: &[(&str, &str, TextureSlot)] = &[
    (PBR, "baseColorTexture", TextureSlot::BASE_COLOR),
    (PBR, "metallicRoughnessTexture", TextureSlot::METALLIC_ROUGHNESS),
    ("", "normalTexture", TextureSlot::NORMAL),
    ("", "occlusionTexture", TextureSlot::OCCLUSION),
    ("", "emissiveTexture", TextureSlot::EMISSIVE),
    (SPECULAR, "specularTexture", TextureSlot::SPECULAR),
    (SPECULAR, "specularColorTexture", TextureSlot::SPECULAR_COLOR),
    (CLEARCOAT, "clearcoatTexture", TextureSlot::CLEARCOAT),
    (CLEARCOAT, "clearcoatRoughnessTexture", TextureSlot::CLEARCOAT_ROUGHNESS),
    (CLEARCOAT, "clearcoatNormalTexture", TextureSlot::CLEARCOAT_NORMAL),
    (SHEEN, "sheenColorTexture", TextureSlot::SHEEN_COLOR),
    (SHEEN, "sheenRoughnessTexture", TextureSlot::SHEEN_ROUGHNESS),
    (TRANSMISSION, "transmissionTexture", TextureSlot::TRANSMISSION),
    (VOLUME, "thicknessTexture", TextureSlot::THICKNESS),
    (IRIDESCENCE, "iridescenceTexture", TextureSlot::IRIDESCENCE),
    (IRIDESCENCE, "iridescenceThicknessTexture", TextureSlot::IRIDESCENCE_THICKNESS),
    (ANISOTROPY, "anisotropyTexture", TextureSlot::ANISOTROPY),
    (DIFFUSE_TRANSMISSION, "diffuseTransmissionTexture", TextureSlot::DIFFUSE_TRANSMISSION),
    (DIFFUSE_TRANSMISSION, "diffuseTransmissionColorTexture", TextureSlot::DIFFUSE_TRANSMISSION_COLOR),
    (GLOSSINESS, "diffuseTexture", TextureSlot::DIFFUSE),
    (GLOSSINESS, "specularGlossinessTexture", TextureSlot::SPECULAR_GLOSSINESS),
    (MAPS, "roughnessTexture", TextureSlot::ROUGHNESS),
    (MAPS, "metallicTexture", TextureSlot::METALLIC),
    (MAPS, "opacityTexture", TextureSlot::OPACITY),
];

/// A texture of a material, whose image is not known yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextureUse {
    /// Index of the texture in the document.
    pub(super) texture: usize,
    pub(super) record: TextureRecord,
}

/// What the materials of a document have.
#[derive(Debug, Default)]
pub(super) struct Appearance {
    pub(super) factors: Vec<FactorRecord>,
    pub(super) textures: Vec<TextureUse>,
}

impl Appearance {
    /// Reads every material.
    pub(super) fn read(materials: &[Value]) -> Result<Self, ImportError> {
        let mut read = Self::default();
        for (number, material) in materials.iter().enumerate() {
            let name = material.get("name").and_then(Value::as_str).map(|name| format!(" \"{name}\""));
            let what = format!("material {number}{}", name.unwrap_or_default());
            read.material(number as u32, material).map_err(|error| error.within(&what))?;
        }
        Ok(read)
    }

    fn material(&mut self, number: u32, material: &Value) -> Result<(), ImportError> {
        let mut factors = flags(material)?;
        for FactorRow { object, key, factor, default } in FACTORS {
            let Some(object) = object_of(material, object) else { continue };
            let value = match default.len() {
                1 => numbers::<1>(object, key, true)?.map(|[x]| [x, 0.0, 0.0, 0.0]),
                _ => numbers::<3>(object, key, false)?.map(|[x, y, z]| [x, y, z, 0.0]),
            };
            factors.extend(value.filter(|value| value[..default.len()] != **default).map(|value| (*factor, value)));
        }
        factors.sort_by_key(|(factor, _)| *factor);
        self.factors.extend(factors.into_iter().map(|(factor, value)| FactorRecord {
            material: number,
            factor,
            value,
        }));
        for (object, key, slot) in TEXTURES {
            let Some(info) = object_of(material, object).and_then(|object| object.get(*key)) else { continue };
            let texture = texture_use(number, info, *slot).map_err(|error| error.within(key))?;
            self.textures.push(texture);
        }
        Ok(())
    }
}

fn object_of<'v>(material: &'v Value, object: &str) -> Option<&'v Value> {
    match object {
        "" => Some(material),
        PBR => material.get(PBR),
        name => extension(material, name),
    }
}

/// The factors that are not numbers in the document.
fn flags(material: &Value) -> Result<Vec<(Factor, [f32; 4])>, ImportError> {
    let mut factors = Vec::new();
    let mut set = |factor, x: f32| factors.push((factor, [x, 0.0, 0.0, 0.0]));
    match material.get("alphaMode").map(|mode| (mode, mode.as_str())) {
        None | Some((_, Some("OPAQUE"))) => {}
        Some((_, Some("MASK"))) => set(Factor::ALPHA_MODE, 1.0),
        Some((_, Some("BLEND"))) => set(Factor::ALPHA_MODE, 2.0),
        Some((mode, _)) => return Err(wrong("alphaMode", mode, "\"OPAQUE\", \"MASK\" or \"BLEND\"")),
    }
    if material.get("doubleSided").and_then(Value::as_bool) == Some(true) {
        set(Factor::DOUBLE_SIDED, 1.0);
    }
    if extension(material, UNLIT).is_some() {
        set(Factor::UNLIT, 1.0);
    }
    if let Some(glossiness) = extension(material, GLOSSINESS) {
        // Kept whatever its value: it says that the material has the other model as well.
        factors.push((Factor::DIFFUSE, numbers(glossiness, "diffuseFactor", false)?.unwrap_or([1.0; 4])));
    }
    Ok(factors)
}

fn texture_use(material: u32, info: &Value, slot: TextureSlot) -> Result<TextureUse, ImportError> {
    let Some(texture) = index(info, "index")? else {
        return Err(ImportError::new("refers to no texture").with_damage_help("export it again"));
    };
    let transform = extension(info, TRANSFORM).unwrap_or(&Value::Null);
    let own = match slot {
        TextureSlot::OCCLUSION => number(info, "strength")?,
        TextureSlot::NORMAL | TextureSlot::CLEARCOAT_NORMAL => number(info, "scale")?,
        _ => None,
    };
    let record = TextureRecord {
        material,
        slot,
        image: NONE,
        tex_coord: tex_coord(info)?,
        sampler: [0, 0, 1, 1],
        strength: own.unwrap_or(1.0),
        offset: numbers(transform, "offset", false)?.unwrap_or([0.0; 2]),
        scale: numbers(transform, "scale", false)?.unwrap_or([1.0; 2]),
        rotation: number(transform, "rotation")?.unwrap_or_default(),
        reserved: 0,
    };
    Ok(TextureUse { texture, record })
}

/// Multiplies the lengths among factors: how thick a volume is, and how far light goes in it.
///
/// # Errors
/// [`ImportError`] if one is then beyond what a float holds.
pub(super) fn scale(factors: &mut [FactorRecord], scale: f32) -> Result<(), ImportError> {
    for FactorRecord { factor, value, .. } in factors {
        if matches!(*factor, Factor::THICKNESS | Factor::ATTENUATION_DISTANCE) {
            value[0] *= scale;
            if !value[0].is_finite() {
                let error =
                    format!("has a volume whose length is beyond what a float holds when it is scaled by {scale}");
                return Err(ImportError::new(error).with_help("choose another model.scale"));
            }
        }
    }
    Ok(())
}

/// The set of texture coordinates of a texture.
fn tex_coord(info: &Value) -> Result<u32, ImportError> {
    let moved = extension(info, TRANSFORM).map(|transform| index(transform, "texCoord")).transpose()?.flatten();
    let set = moved.or(index(info, "texCoord")?).unwrap_or_default();
    Ok(u32::try_from(set).unwrap_or(NONE))
}

/// The set of texture coordinates of the normal map of a material, if it has one. Faults are reported where the material is read.
pub(super) fn normal_map(material: &Value) -> Option<u32> {
    let infos = [("", "normalTexture"), (CLEARCOAT, "clearcoatNormalTexture")];
    let info = infos.into_iter().find_map(|(object, key)| object_of(material, object)?.get(key))?;
    tex_coord(info).ok()
}

/// Whether the numbers of the images of a slot are colours, and not quantities.
pub(super) fn is_color(slot: TextureSlot) -> bool {
    matches!(
        slot,
        TextureSlot::BASE_COLOR
            | TextureSlot::EMISSIVE
            | TextureSlot::SPECULAR_COLOR
            | TextureSlot::SHEEN_COLOR
            | TextureSlot::DIFFUSE_TRANSMISSION_COLOR
            | TextureSlot::DIFFUSE
            | TextureSlot::SPECULAR_GLOSSINESS
    )
}

/// Whether the image of a slot holds directions.
pub(super) fn is_normal(slot: TextureSlot) -> bool {
    matches!(slot, TextureSlot::NORMAL | TextureSlot::CLEARCOAT_NORMAL)
}
