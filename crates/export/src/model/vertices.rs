//! The vertex attributes and morph targets of primitives as accessors.
//!
//! glTF has few formats for each attribute. What `rres-build` stores is written as it is. Packs of other programs may have
//! whole numbers and half floats in any attribute; these become floats.

use std::borrow::Cow;

use rres_format::chunk::scene::{MorphRecord, Span};
use rres_runtime::asset::model::{Primitive, Topology, VertexAttribute, VertexFormat, VertexProps};
use serde_json::{Map, Value, json};

use super::Writer;
use super::buffer::{Buffer, F32};
use crate::{ExportError, float};

/// What OpenGL calls a buffer of vertices, and one of indices.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Numbers of component types.
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;

/// Returns the meshes with their primitives.
pub(super) fn meshes(writer: &mut Writer<'_>) -> Result<Vec<Value>, ExportError> {
    let scene = writer.scene;
    let mut primitives: Vec<Vec<Value>> = vec![Vec::new(); scene.meshes.len()];
    let mut morphs = scene.morphs.as_slice();
    for (number, source) in (0..).zip(writer.export.model.primitives()) {
        let mut value = primitive(source, &mut writer.buffer, &mut writer.losses)?;
        let own = morphs.iter().take_while(|morph| morph.primitive == number).count();
        let (own, rest) = morphs.split_at(own);
        morphs = rest;
        let Some(mesh) = scene.meshes.get(source.mesh() as usize) else {
            return Err(ExportError::Damaged(format!("primitive {number} is of mesh {}", source.mesh())));
        };
        if mesh.targets.count > 0 {
            value["targets"] = targets(writer, own, mesh.targets.count)?;
        }
        primitives[source.mesh() as usize].push(value);
    }
    let mut meshes = Vec::with_capacity(primitives.len());
    for (record, mut primitives) in scene.meshes.iter().zip(primitives) {
        if primitives.is_empty() {
            // Its primitives have no positions: the importer drops those, but nodes refer to the mesh.
            let mut empty = json!({ "attributes": {} });
            if record.targets.count > 0 {
                empty["targets"] = targets(writer, &[], record.targets.count)?;
            }
            primitives.push(empty);
        }
        let mut value = json!({ "primitives": primitives });
        writer.name(&mut value, record.name);
        if record.weights != Span::default() {
            writer.count(record.weights.count)?;
            value["weights"] = super::floats(writer.numbers(record.weights));
        }
        let targets = scene.targets.get(super::range(record.targets)).unwrap_or_default();
        if targets.iter().any(|name| name.count > 0) {
            let names = targets.iter().map(|name| scene.names.get(super::range(*name)).unwrap_or_default());
            value["extras"] = json!({ "targetNames": names.collect::<Vec<_>>() });
        }
        meshes.push(value);
    }
    Ok(meshes)
}

/// Returns the morph targets of a primitive.
fn targets(writer: &mut Writer<'_>, morphs: &[MorphRecord], count: u32) -> Result<Value, ExportError> {
    writer.count(count)?;
    let mut targets = vec![json!({}); count as usize];
    for morph in morphs {
        let Some(target) = targets.get_mut(morph.target as usize) else {
            return Err(ExportError::Damaged(format!("a primitive has morph target {} of {count}", morph.target)));
        };
        let Some((name, _)) = semantic(morph.attribute) else {
            writer.losses.push(format!("without morph targets of the attribute {}", morph.attribute));
            continue;
        };
        let accessor = writer.buffer.numbers(writer.scene, morph.deltas, morph.components)?;
        if morph.attribute == VertexAttribute::POSITION && writer.buffer.accessors[accessor].get("min").is_none() {
            let bytes: Vec<u8> = writer.numbers(morph.deltas).iter().flat_map(|delta| delta.to_le_bytes()).collect();
            let (minimum, maximum) = bounds(&bytes)?;
            writer.buffer.accessors[accessor]["min"] = minimum.map(float).to_vec().into();
            writer.buffer.accessors[accessor]["max"] = maximum.map(float).to_vec().into();
        }
        target[&name] = json!(accessor);
    }
    Ok(targets.into())
}

