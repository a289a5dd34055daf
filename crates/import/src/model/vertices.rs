//! The attributes of vertices, as VRTX chunks have them.

use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};

use crate::ImportError;

/// An attribute of all vertices of a primitive.
#[derive(Clone, Debug)]
pub struct Vertices {
    attribute: VertexAttribute,
    components: u32,
    format: VertexFormat,
    bytes: Vec<u8>,
}

impl Vertices {
    /// An attribute of `N` floats for each vertex.
    pub fn floats<const N: usize>(attribute: VertexAttribute, values: impl IntoIterator<Item = [f32; N]>) -> Self {
        let bytes = values.into_iter().flatten().flat_map(f32::to_le_bytes).collect();
        Self { attribute, components: N as u32, format: VertexFormat::FLOAT, bytes }
    }

    /// A set of joints, counted from 0: four places in the list of the joints of the skin for each vertex.
    pub fn joints(set: u32, values: impl IntoIterator<Item = [u16; 4]>) -> Self {
        let bytes = values.into_iter().flatten().flat_map(u16::to_le_bytes).collect();
        Self { attribute: VertexAttribute::joints(set), components: 4, format: VertexFormat::USHORT, bytes }
    }

    /// Indices, of 16 bits if all are below 65,535.
    pub(super) fn indices(indices: &[u32]) -> Self {
        // As 16 bits, 65,535 begins a new strip in WebGL.
        let is_narrow = indices.iter().all(|index| *index < u16::MAX.into());
        let (format, bytes) = match is_narrow {
            true => (VertexFormat::USHORT, indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect()),
            false => (VertexFormat::UINT, indices.iter().flat_map(|index| index.to_le_bytes()).collect()),
        };
        Self { attribute: VertexAttribute::INDEX, components: 1, format, bytes }
    }

    pub(super) fn attribute(&self) -> VertexAttribute {
        self.attribute
    }

    /// Returns the number of vertices.
    pub(super) fn count(&self) -> usize {
        self.bytes.len() / (self.format.size().unwrap_or(1) as usize * self.components as usize)
    }

    pub(super) fn block(&self) -> Result<Vec<u8>, ImportError> {
        let Self { attribute, components, format, .. } = *self;
        let count = u32::try_from(self.count()).map_err(|_| ImportError::new("has too many vertices"))?;
        Ok(VertexProps { count, attribute, components, format }.block(&self.bytes))
    }
}
