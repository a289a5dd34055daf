//! The interface of a shader → its entry points, resources and constants, for JSON and as lines of text.

use rres_format::Result;
use rres_format::chunk::PayloadView;
use rres_format::chunk::shader::{Binding, BindingKind, EntryPoint, ShaderInterface, ShaderScalar, StageValue};
use serde_json::{Value, json};

use super::Property;

const ENTRY_POINTS: &str = "entry points";
const BINDINGS: &str = "bindings";
const CONSTANTS: &str = "constants";

pub(super) fn properties(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let interface = ShaderInterface::parse(payload)?;
    let constants = interface.constants.iter().map(|constant| {
        json!({
            "name": constant.name,
            "id": constant.id,
            "type": constant.scalar.name(),
            "has_default": constant.has_default,
        })
    });
    Ok(vec![
        (ENTRY_POINTS, interface.entry_points.iter().map(entry_point).collect()),
        (BINDINGS, interface.bindings.iter().map(|of| binding(&interface, of)).collect()),
        (CONSTANTS, constants.collect()),
    ])
}

fn entry_point(entry: &EntryPoint) -> Value {
    let values = |values: &[StageValue]| -> Value {
        let value = |value: &StageValue| json!({ "location": value.location, "name": value.name, "type": type_name(value.scalar, value.components) });
        values.iter().map(value).collect()
    };
    let is_compute = entry.workgroup_size != [0; 3];
    json!({
        "name": entry.name,
        "stage": entry.stage.name(),
        "workgroup_size": is_compute.then_some(entry.workgroup_size),
        "inputs": values(&entry.inputs),
        "outputs": values(&entry.outputs),
        "bindings": entry.bindings,
    })
}

fn binding(interface: &ShaderInterface, binding: &Binding) -> Value {
    let members = binding.members.iter().map(|member| {
        json!({
            "name": member.name,
            "type": member.type_name,
            "offset": member.offset,
            "size": member.size,
            "count": member.count,
            "stride": member.stride,
        })
    });
    let mut stages: Vec<&str> = interface.stages_of(binding).map(|stage| stage.name()).collect();
    stages.dedup();
    json!({
        "name": binding.name,
        "group": binding.group,
        "binding": binding.binding,
        "kind": kind(&binding.kind),
        "count": binding.count,
        "size": binding.size,
        "stages": stages,
        "members": members.collect::<Value>(),
    })
}

/// A type as in WGSL.
fn type_name(scalar: ShaderScalar, components: u32) -> String {
    match components {
        0 | 1 => scalar.name().to_owned(),
        _ => format!("vec{components}<{}>", scalar.name()),
    }
}

/// What a resource is, in words.
fn kind(kind: &BindingKind) -> String {
    let access = |is_readable: bool, is_writable: bool| match (is_readable, is_writable) {
        (true, true) => ", read and written",
        (false, true) => ", written",
        _ => ", read",
    };
    match kind {
        BindingKind::Uniform => "uniform buffer".to_owned(),
        BindingKind::Storage { is_writable } => format!("storage buffer{}", access(true, *is_writable)),
        BindingKind::PushConstants => "push constants".to_owned(),
        BindingKind::Texture { dimension, sample, is_multisampled } => {
            let multisampled = if *is_multisampled { "multisampled " } else { "" };
            format!("{multisampled}{} texture of {}", dimension.name(), sample.name())
        }
        BindingKind::StorageTexture { dimension, format, is_readable, is_writable } => {
            format!("{} storage texture of {format}{}", dimension.name(), access(*is_readable, *is_writable))
        }
        BindingKind::Sampler => "sampler".to_owned(),
        BindingKind::ComparisonSampler => "comparison sampler".to_owned(),
        _ => "other".to_owned(),
    }
}

/// The lines of a property; `None` if it is not one of a shader's.
pub(super) fn lines(name: &str, value: &Value) -> Option<Vec<(&'static str, String)>> {
    let items = value.as_array()?;
    Some(match name {
        ENTRY_POINTS => items.iter().map(|entry| ("entry point", entry_line(entry))).collect(),
        BINDINGS => items.iter().flat_map(binding_lines).collect(),
        CONSTANTS => items.iter().map(|constant| ("constant", constant_line(constant))).collect(),
        _ => return None,
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn entry_line(entry: &Value) -> String {
    let mut line = format!("{}, {}", text(&entry["name"]), text(&entry["stage"]));
    if let [x, y, z] = array(&entry["workgroup_size"]) {
        line += &format!(", workgroups of {x}×{y}×{z}");
    }
    for (key, word) in [("inputs", "in"), ("outputs", "out")] {
        let values = array(&entry[key]).iter().map(|value| {
            let name = text(&value["name"]);
            let space = if name.is_empty() { "" } else { " " };
            format!("{} {name}{space}{}", value["location"], text(&value["type"]))
        });
        let values: Vec<String> = values.collect();
        if !values.is_empty() {
            line += &format!("; {word} {}", values.join(", "));
        }
    }
    line
}

fn binding_lines(binding: &Value) -> Vec<(&'static str, String)> {
    let mut line =
        format!("{}:{} {}, {}", binding["group"], binding["binding"], text(&binding["name"]), text(&binding["kind"]));
    match binding["count"].as_u64() {
        Some(0) => line += ", an array of any length",
        Some(count @ 2..) => line += &format!(", an array of {count}"),
        _ => {}
    }
    if binding["size"] != 0 {
        line += &format!(", {} bytes", binding["size"]);
    }
    let stages: Vec<&str> = array(&binding["stages"]).iter().map(text).collect();
    if !stages.is_empty() {
        line += &format!("; {}", stages.join(", "));
    }
    let members = array(&binding["members"]).iter().filter(|member| member["name"] != "");
    let members = members
        .map(|member| ("", format!("{} at {}: {}", text(&member["name"]), member["offset"], text(&member["type"]))));
    [("binding", line)].into_iter().chain(members).collect()
}

fn constant_line(constant: &Value) -> String {
    let id = constant["id"].as_u64().map(|id| format!("@id({id}) ")).unwrap_or_default();
    let default = if constant["has_default"] == true { ", has a default" } else { ", must be set" };
    format!("{id}{}: {}{default}", text(&constant["name"]), text(&constant["type"]))
}
