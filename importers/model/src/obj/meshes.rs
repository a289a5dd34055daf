//! The elements of an OBJ file → meshes, nodes, accessors and a buffer of glTF.

use std::collections::HashMap;

use rres_import::ImportError;
use serde_json::{Map, Value, json};

use super::Document;
use super::normals::{Generated, has_own};
use super::parse::{Corner, NONE, Obj, Shape};
use super::polygon::{self, MAX_CORNERS};

/// What a primitive is made of: elements with the same members.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    mesh: usize,
    material: u32,
    shape: Shape,
    has_tex_coords: bool,
    has_normals: bool,
}

/// A primitive under construction.
struct Primitive {
    key: Key,
    /// The corner of each vertex. Numbers of normals after the last of the file belong to [`Generated`].
    vertices: Vec<Corner>,
    numbers: HashMap<Corner, u32>,
    indices: Vec<u32>,
}

/// A node with a mesh.
struct Node {
    name: String,
    mesh: Option<usize>,
    children: Vec<usize>,
    is_root: bool,
}

/// Makes a document of everything except the materials.
pub(super) fn document(obj: &Obj) -> Result<Document, ImportError> {
    let (nodes, meshes) = nodes(obj);
    let generated = Generated::of(obj);
    let primitives = primitives(obj, &meshes, &generated)?;
    let mut buffer = Buffer::default();
    let count = nodes.iter().filter(|node| node.mesh.is_some()).count();
    let mut of_meshes: Vec<Vec<Value>> = vec![Vec::new(); count];
    for primitive in primitives {
        let mesh = primitive.key.mesh;
        of_meshes[mesh].push(buffer.primitive(obj, &generated, primitive));
    }
    let meshes: Vec<Value> = of_meshes.into_iter().map(|primitives| json!({ "primitives": primitives })).collect();
    let mut json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": buffer.bytes.len() }],
        "bufferViews": buffer.views,
        "accessors": buffer.accessors,
        "meshes": meshes,
    });
    let roots: Vec<usize> = (0..nodes.len()).filter(|node| nodes[*node].is_root).collect();
    for node in &nodes {
        if let Some(mesh) = node.mesh.filter(|_| !node.name.is_empty()) {
            json["meshes"][mesh]["name"] = node.name.clone().into();
        }
    }
    let nodes: Vec<Value> = nodes.into_iter().map(Node::json).collect();
    (json["nodes"], json["scenes"], json["scene"]) = (nodes.into(), json!([{ "nodes": roots }]), 0.into());
    Ok(Document { json, binary: buffer.bytes, left_out: Vec::new() })
}

impl Node {
    fn json(self) -> Value {
        let mut json = Map::new();
        if !self.name.is_empty() {
            json.insert("name".to_owned(), self.name.into());
        }
        json.extend(self.mesh.map(|mesh| ("mesh".to_owned(), mesh.into())));
        if !self.children.is_empty() {
            json.insert("children".to_owned(), self.children.into());
        }
        json.into()
    }
}

/// A node for each object and each group with elements, groups below their object; and the mesh of each part.
fn nodes(obj: &Obj) -> (Vec<Node>, Vec<usize>) {
    let mut nodes: Vec<Node> = Vec::new();
    let mut known = HashMap::new();
    let mut meshes = 0;
    let mut of_parts = Vec::new();
    let name = |names: &[String], number: u32| names.get(number as usize).cloned().unwrap_or_default();
    for part in &obj.parts {
        let object = (part.object, NONE);
        // Many exporters repeat the name of the object as the name of its group.
        let is_same = name(&obj.objects, part.object) == name(&obj.groups, part.group);
        let own = if is_same { object } else { (part.object, part.group) };
        let mut node = |(object, group): (u32, u32), is_root: bool| {
            *known.entry((object, group)).or_insert_with(|| {
                let name = if group == NONE { name(&obj.objects, object) } else { name(&obj.groups, group) };
                nodes.push(Node { name, mesh: None, children: Vec::new(), is_root });
                nodes.len() - 1
            })
        };
        let has_parent = own != object && part.object != NONE;
        let parent = has_parent.then(|| node(object, true));
        let number = node(own, !has_parent);
        if let Some(parent) = parent.filter(|_| nodes[number].mesh.is_none()) {
            nodes[parent].children.push(number);
        }
        let mesh = *nodes[number].mesh.get_or_insert_with(|| {
            meshes += 1;
            meshes - 1
        });
        of_parts.push(mesh);
    }
    (nodes, of_parts)
}