/// Writes a primitive, and adds to `losses` which attributes glTF has no place for.
fn primitive(primitive: &Primitive, buffer: &mut Buffer, losses: &mut Vec<String>) -> Result<Value, ExportError> {
    let mut attributes = Map::new();
    let mut value = json!({ "attributes": {} });
    for (props, data) in primitive.attributes() {
        let VertexProps { attribute, components, format, .. } = props;
        if attribute == VertexAttribute::INDEX {
            match indices(props, data) {
                Some((component, indices)) if value.get("indices").is_none() => {
                    let accessor = json!({ "componentType": component, "count": props.count, "type": "SCALAR" });
                    value["indices"] = json!(buffer.accessor(&indices, INDICES, accessor));
                }
                _ => losses.push(format!("without indices of {components} × {format}")),
            }
            continue;
        }
        // Formats of the settings of models have a fourth number, or are parts of a box.
        let (name, widths) = semantic(attribute).unwrap_or_default();
        let width = widths.first().copied().unwrap_or_default();
        // Colours and joints of glTF are whole numbers, too.
        let is_short = format != VertexFormat::FLOAT && !name.starts_with("COLOR_") && !is_joints(attribute);
        let decoded = primitive.decode(attribute).filter(|_| is_short && (1..=components).contains(&width));
        let (props, data) = match &decoded {
            Some(decoded) => {
                losses.push(format!("{attribute} as floats, from {format}"));
                let numbers = decoded.iter().flat_map(|vertex| &vertex[..width as usize]);
                let bytes: Cow<'_, [u8]> = numbers.flat_map(|number| number.to_le_bytes()).collect();
                (VertexProps { components: width, format: VertexFormat::FLOAT, ..props }, bytes)
            }
            None => (props, Cow::Borrowed(data)),
        };
        let (VertexProps { components, format, .. }, data) = (props, &*data);
        let name =
            semantic(attribute).filter(|(name, widths)| widths.contains(&components) && !attributes.contains_key(name));
        let Some((name, _)) = name else {
            losses.push(format!("without the attribute {attribute} of {components} × {format}"));
            continue;
        };
        let mut accessor = json!({ "count": props.count, "type": shape(components) });
        let is_narrow = matches!(format, VertexFormat::UBYTE | VertexFormat::USHORT);
        let narrow = if format == VertexFormat::UBYTE { U8 } else { U16 };
        let converted;
        let bytes = if is_joints(attribute) {
            if !is_narrow {
                losses.push(format!("without the attribute {attribute} of {components} × {format}"));
                continue;
            }
            accessor["componentType"] = json!(narrow);
            data
        } else if format == VertexFormat::FLOAT {
            accessor["componentType"] = json!(F32);
            data
        } else if name.starts_with("COLOR_") && is_narrow && components == 4 {
            accessor["componentType"] = json!(narrow);
            accessor["normalized"] = json!(true);
            data
        } else {
            accessor["componentType"] = json!(F32);
            let is_fraction = attribute != VertexAttribute::POSITION;
            let floats = floats(format, is_fraction, data);
            converted = floats.flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
            losses.push(format!("{attribute} as floats, from {format}"));
            &converted
        };
        if attribute == VertexAttribute::POSITION {
            let (minimum, maximum) = bounds(bytes)?;
            accessor["min"] = minimum.map(float).to_vec().into();
            accessor["max"] = maximum.map(float).to_vec().into();
        }
        attributes.insert(name, json!(buffer.accessor(bytes, VERTICES, accessor)));
    }
    value["attributes"] = attributes.into();
    if let Some(material) = primitive.material() {
        value["material"] = json!(material);
    }
    match primitive.topology() {
        Topology::TRIANGLES => {}
        topology if topology.0 <= Topology::TRIANGLE_FAN.0 => value["mode"] = json!(topology.0),
        topology => {
            return Err(ExportError::Unsupported(format!("glTF cannot connect vertices as {topology}")));
        }
    }
    Ok(value)
}

/// Returns the name of an attribute, and how many components it may have.
fn semantic(attribute: VertexAttribute) -> Option<(String, &'static [u32])> {
    use VertexAttribute as A;
    const COORDINATES: [A; 8] = [
        A::TEXCOORD1,
        A::TEXCOORD2,
        A::TEXCOORD3,
        A::TEXCOORD4,
        A::TEXCOORD5,
        A::TEXCOORD6,
        A::TEXCOORD7,
        A::TEXCOORD8,
    ];
    const COLORS: [A; 4] = [A::COLOR, A::COLOR2, A::COLOR3, A::COLOR4];
    let set = |name: &str, number: usize| format!("{name}_{number}");
    let of_joints = |first: fn(u32) -> A| (0..A::MAX_JOINT_SETS).position(|set| first(set) == attribute);
    match attribute {
        A::POSITION => return Some(("POSITION".to_owned(), &[3])),
        A::NORMAL => return Some(("NORMAL".to_owned(), &[3])),
        // Morph targets have no sign.
        A::TANGENT => return Some(("TANGENT".to_owned(), &[4])),
        _ => {}
    }
    if let Some(number) = COORDINATES.iter().position(|known| *known == attribute) {
        return Some((set("TEXCOORD", number), &[2]));
    }
    if let Some(number) = COLORS.iter().position(|known| *known == attribute) {
        return Some((set("COLOR", number), &[3, 4]));
    }
    let joints = of_joints(A::joints).map(|number| (set("JOINTS", number), &[4_u32][..]));
    joints.or_else(|| of_joints(A::weights).map(|number| (set("WEIGHTS", number), &[4_u32][..])))
}

/// Whether the numbers of an attribute are numbers of joints.
fn is_joints(attribute: VertexAttribute) -> bool {
    (0..VertexAttribute::MAX_JOINT_SETS).any(|set| VertexAttribute::joints(set) == attribute)
}

