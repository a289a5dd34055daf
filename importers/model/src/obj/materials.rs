//! MTL files → materials of glTF, as JSON, and the textures that they use.
//!
//! MTL is the model of Phong, with the extension for physically based rendering. `docs/models.md` states what becomes of each statement.

use std::collections::BTreeMap;

use rres_import::ImportError;
use serde_json::{Map, Value, json};

use super::super::appearance::MAPS;
use super::lines::{Statement, Statements, shown};

/// A library of materials.
#[derive(Default)]
pub(super) struct Library {
    pub(super) materials: Vec<Phong>,
    /// How often each statement or option occurs that is left out.
    pub(super) left_out: BTreeMap<String, u64>,
}

/// A material as the file states it. Numbers that it does not state are `None`.
#[derive(Default)]
pub(super) struct Phong {
    pub(super) name: String,
    /// Its numbers and colours by their word.
    values: BTreeMap<&'static str, [f32; 3]>,
    pub(super) maps: Vec<TextureMap>,
}

/// A texture of a material.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextureMap {
    pub(super) word: &'static str,
    /// As in the file, with `/` between folders.
    pub(super) path: String,
    pub(super) line: u32,
    offset: [f32; 2],
    scale: [f32; 2],
    pub(super) is_clamped: bool,
    strength: f32,
}

/// Words of numbers, and how many of them there are.
const VALUES: &[(&str, std::ops::RangeInclusive<usize>)] = &[
    ("Ka", 1..=3),
    ("Kd", 1..=3),
    ("Ks", 1..=3),
    ("Ke", 1..=3),
    ("Ns", 1..=1),
    ("Ni", 1..=1),
    ("d", 1..=1),
    ("Tr", 1..=1),
    ("Pr", 1..=1),
    ("Pm", 1..=1),
    ("Ps", 1..=1),
    ("Pc", 1..=1),
    ("Pcr", 1..=1),
    ("aniso", 1..=1),
    ("anisor", 1..=1),
    ("illum", 1..=1),
];

/// Words of textures: as written in small letters, and the one that they count as.
const TEXTURES: &[(&str, &str)] = &[
    ("map_kd", "map_Kd"),
    ("map_ks", "map_Ks"),
    ("map_ke", "map_Ke"),
    ("map_d", "map_d"),
    ("map_bump", "map_Bump"),
    ("bump", "map_Bump"),
    ("norm", "norm"),
    ("map_kn", "norm"),
    ("map_pr", "map_Pr"),
    ("map_pm", "map_Pm"),
];

/// Reads a library.
pub(super) fn parse(bytes: &[u8]) -> Result<Library, ImportError> {
    let mut library = Library::default();
    for statement in Statements::new(bytes) {
        if statement.word == "newmtl" {
            let name = statement.rest.clone().into_owned();
            library.materials.push(Phong { name, ..Phong::default() });
            continue;
        }
        let lower = statement.word.to_ascii_lowercase();
        let value = VALUES.iter().find(|(word, _)| *word == statement.word);
        let map = TEXTURES.iter().find(|(word, _)| *word == lower);
        // Colours may be of a spectrum or of another space, which no exporter writes.
        let is_other = matches!(statement.words().next(), Some("spectral" | "xyz"));
        let (Some(material), false) = (library.materials.last_mut(), is_other) else {
            *library.left_out.entry(shown(&statement.word)).or_default() += 1;
            continue;
        };
        if let Some((word, counts)) = value {
            // `d -halo 0.5` fades at the edges.
            let words = statement.rest.strip_prefix("-halo").map(str::trim_ascii);
            let plain = words.map(|rest| Statement { rest: rest.into(), word: statement.word.clone(), ..statement });
            if plain.is_some() {
                *library.left_out.entry("-halo".to_owned()).or_default() += 1;
            }
            let (mut numbers, count) = plain.as_ref().unwrap_or(&statement).numbers::<3>(counts.clone())?;
            // One number of a colour is the value of all three.
            if *counts.end() == 3 && count < 3 {
                numbers = [numbers[0]; 3];
            }
            material.values.insert(word, numbers);
        } else if let Some((_, word)) = map {
            let map = texture(&statement, word, &mut library.left_out)?;
            material.maps.retain(|other| other.word != *word);
            material.maps.push(map);
        } else {
            *library.left_out.entry(shown(&statement.word)).or_default() += 1;
        }
    }
    for material in &library.materials {
        for word in material.left_out() {
            *library.left_out.entry(word.to_owned()).or_default() += 1;
        }
    }
    Ok(library)
}

