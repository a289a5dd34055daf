//! What must hold in a SCNE chunk so that no reader has to check it again.
//!
//! Records may share numbers, but not names and indices, and times only as a whole: so checking takes no longer than reading
//! the chunk, however the spans of a damaged one overlap.

use core::fmt::Display;

use super::tables::Tables;
use super::{
    AnimationRecord, CameraRecord, ChannelRecord, Factor, FurtherNode, Interpolation, LightRecord, MeshRecord,
    MorphRecord, NONE, NodeExtra, Property, SceneRecord, SceneView, SkinRecord, Span, check_meshlets, part, tracks,
};
use crate::chunk::vertex::VertexAttribute;
use crate::error::{Error, Result};

/// The most numbers that a vertex has for one attribute.
const MAX_COMPONENTS: u32 = 4;

pub(super) fn check(view: &SceneView<'_>) -> Result<()> {
    if let Some(bad) = view.numbers().position(|number| !number.is_finite()) {
        return Err(wrong("number", bad, "is not finite"));
    }
    let [of_model, primitives, materials] = view.model;
    let counts = Counts { nodes: view.nodes().len() as u32, primitives, materials };
    let further = view.further_nodes().len() as u32;
    if u64::from(counts.nodes) != u64::from(of_model) + u64::from(further) {
        let detail = format!("{} nodes, expected {of_model} of the model and {further} more", counts.nodes);
        return Err(Error::inconsistent("scenes of a model", detail));
    }
    check_shared(view)?;
    index("default scene", 0, view.default_scene, view.scenes().len(), true)?;
    view.nodes().enumerate().try_for_each(|(i, node)| check_node(view, i, &node))?;
    for (i, node) in view.further_nodes().enumerate() {
        check_further(view, of_model, i, &node)?;
    }
    view.meshes().enumerate().try_for_each(|(i, mesh)| check_mesh(view, i, mesh))?;
    view.targets().try_for_each(|name| view.try_name(name).map(drop))?;
    check_morphs(view, &counts)?;
    check_lods(view, &counts)?;
    check_meshlets::check(view, primitives)?;
    view.skins().enumerate().try_for_each(|(i, skin)| check_skin(view, &counts, i, skin))?;
    check_animations(view, &counts)?;
    check_materials(view, &counts)?;
    view.cameras().enumerate().try_for_each(|(i, camera)| check_camera(view, i, camera))?;
    view.lights().enumerate().try_for_each(|(i, light)| check_light(view, i, light))?;
    view.scenes().enumerate().try_for_each(|(i, scene)| check_scene(view, &counts, i, scene))
}

/// Checks that no name and no index has two owners, by their number: a few bytes could mean any number of names.
fn check_shared(view: &SceneView<'_>) -> Result<()> {
    let names = view.further_nodes().map(|node| node.name).chain(view.meshes().map(|mesh| mesh.name));
    let names = names.chain(view.targets()).chain(view.skins().map(|skin| skin.name));
    let names = names.chain(view.animations().map(|animation| animation.name));
    let names = names.chain(view.cameras().map(|camera| camera.name)).chain(view.lights().map(|light| light.name));
    let names = names.chain(view.scenes().map(|scene| scene.name));
    let indices = view.skins().map(|skin| skin.joints).chain(view.scenes().map(|scene| scene.roots));
    let targets = view.meshes().map(|mesh| mesh.targets);
    let total = |spans: &mut dyn Iterator<Item = Span>| spans.map(|span| u64::from(span.count)).sum::<u64>();
    for (what, used, len) in [
        ("bytes of names", total(&mut names.into_iter()), view.names.len()),
        ("indices", total(&mut indices.into_iter()), view.indices().len()),
        ("names of morph targets", total(&mut targets.into_iter()), view.targets().len()),
    ] {
        if used > len as u64 {
            let detail = format!("{used} {what} in all, but there are only {len}");
            return Err(Error::inconsistent("scenes of a model", detail));
        }
    }
    Ok(())
}

