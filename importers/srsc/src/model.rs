//! Models, put together from their records, as triangles for each texture.

use std::collections::HashMap;
use std::ops::Range;

use crate::body::{Items, Ref};
use crate::error::Fault;
use crate::records::{Bounds, Character, Lod, Polygon, Shading};
use crate::text::Text;

/// A model: the records of one id.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<'a> {
    /// The name.
    pub name: Text<'a>,
    /// How it is shaded.
    pub shading: Shading,
    /// The vertices of all levels of detail, and of bounding shapes.
    pub vertices: Items<'a, [f32; 3]>,
    /// The polygons of all levels of detail.
    pub polygons: Vec<Polygon>,
    /// The textures. Null references count.
    pub textures: Items<'a, Ref>,
    /// The bounding shapes, if it is not a character.
    pub bounds: Option<Bounds<'a>>,
    /// Joints, channels and levels of detail, if it is a character.
    pub character: Option<Box<Character<'a>>>,
    /// What is probably a BSP tree, as bytes.
    pub bsp: Option<&'a [u8]>,
    /// The model that is shown from a distance on.
    pub lod: Option<Lod>,
}

/// A part of a model: the whole of it, or for characters the mesh of a node at a level of detail.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The level of detail, 0 for the one with the most.
    pub level: usize,
    /// It is shown from this distance on.
    pub distance: f32,
    /// The node, for characters.
    pub node: Option<u32>,
    /// Its vertices. The corners of its polygons count from the first.
    pub vertices: Range<usize>,
    /// Its polygons.
    pub polygons: Range<usize>,
}

/// The triangles of a mesh that have one texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Position in the list of textures of the model.
    pub texture_index: u16,
    /// The texture; null for none.
    pub texture: Ref,
    /// Whether both sides are visible.
    pub is_double_sided: bool,
    /// The positions of its vertices.
    pub positions: Vec<[f32; 3]>,
    /// As many places in the texture, where 0, 0 is the start of the first row of [`Picture`](crate::Picture), which is the top: v is 1
    /// minus what is stored.
    pub uvs: Vec<[f32; 2]>,
    /// The vertex of the model that each of its vertices comes from.
    pub vertices: Vec<u32>,
    /// Three numbers of vertices for each triangle.
    pub indices: Vec<u32>,
}

