//! Meshlets: the triangles of a primitive in groups of neighbours, each with its bounds.

use rres_format::chunk::model::Topology;
use rres_format::chunk::scene::{MeshletListRecord, MeshletRecord, SceneView};
use rres_format::chunk::vertex::VertexAttribute;

use super::checks::inconsistent;
use super::{Model, Primitive};
use crate::bytes::AssetBytes;
use crate::error::Result;
use crate::resource::Chunk;

/// Bytes of the record of a meshlet.
const RECORD: usize = 64;

/// The meshlets of a primitive or of a level of detail, which the setting `model.meshlets` makes. Each triangle is in one of them, with its
/// corners in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meshlets<'a> {
    records: &'a [u8],
    vertices: &'a [u32],
    triangles: &'a [[u8; 3]],
}

/// Some neighbouring triangles of a primitive, with their vertices and their bounds.
///
/// The bounds are in the space of the mesh, and hold for the vertices as they are stored: a skin or a morph target moves them out of their bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Meshlet<'a> {
    /// Its vertices, as indices of vertices of the primitive: at most 256.
    pub vertices: &'a [u32],
    /// Its triangles, as indices into [`Self::vertices`]: at most 512.
    pub triangles: &'a [[u8; 3]],
    /// The middle of a sphere around its vertices.
    pub center: [f32; 3],
    /// The radius of that sphere.
    pub radius: f32,
    /// A viewer sees only backs if the angle between the direction to this point and `cone_axis` has a cosine of at least `cone_cutoff`; see
    /// [`Self::faces_away`].
    pub cone_apex: [f32; 3],
    /// About the direction that the triangles face, of length 1; 0 if `cone_cutoff` is 1.
    pub cone_axis: [f32; 3],
    /// That cosine; 1 if the triangles face too many directions for that.
    pub cone_cutoff: f32,
}

impl<'a> Meshlets<'a> {
    /// Returns the number of meshlets.
    pub fn len(&self) -> usize {
        self.records.len() / RECORD
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns a meshlet.
    pub fn get(&self, number: usize) -> Option<Meshlet<'a>> {
        let record = self.records.as_chunks::<RECORD>().0.get(number)?;
        let record = MeshletRecord::from_bytes(record);
        let MeshletRecord { center, radius, cone_apex, cone_cutoff, cone_axis, .. } = record;
        let vertices = self.vertices.get(record.first_vertex as usize..)?.get(..record.vertex_count as usize)?;
        let triangles = self.triangles.get(record.first_triangle as usize..)?.get(..record.triangle_count as usize)?;
        Some(Meshlet { vertices, triangles, center, radius, cone_apex, cone_axis, cone_cutoff })
    }

    /// Returns all meshlets.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Meshlet<'a>> + use<'a> {
        let all = *self;
        // That each has its part of the vertices and triangles was checked when the model was loaded.
        (0..self.len()).map(move |number| all.get(number).expect("the meshlets of a loaded model are whole"))
    }

    /// Returns the records of all meshlets, 64 bytes each, as a shader takes them from a buffer:
    ///
    /// ```wgsl
    /// struct Meshlet {
    ///     center: vec3f,
    ///     radius: f32,
    ///     cone_apex: vec3f,
    ///     cone_cutoff: f32,
    ///     cone_axis: vec3f,
    ///     reserved: u32,
    ///     first_vertex: u32,
    ///     vertex_count: u32,
    ///     first_triangle: u32,
    ///     triangle_count: u32,
    /// }
    /// ```
    ///
    /// `first_vertex` counts [`Self::vertices`], and `first_triangle` counts [`Self::triangles`].
    pub fn records(&self) -> &'a [u8] {
        self.records
    }

    /// Returns the vertices of all meshlets one after another, as indices of vertices of the primitive.
    pub fn vertices(&self) -> &'a [u32] {
        self.vertices
    }

    /// Returns the triangles of all meshlets one after another, as indices into the vertices of their meshlet.
    pub fn triangles(&self) -> &'a [[u8; 3]] {
        self.triangles
    }
}