/// The options of a texture, and its path, which may have spaces.
fn texture(
    statement: &Statement<'_>,
    word: &'static str,
    left_out: &mut BTreeMap<String, u64>,
) -> Result<TextureMap, ImportError> {
    let mut map = TextureMap {
        word,
        path: String::new(),
        line: statement.line,
        offset: [0.0; 2],
        scale: [1.0; 2],
        is_clamped: false,
        strength: 1.0,
    };
    let mut rest = &*statement.rest;
    while rest.starts_with('-') {
        let (option, mut after) = split_word(rest);
        // How many words follow the option; of numbers there may be fewer.
        let (most, is_number) = match option {
            "-o" | "-s" | "-t" => (3, true),
            "-mm" => (2, true),
            "-bm" | "-boost" | "-texres" => (1, true),
            "-blendu" | "-blendv" | "-cc" | "-clamp" | "-colorspace" | "-imfchan" | "-type" => (1, false),
            _ => break,
        };
        let mut values = Vec::new();
        for _ in 0..most {
            let (value, next) = split_word(after);
            if value.is_empty() || (is_number && value.parse::<f32>().is_err()) {
                break;
            }
            (after, values) = (next, {
                values.push(value);
                values
            });
        }
        let number = |i: usize, default: f32| -> Result<f32, ImportError> {
            let Some(value) = values.get(i) else { return Ok(default) };
            let number = value.parse::<f32>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| statement.error(format!("has \"{}\", expected a number", shown(value))))
        };
        match option {
            "-o" => map.offset = [number(0, 0.0)?, number(1, 0.0)?],
            "-s" => map.scale = [number(0, 1.0)?, number(1, 1.0)?],
            "-bm" => map.strength = number(0, 1.0)?,
            "-clamp" => map.is_clamped = values.first() == Some(&"on"),
            _ => *left_out.entry(format!("{} {option}", statement.word)).or_default() += 1,
        }
        rest = after;
    }
    map.path = rest.trim_ascii().replace('\\', "/");
    if map.path.is_empty() {
        return Err(statement.error("has no file"));
    }
    Ok(map)
}

fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii_start())
}

impl Phong {
    fn value(&self, word: &str) -> Option<[f32; 3]> {
        self.values.get(word).copied()
    }

    fn number(&self, word: &str) -> Option<f32> {
        self.value(word).map(|[number, ..]| number)
    }

    fn map(&self, word: &str) -> Option<&TextureMap> {
        self.maps.iter().find(|map| map.word == word)
    }

