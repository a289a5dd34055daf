//! Nodes, and what is at them: cameras and lights. Scenes.

use rres_format::chunk::scene::{NONE, NodeExtra, SceneBlock, Span};
use serde_json::{Value, json};

use super::{Writer, extension, floats, range};
use crate::{ExportError, float};

pub(super) const LIGHTS: &str = "KHR_lights_punctual";

/// Returns the nodes and the scenes.
pub(super) fn write(writer: &mut Writer<'_>) -> Result<(Vec<Value>, Vec<Value>), ExportError> {
    let scene = writer.scene;
    let mut values = Vec::with_capacity(scene.nodes.len());
    if writer.export.is_bare_mesh {
        values.push(json!({ "mesh": 0 }));
    } else {
        let nodes = writer.export.model.all_nodes();
        let mut children = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            if node.transform.iter().any(|value| !value.is_finite()) {
                return Err(ExportError::Damaged(format!("node {number} has a transform that is not finite")));
            }
            if let Some(siblings) = node.parent.and_then(|parent| children.get_mut(parent as usize)) {
                siblings.push(number);
            }
            let mut value = json!({});
            if !node.name.is_empty() {
                value["name"] = json!(node.name);
            }
            if let Some(mesh) = node.mesh {
                value["mesh"] = json!(mesh);
            }
            match scene.nodes.get(number) {
                Some(extra) => self::extra(&mut value, extra, &node.transform, writer)?,
                None => value["matrix"] = floats(&node.transform),
            }
            values.push(value);
        }
        for (value, children) in values.iter_mut().zip(children).filter(|(_, children)| !children.is_empty()) {
            value["children"] = children.into();
        }
    }
    let scenes = scene.scenes.iter().map(|record| {
        let mut value = json!({});
        writer.name(&mut value, record.name);
        let roots = writer.indices(record.roots);
        if !roots.is_empty() {
            value["nodes"] = json!(roots);
        }
        value
    });
    let scenes = scenes.collect();
    Ok((values, scenes))
}

/// Adds to a node what its record has.
fn extra(
    value: &mut Value,
    extra: &NodeExtra,
    transform: &[f32; 16],
    writer: &mut Writer<'_>,
) -> Result<(), ExportError> {
    if extra.has_parts == 0 {
        value["matrix"] = floats(transform);
    } else {
        let parts: [(&str, &[f32], &[f32]); 3] = [
            ("translation", &extra.translation, &[0.0; 3]),
            ("rotation", &extra.rotation, &[0.0, 0.0, 0.0, 1.0]),
            ("scale", &extra.scale, &[1.0; 3]),
        ];
        for (key, part, default) in parts {
            // −0 and 0 are different bits.
            if part.iter().zip(default).any(|(part, default)| part.to_bits() != default.to_bits()) {
                value[key] = floats(part);
            }
        }
    }
    for (key, index) in [("skin", extra.skin), ("camera", extra.camera)] {
        if index != NONE {
            value[key] = json!(index);
        }
    }
    if extra.weights != Span::default() {
        writer.count(extra.weights.count)?;
        value["weights"] = floats(writer.numbers(extra.weights));
    }
    if extra.light != NONE {
        writer.extensions.insert(LIGHTS);
        extension(value, LIGHTS).insert("light".to_owned(), json!(extra.light));
    }
    Ok(())
}

fn name(scene: &SceneBlock, span: Span) -> Option<&str> {
    scene.names.get(range(span)).filter(|name| !name.is_empty())
}

pub(super) fn cameras(scene: &SceneBlock) -> Vec<Value> {
    let camera = |camera: &rres_format::chunk::scene::CameraRecord| {
        let [x, y, near, far] = [camera.x, camera.y, camera.near, camera.far].map(float);
        let mut value = match camera.kind {
            0 => {
                let mut perspective = json!({ "yfov": y, "znear": near });
                // 0 is none.
                for (key, is_there, number) in [("aspectRatio", camera.x != 0.0, x), ("zfar", camera.far != 0.0, far)] {
                    if is_there {
                        perspective[key] = number;
                    }
                }
                json!({ "type": "perspective", "perspective": perspective })
            }
            _ => {
                let orthographic = json!({ "xmag": x, "ymag": y, "znear": near, "zfar": far });
                json!({ "type": "orthographic", "orthographic": orthographic })
            }
        };
        if let Some(name) = name(scene, camera.name) {
            value["name"] = json!(name);
        }
        value
    };
    scene.cameras.iter().map(camera).collect()
}

pub(super) fn lights(scene: &SceneBlock) -> Vec<Value> {
    let light = |light: &rres_format::chunk::scene::LightRecord| {
        let kind = match light.kind {
            0 => "directional",
            1 => "point",
            _ => "spot",
        };
        let mut value = json!({ "type": kind });
        if let Some(name) = name(scene, light.name) {
            value["name"] = json!(name);
        }
        if light.color != [1.0; 3] {
            value["color"] = floats(&light.color);
        }
        if light.intensity != 1.0 {
            value["intensity"] = float(light.intensity);
        }
        if light.range != 0.0 {
            value["range"] = float(light.range);
        }
        if kind == "spot" {
            let (inner, outer) = (float(light.inner_angle), float(light.outer_angle));
            value["spot"] = json!({ "innerConeAngle": inner, "outerConeAngle": outer });
        }
        value
    };
    scene.lights.iter().map(light).collect()
}
