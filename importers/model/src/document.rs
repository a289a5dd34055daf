//! GLB or glTF bytes → the JSON document and the binary chunk, after version and required extensions are checked.
//! Indices in the document are not checked yet: use [`item`] to follow one.

use std::collections::BTreeSet;

use gltf::json::{Root, Value, deserialize};
use rres_import::ImportError;
use rres_import::content::{Content, sniff};
use serde_core::Deserialize;

use super::{appearance, json};

/// Extensions that are supported, besides extensions of materials.
const READ: &[&str] = &[
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_texture_basisu",
    "EXT_meshopt_compression",
    "MSFT_texture_dds",
    "EXT_texture_webp",
];
/// Extensions without which a model is what it is: they are named in a note, even if a file requires them.
const LEFT_OUT: &[&str] =
    &["KHR_animation_pointer", "KHR_xmp_json_ld", "KHR_materials_variants", "KHR_node_visibility"];
/// The same, by prefix: other extensions of materials change how a material looks, and nothing else.
const LEFT_OUT_PREFIXES: &[&str] = &["KHR_materials_", "EXT_materials_"];

/// A document, and the bytes of its first buffer if the file contains them.
pub(super) struct Document<'a> {
    pub(super) root: Root,
    /// The document as it is: the JSON reader refuses animations of extensions, and has no place for properties of others.
    pub(super) json: Value,
    pub(super) binary: Option<&'a [u8]>,
}

/// Reads either container.
pub(super) fn read<'a>(bytes: &'a [u8], path: &str) -> Result<Document<'a>, ImportError> {
    let (json, binary) = match bytes.strip_prefix(b"glTF") {
        Some(_) => split(bytes)?,
        None => (bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), None),
    };
    if binary.is_none() && json.trim_ascii_start().first() != Some(&b'{') {
        return Err(match sniff(bytes) {
            Some(Content::Glb) | None => ImportError::new("is not a glTF: it does not start with { or glTF"),
            Some(found) => found.refuse("a glTF", path),
        });
    }
    let mut value: Value = deserialize::from_slice(json).map_err(|e| damaged(&e))?;
    check_version(&value)?;
    let required = value.get("extensionsRequired").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if let Some(name) = required.iter().filter_map(Value::as_str).find(|name| !is_read(name)) {
        return Err(unreadable(name));
    }
    // A scene without nodes is valid, but the JSON reader refuses it.
    let scenes = value.get_mut("scenes").and_then(Value::as_array_mut).into_iter().flatten();
    scenes.filter_map(Value::as_object_mut).for_each(|scene| {
        scene.entry("nodes").or_insert_with(|| Value::Array(Vec::new()));
    });
    write_integers(&mut value);
    of(value, binary)
}

/// Takes a document apart into what is read from its JSON, and the JSON.
pub(super) fn of(mut value: Value, binary: Option<&[u8]>) -> Result<Document<'_>, ImportError> {
    // Animations of extensions lack what the JSON reader requires.
    let animations = value.as_object_mut().and_then(|root| root.remove("animations"));
    let root = Root::deserialize(&value).map_err(|e| damaged(&e))?;
    if let (Some(root), Some(animations)) = (value.as_object_mut(), animations) {
        root.insert("animations".to_owned(), animations);
    }
    Ok(Document { root, json: value, binary })
}

/// Writes whole numbers as such: some exporters write all numbers with a decimal point, and the JSON reader takes none of
/// those for an index. What is read as a float stays the same.
fn write_integers(value: &mut Value) {
    /// Beyond, floats skip integers.
    const MAX: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Array(items) => items.iter_mut().for_each(write_integers),
        Value::Object(members) => members.values_mut().for_each(write_integers),
        Value::Number(number) => {
            let float = if number.is_f64() { number.as_f64() } else { None };
            let is_minus_zero = |float: f64| float == 0.0 && float.is_sign_negative();
            if let Some(float) = float.filter(|f| f.fract() == 0.0 && f.abs() <= MAX && !is_minus_zero(*f)) {
                *value = Value::from(float as i64);
            }
        }
        _ => {}
    }
}

fn damaged(error: &gltf::json::Error) -> ImportError {
    ImportError::new(format!("is not a valid glTF document: {error}")).with_damage_help("export it again")
}