impl Model<'_> {
    /// Returns the parts of the model.
    pub fn meshes(&self) -> Vec<Mesh> {
        let Some(character) = &self.character else {
            let (vertices, polygons) = (0..self.vertices.len(), 0..self.polygons.len());
            return vec![Mesh { level: 0, distance: 0.0, node: None, vertices, polygons }];
        };
        let range = |first: u32, count: u32| first as usize..(first as usize).saturating_add(count as usize);
        let of_level = |(level, meshes): (usize, &Items<'_, crate::records::LodMesh>)| -> Vec<Mesh> {
            let mesh = |mesh: crate::records::LodMesh| Mesh {
                level,
                distance: mesh.distance,
                node: Some(mesh.node),
                vertices: range(mesh.first_vertex, mesh.vertices),
                polygons: range(mesh.first_polygon, mesh.polygons),
            };
            meshes.iter().map(mesh).collect()
        };
        character.lods.iter().enumerate().flat_map(of_level).collect()
    }

    /// Checks that all indices lead to something. The fault is about the record of the polygons.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        let meshes = self.meshes();
        for mesh in &meshes {
            for (field, range, count) in [
                ("vertices of a mesh", &mesh.vertices, self.vertices.len()),
                ("polygons of a mesh", &mesh.polygons, self.polygons.len()),
            ] {
                if range.end > count {
                    return Err(Fault::invalid(
                        field,
                        0,
                        format!("{} to {}", range.start, range.end),
                        format!("at most {count}"),
                    ));
                }
            }
        }
        // The number of vertices that the corners of each polygon may name: as many as the smallest of its meshes has.
        let mut limits = vec![None::<usize>; self.polygons.len()];
        // Ranges may overlap, so the work is bounded: a model has a mesh for each part, and not thousands for each polygon.
        let work: usize = meshes.iter().map(|mesh| mesh.polygons.len()).sum();
        if work > self.polygons.len().saturating_mul(64) + 1024 {
            return Err(Fault::invalid(
                "polygons of a mesh",
                0,
                format!("{work} in all meshes"),
                "meshes that share few polygons",
            ));
        }
        for mesh in &meshes {
            for limit in &mut limits[mesh.polygons.clone()] {
                *limit = Some(limit.map_or(mesh.vertices.len(), |limit| limit.min(mesh.vertices.len())));
            }
        }
        let mut at = 2;
        for (polygon, limit) in self.polygons.iter().zip(limits) {
            if usize::from(polygon.texture) >= self.textures.len() {
                let expected = format!("less than {}, the number of textures", self.textures.len());
                return Err(Fault::invalid("texture index", at + 4, polygon.texture, expected));
            }
            for (number, corner) in polygon.corners().iter().enumerate() {
                let limit = limit.unwrap_or(self.vertices.len());
                if usize::from(corner.vertex) >= limit {
                    let expected = format!("less than {limit}, the number of vertices");
                    return Err(Fault::invalid("vertex index", at + 6 + 10 * number, corner.vertex, expected));
                }
            }
            at += 6 + 10 * polygon.corners().len();
        }
        Ok(())
    }

    /// Returns the triangles of all meshes of each level of detail, from the one with the most on.
    pub fn levels(&self) -> Vec<(usize, Vec<Surface>)> {
        let mut levels: Vec<(usize, Vec<Surface>)> = Vec::new();
        for mesh in self.meshes() {
            let surfaces = self.surfaces(&mesh);
            match levels.iter_mut().find(|(level, _)| *level == mesh.level) {
                Some((_, list)) => list.extend(surfaces),
                None => levels.push((mesh.level, surfaces)),
            }
        }
        levels
    }

    /// Returns the triangles of a mesh, by texture and by whether both sides are visible, in the order of their first polygons. A polygon
    /// of four corners becomes two triangles; corners at the same vertex and place of the texture are one vertex.
    pub fn surfaces(&self, mesh: &Mesh) -> Vec<Surface> {
        let mut surfaces: Vec<Surface> = Vec::new();
        let mut numbers: HashMap<(u16, bool), usize> = HashMap::new();
        let mut vertices: Vec<HashMap<(u16, [u32; 2]), u32>> = Vec::new();
        for polygon in self.polygons.get(mesh.polygons.clone()).unwrap_or(&[]) {
            let key = (polygon.texture, polygon.is_double_sided());
            let number = *numbers.entry(key).or_insert_with(|| {
                vertices.push(HashMap::new());
                surfaces.push(Surface {
                    texture_index: polygon.texture,
                    texture: self.textures.get(polygon.texture.into()).unwrap_or_default(),
                    is_double_sided: polygon.is_double_sided(),
                    positions: Vec::new(),
                    uvs: Vec::new(),
                    vertices: Vec::new(),
                    indices: Vec::new(),
                });
                surfaces.len() - 1
            });
            let surface = &mut surfaces[number];
            for corner in polygon.triangles().flatten() {
                let vertex = mesh.vertices.start + usize::from(corner.vertex);
                let position = self.vertices.get(vertex);
                // `check` has refused other indices.
                let Some(position) = position else { continue };
                let index =
                    *vertices[number].entry((corner.vertex, corner.uv.map(f32::to_bits))).or_insert_with(|| {
                        surface.positions.push(position);
                        surface.vertices.push(vertex as u32);
                        surface.uvs.push([corner.uv[0], 1.0 - corner.uv[1]]);
                        surface.positions.len() as u32 - 1
                    });
                surface.indices.push(index);
            }
        }
        surfaces
    }
}
