//! Meshes → for each primitive a chain of VRTX chunks: positions first, indices last.
//!
//! Values are preserved: floats byte for byte, quantized integers as the floats that they represent, colours in 8 bits,
//! indices in 16 bits if that is enough, else in 32. Joints have 16 bits, and their weights are floats.
//!
//! Attributes that C readers do not know follow the indices, and no chunk is linked to them.

use std::collections::HashSet;

use gltf::json::accessor::ComponentType;
use gltf::json::mesh::Primitive as GltfPrimitive;
use gltf::json::validation::Checked;
use gltf::json::{Root, Value};
use rres_format::FourCc;
use rres_format::chunk::model::{Primitive, Topology};
use rres_format::chunk::scene::LodRecord;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_import::{Block, ImportError};

use super::accessor::Elements;
use super::appearance::normal_map;
use super::buffers::Buffers;
use super::demand::{MAX_VERTICES, too_many_vertices};
use super::document::{item, unreadable};
use super::json::list;
use super::morphs;
use super::numbers::Numbers;
use super::process;
use super::{Skipped, attribute_name};

/// All primitives of a document, in the order of its meshes.
#[derive(Default)]
pub(super) struct Meshes {
    pub(super) blocks: Vec<Block>,
    pub(super) primitives: Vec<Primitive>,
    pub(super) triangles: u64,
    /// The mesh of each primitive, and the largest joint of its vertices.
    pub(super) joints: Vec<(u32, Option<u32>)>,
    /// The number of morph targets of each mesh.
    pub(super) targets: Vec<u32>,
    /// The set of texture coordinates of the normal map of each material that has one.
    normal_maps: Vec<Option<u32>>,
    /// The last primitive.
    added: Option<Added>,
    bytes: u64,
    /// The accessors of positions that several primitives use.
    shared: HashSet<usize>,
}

/// A primitive that was read.
struct Added {
    vertices: morphs::Vertices,
    /// The errors of its levels of detail.
    errors: Vec<f32>,
}

impl Meshes {
    /// Reads every mesh. `json` are the meshes of the document, and `materials` its materials.
    pub(super) fn read(
        json: &[Value],
        materials: &[Value],
        numbers: &mut Numbers<'_>,
        buffers: &mut Buffers<'_, '_, '_>,
        skipped: &mut Skipped,
    ) -> Result<Self, ImportError> {
        let normal_maps = materials.iter().map(normal_map).collect();
        let mut meshes = Self { shared: shared_positions(json), normal_maps, ..Self::default() };
        let root = numbers.root;
        for (number, mesh) in root.meshes.iter().enumerate() {
            let name = mesh.name.as_deref().map(|name| format!(" \"{name}\"")).unwrap_or_default();
            let what = format!("mesh {number}{name}");
            let (first_block, first_primitive) = (meshes.blocks.len(), meshes.primitives.len());
            for (part, primitive) in mesh.primitives.iter().enumerate() {
                let count = meshes.primitives.len();
                let part_of = |error: ImportError| error.within(&format!("{what}, primitive {part}"));
                let members = json.get(number).and_then(|mesh| list(mesh, "primitives").get(part));
                let attributes = Attributes(members.and_then(|primitive| primitive.get("attributes")));
                meshes.add(root, buffers, skipped, (number, primitive, &attributes)).map_err(part_of)?;
                let Some(added) = meshes.added.take().filter(|_| meshes.primitives.len() > count) else { continue };
                numbers.block.lods.extend(added.errors.iter().enumerate().map(|(level, error)| LodRecord {
                    primitive: added.vertices.primitive,
                    level: level as u32,
                    error: *error,
                    reserved: 0,
                }));
                skipped.attributes.extend(attributes.further().map(attribute_name));
                let targets = members.map(|primitive| list(primitive, "targets")).unwrap_or_default();
                morphs::read(targets, &added.vertices, numbers, buffers, skipped).map_err(part_of)?;
            }
            let settings = &buffers.source().settings.model;
            let (blocks, primitives) = (&mut meshes.blocks[first_block..], &meshes.primitives[first_primitive..]);
            process::formats::apply(blocks, primitives, settings).map_err(|error| error.within(&what))?;
            if let Some(size) = settings.meshlets {
                process::meshlets::add(blocks, primitives, first_primitive as u32, size, &mut numbers.block)
                    .map_err(|error| error.within(&what))?;
            }
            let mut targets = mesh.primitives.iter().map(|primitive| primitive.targets.as_ref().map_or(0, Vec::len));
            let first = targets.next().unwrap_or_default();
            if let Some(other) = targets.find(|other| *other != first) {
                let error = format!("{what} has a primitive with {first} morph targets and one with {other}");
                return Err(ImportError::new(error).with_damage_help("export it again"));
            }
            meshes.targets.push(first as u32);
        }
        Ok(meshes)
    }