fn shape(components: u32) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        _ => "VEC4",
    }
}

/// Returns the component type of indices, and their bytes. The largest number of a type ends a strip in OpenGL and is not
/// allowed, so indices with it, which importers do not make, are widened.
fn indices(props: VertexProps, data: &[u8]) -> Option<(u32, Cow<'_, [u8]>)> {
    let (words, _) = data.as_chunks::<2>();
    match (props.components, props.format) {
        (1, VertexFormat::UBYTE) if data.contains(&u8::MAX) => {
            Some((U16, data.iter().flat_map(|index| u16::from(*index).to_le_bytes()).collect()))
        }
        (1, VertexFormat::UBYTE) => Some((U8, data.into())),
        (1, VertexFormat::USHORT) if words.contains(&[u8::MAX; 2]) => {
            Some((U32, words.iter().flat_map(|word| u32::from(u16::from_le_bytes(*word)).to_le_bytes()).collect()))
        }
        (1, VertexFormat::USHORT) => Some((U16, data.into())),
        (1, VertexFormat::UINT) => Some((U32, data.into())),
        _ => None,
    }
}

/// Converts numbers to floats: whole numbers as they are, or as fractions of the largest one.
fn floats(format: VertexFormat, is_fraction: bool, data: &[u8]) -> impl Iterator<Item = f32> {
    let size = format.size().unwrap_or(1) as usize;
    data.chunks_exact(size).map(move |raw| {
        let mut bytes = [0; 4];
        bytes[..size].copy_from_slice(raw);
        let number = u32::from_le_bytes(bytes);
        let (value, largest) = match format {
            VertexFormat::UBYTE => (number as f32, 255.0),
            VertexFormat::USHORT => (number as f32, 65_535.0),
            VertexFormat::UINT => (number as f32, u32::MAX as f32),
            VertexFormat::BYTE => (f32::from((number as u8).cast_signed()), 127.0),
            VertexFormat::SHORT => (f32::from((number as u16).cast_signed()), 32_767.0),
            VertexFormat::INT => (number.cast_signed() as f32, i32::MAX as f32),
            _ => return half(number as u16),
        };
        if is_fraction { (value / largest).max(-1.0) } else { value }
    })
}

/// Converts a float of 16 bits.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 0x3ff) / 1024.0);
    match exponent {
        0 => sign * fraction * 2f32.powi(-14),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1.0 + fraction) * 2f32.powi(exponent - 15),
    }
}

/// Returns the smallest and the largest position.
fn bounds(positions: &[u8]) -> Result<([f32; 3], [f32; 3]), ExportError> {
    let (mut minimum, mut maximum) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    let (values, _) = positions.as_chunks::<4>();
    for (i, value) in values.iter().map(|bytes| f32::from_le_bytes(*bytes)).enumerate() {
        if !value.is_finite() {
            return Err(ExportError::Unsupported(format!("vertex {} is at {value}, which glTF does not allow", i / 3)));
        }
        let axis = i % 3;
        (minimum[axis], maximum[axis]) = (minimum[axis].min(value), maximum[axis].max(value));
    }
    if values.is_empty() {
        return Ok(([0.0; 3], [0.0; 3]));
    }
    Ok((minimum, maximum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_that_would_end_a_strip_are_widened() {
        let of = |format, data: &[u8]| {
            let props = VertexProps { count: 2, attribute: VertexAttribute::INDEX, components: 1, format };
            indices(props, data).map(|(component, bytes)| (component, bytes.into_owned()))
        };
        assert_eq!(of(VertexFormat::UBYTE, &[1, 254]), Some((U8, vec![1, 254])));
        assert_eq!(of(VertexFormat::UBYTE, &[1, 255]), Some((U16, vec![1, 0, 255, 0])));
        assert_eq!(of(VertexFormat::USHORT, &[255, 1, 255, 254]), Some((U16, vec![255, 1, 255, 254])));
        assert_eq!(of(VertexFormat::USHORT, &[1, 0, 255, 255]), Some((U32, vec![1, 0, 0, 0, 255, 255, 0, 0])));
        assert_eq!(of(VertexFormat::FLOAT, &[0; 8]), None);
    }

    #[test]
    fn numbers_of_other_programs_become_floats() {
        let all = |format, is_fraction, data: &[u8]| floats(format, is_fraction, data).collect::<Vec<_>>();
        assert_eq!(all(VertexFormat::UBYTE, true, &[0, 255]), [0.0, 1.0]);
        assert_eq!(all(VertexFormat::BYTE, true, &[0x81, 0x80, 127]), [-1.0, -1.0, 1.0]);
        assert_eq!(all(VertexFormat::SHORT, false, &[0xff, 0xff, 2, 0]), [-1.0, 2.0]);
        assert_eq!(all(VertexFormat::HFLOAT, false, &[0, 0x3c, 0, 0xc0, 1, 0]), [1.0, -2.0, 2f32.powi(-24)]);
        assert_eq!(all(VertexFormat::INT, false, &[0xff; 4]), [-1.0]);
    }
}