fn primitives(obj: &Obj, meshes: &[usize], generated: &Generated) -> Result<Vec<Primitive>, ImportError> {
    let mut primitives: Vec<Primitive> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    let mut positions = Vec::new();
    for (number, element) in obj.elements.iter().enumerate() {
        let corners = &obj.corners[element.first as usize..][..element.count as usize];
        let part = obj.parts[element.part as usize];
        let is_own = has_own(obj, element);
        let is_face = element.shape == Shape::Face;
        let key = Key {
            mesh: meshes[element.part as usize],
            material: part.material,
            shape: element.shape,
            has_tex_coords: corners.iter().all(|corner| corner.tex_coord != NONE),
            has_normals: is_face && (is_own || obj.is_smooth),
        };
        let slot = *known.entry(key).or_insert_with(|| {
            primitives.push(Primitive { key, vertices: Vec::new(), numbers: HashMap::new(), indices: Vec::new() });
            primitives.len() - 1
        });
        let primitive = &mut primitives[slot];
        let mut vertex = |corner: Corner| {
            let of_group = || {
                let number = generated.number(number as u32, element, corner.position)?;
                u32::try_from(obj.normals.len()).ok()?.checked_add(number)
            };
            let normal = if is_own { Some(corner.normal) } else { of_group() };
            let corner = Corner {
                tex_coord: if key.has_tex_coords { corner.tex_coord } else { NONE },
                normal: normal.filter(|_| key.has_normals).unwrap_or(NONE),
                ..corner
            };
            *primitive.numbers.entry(corner).or_insert_with(|| {
                primitive.vertices.push(corner);
                primitive.vertices.len() as u32 - 1
            })
        };
        let vertices: Vec<u32> = corners.iter().map(|corner| vertex(*corner)).collect();
        match element.shape {
            Shape::Points => primitive.indices.extend(vertices),
            Shape::Line => primitive.indices.extend(vertices.windows(2).flatten()),
            Shape::Face => {
                positions.clear();
                positions.extend(corners.iter().map(|corner| obj.positions[corner.position as usize]));
                let triangles = polygon::triangles(&positions).ok_or_else(|| {
                    let count = corners.len();
                    let found = format!("a face has {count} corners and is not convex; expected up to {MAX_CORNERS}");
                    ImportError::new(found).with_help("export it with triangles").at(element.line, 1)
                })?;
                primitive.indices.extend(triangles.into_iter().flatten().map(|corner| vertices[corner]));
            }
        }
    }
    Ok(primitives)
}

/// The buffer, its views and accessors.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds an accessor of four-byte components, and returns its number.
    fn add<const N: usize>(&mut self, shape: &str, component: u32, items: impl Iterator<Item = [[u8; 4]; N]>) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(items.flatten().flatten());
        let len = self.bytes.len() - offset;
        let view = self.views.len();
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": len }));
        let count = len / 4 / N;
        self.accessors.push(json!({ "bufferView": view, "componentType": component, "count": count, "type": shape }));
        self.accessors.len() - 1
    }

    fn primitive(&mut self, obj: &Obj, generated: &Generated, primitive: Primitive) -> Value {
        const FLOAT: u32 = 5126;
        const UNSIGNED: u32 = 5125;
        let Primitive { key, vertices, indices, .. } = primitive;
        let floats3 = |values: [f32; 3]| values.map(f32::to_le_bytes);
        let mut attributes = Map::new();
        let positions = vertices.iter().map(|corner| floats3(obj.positions[corner.position as usize]));
        attributes.insert("POSITION".to_owned(), self.add("VEC3", FLOAT, positions).into());
        if key.has_tex_coords {
            // OBJ counts from the bottom left of the image.
            let tex_coords = vertices.iter().map(|corner| obj.tex_coords[corner.tex_coord as usize]);
            let tex_coords = tex_coords.map(|[u, v]| [u, 1.0 - v].map(f32::to_le_bytes));
            attributes.insert("TEXCOORD_0".to_owned(), self.add("VEC2", FLOAT, tex_coords).into());
        }
        if key.has_normals {
            let normals = vertices.iter().map(|corner| match (corner.normal as usize).checked_sub(obj.normals.len()) {
                None => obj.normals[corner.normal as usize],
                Some(number) => generated.get(number as u32),
            });
            attributes.insert("NORMAL".to_owned(), self.add("VEC3", FLOAT, normals.map(floats3)).into());
        }
        if !obj.colors.is_empty() {
            let white = [1.0; 3];
            let colors = vertices.iter().map(|c| obj.colors.get(c.position as usize).copied().unwrap_or(white));
            attributes.insert("COLOR_0".to_owned(), self.add("VEC3", FLOAT, colors.map(floats3)).into());
        }
        let indices = self.add("SCALAR", UNSIGNED, indices.into_iter().map(|index| [index.to_le_bytes()]));
        let mode = match key.shape {
            Shape::Face => 4,
            Shape::Line => 1,
            Shape::Points => 0,
        };
        let mut json = json!({ "attributes": attributes, "indices": indices, "mode": mode });
        if key.material != NONE {
            json["material"] = key.material.into();
        }
        json
    }
}
