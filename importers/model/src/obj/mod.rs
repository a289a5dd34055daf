//! Wavefront OBJ with its MTL files → a document of glTF, which the rest of the importer reads like any other.
//!
//! Objects and groups become nodes with a mesh each; faces of one material are a primitive. Positions that faces share with the same
//! texture coordinates and normal are one vertex.

mod lines;
mod materials;
mod meshes;
mod normals;
mod parse;
mod polygon;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use rres_import::{ImportError, Source};
use serde_json::{Value, json};

use self::lines::{Statements, shown};
use self::materials::{Library, Phong, TextureMap};
use self::parse::Obj;

/// A document made of an OBJ file.
pub(super) struct Document {
    pub(super) json: Value,
    /// Its only buffer.
    pub(super) binary: Vec<u8>,
    /// What is left out, a phrase each.
    pub(super) left_out: Vec<String>,
}

/// Whether the file at `path` is an OBJ.
pub(super) fn is_obj(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("obj"))
}

/// An estimate of the memory in bytes that reading takes. The shortest corners of faces are two bytes.
pub(super) fn memory(bytes: &[u8]) -> u64 {
    bytes.len() as u64 * 40
}

/// The libraries that an OBJ may name, in all the ways to read its lines.
pub(super) fn named_libraries(bytes: &[u8]) -> Vec<String> {
    const WORD: &str = "mtllib";
    // The search is much faster than to read every line. Texts of other encodings keep their lines.
    let text = String::from_utf8_lossy(bytes);
    let mut libraries = Vec::new();
    for (at, _) in text.match_indices(WORD) {
        let before = text[..at].trim_end_matches([' ', '\t', '\u{feff}']);
        let line = before.strip_suffix('\n').unwrap_or(before);
        let line = line.strip_suffix('\r').unwrap_or(line);
        // The line before may go on in this one.
        if !before.is_empty() && line.len() == before.len() || line.ends_with('\\') {
            continue;
        }
        let Some(statement) = Statements::new(text[at..].as_bytes()).next().filter(|found| found.word == WORD) else {
            continue;
        };
        let names = as_path(&statement.rest);
        libraries.extend(several(&names).into_iter().map(str::to_owned));
        libraries.push(names);
    }
    libraries
}

/// Reads a source and its libraries of materials.
pub(super) fn read(source: &mut Source<'_>) -> Result<Document, ImportError> {
    let obj = parse::parse(source.bytes)?;
    if obj.positions.is_empty() && obj.elements.is_empty() {
        if matches!(source.bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
            return Err(
                ImportError::new("is a text in UTF-16, and an OBJ is one in UTF-8").with_help("save it as UTF-8")
            );
        }
        return Err(
            ImportError::new("is not an OBJ: it has neither positions nor faces").with_damage_help("export it again")
        );
    }
    let mut left_out = obj.left_out.clone();
    let (libraries, missing) = libraries(&obj, source)?;
    let mut materials = Materials::default();
    let mut known: HashMap<&str, (&str, &Phong)> = HashMap::new();
    for (path, library) in &libraries {
        for material in &library.materials {
            known.entry(&material.name).or_insert((path, material));
        }
    }
    for name in &obj.materials {
        match known.get(&**name) {
            Some((path, material)) => materials.add(material, path, source)?,
            None => {
                materials.unknown += usize::from(!libraries.is_empty());
                materials.json.push(json!({ "name": name }));
            }
        }
    }
    for (_, library) in &libraries {
        for (word, count) in &library.left_out {
            *left_out.entry(word.clone()).or_default() += count;
        }
    }
    let mut phrases: Vec<String> = left_out.into_iter().map(|(word, count)| statements(&word, count)).collect();
    phrases.extend(missing.iter().map(|name| format!("the materials of {}, which does not exist", shown(name))));
    let used = materials.json.len() - materials.unknown;
    for (count, one, many) in [
        (obj.weights, "weight of a position", "weights of positions"),
        (obj.depths, "third texture coordinate", "third texture coordinates"),
    ] {
        phrases.extend((count > 0).then(|| super::counted(count, one, many)));
    }
    for (count, one, many) in [
        (materials.unknown, "material that no MTL file has", "materials that no MTL file has"),
        (known.len().saturating_sub(used), "material without faces", "materials without faces"),
    ] {
        phrases.extend((count > 0 && !libraries.is_empty()).then(|| super::counted(count as u64, one, many)));
    }
    let mut document = meshes::document(&obj)?;
    document.json["materials"] = materials.json.into();
    (document.json["textures"], document.json["images"]) = (materials.textures.into(), materials.images.into());
    document.json["samplers"] = json!([{ "wrapS": 33071, "wrapT": 33071 }]);
    document.left_out = phrases;
    Ok(document)
}

fn statements(word: &str, count: u64) -> String {
    if count == 1 { format!("`{word}`") } else { format!("`{word}` × {count}") }
}

