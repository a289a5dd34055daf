//! The nodes of a model with the points that an animation moves: what the error of an animation is measured at.
//!
//! Each node has a box in its own space. It contains the vertices of its mesh, the vertices that it moves as a joint of a skin, and a cube around
//! its origin, for what a game attaches to it. A transform moves no point of a box further than one of the corners, and a vertex of a skin
//! lies between where its joints move it. So a bound at the corners is one at all vertices.

use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::model::{Node, Primitive};
use rres_format::chunk::scene::{NONE, SceneBlock, Span};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexView};
use rres_import::Block;

use super::transform::{Parts, Transform};
use crate::process::formats;

/// The size of the cube around each node, as a part of the size of the model: half an edge.
const CUBE: f64 = 0.1;

/// The same for a node that has a camera or a light, which turn what is far away.
const WIDE_CUBE: f64 = 1.0;

/// A node.
pub(super) struct Joint {
    pub(super) parent: Option<usize>,
    /// The transform of a node that no channel moves.
    pub(super) rest: Transform,
    /// The parts of it that channels replace.
    pub(super) parts: Parts,
    /// The corners of its box, in its own space.
    pub(super) corners: [[f64; 3]; 8],
}

#[derive(Clone, Copy)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    fn add(&mut self, point: [f64; 3]) {
        for (axis, place) in point.into_iter().enumerate() {
            self.low[axis] = self.low[axis].min(place);
            self.high[axis] = self.high[axis].max(place);
        }
    }

    fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    fn corners(&self) -> [[f64; 3]; 8] {
        std::array::from_fn(|i| {
            std::array::from_fn(|axis| if i >> axis & 1 == 0 { self.low[axis] } else { self.high[axis] })
        })
    }
}

/// Reads the nodes, parents first. `blocks` are the vertices of the primitives in order.
pub(super) fn read(nodes: &[Node<'_>], scene: &SceneBlock, blocks: &[Block], primitives: &[Primitive]) -> Vec<Joint> {
    let further = scene.further_nodes.iter().map(|node| (node.parent, node.mesh, node.transform));
    let of_scene = nodes.iter().map(|node| (node.parent.unwrap_or(NONE), node.mesh.unwrap_or(NONE), node.transform));
    let all: Vec<(u32, u32, [f32; 16])> = of_scene.chain(further).collect();
    let mut boxes = vec![Bounds::EMPTY; all.len()];
    add_vertices(&mut boxes, &all, scene, blocks, primitives);
    let mut joints: Vec<Joint> = Vec::with_capacity(all.len());
    for (i, (parent, _, matrix)) in all.iter().enumerate() {
        let extra = scene.nodes.get(i);
        let parts = extra.filter(|extra| extra.has_parts == 1).map_or(Parts::IDENTITY, |extra| Parts {
            translation: extra.translation.map(f64::from),
            rotation: extra.rotation.map(f64::from),
            scale: extra.scale.map(f64::from),
        });
        let parent = (*parent as usize).lt(&i).then_some(*parent as usize);
        joints.push(Joint { parent, rest: Transform::from_matrix(matrix), parts, corners: boxes[i].corners() });
    }
    add_cubes(&mut joints, &mut boxes, scene);
    joints
}

/// Adds the vertices of each primitive to the boxes of the nodes that move them.
fn add_vertices(
    boxes: &mut [Bounds],
    nodes: &[(u32, u32, [f32; 16])],
    scene: &SceneBlock,
    blocks: &[Block],
    primitives: &[Primitive],
) {
    let mut rest = blocks.iter().filter(|block| block.kind == FourCc::VRTX);
    // The primitives of a mesh follow one another, and share the box that short numbers are parts of.
    let with_box = primitives.chunk_by(|a, b| a.mesh == b.mesh);
    let with_box =
        with_box.flat_map(|of_mesh| of_mesh.iter().map(|primitive| (primitive, formats::whole_box(of_mesh))));
    for (number, (of_mesh, whole)) in (0..).zip(with_box) {
        let own: Vec<&Block> = rest.by_ref().take(of_mesh.attributes as usize).collect();
        let positions = formats::positions_of(own.iter().copied(), whole);
        let reach = morph_reach(scene, number);
        for (node, (_, mesh, _)) in nodes.iter().enumerate().filter(|(_, (_, mesh, _))| *mesh == of_mesh.mesh) {
            debug_assert_ne!(*mesh, NONE);
            let skin = scene.nodes.get(node).and_then(|extra| scene.skins.get(extra.skin as usize));
            let Some(skin) = skin else {
                positions.iter().for_each(|at| add_around(&mut boxes[node], *at, reach));
                continue;
            };
            let joints = scene.indices.get(range(skin.joints)).unwrap_or_default();
            let inverse: Vec<Transform> = scene
                .numbers
                .get(range(skin.inverse_bind_matrices))
                .unwrap_or_default()
                .as_chunks::<16>()
                .0
                .iter()
                .map(Transform::from_matrix)
                .collect();
            for (vertex, joint) in moved(&own) {
                let (Some(at), Some(node)) = (positions.get(vertex), joints.get(usize::from(joint))) else { continue };
                let Some(bounds) = boxes.get_mut(*node as usize) else { continue };
                for corner in around(*at, reach) {
                    let at = inverse.get(usize::from(joint)).map_or(corner, |inverse| inverse.apply(corner));
                    bounds.add(at);
                }
            }
        }
    }
}

/// The largest distance on each axis that all morph targets together move a vertex.
pub(super) fn morph_reach(scene: &SceneBlock, primitive: u32) -> [f64; 3] {
    let mut reach = [0.0f64; 3];
    let morphs = scene.morphs.iter();
    for morph in morphs.filter(|m| m.primitive == primitive && m.attribute == VertexAttribute::POSITION) {
        let deltas = scene.numbers.get(range(morph.deltas)).unwrap_or_default().as_chunks::<3>().0;
        for axis in 0..3 {
            reach[axis] += deltas.iter().map(|delta| f64::from(delta[axis].abs())).fold(0.0, f64::max);
        }
    }
    reach
}

fn around(at: [f32; 3], reach: [f64; 3]) -> impl Iterator<Item = [f64; 3]> {
    let count = if reach == [0.0; 3] { 1 } else { 8 };
    let corner = move |i: usize| {
        std::array::from_fn(|axis| f64::from(at[axis]) + if i >> axis & 1 == 0 { -reach[axis] } else { reach[axis] })
    };
    (0..count).map(corner)
}

fn add_around(bounds: &mut Bounds, at: [f32; 3], reach: [f64; 3]) {
    around(at, reach).for_each(|corner| bounds.add(corner));
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.first as usize..(span.first as usize).saturating_add(span.count as usize)
}

fn views<'b>(blocks: &'b [&Block]) -> impl Iterator<Item = VertexView<'b>> {
    blocks.iter().filter_map(|block| PayloadView::parse(&block.bytes).and_then(VertexView::parse).ok())
}

