//! The materials of a model and their textures.

use rres_import_nbr::{Model, Pixels, Texture};
use rres_runtime::Image;
use serde_json::{Value, json};

use super::super::super::{ExportError, float, image};
use super::super::buffer::Buffer;
use super::finite;

/// The lists of a document that describe materials.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) materials: Vec<Value>,
    pub(super) textures: Vec<Value>,
    pub(super) samplers: Vec<Value>,
    pub(super) images: Vec<Value>,
    /// Whether a material emits more light than glTF can say without an extension.
    pub(super) has_strength: bool,
}

impl Materials {
    pub(super) fn write(model: &Model<'_>, buffer: &mut Buffer, losses: &mut Vec<String>) -> Result<Self, ExportError> {
        let mut written = Self::default();
        let mut is_used = vec![false; model.textures.len()];
        for number in model.materials.iter().flat_map(|material| material.textures()).flatten() {
            is_used[usize::from(number)] = true;
        }
        // `nbr` stores a texture once for each use. Equal ones become one again.
        let mut numbers: Vec<Option<usize>> = Vec::with_capacity(model.textures.len());
        for (number, texture) in model.textures.iter().enumerate() {
            let same = (0..number).find(|other| is_used[*other] && model.textures[*other] == *texture);
            if !is_used[number] {
                // A model without textures has one white pixel.
                if texture.pixels != Pixels::Rgba8(vec![255; 4].into()) {
                    losses.push("without textures that no material uses".to_owned());
                }
                numbers.push(None);
            } else if let Some(same) = same {
                numbers.push(numbers[same]);
            } else {
                numbers.push(Some(written.textures.len()));
                written.texture(texture, buffer, losses)?;
            }
        }
        for (number, material) in model.materials.iter().enumerate() {
            let what = format!("material {number}");
            let texture = |of: Option<u8>| of.map(|of| json!({ "index": numbers[usize::from(of)] }));
            let [r, g, b] = material.color;
            let mut surface = json!({
                "baseColorFactor": finite(&[r, g, b, 1.0], &what)?,
                "metallicFactor": finite(&[material.metallic], &what)?[0],
                "roughnessFactor": finite(&[material.roughness], &what)?[0],
            });
            if let Some(texture) = texture(material.albedo_texture) {
                surface["baseColorTexture"] = texture;
            }
            // In glTF both are channels of one texture, which `nbr` stores for each.
            let [metallic, roughness] = [material.metallic_texture, material.roughness_texture].map(texture);
            if metallic.is_some() && roughness.is_some() && metallic != roughness {
                losses.push("without textures of metallic that differ from those of the roughness".to_owned());
            }
            if let Some(texture) = roughness.or(metallic) {
                surface["metallicRoughnessTexture"] = texture;
            }
            let mut value = json!({ "pbrMetallicRoughness": surface });
            if let Some(texture) = texture(material.normal_texture) {
                value["normalTexture"] = texture;
            }
            if let Some(texture) = texture(material.emissive_texture) {
                value["emissiveTexture"] = texture;
            }
            finite(&[material.emissive], &what)?;
            if material.emissive > 0.0 {
                value["emissiveFactor"] = [material.emissive.min(1.0); 3].map(float).to_vec().into();
            }
            if material.emissive > 1.0 {
                written.has_strength = true;
                value["extensions"] =
                    json!({ "KHR_materials_emissive_strength": { "emissiveStrength": float(material.emissive) } });
            }
            written.materials.push(value);
        }
        Ok(written)
    }

    /// Adds a texture and its image. The engine clamps the textures of all models, and filters them.
    fn texture(
        &mut self,
        texture: &Texture<'_>,
        buffer: &mut Buffer,
        losses: &mut Vec<String>,
    ) -> Result<(), ExportError> {
        let pixels: Vec<u8> = match &texture.pixels {
            Pixels::Rgba8(bytes) => bytes.to_vec(),
            Pixels::Rgba32F(floats) => {
                losses.push("textures of floats clamped and rounded to 8 bits".to_owned());
                // The cast makes 0 of NaN.
                floats.iter().map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8).collect()
            }
        };
        let png = image::png(&Image::from_rgba8(texture.width, texture.height, pixels)?)?;
        if self.samplers.is_empty() {
            self.samplers.push(json!({ "magFilter": 9729, "minFilter": 9729, "wrapS": 33071, "wrapT": 33071 }));
        }
        self.textures.push(json!({ "source": self.images.len(), "sampler": 0 }));
        self.images.push(json!({ "bufferView": buffer.view(&png.bytes, None), "mimeType": "image/png" }));
        Ok(())
    }
}
