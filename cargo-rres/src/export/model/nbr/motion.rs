//! Joints as nodes and a skin, and tracks as channels of an animation.

use rres_import_nbr::{Animation, Key, Skeleton};
use serde_json::{Value, json};

use super::super::super::{ExportError, float};
use super::super::buffer::Buffer;
use super::{Scene, bytes, finite};

const F32: u32 = 5126;

/// Returns a node for each joint, and the numbers of those without a parent.
pub(super) fn joints(scene: &Scene<'_>, count: usize) -> Result<(Vec<Value>, Vec<usize>), ExportError> {
    let Some(skeleton) = scene.skeleton else {
        let nodes = (0..count).map(|number| json!({ "name": format!("joint {number}") })).collect();
        return Ok((nodes, (0..count).collect()));
    };
    let mut nodes = Vec::with_capacity(count);
    for (number, joint) in skeleton.joints.iter().enumerate() {
        let what = format!("joint {number}");
        let mut node = json!({
            "name": joint.name,
            "translation": finite(&joint.position, &what)?,
            "rotation": finite(&joint.rotation, &what)?,
            "scale": finite(&joint.scale, &what)?,
        });
        finite(&joint.inverse_bind, &what)?;
        if !joint.children.is_empty() {
            node["children"] = json!(joint.children);
        }
        nodes.push(node);
    }
    let parents = skeleton.parents().into_iter().enumerate();
    let roots = parents.filter(|(_, parent)| parent.is_none()).map(|(number, _)| number);
    Ok((nodes, roots.collect()))
}

/// Returns the skin of a skeleton, whose joints are the first nodes.
pub(super) fn skin(skeleton: &Skeleton, buffer: &mut Buffer) -> Value {
    let matrices = bytes(skeleton.joints.iter().map(|joint| joint.inverse_bind_matrix()));
    let count = skeleton.joints.len();
    let matrices = data(buffer, &matrices, json!({ "componentType": F32, "count": count, "type": "MAT4" }));
    let joints: Vec<usize> = (0..count).collect();
    json!({ "joints": joints, "skeleton": skeleton.root, "inverseBindMatrices": matrices })
}

/// Returns an animation of the first nodes.
pub(super) fn animation(animation: &Animation, buffer: &mut Buffer) -> Result<Value, ExportError> {
    let mut written = Channels { channels: Vec::new(), samplers: Vec::new() };
    for (number, track) in animation.tracks.iter().enumerate() {
        written.add(number, "translation", &track.positions, buffer)?;
        written.add(number, "rotation", &track.rotations, buffer)?;
        written.add(number, "scale", &track.scales, buffer)?;
    }
    if written.channels.is_empty() {
        return Err(ExportError::Unsupported("it has no tracks, and glTF has no animation without".to_owned()));
    }
    let mut value = json!({ "channels": written.channels, "samplers": written.samplers });
    if !animation.name.is_empty() {
        value["name"] = json!(animation.name);
    }
    Ok(value)
}

struct Channels {
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Channels {
    fn add<const N: usize>(
        &mut self,
        node: usize,
        path: &str,
        keys: &[Key<N>],
        buffer: &mut Buffer,
    ) -> Result<(), ExportError> {
        for (number, key) in keys.iter().enumerate() {
            let what = format!("key {number} of the {path} of joint {node}");
            finite(&key.value, &what)?;
            finite(&[key.time], &what)?;
        }
        if let Some(number) = keys.windows(2).position(|pair| pair[0].time >= pair[1].time) {
            let why = format!("the {path} of joint {node}: key {} is not after the one before it", number + 1);
            return Err(ExportError::Unsupported(why));
        }
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return Ok(()) };
        let input = json!({
            "componentType": F32, "count": keys.len(), "type": "SCALAR", "min": [float(first.time)], "max": [float(last.time)],
        });
        let input = data(buffer, &bytes(keys.iter().map(|key| [key.time])), input);
        let shape = if N == 4 { "VEC4" } else { "VEC3" };
        let output = json!({ "componentType": F32, "count": keys.len(), "type": shape });
        let output = data(buffer, &bytes(keys.iter().map(|key| key.value)), output);
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "output": output }));
        Ok(())
    }
}

/// Adds numbers that OpenGL does not use, and returns the number of their accessor.
fn data(buffer: &mut Buffer, bytes: &[u8], mut accessor: Value) -> usize {
    accessor["bufferView"] = json!(buffer.view(bytes, None));
    buffer.accessors.push(accessor);
    buffer.accessors.len() - 1
}
