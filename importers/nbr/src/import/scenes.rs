//! Models, skeletons and animations, each by itself or all of one creature, as a model.
//!
//! Joints come before meshes among the nodes, and parents before children. The skin has the joints in the order of the file, which vertices
//! and tracks count them by.

use rres_format::chunk::model::Node;
use rres_format::chunk::scene::{
    AnimationRecord, ChannelRecord, Interpolation, MeshRecord, NONE, NodeExtra, Property, SceneBlock, SceneRecord,
    SkinRecord, Span,
};
use rres_import::{Asset, ImportError, ModelChunks, NamedPart, PartSort, Source};

use super::checks::{check_finite, damaged};
use super::materials::Materials;
use super::meshes;
use crate::{Animation, Key, Model, Skeleton};

/// What a model is made of. Without a skeleton, the joints of animations are nodes with numbers for names.
#[derive(Clone, Debug, Default)]
pub(super) struct NbrScene<'a> {
    /// Meshes, materials and textures.
    pub(super) model: Option<&'a Model<'a>>,
    /// The joints.
    pub(super) skeleton: Option<&'a Skeleton>,
    /// What moves the joints.
    pub(super) animations: Vec<&'a Animation>,
}

/// The model first, then its images.
pub(super) struct Converted {
    pub(super) assets: Vec<Asset>,
    /// What the model does not have: `without normals that are not finite`.
    pub(super) left_out: Vec<String>,
}

/// Makes the model of a scene in a source, which has the settings of its images.
pub(super) fn convert(scene: &NbrScene<'_>, source: &Source<'_>) -> Result<Converted, ImportError> {
    let mut left_out = Vec::new();
    let mut block = SceneBlock { default_scene: Some(0), ..SceneBlock::default() };
    let (mut nodes, places) = joints(scene, &mut block)?;
    let mut chunks = ModelChunks::default();
    let materials = match scene.model {
        Some(model) => Materials::read(model, source, &mut left_out)?,
        None => Materials::default(),
    };
    let joint_count = scene.skeleton.map(|skeleton| skeleton.joints.len());
    if let Some(skeleton) = scene.skeleton {
        skin(skeleton, &places, &mut block)?;
    }
    let mut triangles = 0;
    for (number, mesh) in scene.model.iter().flat_map(|model| model.meshes.iter().enumerate()) {
        let own = block.meshes.len() as u32;
        let is_added = meshes::add(mesh, own, joint_count, &mut chunks, &mut left_out)
            .map_err(|error| error.within(&format!("mesh {number}")))?;
        if !is_added {
            continue;
        }
        triangles += mesh.indices.len() / 3;
        let name = block.push_name("").map_err(too_large)?;
        block.meshes.push(MeshRecord { name, weights: Span::default(), targets: Span::default() });
        let skin = if scene.skeleton.is_some() && mesh.has_joints { 0 } else { NONE };
        block.nodes.push(extra([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.0; 3], skin));
        nodes.push(OwnNode { name: String::new(), parent: None, mesh: Some(own), transform: IDENTITY });
    }
    let roots = (0..).zip(&nodes).filter(|(_, node)| node.parent.is_none()).map(|(number, _)| number);
    let roots = block.push_indices(roots).map_err(too_large)?;
    let name = block.push_name("").map_err(too_large)?;
    block.scenes.push(SceneRecord { name, roots });
    let mut parts = Vec::new();
    for (index, animation) in (0..).zip(&scene.animations) {
        self::animation(animation, &places, &mut block)?;
        if !animation.name.is_empty() {
            parts.push(NamedPart { sort: PartSort::Animation, index, name: animation.name.clone() });
        }
    }
    (block.factors, block.textures) = (materials.factors, materials.textures);
    let nodes: Vec<Node<'_>> = nodes.iter().map(OwnNode::as_node).collect();
    let summary = summary(scene, block.meshes.len(), triangles);
    let model = chunks.into_asset(&nodes, &materials.materials, block, summary)?;
    let model =
        materials.images.iter().fold(Asset { parts, ..model }, |model, image| model.with_sub_asset(&image.name));
    left_out.sort();
    left_out.dedup();
    Ok(Converted { assets: std::iter::once(model).chain(materials.images).collect(), left_out })
}

pub(super) const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A node with its name.
struct OwnNode {
    name: String,
    parent: Option<u32>,
    mesh: Option<u32>,
    transform: [f32; 16],
}

impl OwnNode {
    fn as_node(&self) -> Node<'_> {
        let Self { name, parent, mesh, transform } = self;
        Node { name, parent: *parent, mesh: *mesh, transform: *transform }
    }
}

fn too_large(error: rres_format::Error) -> ImportError {
    ImportError::new(error.to_string())
}

fn extra(translation: [f32; 3], rotation: [f32; 4], scale: [f32; 3], skin: u32) -> NodeExtra {
    let weights = Span::default();
    NodeExtra { has_parts: 1, skin, camera: NONE, light: NONE, weights, translation, rotation, scale }
}