struct Counts {
    nodes: u32,
    primitives: u32,
    materials: u32,
}

fn wrong(what: impl Display, number: usize, why: impl Display) -> Error {
    Error::inconsistent("scenes of a model", format!("{what} {number} {why}"))
}

/// Checks an index into a list of `len`.
fn index(what: &str, number: usize, index: u32, len: usize, may_be_none: bool) -> Result<()> {
    if index as usize >= len && !(may_be_none && index == NONE) {
        return Err(wrong(what, number, format!("refers to {index}, but there are only {len}")));
    }
    Ok(())
}

/// Checks that a span of numbers exists.
fn numbers(view: &SceneView<'_>, what: impl Display, number: usize, span: Span) -> Result<()> {
    if part(view.sections[14], span).is_none() {
        let len = view.numbers().len();
        return Err(wrong(what, number, format!("has {} numbers from {} on, of {len}", span.count, span.first)));
    }
    Ok(())
}

/// Checks that a span of indices exists, and that each is one of a node.
fn node_indices(view: &SceneView<'_>, counts: &Counts, what: &str, number: usize, span: Span) -> Result<()> {
    if part(view.sections[13], span).is_none() {
        let len = view.indices().len();
        return Err(wrong(what, number, format!("has {} indices from {} on, of {len}", span.count, span.first)));
    }
    match view.indices_of(span).find(|node| *node >= counts.nodes) {
        Some(node) => Err(wrong(what, number, format!("has node {node}, but there are only {}", counts.nodes))),
        None => Ok(()),
    }
}

fn finite(what: &str, number: usize, values: &[f32]) -> Result<()> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(wrong(what, number, format!("has the number {value}"))),
        None => Ok(()),
    }
}

fn check_lods(view: &SceneView<'_>, counts: &Counts) -> Result<()> {
    let mut expected = (0, 0);
    for (i, lod) in view.lods().enumerate() {
        index("primitive of level of detail", i, lod.primitive, counts.primitives as usize, false)?;
        let is_next = lod.primitive > expected.0 && lod.level == 0;
        if !(is_next || (lod.primitive, lod.level) == expected) || lod.level >= VertexAttribute::MAX_LODS {
            let found = format!("is level {} of primitive {}, out of order", lod.level, lod.primitive);
            return Err(wrong("level of detail", i, found));
        }
        finite("level of detail", i, &[lod.error])?;
        if lod.error < 0.0 {
            return Err(wrong("level of detail", i, format!("has the error {}", lod.error)));
        }
        expected = (lod.primitive, lod.level + 1);
    }
    Ok(())
}

fn check_node(view: &SceneView<'_>, i: usize, node: &NodeExtra) -> Result<()> {
    index("skin of node", i, node.skin, view.skins().len(), true)?;
    index("camera of node", i, node.camera, view.cameras().len(), true)?;
    index("light of node", i, node.light, view.lights().len(), true)?;
    numbers(view, "weights of node", i, node.weights)?;
    finite("node", i, &node.translation)?;
    finite("node", i, &node.rotation)?;
    finite("node", i, &node.scale)?;
    if node.has_parts > 1 {
        return Err(wrong("node", i, format!("has {} where 0 or 1 is expected", node.has_parts)));
    }
    Ok(())
}

fn check_further(view: &SceneView<'_>, before: u32, i: usize, node: &FurtherNode) -> Result<()> {
    let own = i + before as usize;
    if node.parent != NONE && node.parent as usize >= own {
        return Err(wrong("node", own, format!("has parent {}, expected a node before it", node.parent)));
    }
    index("mesh of node", own, node.mesh, view.meshes().len(), true)?;
    finite("node", own, &node.transform)?;
    view.try_name(node.name).map(drop)
}