fn check_version(value: &Value) -> Result<(), ImportError> {
    let asset = |key| value.get("asset").and_then(|asset| asset.get(key)).and_then(Value::as_str);
    let version = asset("minVersion").or(asset("version"));
    match version {
        Some(version) if version == "2" || version.starts_with("2.") => Ok(()),
        Some(version) => {
            Err(ImportError::new(format!("is glTF {version}, expected 2.0")).with_help("export it as glTF 2.0"))
        }
        None => Err(ImportError::new("does not state its glTF version").with_help("export it as glTF 2.0")),
    }
}

/// Whether a file may require an extension.
fn is_read(name: &str) -> bool {
    is_supported(name) || LEFT_OUT.contains(&name) || LEFT_OUT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether everything that an extension says is kept.
pub(super) fn is_supported(name: &str) -> bool {
    READ.contains(&name) || appearance::EXTENSIONS.contains(&name)
}

/// Adds the names of all extensions that an object in the document has. Refuses those that are read and are not an object.
pub(super) fn extensions(value: &Value, names: &mut BTreeSet<String>) -> Result<(), ImportError> {
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| extensions(item, names)),
        Value::Object(members) => {
            // The data of other programs may look like anything.
            for (key, member) in members.iter().filter(|(key, _)| *key != "extras") {
                if let ("extensions", Some(used)) = (key.as_str(), member.as_object()) {
                    if let Some((name, found)) = used.iter().find(|(name, own)| is_supported(name) && !own.is_object())
                    {
                        return Err(json::wrong(name, found, "an object"));
                    }
                    names.extend(used.keys().cloned());
                }
                extensions(member, names)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The error for a required extension that is not supported.
pub(super) fn unreadable(name: &str) -> ImportError {
    let help = match name {
        "KHR_draco_mesh_compression" | "KHR_meshopt_compression" => {
            "export it without mesh compression; packs are compressed as a whole"
        }
        "EXT_texture_avif" => "export it with PNG or JPEG textures",
        "EXT_mesh_gpu_instancing" => "export it without instancing, one node for each instance",
        _ => "export it without this extension",
    };
    ImportError::new(format!("needs the glTF extension {name}, which cannot be read")).with_help(help)
}

/// The JSON and binary chunks of a GLB. Chunks after these are skipped, as the specification requires.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ImportError> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?));
    let cut = |expected: u64| {
        let error = ImportError::new(format!("is cut off: {} bytes, expected {expected}", bytes.len()));
        error.with_damage_help("download or export it again")
    };
    let (Some(version), Some(len)) = (word(4), word(8)) else { return Err(cut(12)) };
    if version != 2 {
        let error = ImportError::new(format!("is a binary glTF of version {version}, expected 2"));
        return Err(error.with_help("export it as glTF 2.0"));
    }
    let all = bytes.get(..len as usize).ok_or_else(|| cut(len.into()))?;
    let chunk = |at: usize| -> Result<(&[u8], &[u8]), ImportError> {
        let rest = all.get(at..).unwrap_or_default();
        let Some((head, body)) = rest.split_first_chunk::<8>() else { return Err(cut(at as u64 + 8)) };
        let [a, b, c, d, kind @ ..] = head;
        let len = u32::from_le_bytes([*a, *b, *c, *d]);
        let body = body.get(..len as usize).ok_or_else(|| cut(at as u64 + 8 + u64::from(len)))?;
        Ok((kind, body))
    };
    let (b"JSON", json) = chunk(12)? else {
        return Err(
            ImportError::new("is a binary glTF without JSON as its first chunk").with_damage_help("export it again")
        );
    };
    let next = 12 + 8 + json.len();
    if next >= all.len() {
        return Ok((json, None));
    }
    let (kind, binary) = chunk(next)?;
    Ok((json, (kind == b"BIN\0").then_some(binary)))
}

/// Item `index` of a list of the document.
pub(super) fn item<'r, T>(list: &'r [T], what: &str, index: usize) -> Result<&'r T, ImportError> {
    list.get(index).ok_or_else(|| {
        let count = list.len();
        ImportError::new(format!("refers to {what} {index}, but the file has only {count}"))
            .with_damage_help("export it again")
    })
}
