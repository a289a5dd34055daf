//! Attributes in any format → floats.

use std::collections::BTreeMap;

use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};

use super::Primitive;

/// Gives every primitive the box of its mesh.
pub(super) fn share_bounds(primitives: &mut [Primitive]) {
    let mut boxes: BTreeMap<u32, ([f32; 3], [f32; 3])> = BTreeMap::new();
    for primitive in primitives.iter() {
        let (low, high) = primitive.bounds;
        let whole = boxes.entry(primitive.mesh).or_insert((low, high));
        for axis in 0..3 {
            whole.0[axis] = whole.0[axis].min(low[axis]);
            whole.1[axis] = whole.1[axis].max(high[axis]);
        }
    }
    for primitive in primitives {
        primitive.mesh_bounds = boxes.get(&primitive.mesh).copied();
    }
}

impl Primitive {
    /// Returns the box that positions in integers are parts of: 0 is its first corner and 65,535, which is 1 in a shader, the second. `None`
    /// for positions in floats. It is the box of the whole mesh, so that its primitives meet.
    ///
    /// A shader computes `low + (high - low) * position`, or a matrix does so.
    pub fn quantized_bounds(&self) -> Option<([f32; 3], [f32; 3])> {
        let is_integer = |props: &VertexProps| !matches!(props.format, VertexFormat::FLOAT | VertexFormat::HFLOAT);
        let positions = self.attributes.iter().find(|(props, _)| props.attribute == VertexAttribute::POSITION);
        self.mesh_bounds.filter(|_| positions.is_some_and(|(props, _)| is_integer(props)))
    }

    /// Returns an attribute as floats, whatever its format; `None` if there is none. Attributes of fewer than four numbers have 0 for the
    /// others, and 1 for the last.
    ///
    /// Integers are fractions, from 0 or -1 to 1, except joints and indices; positions are placed in [`Self::quantized_bounds`]. In packs
    /// of other programs positions in integers are as they are.
    ///
    /// ```
    /// use rres_runtime::asset::model::{Primitive, VertexAttribute};
    ///
    /// /// The highest point of a primitive, whatever `model.positions` is.
    /// fn top(primitive: &Primitive) -> Option<f32> {
    ///     primitive.decode(VertexAttribute::POSITION)?.iter().map(|position| position[1]).reduce(f32::max)
    /// }
    /// ```
    pub fn decode(&self, attribute: VertexAttribute) -> Option<Vec<[f32; 4]>> {
        let (props, data) = self.attributes.iter().find(|(props, _)| props.attribute == attribute)?;
        let is_joint = (VertexAttribute::JOINTS1.0..VertexAttribute::WEIGHTS1.0).contains(&attribute.0);
        let bounds = self.quantized_bounds().filter(|_| attribute == VertexAttribute::POSITION);
        let is_number =
            is_joint || attribute.is_indices() || (attribute == VertexAttribute::POSITION && bounds.is_none());
        let size = props.format.size()? as usize;
        let components = props.components as usize;
        let decode = |vertex: &[u8]| {
            let mut out = [0.0, 0.0, 0.0, 1.0];
            for (slot, number) in out.iter_mut().zip(vertex.chunks_exact(size)) {
                *slot = float(props.format, number, !is_number);
            }
            out
        };
        let mut decoded: Vec<[f32; 4]> = data.chunks_exact(size * components).map(decode).collect();
        if let Some((low, high)) = bounds {
            for position in &mut decoded {
                for axis in 0..3 {
                    position[axis] = low[axis] + (high[axis] - low[axis]) * position[axis];
                }
            }
        }
        Some(decoded)
    }
}

/// A number of a format.
fn float(format: VertexFormat, bytes: &[u8], is_fraction: bool) -> f32 {
    let bits = bytes.iter().rev().fold(0u32, |value, byte| value << 8 | u32::from(*byte));
    let (value, most) = match format {
        VertexFormat::FLOAT => return f32::from_bits(bits),
        VertexFormat::HFLOAT => return half(bits as u16),
        VertexFormat::UBYTE => (bits as f32, 255.0),
        VertexFormat::BYTE => (f32::from((bits as u8).cast_signed()), 127.0),
        VertexFormat::USHORT => (bits as f32, 65_535.0),
        VertexFormat::SHORT => (f32::from((bits as u16).cast_signed()), 32_767.0),
        VertexFormat::INT => (bits.cast_signed() as f32, 2_147_483_647.0),
        _ => (bits as f32, 4_294_967_295.0),
    };
    if is_fraction { (value / most).max(-1.0) } else { value }
}

/// A float of 16 bits.
fn half(bits: u16) -> f32 {
    const SMALLEST: f32 = 1.0 / 16_777_216.0;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let value = match exponent {
        0 => fraction as f32 * SMALLEST,
        31 => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 == 1 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_those_of_ieee_754() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x0001, 2f32.powi(-24)),
            (0x03ff, 1023.0 * 2f32.powi(-24)),
            (0x0400, 2f32.powi(-14)),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(half(bits), value, "{bits:#06x}");
        }
        assert!(half(0x7c01).is_nan() && half(0x8000).is_sign_negative());
    }

    #[test]
    fn integers_are_fractions_or_numbers() {
        assert_eq!(float(VertexFormat::USHORT, &[0xff, 0xff], true), 1.0);
        assert_eq!(float(VertexFormat::USHORT, &[0xff, 0xff], false), 65_535.0);
        assert_eq!(float(VertexFormat::BYTE, &[0x80], true), -1.0);
        assert_eq!(float(VertexFormat::BYTE, &[0x81], true), -1.0);
        assert_eq!(float(VertexFormat::SHORT, &[1, 0x80], true), -1.0);
        assert_eq!(float(VertexFormat::UBYTE, &[0], true), 0.0);
    }
}
