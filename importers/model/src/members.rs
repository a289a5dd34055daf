//! The members that objects of glTF 2.0 have → the members of a document that it does not have, so that a note can name them.

use std::collections::BTreeSet;

use gltf::json::Value;

/// Objects that have the index of a texture and nothing else.
const TEXTURE: &[&str] = &["index", "texCoord"];
/// The members of each object of glTF 2.0, by the place of the object in the document without the numbers of lists.
#[rustfmt::skip]
const MEMBERS: &[(&str, &[&str])] = &[
    ("", &[
        "accessors", "animations", "asset", "bufferViews", "buffers", "cameras", "extensionsRequired", "extensionsUsed", "images",
        "materials", "meshes", "nodes", "samplers", "scene", "scenes", "skins", "textures",
    ]),
    ("asset", &["version", "minVersion", "generator", "copyright"]),
    ("accessors", &[
        "bufferView", "byteOffset", "componentType", "count", "type", "max", "min", "sparse", "normalized", "name",
    ]),
    ("accessors.sparse", &["count", "indices", "values"]),
    ("accessors.sparse.indices", &["bufferView", "byteOffset", "componentType"]),
    ("accessors.sparse.values", &["bufferView", "byteOffset"]),
    ("animations", &["channels", "samplers", "name"]),
    ("animations.channels", &["sampler", "target"]),
    ("animations.channels.target", &["node", "path"]),
    ("animations.samplers", &["input", "output", "interpolation"]),
    ("bufferViews", &["buffer", "byteOffset", "byteLength", "byteStride", "target", "name"]),
    ("buffers", &["uri", "byteLength", "name"]),
    ("cameras", &["orthographic", "perspective", "type", "name"]),
    ("cameras.orthographic", &["xmag", "ymag", "zfar", "znear"]),
    ("cameras.perspective", &["aspectRatio", "yfov", "zfar", "znear"]),
    ("images", &["uri", "mimeType", "bufferView", "name"]),
    ("materials", &[
        "pbrMetallicRoughness", "normalTexture", "occlusionTexture", "emissiveTexture", "emissiveFactor", "alphaMode",
        "alphaCutoff", "doubleSided", "name",
    ]),
    ("materials.pbrMetallicRoughness", &[
        "baseColorFactor", "baseColorTexture", "metallicFactor", "roughnessFactor", "metallicRoughnessTexture",
    ]),
    ("materials.pbrMetallicRoughness.baseColorTexture", TEXTURE),
    ("materials.pbrMetallicRoughness.metallicRoughnessTexture", TEXTURE),
    ("materials.normalTexture", &["index", "texCoord", "scale"]),
    ("materials.occlusionTexture", &["index", "texCoord", "strength"]),
    ("materials.emissiveTexture", TEXTURE),
    ("meshes", &["primitives", "weights", "name"]),
    ("meshes.primitives", &["attributes", "indices", "material", "mode", "targets"]),
    ("nodes", &[
        "camera", "children", "skin", "matrix", "mesh", "rotation", "scale", "translation", "weights", "name",
    ]),
    ("samplers", &["magFilter", "minFilter", "wrapS", "wrapT", "name"]),
    ("scenes", &["nodes", "name"]),
    ("skins", &["inverseBindMatrices", "skeleton", "joints", "name"]),
    ("textures", &["sampler", "source", "name"]),
];

/// The members of a document that it does not have in glTF 2.0, with their places: `programs` of glTF 1.0, `nodes.layer`.
/// Extensions and extras are not searched.
pub(super) fn unknown(document: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    add(document, "", &mut names);
    names
}

fn add(value: &Value, place: &str, names: &mut BTreeSet<String>) {
    let Some((_, known)) = MEMBERS.iter().find(|(known, _)| *known == place) else { return };
    match value {
        Value::Array(items) => items.iter().for_each(|item| add(item, place, names)),
        Value::Object(members) => {
            for (key, member) in members.iter().filter(|(key, _)| !matches!(key.as_str(), "extensions" | "extras")) {
                let shown: String = key.chars().take(60).collect();
                let path = if place.is_empty() { shown } else { format!("{place}.{shown}") };
                match known.contains(&key.as_str()) {
                    true => add(member, &path, names),
                    false => _ = names.insert(path),
                }
            }
        }
        _ => {}
    }
}
