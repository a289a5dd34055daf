//! Poses: the transforms of nodes while an animation plays, and the matrices of a skin.

use super::{Animation, Model, NodeParts, Sample, Skin};

impl Model {
    /// Returns the transform of each of [`Self::all_nodes`] to its parent at a time of an animation, column-major. Nodes that the
    /// animation does not move have their own.
    ///
    /// ```
    /// use rres_runtime::Model;
    /// use rres_runtime::asset::model::Animation;
    ///
    /// /// The matrices that a vertex shader multiplies positions with, weighted by the weights of a vertex.
    /// fn bones(model: &Model, run: &Animation, time: f32) -> Vec<[f32; 16]> {
    ///     let world = model.to_world(&model.pose(run, time % run.duration()));
    ///     model.skins()[0].matrices(&world)
    /// }
    /// ```
    pub fn pose(&self, animation: &Animation, time: f32) -> Vec<[f32; 16]> {
        let mut moved: Vec<Option<NodeParts>> = vec![None; self.all_nodes().len()];
        for channel in animation.channels() {
            let at = channel.node() as usize;
            let (Some(slot), Some(node)) = (moved.get_mut(at), self.all_nodes().get(at)) else { continue };
            let sample = channel.sample(time);
            // Weights do not move the node.
            if matches!(sample, Sample::Weights(_)) {
                continue;
            }
            let parts = slot.get_or_insert(node.parts.unwrap_or_default());
            match sample {
                Sample::Translation(value) => parts.translation = value,
                Sample::Rotation(value) => parts.rotation = value,
                Sample::Scale(value) => parts.scale = value,
                Sample::Weights(_) => {}
            }
        }
        let nodes = self.all_nodes().iter().zip(moved);
        nodes.map(|(node, moved)| moved.map_or(node.transform, |parts| parts.matrix())).collect()
    }
}

impl NodeParts {
    /// Returns the matrix that scales, then rotates, then moves, column-major.
    pub fn matrix(&self) -> [f32; 16] {
        let Self { translation: [tx, ty, tz], rotation: [x, y, z, w], scale: [sx, sy, sz] } = *self;
        [
            (1.0 - 2.0 * (y * y + z * z)) * sx,
            2.0 * (x * y + z * w) * sx,
            2.0 * (x * z - y * w) * sx,
            0.0,
            2.0 * (x * y - z * w) * sy,
            (1.0 - 2.0 * (x * x + z * z)) * sy,
            2.0 * (y * z + x * w) * sy,
            0.0,
            2.0 * (x * z + y * w) * sz,
            2.0 * (y * z - x * w) * sz,
            (1.0 - 2.0 * (x * x + y * y)) * sz,
            0.0,
            tx,
            ty,
            tz,
            1.0,
        ]
    }
}

impl Default for NodeParts {
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

impl Skin {
    /// Returns the matrix of each joint that moves vertices from the space of the mesh to the space of the model, column-major. `world` are
    /// the transforms of all nodes to the model; see [`Model::to_world`].
    pub fn matrices(&self, world: &[[f32; 16]]) -> Vec<[f32; 16]> {
        let inverse = self.inverse_bind_matrices();
        let matrix = |(i, joint): (usize, &u32)| {
            let joint = world.get(*joint as usize).copied().unwrap_or_else(|| NodeParts::default().matrix());
            inverse.get(i).map_or(joint, |inverse| super::world::product(&joint, inverse))
        };
        self.joints().iter().enumerate().map(matrix).collect()
    }
}
