//! The vertex attributes of a primitive as accessors.
//!
//! glTF has few formats for each attribute. What `rres-build` stores is written as it is. Packs of other programs may have
//! whole numbers and half floats in any attribute; these become floats.

use std::borrow::Cow;

use rres_runtime::asset::{Primitive, Topology, VertexAttribute, VertexFormat, VertexProps};
use serde_json::{Map, Value, json};

use super::super::{ExportError, float};
use super::buffer::Buffer;

/// What OpenGL calls a buffer of vertices, and one of indices.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Numbers of component types.
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Writes a primitive, and adds to `losses` which attributes glTF has no place for.
pub(super) fn primitive(
    primitive: &Primitive,
    buffer: &mut Buffer,
    losses: &mut Vec<String>,
) -> Result<Value, ExportError> {
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
        let width = semantic(attribute).and_then(|(_, widths)| widths.first().copied()).unwrap_or_default();
        let is_short = format != VertexFormat::FLOAT && attribute != VertexAttribute::COLOR;
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
        let name = semantic(attribute)
            .filter(|(name, widths)| widths.contains(&components) && !attributes.contains_key(*name));
        let Some((name, _)) = name else {
            losses.push(format!("without the attribute {attribute} of {components} × {format}"));
            continue;
        };
        let mut accessor = json!({ "count": props.count, "type": shape(components) });
        let converted;
        let bytes = if format == VertexFormat::FLOAT {
            accessor["componentType"] = json!(F32);
            data
        } else if attribute == VertexAttribute::COLOR
            && matches!(format, VertexFormat::UBYTE | VertexFormat::USHORT)
            && components == 4
        {
            accessor["componentType"] = json!(if format == VertexFormat::UBYTE { U8 } else { U16 });
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
        attributes.insert(name.to_owned(), json!(buffer.accessor(bytes, VERTICES, accessor)));
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
fn semantic(attribute: VertexAttribute) -> Option<(&'static str, &'static [u32])> {
    Some(match attribute {
        VertexAttribute::POSITION => ("POSITION", &[3]),
        VertexAttribute::NORMAL => ("NORMAL", &[3]),
        VertexAttribute::TANGENT => ("TANGENT", &[4]),
        VertexAttribute::COLOR => ("COLOR_0", &[3, 4]),
        VertexAttribute::TEXCOORD1 => ("TEXCOORD_0", &[2]),
        VertexAttribute::TEXCOORD2 => ("TEXCOORD_1", &[2]),
        VertexAttribute::TEXCOORD3 => ("TEXCOORD_2", &[2]),
        VertexAttribute::TEXCOORD4 => ("TEXCOORD_3", &[2]),
        _ => return None,
    })
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
/// allowed, so indices with it are widened; importing them narrows them again.
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