    /// Its words that have no place in a model and say something. Most exporters write an ambient colour of 0, 1 or the diffuse one.
    fn left_out(&self) -> impl Iterator<Item = &'static str> {
        let ambient = self.value("Ka").filter(|color| *color != [0.0; 3] && *color != [1.0; 3]);
        let is_own = ambient.is_some() && ambient != self.value("Kd");
        let others = ["Ps", "aniso", "anisor"].into_iter().filter(|word| self.number(word).is_some_and(|n| n != 0.0));
        let illumination = self.number("illum").is_some_and(|illum| illum > 2.0).then_some("illum");
        let bumps = (self.map("norm").is_some() && self.map("map_Bump").is_some()).then_some("map_Bump");
        is_own.then_some("Ka").into_iter().chain(others).chain(illumination).chain(bumps)
    }

    /// How opaque it is, from 0 to 1.
    fn opacity(&self) -> f32 {
        let opacity = self.number("d").or_else(|| self.number("Tr").map(|transparency| 1.0 - transparency));
        opacity.unwrap_or(1.0).clamp(0.0, 1.0)
    }

    /// The material in glTF. `texture` returns the number of a texture.
    pub(super) fn to_gltf(&self, mut texture: impl FnMut(&TextureMap) -> usize) -> Value {
        let mut info = |map: &TextureMap| {
            let index = texture(map);
            let mut info = Map::new();
            info.insert("index".to_owned(), index.into());
            if (map.offset, map.scale) != ([0.0; 2], [1.0; 2]) {
                // Texture coordinates count from the top here, and from the bottom in MTL.
                let ([u, v], [width, height]) = (map.offset, map.scale);
                let transform = json!({ "offset": [u, 1.0 - height - v], "scale": [width, height] });
                info.insert("extensions".to_owned(), json!({ "KHR_texture_transform": transform }));
            }
            info
        };
        let [r, g, b] = self.value("Kd").unwrap_or([1.0; 3]);
        let illumination = self.number("illum");
        let metallic = self.number("Pm");
        let mut pbr = json!({
            "baseColorFactor": [r, g, b, self.opacity()],
            "metallicFactor": metallic.or(self.map("map_Pm").map(|_| 1.0)).unwrap_or_default(),
            "roughnessFactor": self.roughness(),
        });
        let mut material = Map::new();
        let mut extensions = Map::new();
        let mut maps = Map::new();
        material.insert("name".to_owned(), self.name.clone().into());
        if let Some(map) = self.map("map_Kd") {
            pbr["baseColorTexture"] = info(map).into();
        }
        let emissive = self.value("Ke").or(self.map("map_Ke").map(|_| [1.0; 3])).unwrap_or_default();
        // glTF has emissive colours up to 1, and a factor for what is brighter.
        let strength = emissive.into_iter().fold(1.0, f32::max);
        if emissive != [0.0; 3] {
            material.insert("emissiveFactor".to_owned(), json!(emissive.map(|part| (part / strength).max(0.0))));
        }
        if strength > 1.0 {
            let value = json!({ "emissiveStrength": strength });
            extensions.insert("KHR_materials_emissive_strength".to_owned(), value);
        }
        if let Some(map) = self.map("map_Ke") {
            material.insert("emissiveTexture".to_owned(), info(map).into());
        }
        // A file with both has the bumps for renderers that do not know the other.
        if let Some(map) = self.map("norm").or(self.map("map_Bump")) {
            let mut info = info(map);
            info.insert("scale".to_owned(), map.strength.into());
            material.insert("normalTexture".to_owned(), info.into());
        }
        let specular = if illumination == Some(1.0) { Some([0.0; 3]) } else { self.value("Ks") };
        if specular.is_some() || self.map("map_Ks").is_some() {
            let mut of_specular = Map::new();
            of_specular.insert("specularColorFactor".to_owned(), json!(specular.unwrap_or([1.0; 3])));
            if let Some(map) = self.map("map_Ks") {
                of_specular.insert("specularColorTexture".to_owned(), info(map).into());
            }
            extensions.insert("KHR_materials_specular".to_owned(), of_specular.into());
        }
        match (self.map("map_Pr"), self.map("map_Pm")) {
            (Some(rough), Some(metal)) if rough.path == metal.path => {
                pbr["metallicRoughnessTexture"] = info(rough).into();
            }
            (rough, metal) => {
                for (key, map) in [("roughnessTexture", rough), ("metallicTexture", metal)] {
                    maps.extend(map.map(|map| (key.to_owned(), info(map).into())));
                }
            }
        }
        let same = |a: &TextureMap, b: &TextureMap| (&a.path, a.offset, a.scale) == (&b.path, b.offset, b.scale);
        let opacity = self.map("map_d");
        // The alpha of the colours is the opacity already.
        if let Some(map) = opacity.filter(|map| !self.map("map_Kd").is_some_and(|of_color| same(map, of_color))) {
            maps.insert("opacityTexture".to_owned(), info(map).into());
        }
        if opacity.is_some() || self.opacity() < 1.0 {
            material.insert("alphaMode".to_owned(), "BLEND".into());
        }
        // 1 is the usual value of exporters that have none.
        if let Some(ior) = self.number("Ni").filter(|ior| *ior > 1.0) {
            extensions.insert("KHR_materials_ior".to_owned(), json!({ "ior": ior }));
        }
        if let Some(coat) = self.number("Pc").filter(|coat| *coat > 0.0) {
            let roughness = self.number("Pcr").unwrap_or_default();
            let value = json!({ "clearcoatFactor": coat, "clearcoatRoughnessFactor": roughness });
            extensions.insert("KHR_materials_clearcoat".to_owned(), value);
        }
        if illumination == Some(0.0) {
            extensions.insert("KHR_materials_unlit".to_owned(), json!({}));
        }
        if !maps.is_empty() {
            extensions.insert(MAPS.to_owned(), maps.into());
        }
        material.insert("pbrMetallicRoughness".to_owned(), pbr);
        material.insert("extensions".to_owned(), extensions.into());
        material.into()
    }

    /// The stated roughness, or the roughness that follows from the highlight: an exponent `n` of Phong is about `α² = 2 / (n + 2)`, and the
    /// roughness of glTF is the root of `α`.
    fn roughness(&self) -> f32 {
        if let Some(roughness) = self.number("Pr") {
            return roughness.clamp(0.0, 1.0);
        }
        if self.map("map_Pr").is_some() {
            return 1.0;
        }
        self.number("Ns").map_or(1.0, |exponent| (2.0 / (exponent.max(0.0) + 2.0)).sqrt().sqrt())
    }
}
