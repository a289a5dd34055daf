//! Skins and animations: spans of numbers as accessors.

use std::collections::HashMap;

use rres_format::chunk::scene::{ChannelRecord, Interpolation, NONE, Property};
use serde_json::{Value, json};

use super::Writer;
use crate::{ExportError, float};

pub(super) fn skins(writer: &mut Writer<'_>) -> Result<Vec<Value>, ExportError> {
    let scene = writer.scene;
    let mut skins = Vec::with_capacity(scene.skins.len());
    for record in &scene.skins {
        let mut value = json!({ "joints": writer.indices(record.joints) });
        writer.name(&mut value, record.name);
        if record.skeleton != NONE {
            value["skeleton"] = json!(record.skeleton);
        }
        if record.inverse_bind_matrices.count != 0 {
            let span = record.inverse_bind_matrices;
            value["inverseBindMatrices"] = json!(writer.buffer.numbers(scene, span, 16)?);
        }
        skins.push(value);
    }
    Ok(skins)
}

pub(super) fn write(writer: &mut Writer<'_>) -> Result<Vec<Value>, ExportError> {
    let scene = writer.scene;
    let mut animations = Vec::with_capacity(scene.animations.len());
    for record in &scene.animations {
        let channels = scene.channels.get(super::range(record.channels)).unwrap_or_default();
        if channels.is_empty() {
            writer.losses.push("without animations that have no channels".to_owned());
            continue;
        }
        let (mut samplers, mut known) = (Vec::new(), HashMap::new());
        let mut values = Vec::with_capacity(channels.len());
        for channel in channels {
            let sampler = sampler(writer, channel)?;
            let number = *known.entry(sampler.to_string()).or_insert_with(|| {
                samplers.push(sampler);
                samplers.len() - 1
            });
            let target = json!({ "node": channel.node, "path": channel.property.to_string() });
            values.push(json!({ "sampler": number, "target": target }));
        }
        let mut value = json!({ "channels": values, "samplers": samplers });
        writer.name(&mut value, record.name);
        animations.push(value);
    }
    Ok(animations)
}

fn sampler(writer: &mut Writer<'_>, channel: &ChannelRecord) -> Result<Value, ExportError> {
    let scene = writer.scene;
    let times = writer.numbers(channel.times);
    let (first, last) = (times.first().copied().unwrap_or_default(), times.last().copied().unwrap_or_default());
    let input = writer.buffer.numbers(scene, channel.times, 1)?;
    // Times have bounds.
    writer.buffer.accessors[input]["min"] = json!([float(first)]);
    writer.buffer.accessors[input]["max"] = json!([float(last)]);
    // The values of weights are one list.
    let components = if channel.property == Property::WEIGHTS { 1 } else { channel.components };
    let output = writer.buffer.numbers(scene, channel.values, components)?;
    let mut sampler = json!({ "input": input, "output": output });
    match channel.interpolation {
        Interpolation::STEP => sampler["interpolation"] = json!("STEP"),
        Interpolation::CUBIC => sampler["interpolation"] = json!("CUBICSPLINE"),
        _ => {}
    }
    Ok(sampler)
}
