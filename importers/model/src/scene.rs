//! What a document has besides meshes and materials → the records of the SCNE chunk: nodes, meshes, cameras, lights, scenes.

use gltf::json::camera::Type;
use gltf::json::validation::Checked;
use gltf::json::{Node as GltfNode, Value};
use rres_format::chunk::scene::{
    CameraRecord, FurtherNode, LightRecord, MeshRecord, NONE, NodeExtra, SceneRecord, Span,
};
use rres_import::ImportError;

use super::json::{extension, index, list, number, numbers as array, text, wrong};
use super::nodes::{Nodes, default_scene, scene_roots};
use super::numbers::Numbers;

const LIGHTS: &str = "KHR_lights_punctual";

/// Reads everything. `targets` has the number of morph targets of each mesh.
pub(super) fn read(
    json: &Value,
    numbers: &mut Numbers<'_>,
    nodes: &Nodes<'_>,
    targets: &[u32],
) -> Result<(), ImportError> {
    lights(json, numbers)?;
    cameras(numbers)?;
    meshes(json, numbers, targets)?;
    self::nodes(json, numbers, nodes, targets)?;
    numbers.block.default_scene = default_scene(numbers.root).map(|scene| scene as u32);
    for (scene, source) in numbers.root.scenes.iter().enumerate() {
        let roots = scene_roots(numbers.root, scene)?;
        let roots = roots.into_iter().map(|node| nodes.number(node)).collect::<Result<_, _>>()?;
        let record = SceneRecord { name: numbers.name(source.name.as_deref())?, roots: numbers.indices(roots)? };
        numbers.block.scenes.push(record);
    }
    Ok(())
}

fn nodes(json: &Value, numbers: &mut Numbers<'_>, nodes: &Nodes<'_>, targets: &[u32]) -> Result<(), ImportError> {
    for source in &nodes.sources {
        let node = &numbers.root.nodes[*source];
        let extra = node_extra(node, list(json, "nodes").get(*source), numbers, targets)
            .map_err(|error| error.within(&format!("node {source}")))?;
        numbers.block.nodes.push(extra);
    }
    for node in &nodes.nodes[nodes.in_scene..] {
        let name = numbers.name(Some(node.name))?;
        let (parent, mesh) = (node.parent.unwrap_or(NONE), node.mesh.unwrap_or(NONE));
        numbers.block.further_nodes.push(FurtherNode { parent, mesh, name, transform: node.transform });
    }
    Ok(())
}

fn node_extra(
    node: &GltfNode,
    json: Option<&Value>,
    numbers: &mut Numbers<'_>,
    targets: &[u32],
) -> Result<NodeExtra, ImportError> {
    let light = json.and_then(|node| extension(node, LIGHTS));
    let light = light.map(|light| index(light, "light")).transpose()?.flatten();
    let index = |index: Option<usize>, what: &str, len: usize| match index {
        Some(index) if index >= len => {
            let error = ImportError::new(format!("refers to {what} {index}, but the file has only {len}"));
            Err(error.with_damage_help("export it again"))
        }
        index => Ok(index.map_or(NONE, |index| index as u32)),
    };
    let root = numbers.root;
    let expected = node.mesh.and_then(|mesh| targets.get(mesh.value())).copied().unwrap_or_default();
    let weights = weights(numbers, node.weights.as_deref(), expected)?;
    Ok(NodeExtra {
        has_parts: node.matrix.is_none().into(),
        skin: index(node.skin.map(|skin| skin.value()), "skin", root.skins.len())?,
        camera: index(node.camera.map(|camera| camera.value()), "camera", root.cameras.len())?,
        light: index(light, "light", numbers.block.lights.len())?,
        weights,
        translation: node.translation.unwrap_or_default().map(|axis| axis * numbers.scale),
        rotation: node.rotation.unwrap_or_default().0,
        scale: node.scale.unwrap_or([1.0; 3]),
    })
}

