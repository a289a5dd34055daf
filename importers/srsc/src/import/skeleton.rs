//! The skeletons of characters: joints as nodes, and the joints and weights of vertices.
//!
//! Animations move vertices of the model as they were modelled: a joint that is not moved has the identity. So the nodes of joints have
//! it, too, and skins have no inverse bind matrices.

use std::collections::HashMap;

use rres_format::chunk::vertex::VertexAttribute;
use rres_import::model::{ModelBuilder, ModelNode, ModelSkin, Vertices};

use crate::{Character, Model, Surface};

/// The most joints of a vertex.
const MAX_INFLUENCES: usize = 4 * VertexAttribute::MAX_JOINT_SETS as usize;

/// The joints of a character.
pub(super) struct Skeleton {
    /// The joints, parents before their children, each with its name and the place of its parent in this list.
    joints: Vec<(String, Option<u32>)>,
    /// The place of each joint in that list.
    places: Vec<u32>,
}

impl Skeleton {
    /// Returns the skeleton of a character; `None` if it has no joints.
    pub(super) fn of(character: &Character<'_>) -> Option<Self> {
        let (parents, mut names) = (character.parents(), character.joint_names());
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
        let mut open: Vec<usize> = Vec::new();
        for (joint, parent) in parents.iter().enumerate() {
            parent.map_or(&mut open, |parent| &mut children[parent]).push(joint);
        }
        open.reverse();
        let (mut joints, mut places) = (Vec::new(), vec![0; parents.len()]);
        while let Some(joint) = open.pop() {
            places[joint] = joints.len() as u32;
            let parent = parents[joint].map(|parent| places[parent]);
            joints.push((std::mem::take(&mut names[joint]), parent));
            open.extend(children[joint].iter().rev());
        }
        (!joints.is_empty()).then_some(Self { joints, places })
    }

    pub(super) fn len(&self) -> usize {
        self.joints.len()
    }

    /// Returns the node of a joint. The node 0 has the mesh.
    pub(super) fn node(&self, joint: usize) -> Option<u32> {
        self.places.get(joint).map(|place| place + 1)
    }

    /// Adds the nodes of the joints, which follow the node of the mesh, and a skin with all of them.
    pub(super) fn put(&self, built: &mut ModelBuilder) {
        for (name, parent) in &self.joints {
            built.add_node(ModelNode {
                name: name.clone(),
                parent: parent.map(|parent| parent + 1),
                ..ModelNode::default()
            });
        }
        let root = self.joints.iter().position(|(_, parent)| parent.is_none()).map(|root| root as u32 + 1);
        let joints = (0..self.len()).filter_map(|joint| self.node(joint)).collect();
        built.add_skin(ModelSkin { joints, root, ..ModelSkin::default() });
    }
}

/// The joints of each vertex of a level of detail, with their weights.
pub(super) struct Influences {
    /// By the number of the vertex in the model.
    of: HashMap<u32, Vec<(u16, f32)>>,
}

impl Influences {
    /// Returns the influences on the vertices of a level. Weights count vertices from the first one of the level.
    pub(super) fn of_level(model: &Model<'_>, character: &Character<'_>, level: usize) -> Self {
        let meshes = model.meshes();
        let starts = meshes.iter().filter(|mesh| mesh.level == level).map(|mesh| mesh.vertices.start);
        let start = starts.min().unwrap_or_default() as u64;
        let mut of: HashMap<u32, Vec<(u16, f32)>> = HashMap::new();
        for (joint, weights) in character.joints.iter().enumerate() {
            let weights = weights.weights.get(level).into_iter().flat_map(|weights| weights.iter());
            for weight in weights.filter(|weight| weight.weight > 0.0) {
                let vertex = u32::try_from(start + u64::from(weight.vertex));
                // The number of joints has 16 bits.
                vertex.map(|vertex| of.entry(vertex).or_default().push((joint as u16, weight.weight))).ok();
            }
        }
        for weights in of.values_mut() {
            weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            weights.truncate(MAX_INFLUENCES);
            let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
            weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        Self { of }
    }

    /// Returns the lists of joints and weights for the vertices of a surface: two for each set of four. A vertex without weights follows the
    /// first joint.
    pub(super) fn lists(&self, surface: &Surface) -> Vec<Vertices> {
        let first = vec![(0, 1.0)];
        let of_vertices: Vec<&Vec<(u16, f32)>> =
            surface.vertices.iter().map(|vertex| self.of.get(vertex).unwrap_or(&first)).collect();
        let most = of_vertices.iter().map(|weights| weights.len()).max().unwrap_or(1);
        let mut lists = Vec::new();
        for set in 0..most.div_ceil(4) {
            let slots = || {
                let of_vertex = |weights: &&Vec<(u16, f32)>| -> [(u16, f32); 4] {
                    std::array::from_fn(|slot| weights.get(4 * set + slot).copied().unwrap_or_default())
                };
                of_vertices.iter().map(of_vertex)
            };
            let set = set as u32;
            lists.push(Vertices::joints(set, slots().map(|slots| slots.map(|(joint, _)| joint))));
            let weights = slots().map(|slots| slots.map(|(_, weight)| weight));
            lists.push(Vertices::floats(VertexAttribute::weights(set), weights));
        }
        lists
    }
}