fn check_mesh(view: &SceneView<'_>, i: usize, mesh: MeshRecord) -> Result<()> {
    view.try_name(mesh.name)?;
    let targets = view.targets().len();
    let end = u64::from(mesh.targets.first) + u64::from(mesh.targets.count);
    if end > targets as u64 {
        return Err(wrong("mesh", i, format!("has morph targets up to {end}, but there are only {targets}")));
    }
    numbers(view, "weights of mesh", i, mesh.weights)?;
    if mesh.weights.count != 0 && mesh.weights.count != mesh.targets.count {
        let Span { count, .. } = mesh.weights;
        return Err(wrong("mesh", i, format!("has {count} weights, but {} morph targets", mesh.targets.count)));
    }
    Ok(())
}

fn check_morphs(view: &SceneView<'_>, counts: &Counts) -> Result<()> {
    let mut last = None;
    for (i, morph) in view.morphs().enumerate() {
        let MorphRecord { primitive, target, attribute, components, deltas } = morph;
        index("primitive of morph target", i, primitive, counts.primitives as usize, false)?;
        numbers(view, "morph target", i, deltas)?;
        if !(1..=MAX_COMPONENTS).contains(&components) || !deltas.count.is_multiple_of(components) {
            return Err(wrong("morph target", i, format!("has {} numbers, {components} a vertex", deltas.count)));
        }
        let key = (primitive, target, attribute);
        if last.replace(key).is_some_and(|last| last >= key) {
            return Err(wrong("morph target", i, "is not after the one before it"));
        }
    }
    Ok(())
}

fn check_skin(view: &SceneView<'_>, counts: &Counts, i: usize, skin: SkinRecord) -> Result<()> {
    view.try_name(skin.name)?;
    node_indices(view, counts, "skin", i, skin.joints)?;
    numbers(view, "skin", i, skin.inverse_bind_matrices)?;
    index("skeleton of skin", i, skin.skeleton, counts.nodes as usize, true)?;
    let (joints, numbers) = (skin.joints.count, skin.inverse_bind_matrices.count);
    if joints == 0 {
        return Err(wrong("skin", i, "has no joints"));
    }
    if numbers != 0 && u64::from(numbers) != u64::from(joints) * 16 {
        return Err(wrong("skin", i, format!("has {numbers} numbers in matrices, but {joints} joints")));
    }
    Ok(())
}

fn check_animations(view: &SceneView<'_>, counts: &Counts) -> Result<()> {
    let mut next = 0u64;
    let channels = view.channels().len() as u64;
    for (i, AnimationRecord { name, channels: own }) in view.animations().enumerate() {
        view.try_name(name)?;
        if u64::from(own.first) != next {
            return Err(wrong("animation", i, format!("begins with channel {}, expected {next}", own.first)));
        }
        next += u64::from(own.count);
    }
    if next != channels {
        let detail = format!("{channels} channels, but animations have {next}");
        return Err(Error::inconsistent("scenes of a model", detail));
    }
    let mut tables = Tables::new(view.numbers().len());
    let may_be_packed = view.tracks().len() > 0;
    for (i, channel) in view.channels().enumerate() {
        check_channel(view, counts, i, channel, may_be_packed)?;
        let shared = |()| wrong("channel", i, "shares a part of the times of another one");
        if !channel.is_packed() && tables.is_new(channel.times).map_err(shared)? {
            check_times(view, i, channel.times)?;
        }
    }
    tracks::check(view)
}

fn check_times(view: &SceneView<'_>, i: usize, times: Span) -> Result<()> {
    let mut last = f32::NEG_INFINITY;
    for (key, time) in view.numbers_of(times).enumerate() {
        if time < last {
            return Err(wrong("channel", i, format!("has key {key} at {time} s, after {last} s")));
        }
        last = time;
    }
    Ok(())
}