/// Each vertex with each joint that moves it.
fn moved(blocks: &[&Block]) -> Vec<(usize, u16)> {
    let mut moved = Vec::new();
    for set in 0..VertexAttribute::MAX_JOINT_SETS {
        let find = |attribute| views(blocks).find(|view| view.props().attribute == attribute);
        let (joints, weights) = (find(VertexAttribute::joints(set)), find(VertexAttribute::weights(set)));
        let (Some(joints), Some(weights)) = (joints, weights) else { continue };
        let size = weights.props().format.size().unwrap_or_default().max(1) as usize;
        // A weight is 0 in every format if its bytes are, or those of a float without its sign.
        let has_weight = |weight: &[u8]| match weights.props().format {
            VertexFormat::FLOAT => {
                weight.iter().enumerate().any(|(i, byte)| byte & if i == 3 { 0x7f } else { 0xff } != 0)
            }
            _ => weight.iter().any(|byte| *byte != 0),
        };
        let pairs = joints.data().as_chunks::<2>().0.iter().zip(weights.data().chunks_exact(size));
        let pairs = pairs.enumerate().filter(|(_, (_, weight))| has_weight(weight));
        moved.extend(pairs.map(|(at, (joint, _))| (at / 4, u16::from_le_bytes(*joint))));
    }
    moved
}

/// Adds the cubes around the origins of all nodes, whose size is that of the model at rest.
fn add_cubes(joints: &mut [Joint], boxes: &mut [Bounds], scene: &SceneBlock) {
    let mut world: Vec<Transform> = Vec::with_capacity(joints.len());
    let mut whole = Bounds::EMPTY;
    for (joint, bounds) in joints.iter().zip(boxes.iter()) {
        let own = joint.parent.map_or(joint.rest, |parent| world[parent].then(&joint.rest));
        if bounds.is_empty() {
            whole.add(own.origin());
        } else {
            bounds.corners().into_iter().for_each(|corner| whole.add(own.apply(corner)));
        }
        world.push(own);
    }
    let size = (0..3).map(|axis| whole.high[axis] - whole.low[axis]).fold(0.0, f64::max);
    // A model without extent has nothing to compare with.
    let size = if size.is_finite() && size > 0.0 { size } else { 1.0 };
    for (i, joint) in joints.iter_mut().enumerate() {
        let is_far = scene.nodes.get(i).is_some_and(|extra| extra.camera != NONE || extra.light != NONE);
        // In the space of the node, so that the cube has this size in that of the model.
        let stretch = world[i].stretch();
        let half = size * if is_far { WIDE_CUBE } else { CUBE } / if stretch > 1e-9 { stretch } else { 1.0 };
        for corner in [-half, half] {
            boxes[i].add([corner; 3]);
        }
        joint.corners = boxes[i].corners();
    }
}
