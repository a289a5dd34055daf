//! Animations → clips, and the nodes that they move → targets.

use std::collections::{BTreeSet, HashSet};

use bevy_animation::animation_curves::{AnimatableCurve, AnimatableProperty, AnimatedField, WeightsCurve};
use bevy_animation::gltf_curves::{
    CubicKeyframeCurve, CubicRotationCurve, SteppedKeyframeCurve, WideCubicKeyframeCurve, WideLinearKeyframeCurve,
    WideSteppedKeyframeCurve,
};
use bevy_animation::{AnimationClip, AnimationTargetId, VariableCurve, animated_field};
use bevy_ecs::name::Name;
use bevy_math::curve::{ConstantCurve, Interval, UnevenSampleAutoCurve};
use bevy_math::{Quat, Vec3, Vec4};
use bevy_transform::components::Transform;
use rres_runtime::Model;
use rres_runtime::asset::model::{Animation, Channel, Interpolation, Property};

use crate::error::ModelError;
use crate::nodes;

/// What animations move. A target is known by the names from the root of its tree, so clips fit other models with the same names.
pub(crate) struct Targets {
    names: Vec<Name>,
    ids: Vec<AnimationTargetId>,
    /// The root of the tree of each node.
    roots: Vec<usize>,
    /// The roots of trees that an animation moves.
    animated: BTreeSet<usize>,
}

impl Targets {
    pub(crate) fn of(model: &Model) -> Self {
        let nodes = model.all_nodes();
        let names: Vec<Name> = nodes.iter().enumerate().map(|(i, node)| nodes::name(node, i)).collect();
        let mut roots: Vec<usize> = Vec::with_capacity(nodes.len());
        let mut ids = Vec::with_capacity(nodes.len());
        let mut taken = HashSet::new();
        for (i, node) in nodes.iter().enumerate() {
            // Parents precede children.
            roots.push(node.parent.map_or(i, |parent| roots[parent as usize]));
            let mut path: Vec<&str> = ancestors(model, i).map(|node| names[node].as_str()).collect();
            path.reverse();
            let mut id: AnimationTargetId = path.iter().collect();
            if !taken.insert(id) {
                // Siblings of one name must not move together.
                let number = i.to_string();
                path.push(&number);
                id = path.iter().collect();
                taken.insert(id);
            }
            ids.push(id);
        }
        let channels = model.animations().iter().flat_map(Animation::channels);
        let animated = channels.filter_map(|channel| roots.get(channel.node() as usize).copied()).collect();
        Self { names, ids, roots, animated }
    }

    pub(crate) fn name(&self, node: usize) -> Name {
        self.names[node].clone()
    }

    /// The target of a node and the root of its tree, which has the player; `None` if no animation moves its tree.
    pub(crate) fn get(&self, node: usize) -> Option<(AnimationTargetId, usize)> {
        let root = self.roots[node];
        self.animated.contains(&root).then(|| (self.ids[node], root))
    }
}

/// A node, its parent, and so on.
fn ancestors(model: &Model, node: usize) -> impl Iterator<Item = usize> {
    let parent = |node: &usize| model.all_nodes()[*node].parent.map(|parent| parent as usize);
    std::iter::successors(Some(node), parent)
}

pub(crate) fn clip(animation: &Animation, targets: &Targets) -> Result<AnimationClip, ModelError> {
    let mut clip = AnimationClip::default();
    for channel in animation.channels() {
        let curve = curve(channel).map_err(|reason| ModelError::Curve {
            animation: animation.name().to_owned(),
            node: channel.node(),
            reason,
        })?;
        clip.add_variable_curve_to_target(targets.ids[channel.node() as usize], curve);
    }
    Ok(clip)
}