impl Meshlet<'_> {
    /// Returns whether a viewer at `eye`, in the space of the mesh, sees the backs of all triangles and no front. `false` says nothing.
    ///
    /// It is of no use for a material that is drawn from [both sides](super::Material::is_double_sided).
    pub fn faces_away(&self, eye: [f32; 3]) -> bool {
        let to: [f64; 3] = std::array::from_fn(|axis| f64::from(self.cone_apex[axis]) - f64::from(eye[axis]));
        let dot = |other: [f64; 3]| (0..3).map(|axis| to[axis] * other[axis]).sum::<f64>();
        self.cone_cutoff < 1.0 && dot(self.cone_axis.map(f64::from)) >= f64::from(self.cone_cutoff) * dot(to).sqrt()
    }
}

/// The meshlets of a primitive at one level.
#[derive(Clone, Debug)]
pub(super) struct List {
    level: u32,
    records: AssetBytes,
    vertices: AssetBytes,
    triangles: AssetBytes,
}

impl Primitive {
    /// Returns the meshlets of its triangles; `None` unless the setting `model.meshlets` makes any. The meshlets of a level of detail are in
    /// [`Lod::meshlets`](super::Lod::meshlets).
    ///
    /// ```
    /// use rres_runtime::asset::model::Primitive;
    ///
    /// /// The triangles that a viewer at `eye` may see the front of, as indices of vertices.
    /// fn visible(primitive: &Primitive, eye: [f32; 3]) -> Vec<[u32; 3]> {
    ///     let meshlets = primitive.meshlets().into_iter().flat_map(|meshlets| meshlets.iter());
    ///     let near = meshlets.filter(|meshlet| !meshlet.faces_away(eye));
    ///     let vertex = |meshlet: &rres_runtime::asset::model::Meshlet, corner: u8| meshlet.vertices[usize::from(corner)];
    ///     near.flat_map(|m| m.triangles.iter().map(move |t| t.map(|corner| vertex(&m, corner)))).collect()
    /// }
    /// ```
    pub fn meshlets(&self) -> Option<Meshlets<'_>> {
        self.meshlets_of(0)
    }

    /// Level 0 is the primitive itself.
    pub(super) fn meshlets_of(&self, level: u32) -> Option<Meshlets<'_>> {
        let list = self.meshlets.iter().find(|list| list.level == level)?;
        let vertices = bytemuck::try_cast_slice(&list.vertices).unwrap_or_default();
        Some(Meshlets { records: &list.records, vertices, triangles: list.triangles.as_chunks().0 })
    }
}

/// Adds the meshlets, and compares them with the vertices and triangles of their primitives.
pub(super) fn add(model: &mut Model, view: SceneView<'_>, chunk: &Chunk) -> Result<()> {
    for (record, [records, vertices, triangles]) in view.meshlet_parts() {
        let MeshletListRecord { primitive: number, level, .. } = record;
        let primitive = &mut model.primitives[number as usize];
        let what = format!("primitive {number} has meshlets of level {level}");
        let attribute = level.checked_sub(1).map_or(VertexAttribute::INDEX, VertexAttribute::lod);
        let corners = primitive.indices_of(attribute).map(super::Indices::len);
        let Some(corners) = corners.filter(|_| primitive.topology == Topology::TRIANGLES) else {
            return Err(inconsistent(format!("{what}, but no indices of triangles at that level")));
        };
        if record.triangles as usize != corners / 3 {
            let detail = format!("{what} with {} triangles, but {} triangles", record.triangles, corners / 3);
            return Err(inconsistent(detail));
        }
        let list = List {
            level,
            records: chunk.share(records),
            vertices: chunk.share(vertices).aligned(4),
            triangles: chunk.share(triangles),
        };
        let largest = vertices.as_chunks().0.iter().map(|vertex| u32::from_le_bytes(*vertex)).max();
        let count = primitive.vertex_count();
        if let Some(largest) = largest.filter(|largest| *largest as usize >= count) {
            return Err(inconsistent(format!("{what} with vertex {largest}, but {count} vertices")));
        }
        primitive.meshlets.push(list);
    }
    Ok(())
}
