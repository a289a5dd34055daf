//! Vertex attributes, each in an array of its own → one buffer with all attributes of a vertex side by side, which is
//! what graphics cards read fastest.

use std::fmt;

use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};

use super::Primitive;

/// The vertices of a primitive in one buffer, and where each attribute is in it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InterleavedVertices {
    /// Number of vertices.
    pub count: u32,
    /// Bytes from one vertex to the next, a multiple of 4.
    pub stride: u32,
    /// The attributes, in the requested order.
    pub fields: Vec<VertexField>,
    /// The vertices: `count × stride` bytes.
    pub bytes: Vec<u8>,
}

/// The place of one attribute in each vertex of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VertexField {
    /// The meaning of the numbers.
    pub attribute: VertexAttribute,
    /// How many numbers there are.
    pub components: u32,
    /// The format of each number.
    pub format: VertexFormat,
    /// Bytes from the start of a vertex, a multiple of 4.
    pub offset: u32,
}

impl Primitive {
    /// Returns the vertices with these attributes in one buffer, in this order. Choose the order that a shader takes.
    /// `None` if the primitive lacks one of them.
    ///
    /// Every attribute starts at a multiple of 4 bytes, as graphics libraries ask.
    ///
    /// ```
    /// use rres_runtime::asset::model::{Primitive, VertexAttribute};
    ///
    /// /// Takes primitives with normals and texture coordinates; others need another pipeline.
    /// fn upload(primitive: &Primitive) -> Option<(Vec<u8>, u32)> {
    ///     let order = [VertexAttribute::POSITION, VertexAttribute::NORMAL, VertexAttribute::TEXCOORD1];
    ///     let vertices = primitive.interleave(&order)?;
    ///     for field in &vertices.fields {
    ///         println!("{}: {:?} at byte {}", field.attribute, field.wgpu_format(), field.offset);
    ///     }
    ///     Some((vertices.bytes, vertices.stride))
    /// }
    /// ```
    pub fn interleave(&self, attributes: &[VertexAttribute]) -> Option<InterleavedVertices> {
        let stored = |wanted: &VertexAttribute| self.attributes.iter().find(|(props, _)| props.attribute == *wanted);
        let stored: Vec<_> = attributes.iter().map(stored).collect::<Option<_>>()?;
        let mut stride = 0;
        let mut fields = Vec::with_capacity(stored.len());
        for (VertexProps { attribute, components, format, .. }, _) in &stored {
            let (attribute, components, format) = (*attribute, *components, *format);
            fields.push(VertexField { attribute, components, format, offset: stride });
            stride += (components * format.size()?).next_multiple_of(4);
        }
        // All are equal, which was checked when the model was loaded, if none of them is the indices.
        let count = stored.first().map_or(0, |(props, _)| props.count);
        if stored.iter().any(|(props, _)| props.count != count) {
            return None;
        }
        let mut bytes = vec![0; count as usize * stride as usize];
        for (field, (_, data)) in fields.iter().zip(&stored) {
            let size = (field.components * field.format.size()?) as usize;
            let vertices = bytes.chunks_exact_mut(stride as usize);
            for (vertex, from) in vertices.zip(data.chunks_exact(size)) {
                vertex[field.offset as usize..][..size].copy_from_slice(from);
            }
        }
        Some(InterleavedVertices { count, stride, fields, bytes })
    }
}

impl VertexField {
    /// Returns the name of the vertex format in WebGPU, and so in wgpu, such as "float32x3"; `None` if there is none: for
    /// three numbers of fewer than 32 bits. Whole numbers are fractions ("unorm8x4"), except joints.
    ///
    /// ```
    /// use rres_runtime::asset::model::{Primitive, VertexAttribute};
    ///
    /// /// The formats of what a shader takes, "float32x3" and "unorm8x4" in packs of `rres-build`.
    /// fn formats(primitive: &Primitive) -> Option<Vec<String>> {
    ///     let vertices = primitive.interleave(&[VertexAttribute::POSITION, VertexAttribute::COLOR])?;
    ///     vertices.fields.iter().map(|field| field.wgpu_format()).collect()
    /// }
    /// ```
    pub fn wgpu_format(&self) -> Option<String> {
        let is_joint = (VertexAttribute::JOINTS1.0..VertexAttribute::WEIGHTS1.0).contains(&self.attribute.0);
        let is_fraction = !is_joint && !self.attribute.is_indices();
        let bits = self.format.size()? * 8;
        let number = match (self.format, is_fraction) {
            (VertexFormat::FLOAT | VertexFormat::HFLOAT, _) => "float",
            (VertexFormat::UBYTE | VertexFormat::USHORT, true) => "unorm",
            (VertexFormat::BYTE | VertexFormat::SHORT, true) => "snorm",
            (VertexFormat::UBYTE | VertexFormat::USHORT | VertexFormat::UINT, _) => "uint",
            _ => "sint",
        };
        match self.components {
            1 => Some(format!("{number}{bits}")),
            2 | 4 => Some(format!("{number}{bits}x{}", self.components)),
            3 if bits == 32 => Some(format!("{number}{bits}x3")),
            _ => None,
        }
    }
}

impl fmt::Debug for InterleavedVertices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, stride, fields, .. } = self;
        write!(f, "InterleavedVertices({count} of {stride} bytes: {fields:?})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_joints_are_no_fractions() {
        let format = |attribute| {
            let field = VertexField { attribute, components: 4, format: VertexFormat::USHORT, offset: 0 };
            field.wgpu_format().unwrap()
        };
        assert_eq!(format(VertexAttribute::JOINTS1), "uint16x4");
        assert_eq!(format(VertexAttribute::WEIGHTS1), "unorm16x4");
    }
}