fn curve(channel: &Channel) -> Result<VariableCurve, String> {
    match channel.property() {
        Property::TRANSLATION => vectors(channel, animated_field!(Transform::translation)),
        Property::SCALE => vectors(channel, animated_field!(Transform::scale)),
        Property::ROTATION => rotations(channel),
        Property::WEIGHTS => weights(channel),
        other => Err(format!("they are of {other}")),
    }
}

/// The value of a channel with one key, which has it at any time.
fn single(channel: &Channel) -> Option<&[f32]> {
    let value = if channel.interpolation() == Interpolation::CUBIC { 1 } else { 0 };
    let mut values = channel.values().chunks_exact(channel.components().max(1));
    (channel.times().len() == 1).then(|| values.nth(value)).flatten()
}

fn vectors(
    channel: &Channel,
    property: impl AnimatableProperty<Property = Vec3> + Clone,
) -> Result<VariableCurve, String> {
    let times = channel.times().iter().copied();
    let values = channel.values().as_chunks::<3>().0.iter().copied().map(Vec3::from);
    if let Some(&[x, y, z]) = single(channel) {
        let curve = ConstantCurve::new(Interval::EVERYWHERE, Vec3::new(x, y, z));
        return Ok(VariableCurve::new(AnimatableCurve::new(property, curve)));
    }
    match channel.interpolation() {
        Interpolation::STEP => made(SteppedKeyframeCurve::new(times.zip(values)))
            .map(|curve| VariableCurve::new(AnimatableCurve::new(property, curve))),
        Interpolation::CUBIC => made(CubicKeyframeCurve::new(times, values))
            .map(|curve| VariableCurve::new(AnimatableCurve::new(property, curve))),
        _ => made(UnevenSampleAutoCurve::new(times.zip(values)))
            .map(|curve| VariableCurve::new(AnimatableCurve::new(property, curve))),
    }
}

fn rotations(channel: &Channel) -> Result<VariableCurve, String> {
    let property = animated_field!(Transform::rotation);
    let times = channel.times().iter().copied();
    let numbers = channel.values().as_chunks::<4>().0.iter().copied();
    let values = numbers.clone().map(Quat::from_array);
    if let Some(&[x, y, z, w]) = single(channel) {
        let curve = ConstantCurve::new(Interval::EVERYWHERE, Quat::from_xyzw(x, y, z, w));
        return Ok(VariableCurve::new(AnimatableCurve::new(property, curve)));
    }
    match channel.interpolation() {
        Interpolation::STEP => made(SteppedKeyframeCurve::new(times.zip(values)))
            .map(|curve| VariableCurve::new(AnimatableCurve::new(property, curve))),
        Interpolation::CUBIC => made(CubicRotationCurve::new(times, numbers.map(Vec4::from)))
            .map(|curve| VariableCurve::new(AnimatableCurve::new(property, curve))),
        _ => made(UnevenSampleAutoCurve::new(times.zip(values)))
            .map(|curve| VariableCurve::new(AnimatableCurve::new(property, curve))),
    }
}

fn weights(channel: &Channel) -> Result<VariableCurve, String> {
    let times = channel.times().iter().copied();
    let values = channel.values().iter().copied();
    if let Some(weights) = single(channel) {
        let curve = ConstantCurve::new(Interval::EVERYWHERE, weights.to_vec());
        return Ok(VariableCurve::new(WeightsCurve(curve)));
    }
    match channel.interpolation() {
        Interpolation::STEP => {
            made(WideSteppedKeyframeCurve::new(times, values)).map(|curve| VariableCurve::new(WeightsCurve(curve)))
        }
        Interpolation::CUBIC => {
            made(WideCubicKeyframeCurve::new(times, values)).map(|curve| VariableCurve::new(WeightsCurve(curve)))
        }
        _ => made(WideLinearKeyframeCurve::new(times, values)).map(|curve| VariableCurve::new(WeightsCurve(curve))),
    }
}

fn made<T, E: ToString>(curve: Result<T, E>) -> Result<T, String> {
    curve.map_err(|error| error.to_string())
}