    fn add(
        &mut self,
        root: &Root,
        buffers: &mut Buffers<'_, '_, '_>,
        skipped: &mut Skipped,
        (mesh, source, attributes): (usize, &GltfPrimitive, &Attributes<'_>),
    ) -> Result<(), ImportError> {
        let Some(positions) = attributes.get("POSITION") else {
            skipped.shapeless += 1;
            return Ok(());
        };
        let draco = "KHR_draco_mesh_compression";
        let is_compressed = source.extensions.as_ref().is_some_and(|all| all.others.contains_key(draco));
        if is_compressed && item(&root.accessors, "accessor", positions)?.buffer_view.is_none() {
            return Err(unreadable(draco));
        }
        if let Some(material) = source.material {
            item(&root.materials, "material", material.value())?;
        }
        let Checked::Valid(mode) = source.mode else {
            return Err(ImportError::new("has an unknown drawing mode").with_damage_help("export it again"));
        };

        let first = self.blocks.len();
        let shares_vertices = self.shared.contains(&positions);
        let positions = Elements::read(root, buffers, positions)?;
        let vertices = positions.count;
        if vertices == 0 {
            skipped.shapeless += 1;
            return Ok(());
        }
        let (mut minimum, mut maximum) = bounds(&positions)?;
        self.floats(VertexAttribute::POSITION, "POSITION", 3, &positions, vertices)?;
        for (attribute, name, components) in [
            (VertexAttribute::TEXCOORD1, "TEXCOORD_0", 2),
            (VertexAttribute::TEXCOORD2, "TEXCOORD_1", 2),
            (VertexAttribute::TEXCOORD3, "TEXCOORD_2", 2),
            (VertexAttribute::TEXCOORD4, "TEXCOORD_3", 2),
            (VertexAttribute::NORMAL, "NORMAL", 3),
            (VertexAttribute::TANGENT, "TANGENT", 4),
        ] {
            if let Some(accessor) = attributes.get(name) {
                self.floats(attribute, name, components, &Elements::read(root, buffers, accessor)?, vertices)?;
            }
        }
        if let Some(accessor) = attributes.get("COLOR_0") {
            self.colors(VertexAttribute::COLOR, &Elements::read(root, buffers, accessor)?, vertices, skipped)?;
        }
        let mut corners = vertices;
        if let Some(accessor) = source.indices {
            let indices = Elements::read(root, buffers, accessor.value())?;
            corners = indices.count;
            self.indices(&indices, vertices)?;
        }
        if let Some(last) = self.blocks.last_mut() {
            // Each primitive is a separate chain: C readers load only the first.
            last.linked = false;
        }
        let further = self.blocks.len();
        for (attribute, name) in [
            (VertexAttribute::TEXCOORD5, "TEXCOORD_4"),
            (VertexAttribute::TEXCOORD6, "TEXCOORD_5"),
            (VertexAttribute::TEXCOORD7, "TEXCOORD_6"),
            (VertexAttribute::TEXCOORD8, "TEXCOORD_7"),
        ] {
            if let Some(accessor) = attributes.get(name) {
                self.floats(attribute, name, 2, &Elements::read(root, buffers, accessor)?, vertices)?;
            }
        }
        for (attribute, name) in [
            (VertexAttribute::COLOR2, "COLOR_1"),
            (VertexAttribute::COLOR3, "COLOR_2"),
            (VertexAttribute::COLOR4, "COLOR_3"),
        ] {
            if let Some(accessor) = attributes.get(name) {
                self.colors(attribute, &Elements::read(root, buffers, accessor)?, vertices, skipped)?;
            }
        }
        let mut joints = None;
        for set in 0..VertexAttribute::MAX_JOINT_SETS {
            let (found, weights) =
                (attributes.get(&format!("JOINTS_{set}")), attributes.get(&format!("WEIGHTS_{set}")));
            let (Some(found), Some(weights)) = (found, weights) else {
                if found.is_some() != weights.is_some() {
                    let error = format!("has only one of JOINTS_{set} and WEIGHTS_{set}");
                    return Err(ImportError::new(error).with_damage_help("export it again"));
                }
                continue;
            };
            let found = Elements::read(root, buffers, found)?;
            let weights = Elements::read(root, buffers, weights)?;
            joints = joints.max(self.influences(set, &found, &weights, vertices)?);
        }
        self.blocks[further..].iter_mut().for_each(|block| block.linked = false);
        let mut topology = Topology(mode.as_gl_enum());
        let mut triangles = match topology {
            Topology::TRIANGLES => corners as u64 / 3,
            Topology::TRIANGLE_STRIP | Topology::TRIANGLE_FAN => (corners as u64).saturating_sub(2),
            _ => 0,
        };
        let number = self.primitives.len() as u32;
        let vertices = morphs::Vertices { primitive: number, count: vertices, sources: None };
        let mut added = Added { vertices, errors: Vec::new() };
        let settings = &buffers.source().settings.model;
        if process::is_needed(settings, shares_vertices) {
            let own = self.blocks.split_off(first);
            let normal_map = source.material.and_then(|material| self.normal_maps.get(material.value()).copied()?);
            let coordinates = normal_map.unwrap_or_default();
            let processed = process::primitive(own, topology, settings, shares_vertices, coordinates)?;
            skipped.without_tangents += usize::from(processed.lacks_tangents && normal_map.is_some());
            self.bytes += processed.blocks.iter().map(|block| block.bytes.len() as u64).sum::<u64>();
            if self.bytes > 2 * MAX_VERTICES {
                return Err(too_many_vertices());
            }
            self.blocks.extend(processed.blocks);
            topology = processed.topology;
            triangles = processed.triangles.unwrap_or(triangles);
            [minimum, maximum] = processed.bounds;
            (added.vertices.sources, added.errors) = (Some(processed.sources), processed.errors);
        }
        self.triangles += triangles;
        self.added = Some(added);
        self.joints.push((mesh as u32, joints));
        self.primitives.push(Primitive {
            mesh: mesh as u32,
            material: source.material.map(|material| material.value() as u32),
            topology,
            attributes: (self.blocks.len() - first) as u32,
            minimum,
            maximum,
        });
        Ok(())
    }

    /// Adds a float attribute.
    fn floats(
        &mut self,
        attribute: VertexAttribute,
        name: &str,
        components: usize,
        elements: &Elements,
        vertices: usize,
    ) -> Result<(), ImportError> {
        check_count(name, elements, vertices)?;
        if elements.components != components || elements.component == ComponentType::U32 {
            return Err(wrong_type(name, elements));
        }
        let count = self.charge(vertices, components, 4)?;
        let props = VertexProps { count, attribute, components: components as u32, format: VertexFormat::FLOAT };
        let block = match elements.raw_floats() {
            Some(bytes) => props.block(bytes),
            None => props.block(&elements.floats().flat_map(f32::to_le_bytes).collect::<Vec<_>>()),
        };
        self.blocks.push(Block::new(FourCc::VRTX, block));
        Ok(())
    }

    /// Adds colours as red, green, blue and alpha. Alpha is 255 if the source has none.
    fn colors(
        &mut self,
        attribute: VertexAttribute,
        elements: &Elements,
        vertices: usize,
        skipped: &mut Skipped,
    ) -> Result<(), ImportError> {
        let name = format!("COLOR_{}", if attribute == VertexAttribute::COLOR { 0 } else { attribute.0 - 1040 });
        check_count(&name, elements, vertices)?;
        let is_unit = matches!(elements.component, ComponentType::U8 | ComponentType::U16 | ComponentType::F32);
        if !is_unit || !(3..=4).contains(&elements.components) {
            return Err(wrong_type(&name, elements));
        }
        let count = self.charge(vertices, 4, 1)?;
        let (is_outside, is_between) = elements.loses_in_bytes();
        skipped.cut_colors.extend(is_outside.then(|| name.clone()));
        skipped.rounded_colors.extend(is_between.then_some(name));
        let bytes: Vec<u8> = elements.bytes_of_unit().collect();
        let bytes = match elements.components {
            3 => bytes.chunks_exact(3).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 0xff]).collect(),
            _ => bytes,
        };
        let props = VertexProps { count, attribute, components: 4, format: VertexFormat::UBYTE };
        self.blocks.push(Block::new(FourCc::VRTX, props.block(&bytes)));
        Ok(())
    }

    /// Adds a set of joints and their weights, and returns the largest joint. A joint without weight becomes 0.
    fn influences(
        &mut self,
        set: u32,
        joints: &Elements,
        weights: &Elements,
        vertices: usize,
    ) -> Result<Option<u32>, ImportError> {
        let (of_joints, of_weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
        check_count(&of_joints, joints, vertices)?;
        check_count(&of_weights, weights, vertices)?;
        if joints.components != 4 || !matches!(joints.component, ComponentType::U8 | ComponentType::U16) {
            return Err(wrong_type(&of_joints, joints));
        }
        let is_fraction = matches!(weights.component, ComponentType::U8 | ComponentType::U16) && weights.normalized;
        if weights.components != 4 || !(weights.component == ComponentType::F32 || is_fraction) {
            return Err(wrong_type(&of_weights, weights));
        }
        if let Some((i, weight)) = weights.floats().enumerate().find(|(_, weight)| !weight.is_finite()) {
            let error = ImportError::new(format!("{of_weights} of vertex {} is {weight}", i / 4));
            return Err(error.with_damage_help("export it again"));
        }
        let count = self.charge(vertices, 4, 2 + 4)?;
        let mut largest = None;
        let mut bytes = Vec::with_capacity(vertices * 8);
        for (joint, weight) in joints.unsigned().zip(weights.floats()) {
            let joint = if weight == 0.0 { 0 } else { joint };
            largest = largest.max(Some(joint));
            bytes.extend_from_slice(&(joint as u16).to_le_bytes());
        }
        let attribute = VertexAttribute::joints(set);
        let props = VertexProps { count, attribute, components: 4, format: VertexFormat::USHORT };
        self.blocks.push(Block::new(FourCc::VRTX, props.block(&bytes)));
        let attribute = VertexAttribute::weights(set);
        let props = VertexProps { count, attribute, components: 4, format: VertexFormat::FLOAT };
        let bytes: Vec<u8> = weights.floats().flat_map(f32::to_le_bytes).collect();
        self.blocks.push(Block::new(FourCc::VRTX, props.block(&bytes)));
        Ok(largest)
    }

    /// Adds indices, after checking that each refers to a vertex.
    fn indices(&mut self, elements: &Elements, vertices: usize) -> Result<(), ImportError> {
        let is_unsigned = matches!(elements.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if elements.components != 1 || !is_unsigned {
            return Err(wrong_type("indices", elements));
        }
        let largest = elements.unsigned().max().unwrap_or_default();
        if elements.count > 0 && largest as usize >= vertices {
            let error = ImportError::new(format!("has index {largest}, but only {vertices} vertices"));
            return Err(error.with_damage_help("it is damaged: export it again"));
        }
        // As 16 bits, 65,535 begins a new strip in WebGL, and nothing turns that off; glTF forbids it.
        let is_narrow = largest < u16::MAX.into();
        let (format, size) = if is_narrow { (VertexFormat::USHORT, 2) } else { (VertexFormat::UINT, 4) };
        let count = self.charge(elements.count, 1, size)?;
        let bytes: Vec<u8> = match is_narrow {
            true => elements.unsigned().flat_map(|index| (index as u16).to_le_bytes()).collect(),
            false => elements.unsigned().flat_map(u32::to_le_bytes).collect(),
        };
        let props = VertexProps { count, attribute: VertexAttribute::INDEX, components: 1, format };
        self.blocks.push(Block::new(FourCc::VRTX, props.block(&bytes)));
        Ok(())
    }

    /// The count as it is stored, after checking the limit.
    fn charge(&mut self, count: usize, components: usize, size: usize) -> Result<u32, ImportError> {
        let narrow = u32::try_from(count).map_err(|_| too_many_vertices())?;
        self.bytes += u64::from(narrow) * (components * size) as u64;
        if self.bytes > MAX_VERTICES { Err(too_many_vertices()) } else { Ok(narrow) }
    }
}

/// The accessors of positions that several primitives use. Exporters write one list of vertices for all materials of a mesh.
fn shared_positions(meshes: &[Value]) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let primitives = meshes.iter().flat_map(|mesh| list(mesh, "primitives"));
    let positions = primitives.filter_map(|primitive| Attributes(primitive.get("attributes")).get("POSITION"));
    positions.filter(|accessor| !seen.insert(*accessor)).collect()
}