/// Libraries of materials with their paths.
type Libraries = Vec<(String, Library)>;

/// The libraries of a file with their paths relative to it, and the names of those that do not exist: other programs show the model
/// without their materials, too.
fn libraries(obj: &Obj, source: &mut Source<'_>) -> Result<(Libraries, Vec<String>), ImportError> {
    let (mut libraries, mut missing) = (Libraries::new(), Vec::new());
    for (names, line) in &obj.libraries {
        let names = as_path(names);
        // Names may have spaces, and there may be several names.
        let is_one = !names.contains(' ') || exists(source, &names)?.is_some();
        let names = if is_one { vec![&*names] } else { several(&names) };
        for name in names {
            let at_line = |error: ImportError| error.within(&format!("mtllib {}", shown(name))).at(*line, 1);
            if libraries.iter().any(|(known, _)| known == name) {
                continue;
            }
            if exists(source, name).map_err(at_line)?.is_none() {
                missing.push(name.to_owned());
                continue;
            }
            let bytes = source.read_input(name).map_err(at_line)?;
            let library = materials::parse(&bytes).map_err(|error| of_library(error, name))?;
            libraries.push((name.to_owned(), library));
        }
    }
    missing.dedup();
    Ok((libraries, missing))
}

/// What a line names, with `/` between folders.
fn as_path(names: &str) -> String {
    names.replace("\\ ", " ").replace('\\', "/")
}

/// The names in a line with several: each goes to the next `.mtl` before a space. Words behind the last one are names of their own.
fn several(names: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut first = 0;
    for (end, _) in names.match_indices(' ').chain([(names.len(), "")]) {
        let is_library = end >= 4 && names.as_bytes()[end - 4..end].eq_ignore_ascii_case(b".mtl");
        if is_library {
            found.push(names[first..end].trim_ascii());
            first = end;
        }
    }
    found.extend(names[first..].split_ascii_whitespace());
    found
}

/// An error in a library names its file and line. The source has another line at that number.
fn of_library(error: ImportError, name: &str) -> ImportError {
    match error.line() {
        Some(line) => error.within(&format!("{}:{line}", shown(name))).without_position(),
        None => error.within(&shown(name)),
    }
}

/// The asset path of the file that has this path relative to the source, whatever its case.
fn exists(source: &mut Source<'_>, relative: &str) -> Result<Option<String>, ImportError> {
    let path = source.input_path(relative)?;
    Ok(source.inputs.find(&path))
}

/// The materials that faces use, with their textures and images.
#[derive(Default)]
struct Materials {
    json: Vec<Value>,
    textures: Vec<Value>,
    images: Vec<Value>,
    /// The number of each texture, by its path and whether it ends at its edges.
    numbers: HashMap<(String, bool), usize>,
    /// The number of each image.
    paths: HashMap<String, usize>,
    /// How many materials no library has.
    unknown: usize,
}

impl Materials {
    /// Adds a material of a library, whose textures must exist.
    fn add(&mut self, material: &Phong, library: &str, source: &mut Source<'_>) -> Result<(), ImportError> {
        let folder = library.rsplit_once('/').map_or("", |(folder, _)| folder);
        let relative =
            |map: &TextureMap| if folder.is_empty() { map.path.clone() } else { format!("{folder}/{}", map.path) };
        for map in &material.maps {
            let (path, word) = (relative(map), map.word);
            let place = format!("{}:{}", shown(library), map.line);
            let wanted = source.input_path(&path).map_err(|error| error.within(&place))?;
            match source.inputs.find(&wanted) {
                Some(found) if found == wanted => {}
                found => {
                    let error =
                        ImportError::new(format!("{place}: `{word}` names {}, which does not exist", shown(&path)));
                    return Err(match found {
                        Some(found) => {
                            error.with_help(format!("the file is called {found}: write it so in the MTL file"))
                        }
                        None => {
                            error.with_help("put the file there, or remove the line if the material needs no texture")
                        }
                    });
                }
            }
        }
        let json = material.to_gltf(|map| self.texture(relative(map), map.is_clamped));
        self.json.push(json);
        Ok(())
    }

    /// The number of the texture with this image.
    fn texture(&mut self, path: String, is_clamped: bool) -> usize {
        let key = (path, is_clamped);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let image = *self.paths.entry(key.0.clone()).or_insert_with(|| {
            // Only these mean something in the URI of a file.
            let uri = key.0.replace('%', "%25").replace(':', "%3A");
            self.images.push(json!({ "uri": uri }));
            self.images.len() - 1
        });
        let mut texture = json!({ "source": image });
        if is_clamped {
            texture["sampler"] = 0.into();
        }
        self.textures.push(texture);
        self.numbers.insert(key, self.textures.len() - 1);
        self.textures.len() - 1
    }
}