fn check_channel(
    view: &SceneView<'_>,
    counts: &Counts,
    i: usize,
    channel: ChannelRecord,
    may_be_packed: bool,
) -> Result<()> {
    let ChannelRecord { node, property, interpolation, components, times, values } = channel;
    index("node of channel", i, node, counts.nodes as usize, false)?;
    let expected = match property {
        Property::TRANSLATION | Property::SCALE => Some(3),
        Property::ROTATION => Some(4),
        Property::WEIGHTS => None,
        _ => return Err(wrong("channel", i, format!("changes the property {}", property.0))),
    };
    if components == 0 || expected.is_some_and(|expected| expected != components) {
        return Err(wrong("channel", i, format!("has {components} numbers a value, for the {property} of a node")));
    }
    let of_key: u64 = match interpolation {
        Interpolation::STEP | Interpolation::LINEAR => 1,
        Interpolation::CUBIC => 3,
        _ => return Err(wrong("channel", i, format!("has the interpolation {}", interpolation.0))),
    };
    numbers(view, "times of channel", i, times)?;
    numbers(view, "values of channel", i, values)?;
    if channel.is_packed() && may_be_packed {
        return Ok(());
    }
    if times.count == 0 {
        return Err(wrong("channel", i, "has no keys"));
    }
    let expected = u128::from(times.count) * u128::from(components) * u128::from(of_key);
    if u128::from(values.count) != expected {
        let detail = format!("has {} numbers for {} keys, expected {expected}", values.count, times.count);
        return Err(wrong("channel", i, detail));
    }
    Ok(())
}

fn check_materials(view: &SceneView<'_>, counts: &Counts) -> Result<()> {
    let mut last = None;
    for (i, factor) in view.factors().enumerate() {
        index("material of factor", i, factor.material, counts.materials as usize, false)?;
        finite("factor", i, &factor.value)?;
        if factor.factor == Factor::ALPHA_MODE && ![0.0, 1.0, 2.0].contains(&factor.value[0]) {
            return Err(wrong("factor", i, format!("is the alpha mode {}, expected 0, 1 or 2", factor.value[0])));
        }
        let key = (factor.material, factor.factor);
        if last.replace(key).is_some_and(|last| last >= key) {
            return Err(wrong("factor", i, "is not after the one before it"));
        }
    }
    let mut last = None;
    for (i, texture) in view.textures().enumerate() {
        index("material of texture", i, texture.material, counts.materials as usize, false)?;
        let [a, b] = texture.offset;
        let [c, d] = texture.scale;
        finite("texture", i, &[a, b, c, d, texture.rotation, texture.strength])?;
        let [magnify, minify, wraps @ ..] = texture.sampler;
        if magnify > 2 || minify > 6 || wraps.iter().any(|wrap| *wrap > 2) {
            return Err(wrong("texture", i, format!("has the sampler {:?}", texture.sampler)));
        }
        let key = (texture.material, texture.slot);
        if last.replace(key).is_some_and(|last| last >= key) {
            return Err(wrong("texture", i, "is not after the one before it"));
        }
    }
    Ok(())
}

fn check_camera(view: &SceneView<'_>, i: usize, camera: CameraRecord) -> Result<()> {
    let CameraRecord { name, kind, x, y, near, far } = camera;
    view.try_name(name)?;
    finite("camera", i, &[x, y, near, far])?;
    if kind > 1 {
        return Err(wrong("camera", i, format!("is of kind {kind}, expected 0 or 1")));
    }
    Ok(())
}

fn check_light(view: &SceneView<'_>, i: usize, light: LightRecord) -> Result<()> {
    view.try_name(light.name)?;
    let LightRecord { kind, color, intensity, range, inner_angle, outer_angle, .. } = light;
    finite("light", i, &color)?;
    finite("light", i, &[intensity, range, inner_angle, outer_angle])?;
    if kind > 2 {
        return Err(wrong("light", i, format!("is of kind {kind}, expected 0, 1 or 2")));
    }
    Ok(())
}

fn check_scene(view: &SceneView<'_>, counts: &Counts, i: usize, scene: SceneRecord) -> Result<()> {
    view.try_name(scene.name)?;
    node_indices(view, counts, "scene", i, scene.roots)
}
