//! The transforms of nodes, each relative to its parent → relative to the model.

use super::Model;

/// A 4 × 4 matrix, column-major.
type Matrix = [f32; 16];

impl Model {
    /// Returns the transform from each node's space to the model's, column-major, in the order of [`Self::nodes`].
    ///
    /// Every mathematics crate for games takes them as they are, such as `glam::Mat4::from_cols_array(&transform)` and
    /// `mint::ColumnMatrix4::from(transform)`.
    ///
    /// ```
    /// use rres_runtime::Model;
    ///
    /// fn draw_all(model: &Model, mut draw: impl FnMut(&rres_runtime::asset::model::Primitive, [f32; 16])) {
    ///     for (node, transform) in model.nodes().iter().zip(model.world_transforms()) {
    ///         for primitive in model.primitives().iter().filter(|primitive| Some(primitive.mesh()) == node.mesh) {
    ///             draw(primitive, transform);
    ///         }
    ///     }
    /// }
    /// ```
    pub fn world_transforms(&self) -> Vec<[f32; 16]> {
        let own: Vec<Matrix> = self.nodes().iter().map(|node| node.transform).collect();
        self.to_world(&own)
    }

    /// Returns the transform from each node's space to the model's, given those to its parent: of [`Self::all_nodes`], or of the first
    /// ones.
    pub fn to_world(&self, transforms: &[[f32; 16]]) -> Vec<[f32; 16]> {
        let mut world: Vec<Matrix> = Vec::with_capacity(transforms.len());
        for (node, transform) in self.all_nodes().iter().zip(transforms) {
            // Parents come before their children.
            let parent = node.parent.and_then(|parent| world.get(parent as usize));
            world.push(parent.map_or(*transform, |parent| product(parent, transform)));
        }
        world
    }
}

/// Returns the transform that applies `inner` first.
pub(super) fn product(outer: &Matrix, inner: &Matrix) -> Matrix {
    std::array::from_fn(|i| {
        let (column, row) = (i / 4, i % 4);
        (0..4).map(|k| outer[k * 4 + row] * inner[column * 4 + k]).sum()
    })
}
