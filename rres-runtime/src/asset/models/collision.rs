//! Collision shapes: what the meshes of a model are for physics.

use rres_format::chunk::collision::{CollisionView, ShapeKind};

use super::Model;
use super::checks::inconsistent;
use crate::bytes::AssetBytes;
use crate::error::Result;
use crate::resource::Chunk;

/// A shape of a mesh for physics, which the setting `model.collision` makes, in the space of the mesh.
///
/// Hulls and convex parts are stored as the solids that they are, so no engine has to search for them. The chapter "In an engine" of the book has the lines
/// for Rapier and Avian.
#[derive(Clone, Debug)]
pub struct CollisionShape {
    mesh: u32,
    is_convex: bool,
    vertices: AssetBytes,
    triangles: AssetBytes,
}

impl CollisionShape {
    /// Returns the index of the mesh it belongs to; see [`Node::mesh`](super::Node::mesh).
    pub fn mesh(&self) -> u32 {
        self.mesh
    }

    /// Returns whether it is a convex solid: a hull, or one of the parts that the mesh was cut into. Otherwise it is the surface of the mesh.
    pub fn is_convex(&self) -> bool {
        self.is_convex
    }

    /// Returns its vertices: x, y, z.
    pub fn vertices(&self) -> &[[f32; 3]] {
        bytemuck::try_cast_slice(&self.vertices).unwrap_or_default()
    }

    /// Returns its triangles, as indices into [`Self::vertices`]. Seen from outside, they are counterclockwise. Each edge of a convex solid
    /// is between two triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        bytemuck::try_cast_slice(&self.triangles).unwrap_or_default()
    }
}

impl Model {
    /// Returns the collision shapes of all meshes, sorted by mesh; empty unless the setting `model.collision` makes any.
    ///
    /// ```
    /// use rres_runtime::Model;
    /// use rres_runtime::asset::model::CollisionShape;
    ///
    /// /// Each shape in the scene, with the transform from its mesh to the model.
    /// fn placed(model: &Model) -> Vec<([f32; 16], &CollisionShape)> {
    ///     let nodes = model.nodes().iter().zip(model.world_transforms());
    ///     let with_mesh = nodes.filter_map(|(node, transform)| Some((transform, node.mesh?)));
    ///     with_mesh.flat_map(|(transform, mesh)| model.mesh_collision_shapes(mesh).iter().map(move |shape| (transform, shape))).collect()
    /// }
    /// ```
    pub fn collision_shapes(&self) -> &[CollisionShape] {
        &self.collision
    }

    /// Returns the collision shapes of a mesh: one, or one for each of its convex parts. Empty if it has none.
    pub fn mesh_collision_shapes(&self, mesh: u32) -> &[CollisionShape] {
        let first = self.collision.partition_point(|shape| shape.mesh < mesh);
        let count = self.collision[first..].partition_point(|shape| shape.mesh == mesh);
        &self.collision[first..first + count]
    }
}

/// Adds the shapes, and compares them with the meshes of the model.
pub(super) fn add(model: &mut Model, chunk: &Chunk) -> Result<()> {
    let view = CollisionView::parse(chunk.payload()?)?;
    let meshes = model.primitives.last().map_or(0, |primitive| primitive.mesh as usize + 1).max(model.meshes.len());
    for shape in view.shapes() {
        let mesh = shape.record.mesh;
        if mesh as usize >= meshes {
            return Err(inconsistent(format!("a collision shape is of mesh {mesh}, but there are {meshes}")));
        }
        model.collision.push(CollisionShape {
            mesh,
            is_convex: shape.record.kind == ShapeKind::CONVEX,
            vertices: chunk.share(shape.vertices).aligned(4),
            triangles: chunk.share(shape.triangles).aligned(4),
        });
    }
    Ok(())
}