/// The attributes of a primitive as the document has them. The JSON reader takes `COLOR_00` for `COLOR_0`.
struct Attributes<'v>(Option<&'v Value>);

impl Attributes<'_> {
    /// The accessor of an attribute.
    fn get(&self, name: &str) -> Option<usize> {
        self.0?.get(name)?.as_u64().and_then(|index| usize::try_from(index).ok())
    }

    /// The attributes that are not stored.
    fn further(&self) -> impl Iterator<Item = &str> {
        let all = self.0.and_then(Value::as_object).into_iter().flat_map(|all| all.keys());
        all.map(String::as_str).filter(|name| !is_kept(name))
    }
}

/// Whether an attribute with this name is stored.
fn is_kept(name: &str) -> bool {
    let (sort, set) = match name.rsplit_once('_') {
        Some((sort, set)) => (sort, set),
        None => return matches!(name, "POSITION" | "NORMAL" | "TANGENT"),
    };
    let sets = match sort {
        "COLOR" => 4,
        "TEXCOORD" => 8,
        "JOINTS" | "WEIGHTS" => VertexAttribute::MAX_JOINT_SETS,
        _ => 0,
    };
    // One digit, as a mesh has at most ten sets.
    let digit = Some(set).filter(|set| set.len() == 1).and_then(|set| set.parse().ok());
    digit.is_some_and(|digit: u32| digit < sets)
}

