//! Models, skeletons and animations, each by itself or all of one creature, as a model.
//!
//! Joints come before meshes among the nodes, and parents before children. The skin has the joints in the order of the file, which vertices
//! and tracks count them by.

use rres_format::chunk::scene::{Interpolation, Property};
use rres_import::model::{ModelBuilder, ModelChannel, ModelNode, ModelSkin};
use rres_import::{Asset, Dependency, ImportError, Source};

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
    let mut built = ModelBuilder::default();
    let places = joints(scene, &mut built)?;
    let materials = match scene.model {
        Some(model) => Materials::read(model, source, &mut left_out)?,
        None => Materials::default(),
    };
    for image in &materials.images {
        built.add_image(Dependency::SubAsset(image.name.clone()));
    }
    for material in materials.materials {
        built.add_material(material);
    }
    let joint_count = scene.skeleton.map(|skeleton| skeleton.joints.len());
    let skin = scene.skeleton.map(|skeleton| {
        built.add_skin(ModelSkin {
            name: String::new(),
            joints: places.clone(),
            inverse_bind_matrices: skeleton.joints.iter().map(|joint| joint.inverse_bind_matrix()).collect(),
            root: places.get(usize::from(skeleton.root)).copied(),
        })
    });
    let (mut meshes, mut triangles) = (0, 0);
    for (number, mesh) in scene.model.iter().flat_map(|model| model.meshes.iter().enumerate()) {
        let added = meshes::add(mesh, joint_count, &mut built, &mut left_out)
            .map_err(|error| error.within(&format!("mesh {number}")))?;
        let Some(added) = added else { continue };
        meshes += 1;
        triangles += mesh.indices.len() / 3;
        let skin = skin.filter(|_| mesh.has_joints);
        built.add_node(ModelNode { mesh: Some(added), skin, ..ModelNode::default() });
    }
    for animation in &scene.animations {
        built.add_animation(&animation.name, channels(animation, &places)?);
    }
    let model = built.into_asset(summary(scene, meshes, triangles))?;
    left_out.sort();
    left_out.dedup();
    Ok(Converted { assets: std::iter::once(model).chain(materials.images).collect(), left_out })
}

/// Adds a node for each joint, parents first, and returns the node of each joint.
fn joints(scene: &NbrScene<'_>, built: &mut ModelBuilder) -> Result<Vec<u32>, ImportError> {
    let tracks = scene.animations.iter().map(|animation| animation.tracks.len()).max().unwrap_or(0);
    let Some(skeleton) = scene.skeleton else {
        let joint = |number| ModelNode { name: format!("joint {number}"), ..ModelNode::default() };
        return Ok((0..tracks).map(|number| built.add_node(joint(number))).collect());
    };
    let count = skeleton.joints.len();
    if let Some(animation) = scene.animations.iter().find(|animation| animation.tracks.len() > count) {
        let (name, tracks) = (&animation.name, animation.tracks.len());
        let message = format!("the animation \"{name}\" has {tracks} tracks, and the skeleton {count} joints");
        return Err(ImportError::new(message));
    }
    let mut places: Vec<Option<u32>> = vec![None; count];
    let parents = skeleton.parents();
    // An explicit stack, because the file determines the depth.
    let mut rest: Vec<usize> = (0..count).rev().filter(|joint| parents[*joint].is_none()).collect();
    while let Some(number) = rest.pop() {
        let joint = &skeleton.joints[number];
        for numbers in [&joint.position[..], &joint.rotation, &joint.scale, &joint.inverse_bind] {
            check_finite(numbers, || format!("joint {number}"))?;
        }
        if places[number].is_some() {
            return Err(damaged(format!("joint {number} is the child of two others")));
        }
        places[number] = Some(built.add_node(ModelNode {
            name: joint.name.clone(),
            parent: parents[number].and_then(|parent| places[usize::from(parent)]),
            translation: joint.position,
            rotation: joint.rotation,
            scale: joint.scale,
            ..ModelNode::default()
        }));
        rest.extend(joint.children.iter().rev().map(|child| usize::from(*child)).filter(|child| *child < count));
    }
    if let Some(lost) = places.iter().position(Option::is_none) {
        return Err(damaged(format!("joint {lost} is below itself")));
    }
    Ok(places.into_iter().flatten().collect())
}

fn channels(animation: &Animation, places: &[u32]) -> Result<Vec<ModelChannel>, ImportError> {
    let mut channels = Vec::new();
    for (number, track) in animation.tracks.iter().enumerate() {
        let node = places[number];
        channels.extend(channel((number, node, Property::TRANSLATION), &track.positions)?);
        channels.extend(channel((number, node, Property::ROTATION), &track.rotations)?);
        channels.extend(channel((number, node, Property::SCALE), &track.scales)?);
    }
    if channels.is_empty() {
        return Err(ImportError::new("has no tracks, and no model has an animation without"));
    }
    Ok(channels)
}

/// Returns a channel; `None` without keys.
fn channel<const N: usize>(
    (joint, node, property): (usize, u32, Property),
    keys: &[Key<N>],
) -> Result<Option<ModelChannel>, ImportError> {
    for (number, key) in keys.iter().enumerate() {
        let what = || format!("key {number} of the {property} of joint {joint}");
        check_finite(&key.value, what)?;
        check_finite(&[key.time], what)?;
    }
    if let Some(number) = keys.windows(2).position(|pair| pair[0].time >= pair[1].time) {
        let why = format!("the {property} of joint {joint}: key {} is not after the one before it", number + 1);
        return Err(ImportError::new(why));
    }
    let times: Vec<f32> = keys.iter().map(|key| key.time).collect();
    let values = keys.iter().flat_map(|key| key.value).collect();
    let interpolation = Interpolation::LINEAR;
    Ok((!keys.is_empty()).then_some(ModelChannel { node, property, interpolation, times, values }))
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
