//! Meshes → for each primitive a chain of VRTX chunks: positions first, indices last.
//!
//! Values are preserved: floats byte for byte, quantized integers as the floats that they represent, colours in 8 bits,
//! indices in 16 bits if that is enough, else in 32.

use gltf::json::Root;
use gltf::json::accessor::ComponentType;
use gltf::json::mesh::{Primitive as GltfPrimitive, Semantic};
use gltf::json::validation::Checked;
use rres_format::FourCc;
use rres_format::chunk::model::{Primitive, Topology};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};

use super::super::{Block, ImportError};
use super::Skipped;
use super::accessor::Elements;
use super::buffers::Buffers;
use super::demand::MAX_VERTICES;
use super::document::{item, unreadable};

/// All primitives of a document, in the order of its meshes.
#[derive(Default)]
pub(super) struct Meshes {
    pub(super) blocks: Vec<Block>,
    pub(super) primitives: Vec<Primitive>,
    pub(super) triangles: u64,
    bytes: u64,
}

impl Meshes {
    /// Reads every mesh.
    pub(super) fn read(
        root: &Root,
        buffers: &mut Buffers<'_, '_, '_>,
        skipped: &mut Skipped,
    ) -> Result<Self, ImportError> {
        let mut meshes = Self::default();
        for (number, mesh) in root.meshes.iter().enumerate() {
            for (part, primitive) in mesh.primitives.iter().enumerate() {
                meshes.add(root, buffers, skipped, (number, primitive)).map_err(|error| {
                    let name = mesh.name.as_deref().map(|name| format!(" \"{name}\"")).unwrap_or_default();
                    error.within(&format!("mesh {number}{name}, primitive {part}"))
                })?;
            }
        }
        Ok(meshes)
    }

    fn add(
        &mut self,
        root: &Root,
        buffers: &mut Buffers<'_, '_, '_>,
        skipped: &mut Skipped,
        (mesh, source): (usize, &GltfPrimitive),
    ) -> Result<(), ImportError> {
        skipped.morph_targets += source.targets.as_ref().map_or(0, Vec::len);
        let find = |semantic| source.attributes.get(&Checked::Valid(semantic)).map(|accessor| accessor.value());
        let Some(positions) = find(Semantic::Positions) else {
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
        let positions = Elements::read(root, buffers, positions)?;
        let vertices = positions.count;
        if vertices == 0 {
            skipped.shapeless += 1;
            return Ok(());
        }
        let (minimum, maximum) = bounds(&positions)?;
        self.floats(VertexAttribute::POSITION, "POSITION", 3, &positions, vertices)?;
        for (semantic, attribute, name, components) in [
            (Semantic::TexCoords(0), VertexAttribute::TEXCOORD1, "TEXCOORD_0", 2),
            (Semantic::TexCoords(1), VertexAttribute::TEXCOORD2, "TEXCOORD_1", 2),
            (Semantic::TexCoords(2), VertexAttribute::TEXCOORD3, "TEXCOORD_2", 2),
            (Semantic::TexCoords(3), VertexAttribute::TEXCOORD4, "TEXCOORD_3", 2),
            (Semantic::Normals, VertexAttribute::NORMAL, "NORMAL", 3),
            (Semantic::Tangents, VertexAttribute::TANGENT, "TANGENT", 4),
        ] {
            if let Some(accessor) = find(semantic) {
                self.floats(attribute, name, components, &Elements::read(root, buffers, accessor)?, vertices)?;
            }
        }
        if let Some(accessor) = find(Semantic::Colors(0)) {
            self.colors(&Elements::read(root, buffers, accessor)?, vertices)?;
        }
        skipped.attributes += source.attributes.keys().filter(|semantic| !is_kept_or_skinning(semantic)).count();
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
        let topology = Topology(mode.as_gl_enum());
        self.triangles += match topology {
            Topology::TRIANGLES => corners as u64 / 3,
            Topology::TRIANGLE_STRIP | Topology::TRIANGLE_FAN => (corners as u64).saturating_sub(2),
            _ => 0,
        };
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
    fn colors(&mut self, elements: &Elements, vertices: usize) -> Result<(), ImportError> {
        check_count("COLOR_0", elements, vertices)?;
        let is_unit = matches!(elements.component, ComponentType::U8 | ComponentType::U16 | ComponentType::F32);
        if !is_unit || !(3..=4).contains(&elements.components) {
            return Err(wrong_type("COLOR_0", elements));
        }
        let count = self.charge(vertices, 4, 1)?;
        let bytes: Vec<u8> = elements.bytes_of_unit().collect();
        let bytes = match elements.components {
            3 => bytes.chunks_exact(3).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 0xff]).collect(),
            _ => bytes,
        };
        let props =
            VertexProps { count, attribute: VertexAttribute::COLOR, components: 4, format: VertexFormat::UBYTE };
        self.blocks.push(Block::new(FourCc::VRTX, props.block(&bytes)));
        Ok(())
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
        let is_narrow = largest <= u16::MAX.into();
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

pub(super) fn too_many_vertices() -> ImportError {
    ImportError::new("takes the model beyond 1 GiB of vertices").with_help("split the model")
}

/// Attributes that are stored, and attributes of skins, which are counted.
fn is_kept_or_skinning(semantic: &Checked<Semantic>) -> bool {
    use Semantic as S;
    matches!(
        semantic,
        Checked::Valid(
            S::Positions | S::Normals | S::Tangents | S::Colors(0) | S::TexCoords(0..=3) | S::Joints(_) | S::Weights(_)
        )
    )
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
