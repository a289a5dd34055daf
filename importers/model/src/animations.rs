//! Animations → channels: the keys of one property of one node.
//!
//! They are read from the document as it is, since the JSON reader refuses channels of extensions.

use gltf::json::Value;
use rres_format::chunk::scene::{AnimationRecord, ChannelRecord, Interpolation, Property, Span};
use rres_import::ImportError;

use super::Skipped;
use super::buffers::Buffers;
use super::document::item;
use super::json::{index, list, text};
use super::nodes::Nodes;
use super::numbers::{Numbers, Scaling};

/// Reads every animation. `targets` has the number of morph targets of each mesh.
pub(super) fn read(
    animations: &[Value],
    numbers: &mut Numbers<'_>,
    nodes: &Nodes<'_>,
    targets: &[u32],
    buffers: &mut Buffers<'_, '_, '_>,
    skipped: &mut Skipped,
) -> Result<(), ImportError> {
    for (number, animation) in animations.iter().enumerate() {
        let name = text(animation, "name");
        let shown = if name.is_empty() { String::new() } else { format!(" \"{name}\"") };
        let first = numbers.block.channels.len() as u32;
        for (at, channel) in list(animation, "channels").iter().enumerate() {
            match self::channel(animation, channel, numbers, nodes, targets, buffers) {
                Ok(Some(channel)) => numbers.block.channels.push(channel),
                Ok(None) => skipped.channels += 1,
                Err(error) => return Err(error.within(&format!("animation {number}{shown}, channel {at}"))),
            }
        }
        let count = numbers.block.channels.len() as u32 - first;
        let name = numbers.name(Some(name))?;
        numbers.block.animations.push(AnimationRecord { name, channels: Span { first, count } });
    }
    Ok(())
}

/// A channel; `None` for one without a node, and for channels of extensions.
fn channel(
    animation: &Value,
    channel: &Value,
    numbers: &mut Numbers<'_>,
    nodes: &Nodes<'_>,
    targets: &[u32],
    buffers: &mut Buffers<'_, '_, '_>,
) -> Result<Option<ChannelRecord>, ImportError> {
    let damaged = |found: String| ImportError::new(found).with_damage_help("export it again");
    let none = Value::Null;
    let target = channel.get("target").unwrap_or(&none);
    let property = match text(target, "path") {
        "translation" => Property::TRANSLATION,
        "rotation" => Property::ROTATION,
        "scale" => Property::SCALE,
        "weights" => Property::WEIGHTS,
        "pointer" => return Ok(None),
        other => return Err(damaged(format!("changes \"{other}\", expected translation, rotation, scale or weights"))),
    };
    let Some(node) = index(target, "node")? else { return Ok(None) };
    let missing = |what: &str| damaged(format!("has no {what}"));
    let sampler = index(channel, "sampler")?.ok_or_else(|| missing("sampler"))?;
    let sampler = item(list(animation, "samplers"), "sampler", sampler)?;
    let interpolation = match text(sampler, "interpolation") {
        "" | "LINEAR" => Interpolation::LINEAR,
        "STEP" => Interpolation::STEP,
        "CUBICSPLINE" => Interpolation::CUBIC,
        other => {
            return Err(damaged(format!("has the interpolation \"{other}\", expected LINEAR, STEP or CUBICSPLINE")));
        }
    };
    let source = item(&numbers.root.nodes, "node", node)?;
    let components = match property {
        Property::ROTATION => 4,
        Property::WEIGHTS => source.mesh.and_then(|mesh| targets.get(mesh.value())).copied().unwrap_or_default(),
        _ => 3,
    };
    if components == 0 {
        return Err(damaged(format!("changes the weights of node {node}, which has no morph targets")));
    }
    let times = numbers.read(buffers, index(sampler, "input")?.ok_or_else(|| missing("times"))?)?;
    if times.components != 1 || !times.is_float() {
        return Err(damaged(format!("has times of {}, expected 1 × F32", times.shape())));
    }
    if times.count == 0 {
        return Err(missing("keys"));
    }
    if numbers.ascending.insert(times.span.first) {
        check_times(numbers, times.span)?;
    }
    let scaling = if property == Property::TRANSLATION { Scaling::All } else { Scaling::None };
    let values = index(sampler, "output")?.ok_or_else(|| missing("values"))?;
    let values = numbers.read_scaled(buffers, values, scaling)?;
    let width = if property == Property::WEIGHTS { 1 } else { components as usize };
    let is_right_type = match property {
        Property::TRANSLATION | Property::SCALE => values.is_float(),
        _ => values.is_float_or_fraction(),
    };
    if values.components != width || !is_right_type {
        return Err(damaged(format!("has {property} values of {}, which glTF does not allow", values.shape())));
    }
    let of_key = if interpolation == Interpolation::CUBIC { 3 } else { 1 };
    let expected = times.count as u64 * of_key * u64::from(components);
    if u64::from(values.span.count) != expected {
        let found = values.span.count;
        return Err(damaged(format!("has {} keys and {found} numbers of values, expected {expected}", times.count)));
    }
    let node = nodes.number(node)?;
    let (times, values) = (times.span, values.span);
    Ok(Some(ChannelRecord { node, property, interpolation, components, times, values }))
}

/// Refuses times that do not ascend.
fn check_times(numbers: &Numbers<'_>, times: Span) -> Result<(), ImportError> {
    let times = &numbers.block.numbers[times.first as usize..][..times.count as usize];
    let Some(key) = times.windows(2).position(|pair| pair[1] < pair[0]) else { return Ok(()) };
    let error = format!("has key {} at {} s, after key {key} at {} s", key + 1, times[key + 1], times[key]);
    Err(ImportError::new(error).with_damage_help("export it again"))
}
