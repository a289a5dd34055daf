//! Models as JSON: bounding shapes, characters, and what else a model has besides its triangles.

use serde_json::{Value, json};

use super::{float, floats, id, names, record, reference};
use crate::{Bounds, Cap, Channel, Character, CharacterSphere, Joint, LevelOfDetail, LodMesh, Model, Node};
use crate::{Record, Shading, Shapes, Weight};

/// Returns what a model has besides its triangles.
pub fn facts(model: &Model<'_>, levels: &[LevelOfDetail]) -> Value {
    let level = |level: &LevelOfDetail| json!({ "model": id(level.model.key.id), "distance": float(level.distance) });
    let bounds = model.bounds.clone().map(|bounds| record(&Record::Bounds(bounds)));
    let character = model.character.clone().map(|character| record(&Record::Character(character)));
    json!({
        "name": model.name.decode(),
        "shading": shading(model.shading),
        "levels_of_detail": levels.iter().map(level).collect::<Vec<_>>(),
        "bounds": bounds,
        "character": character,
        "bsp_size": model.bsp.map(<[u8]>::len),
    })
}

/// Returns the names of the bits that are set.
pub fn shading(shading: Shading) -> Vec<&'static str> {
    let has = |bit| shading.contains(bit);
    names(&[
        (has(Shading::FLAT), "flat"),
        (has(Shading::SMOOTH), "smooth"),
        (has(Shading::LANDSCAPE), "landscape"),
        (has(Shading::SHINY), "shiny"),
        (has(Shading::ADDITIVE), "additive"),
        (has(Shading::ENVIRONMENT), "environment"),
    ])
}

/// Returns the sphere and the box round everything, and the tree of shapes.
pub(super) fn bounds(bounds: &Bounds<'_>) -> Value {
    let shape = |(number, [first_child, next_sibling]): (usize, [u16; 2])| {
        let mut shape = json!({ "first_child": first_child, "next_sibling": next_sibling });
        match &bounds.shapes {
            Shapes::Spheres(spheres) => shape["sphere"] = json!(spheres.get(number).map(floats)),
            Shapes::Boxes(boxes) => {
                let found = boxes.get(number);
                shape["box"] = json!(found.map(|found| floats(found.oriented_box)));
                shape["polygons"] = found.map(|found| found.polygons.iter().collect::<Vec<_>>()).into();
            }
        }
        shape
    };
    json!({
        "sphere": floats(bounds.volume.sphere),
        "box": floats(bounds.volume.oriented_box),
        "shapes": if matches!(bounds.shapes, Shapes::Boxes(_)) { "boxes" } else { "spheres" },
        "shape_count": bounds.tree.len(),
        "tree": bounds.tree.iter().enumerate().map(shape).collect::<Vec<_>>(),
    })
}

/// Returns a character: nodes, joints, the meshes of its levels, channels with their caps, and bounding spheres.
pub(super) fn character(character: &Character<'_>) -> Value {
    let node = |node: &Node<'_>| json!({ "name": node.name.decode(), "joint": node.joint });
    let weight = |weight: Weight| json!([weight.vertex, float(weight.weight)]);
    let joint = |joint: &Joint<'_>| {
        let of_level = |list: &crate::Items<'_, Weight>| list.iter().map(weight).collect::<Vec<_>>();
        json!({
            "inverse": floats(joint.inverse),
            "mesh": Some(joint.mesh).filter(|mesh| *mesh >= 0),
            "first_child": joint.first_child,
            "next_sibling": joint.next_sibling,
            "weights": joint.weights.iter().map(of_level).collect::<Vec<_>>(),
        })
    };
    let mesh = |mesh: LodMesh| {
        json!({
            "distance": float(mesh.distance),
            "usage": mesh.usage,
            "node": mesh.node,
            "first_vertex": mesh.first_vertex,
            "vertices": mesh.vertices,
            "first_polygon": mesh.first_polygon,
            "polygons": mesh.polygons,
        })
    };
    let cap = |cap: &Cap<'_>| json!({ "numbers": cap.numbers, "weights": cap.weights.iter().map(weight).collect::<Vec<_>>() });
    let channel = |channel: &Channel<'_>| {
        json!({
            "node": channel.node,
            "transform": floats(channel.transform),
            "inverse": floats(channel.inverse),
            "caps": channel.caps.iter().map(cap).collect::<Vec<_>>(),
        })
    };
    let sphere = |sphere: CharacterSphere| {
        json!({
            "first_child": sphere.first_child,
            "next_sibling": sphere.next_sibling,
            "vertex": sphere.vertex,
            "radius": float(sphere.radius),
            "channel": sphere.channel,
            "unknown": sphere.unknown,
        })
    };
    json!({
        "sphere": floats(character.volume.sphere),
        "box": floats(character.volume.oriented_box),
        "levels": character.lods.len(),
        "level_names": character.lod_names.iter().map(|name| name.decode()).collect::<Vec<_>>(),
        "nodes": character.nodes.iter().map(node).collect::<Vec<_>>(),
        "joints": character.joints.iter().map(joint).collect::<Vec<_>>(),
        "meshes": character.lods.iter().map(|list| list.iter().map(mesh).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "channels": character.channels.iter().map(channel).collect::<Vec<_>>(),
        "animations": character.animations.iter().map(reference).collect::<Vec<_>>(),
        "spheres": character.spheres.iter().map(|list| list.iter().map(sphere).collect::<Vec<_>>()).collect::<Vec<_>>(),
    })
}