/// Returns a node for each joint, parents first, and the node of each joint.
fn joints(scene: &NbrScene<'_>, block: &mut SceneBlock) -> Result<(Vec<OwnNode>, Vec<u32>), ImportError> {
    let tracks = scene.animations.iter().map(|animation| animation.tracks.len()).max().unwrap_or(0);
    let Some(skeleton) = scene.skeleton else {
        let joint = |number| OwnNode { name: format!("joint {number}"), parent: None, mesh: None, transform: IDENTITY };
        block.nodes.extend((0..tracks).map(|_| extra([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.0; 3], NONE)));
        return Ok(((0..tracks).map(joint).collect(), (0..tracks as u32).collect()));
    };
    let count = skeleton.joints.len();
    if let Some(animation) = scene.animations.iter().find(|animation| animation.tracks.len() > count) {
        let (name, tracks) = (&animation.name, animation.tracks.len());
        let message = format!("the animation \"{name}\" has {tracks} tracks, and the skeleton {count} joints");
        return Err(ImportError::new(message));
    }
    let mut nodes = Vec::with_capacity(count);
    let mut places = vec![NONE; count];
    let parents = skeleton.parents();
    // An explicit stack, because the file determines the depth.
    let mut rest: Vec<usize> = (0..count).rev().filter(|joint| parents[*joint].is_none()).collect();
    while let Some(number) = rest.pop() {
        let joint = &skeleton.joints[number];
        for numbers in [&joint.position[..], &joint.rotation, &joint.scale, &joint.inverse_bind] {
            check_finite(numbers, || format!("joint {number}"))?;
        }
        if places[number] != NONE {
            return Err(damaged(format!("joint {number} is the child of two others")));
        }
        places[number] = nodes.len() as u32;
        block.nodes.push(extra(joint.position, joint.rotation, joint.scale, NONE));
        nodes.push(OwnNode {
            name: joint.name.clone(),
            parent: parents[number].map(|parent| places[usize::from(parent)]),
            mesh: None,
            transform: transform(joint.position, joint.rotation, joint.scale),
        });
        rest.extend(joint.children.iter().rev().map(|child| usize::from(*child)).filter(|child| *child < count));
    }
    if let Some(lost) = places.iter().position(|place| *place == NONE) {
        return Err(damaged(format!("joint {lost} is below itself")));
    }
    Ok((nodes, places))
}

/// The matrix of a scale, a rotation and a translation, in this order, column by column.
fn transform([tx, ty, tz]: [f32; 3], [x, y, z, w]: [f32; 4], [sx, sy, sz]: [f32; 3]) -> [f32; 16] {
    #[rustfmt::skip]
    let columns = [
        (1.0 - 2.0 * (y * y + z * z)) * sx, 2.0 * (x * y + z * w) * sx, 2.0 * (x * z - y * w) * sx, 0.0,
        2.0 * (x * y - z * w) * sy, (1.0 - 2.0 * (x * x + z * z)) * sy, 2.0 * (y * z + x * w) * sy, 0.0,
        2.0 * (x * z + y * w) * sz, 2.0 * (y * z - x * w) * sz, (1.0 - 2.0 * (x * x + y * y)) * sz, 0.0,
        tx, ty, tz, 1.0,
    ];
    columns
}

fn skin(skeleton: &Skeleton, places: &[u32], block: &mut SceneBlock) -> Result<(), ImportError> {
    let matrices = skeleton.joints.iter().flat_map(|joint| joint.inverse_bind_matrix());
    let inverse_bind_matrices = block.push_numbers(matrices).map_err(too_large)?;
    let joints = block.push_indices(places.iter().copied()).map_err(too_large)?;
    let skeleton = places.get(usize::from(skeleton.root)).copied().unwrap_or(NONE);
    let name = block.push_name("").map_err(too_large)?;
    block.skins.push(SkinRecord { name, joints, inverse_bind_matrices, skeleton });
    Ok(())
}

fn animation(animation: &Animation, places: &[u32], block: &mut SceneBlock) -> Result<(), ImportError> {
    let first = block.channels.len() as u32;
    for (number, track) in animation.tracks.iter().enumerate() {
        let node = places[number];
        channel(block, (number, node, Property::TRANSLATION), &track.positions)?;
        channel(block, (number, node, Property::ROTATION), &track.rotations)?;
        channel(block, (number, node, Property::SCALE), &track.scales)?;
    }
    let count = block.channels.len() as u32 - first;
    if count == 0 {
        return Err(ImportError::new("has no tracks, and no model has an animation without"));
    }
    let name = block.push_name(&animation.name).map_err(too_large)?;
    block.animations.push(AnimationRecord { name, channels: Span { first, count } });
    Ok(())
}

fn channel<const N: usize>(
    block: &mut SceneBlock,
    (joint, node, property): (usize, u32, Property),
    keys: &[Key<N>],
) -> Result<(), ImportError> {
    for (number, key) in keys.iter().enumerate() {
        let what = || format!("key {number} of the {property} of joint {joint}");
        check_finite(&key.value, what)?;
        check_finite(&[key.time], what)?;
    }
    if let Some(number) = keys.windows(2).position(|pair| pair[0].time >= pair[1].time) {
        let why = format!("the {property} of joint {joint}: key {} is not after the one before it", number + 1);
        return Err(ImportError::new(why));
    }
    if keys.is_empty() {
        return Ok(());
    }
    let times = block.push_numbers(keys.iter().map(|key| key.time)).map_err(too_large)?;
    let values = block.push_numbers(keys.iter().flat_map(|key| key.value)).map_err(too_large)?;
    let (interpolation, components) = (Interpolation::LINEAR, N as u32);
    block.channels.push(ChannelRecord { node, property, interpolation, components, times, values });
    Ok(())
}

fn summary(scene: &NbrScene<'_>, meshes: usize, triangles: usize) -> String {
    let counted = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let mut parts = Vec::new();
    if scene.model.is_some() {
        parts.push(format!("{meshes} {}", if meshes == 1 { "mesh" } else { "meshes" }));
        parts.push(counted(triangles, "triangle"));
    }
    parts.extend(scene.skeleton.map(|skeleton| counted(skeleton.joints.len(), "joint")));
    if !scene.animations.is_empty() {
        parts.push(counted(scene.animations.len(), "animation"));
    }
    parts.join(", ")
}
