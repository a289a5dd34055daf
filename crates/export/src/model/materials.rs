//! The materials of a model: their numbers, colours and textures, in the objects that the importer reads them from.

use rres_format::chunk::scene::{Factor, FactorRecord, TextureRecord, TextureSlot};
use rres_import_model::{FACTORS, GLOSSINESS, TEXTURES, UNLIT};
use serde_json::{Map, Value, json};

use super::textures::Textures;
use super::{Writer, extension, floats};
use crate::ExportError;
use crate::float;

/// The member of a material that has the metallic-roughness model.
const PBR: &str = "pbrMetallicRoughness";
const TRANSFORM: &str = "KHR_texture_transform";

pub(super) fn write(writer: &mut Writer<'_>, textures: &Textures) -> Result<Vec<Value>, ExportError> {
    let mut materials = Vec::new();
    for material in writer.export.model.materials() {
        if material.base_color.iter().any(|value| !value.is_finite()) {
            return Err(ExportError::Damaged(format!("the material \"{}\" has no finite colour", material.name)));
        }
        let mut value = json!({});
        if !material.name.is_empty() {
            value["name"] = json!(material.name);
        }
        if material.base_color != [1.0; 4] {
            value[PBR]["baseColorFactor"] = floats(&material.base_color);
        }
        materials.push(value);
    }
    let scene = writer.scene;
    for record in &scene.factors {
        if let Some(material) = materials.get_mut(record.material as usize) {
            factor(material, record, writer);
        }
    }
    for record in &scene.textures {
        let Some(material) = materials.get_mut(record.material as usize) else { continue };
        let Some(number) = textures.number(writer, record) else { continue };
        let Some((object, key, _)) = TEXTURES.iter().find(|(.., slot)| *slot == record.slot) else {
            writer.losses.push(format!("without textures of the sort {}", record.slot));
            continue;
        };
        let info = info(number, record, writer);
        member(material, object, writer).insert((*key).to_owned(), info);
    }
    Ok(materials)
}

/// The object with this name: the material itself, a member of it, or an extension.
fn member<'v>(material: &'v mut Value, name: &'static str, writer: &mut Writer<'_>) -> &'v mut Map<String, Value> {
    match name {
        "" => {}
        PBR if material[PBR].is_object() => {}
        PBR => material[PBR] = json!({}),
        name => {
            writer.extensions.insert(name);
            return extension(material, name);
        }
    }
    let object = if name.is_empty() { material } else { &mut material[PBR] };
    object.as_object_mut().expect("it was made one")
}

fn factor(material: &mut Value, record: &FactorRecord, writer: &mut Writer<'_>) {
    let [x, ..] = record.value;
    match record.factor {
        Factor::ALPHA_MODE if x == 1.0 => material["alphaMode"] = json!("MASK"),
        Factor::ALPHA_MODE if x == 2.0 => material["alphaMode"] = json!("BLEND"),
        Factor::ALPHA_MODE => {}
        Factor::DOUBLE_SIDED => material["doubleSided"] = json!(x != 0.0),
        Factor::UNLIT if x != 0.0 => {
            member(material, UNLIT, writer);
        }
        Factor::UNLIT => {}
        Factor::DIFFUSE => {
            let object = member(material, GLOSSINESS, writer);
            object.insert("diffuseFactor".to_owned(), floats(&record.value));
        }
        other => {
            let Some(row) = FACTORS.iter().find(|row| row.factor == other) else {
                writer.losses.push(format!("without factors of the sort {other}"));
                return;
            };
            let value = match row.default.len() {
                1 => float(x),
                width => floats(&record.value[..width.min(4)]),
            };
            member(material, row.object, writer).insert(row.key.to_owned(), value);
        }
    }
}

/// The use of a texture.
fn info(number: usize, record: &TextureRecord, writer: &mut Writer<'_>) -> Value {
    let mut info = json!({ "index": number });
    if record.tex_coord != 0 {
        info["texCoord"] = json!(record.tex_coord);
    }
    let strength = match record.slot {
        TextureSlot::OCCLUSION => Some("strength"),
        TextureSlot::NORMAL | TextureSlot::CLEARCOAT_NORMAL => Some("scale"),
        _ => None,
    };
    if let Some(key) = strength.filter(|_| record.strength != 1.0) {
        info[key] = float(record.strength);
    }
    let mut transform = json!({});
    if record.offset != [0.0; 2] {
        transform["offset"] = floats(&record.offset);
    }
    if record.rotation != 0.0 {
        transform["rotation"] = float(record.rotation);
    }
    if record.scale != [1.0; 2] {
        transform["scale"] = floats(&record.scale);
    }
    if transform != json!({}) {
        writer.extensions.insert(TRANSFORM);
        info["extensions"] = json!({ TRANSFORM: transform });
    }
    info
}