fn check_count(name: &str, elements: &Elements, vertices: usize) -> Result<(), ImportError> {
    if elements.count == vertices {
        return Ok(());
    }
    let error = ImportError::new(format!("{name} has {} vertices, POSITION {vertices}", elements.count));
    Err(error.with_damage_help("it is damaged: export it again"))
}

fn wrong_type(name: &str, elements: &Elements) -> ImportError {
    let Elements { component, components, .. } = elements;
    ImportError::new(format!("{name} has {components} × {component:?} for each element, which glTF does not allow"))
        .with_damage_help("export it again")
}

/// The smallest and largest position. The values in the document are not trusted.
fn bounds(positions: &Elements) -> Result<([f32; 3], [f32; 3]), ImportError> {
    let (mut minimum, mut maximum) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (i, value) in positions.floats().enumerate() {
        if !value.is_finite() {
            let vertex = i / positions.components;
            let error = ImportError::new(format!("POSITION of vertex {vertex} is {value}"));
            return Err(error.with_help("find the vertex in the editor and give it a position, then export it again"));
        }
        let axis = i % positions.components;
        if axis < 3 {
            minimum[axis] = minimum[axis].min(value);
            maximum[axis] = maximum[axis].max(value);
        }
    }
    Ok((minimum, maximum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessors_shared_by_many_primitives_are_limited_in_total() {
        let mut meshes = Meshes::default();
        let share = (MAX_VERTICES / 12 / 4) as usize;
        for _ in 0..4 {
            assert_eq!(meshes.charge(share, 3, 4).unwrap() as usize, share);
        }
        let error = meshes.charge(share, 3, 4).unwrap_err();
        assert_eq!(error.to_string(), "takes the model beyond 1 GiB of vertices");
        assert!(Meshes::default().charge(usize::MAX, 3, 4).is_err());
    }
}