/// The weights of morph targets; none are stored without targets.
fn weights(numbers: &mut Numbers<'_>, weights: Option<&[f32]>, targets: u32) -> Result<Span, ImportError> {
    match weights {
        Some(weights) if weights.len() == targets as usize => numbers.push("the weights", weights),
        Some(weights) if targets > 0 => {
            let error = format!("has {} weights, but {targets} morph targets", weights.len());
            Err(ImportError::new(error).with_damage_help("export it again"))
        }
        _ => Ok(Span::default()),
    }
}

fn meshes(json: &Value, numbers: &mut Numbers<'_>, targets: &[u32]) -> Result<(), ImportError> {
    for (number, mesh) in numbers.root.meshes.iter().enumerate() {
        let count = targets.get(number).copied().unwrap_or_default();
        let none = Value::Null;
        let extras = list(json, "meshes").get(number).and_then(|mesh| mesh.get("extras")).unwrap_or(&none);
        let names = list(extras, "targetNames");
        let first = numbers.block.targets.len() as u32;
        for target in 0..count as usize {
            let name = numbers.name(names.get(target).and_then(Value::as_str))?;
            numbers.block.targets.push(name);
        }
        let record = MeshRecord {
            name: numbers.name(mesh.name.as_deref())?,
            weights: weights(numbers, mesh.weights.as_deref(), count)
                .map_err(|error| error.within(&format!("mesh {number}")))?,
            targets: Span { first, count },
        };
        numbers.block.meshes.push(record);
    }
    Ok(())
}

fn cameras(numbers: &mut Numbers<'_>) -> Result<(), ImportError> {
    for (number, camera) in numbers.root.cameras.iter().enumerate() {
        let scale = numbers.scale;
        let (kind, [x, y, near, far]) = match (camera.type_, &camera.perspective, &camera.orthographic) {
            (Checked::Valid(Type::Perspective), Some(p), _) => {
                (0, [p.aspect_ratio.unwrap_or_default(), p.yfov, p.znear * scale, p.zfar.unwrap_or_default() * scale])
            }
            (Checked::Valid(Type::Orthographic), _, Some(o)) => {
                (1, [o.xmag, o.ymag, o.znear, o.zfar].map(|length| length * scale))
            }
            _ => {
                let error = ImportError::new(format!("camera {number} is neither perspective nor orthographic"));
                return Err(error.with_damage_help("export it again"));
            }
        };
        if [x, y, near, far].iter().any(|value| !value.is_finite()) {
            let error = ImportError::new(format!("camera {number} has a number that is not finite"));
            return Err(error.with_damage_help("export it again"));
        }
        let name = numbers.name(camera.name.as_deref())?;
        numbers.block.cameras.push(CameraRecord { name, kind, x, y, near, far });
    }
    Ok(())
}

fn lights(json: &Value, numbers: &mut Numbers<'_>) -> Result<(), ImportError> {
    let Some(lights) = extension(json, LIGHTS) else { return Ok(()) };
    for (at, light) in list(lights, "lights").iter().enumerate() {
        let record = self::light(light, numbers).map_err(|error| error.within(&format!("light {at}")))?;
        numbers.block.lights.push(record);
    }
    Ok(())
}

fn light(light: &Value, numbers: &mut Numbers<'_>) -> Result<LightRecord, ImportError> {
    let none = Value::Null;
    let kind = match text(light, "type") {
        "directional" => 0,
        "point" => 1,
        "spot" => 2,
        _ => {
            let found = light.get("type").unwrap_or(&none);
            return Err(wrong("type", found, "\"directional\", \"point\" or \"spot\""));
        }
    };
    let spot = light.get("spot").unwrap_or(&none);
    let (inner, outer) = (number(spot, "innerConeAngle")?, number(spot, "outerConeAngle")?);
    let is_spot = kind == 2;
    Ok(LightRecord {
        name: numbers.name(light.get("name").and_then(Value::as_str))?,
        kind,
        color: array(light, "color", false)?.unwrap_or([1.0; 3]),
        intensity: number(light, "intensity")?.unwrap_or(1.0),
        range: number(light, "range")?.unwrap_or_default() * numbers.scale,
        inner_angle: if is_spot { inner.unwrap_or_default() } else { 0.0 },
        outer_angle: if is_spot { outer.unwrap_or(std::f32::consts::FRAC_PI_4) } else { 0.0 },
    })
}
