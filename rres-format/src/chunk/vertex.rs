//! VRTX: one attribute of the vertices of a mesh. A mesh is a chain of such chunks.
//!
//! Properties: number of vertices (of indices for the attribute `INDEX`), attribute, components per vertex, format of a
//! component. Data: the components of one vertex after another, little-endian.
//!
//! Attributes from 1000 on are ours. Chunks of them are not linked to the chunks of a mesh, so C readers do not see them.

use super::{PayloadView, block};
use crate::error::{Error, Result};
use crate::open_enum::open_enum;

open_enum! {
    /// The meaning of the components (`rresVertexAttribute`).
    pub struct VertexAttribute(u32);
    /// Position: 3 components.
    POSITION = 0, "position";
    /// First texture coordinates: 2 components.
    TEXCOORD1 = 10, "texcoord1";
    /// Second texture coordinates: 2 components.
    TEXCOORD2 = 11, "texcoord2";
    /// Third texture coordinates: 2 components.
    TEXCOORD3 = 12, "texcoord3";
    /// Fourth texture coordinates: 2 components.
    TEXCOORD4 = 13, "texcoord4";
    /// Normal: 3 components.
    NORMAL = 20, "normal";
    /// Tangent: 4 components, the last being the handedness.
    TANGENT = 30, "tangent";
    /// Colour: 4 components.
    COLOR = 40, "color";
    /// Indices of a triangle list: 1 component.
    INDEX = 100, "index";
    /// Fifth texture coordinates: 2 components.
    TEXCOORD5 = 1014, "texcoord5";
    /// Sixth texture coordinates: 2 components.
    TEXCOORD6 = 1015, "texcoord6";
    /// Seventh texture coordinates: 2 components.
    TEXCOORD7 = 1016, "texcoord7";
    /// Eighth texture coordinates: 2 components.
    TEXCOORD8 = 1017, "texcoord8";
    /// Second colour: 4 components.
    COLOR2 = 1041, "color2";
    /// Third colour: 4 components.
    COLOR3 = 1042, "color3";
    /// Fourth colour: 4 components.
    COLOR4 = 1043, "color4";
    /// The first four joints of a vertex. [`Self::joints`] has the other sets.
    JOINTS1 = 1050, "joints1";
    /// The joints of the second set.
    JOINTS2 = 1051, "joints2";
    /// The weights of the first four joints. [`Self::weights`] has the other sets.
    WEIGHTS1 = 1060, "weights1";
    /// The weights of the second set.
    WEIGHTS2 = 1061, "weights2";
    /// Indices of the first level of detail: 1 component. [`Self::lod`] has the other levels.
    LOD1 = 1100, "lod1";
}

impl VertexAttribute {
    /// The largest number of sets of four joints.
    pub const MAX_JOINT_SETS: u32 = 10;

    /// The largest number of levels of detail.
    pub const MAX_LODS: u32 = 16;

    /// Returns the attribute of the indices of a level of detail, counted from 0, up to [`Self::MAX_LODS`]. Level 0 is the first one that is
    /// coarser than the primitive itself.
    pub const fn lod(level: u32) -> Self {
        Self(Self::LOD1.0 + level % Self::MAX_LODS)
    }

    /// Returns whether the components are indices of vertices: the indices of the primitive or of a level of detail.
    pub const fn is_indices(self) -> bool {
        self.0 == Self::INDEX.0 || (self.0 >= Self::LOD1.0 && self.0 < Self::LOD1.0 + Self::MAX_LODS)
    }

    /// Returns the attribute of a set of four joints, counted from 0, up to [`Self::MAX_JOINT_SETS`].
    pub const fn joints(set: u32) -> Self {
        Self(Self::JOINTS1.0 + set % Self::MAX_JOINT_SETS)
    }

    /// Returns the attribute of the weights of a set of four joints.
    pub const fn weights(set: u32) -> Self {
        Self(Self::WEIGHTS1.0 + set % Self::MAX_JOINT_SETS)
    }
}

open_enum! {
    /// The format of a component (`rresVertexFormat`).
    pub struct VertexFormat(u32);
    /// `u8`.
    UBYTE = 0, "u8";
    /// `i8`.
    BYTE = 1, "i8";
    /// `u16`.
    USHORT = 2, "u16";
    /// `i16`.
    SHORT = 3, "i16";
    /// `u32`.
    UINT = 4, "u32";
    /// `i32`.
    INT = 5, "i32";
    /// 16-bit float.
    HFLOAT = 6, "f16";
    /// `f32`.
    FLOAT = 7, "f32";
}

impl VertexFormat {
    /// Returns the size of a component in bytes, or `None` for unknown formats.
    pub const fn size(self) -> Option<u32> {
        Some(match self {
            Self::UBYTE | Self::BYTE => 1,
            Self::USHORT | Self::SHORT | Self::HFLOAT => 2,
            Self::UINT | Self::INT | Self::FLOAT => 4,
            _ => return None,
        })
    }
}

/// The properties of a vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexProps {
    /// Number of vertices, or of indices if the attribute is [`VertexAttribute::INDEX`].
    pub count: u32,
    /// Meaning of the components.
    pub attribute: VertexAttribute,
    /// Number of components per vertex: 1 to 4 for the named attributes, at most 16.
    pub components: u32,
    /// Format of a component.
    pub format: VertexFormat,
}

impl VertexProps {
    /// Returns the number of bytes of all vertices.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if the format is unknown or the number of components is not 1 to 16.
    pub fn data_size(&self) -> Result<u64> {
        let size = self.format.size().filter(|_| (1..=16).contains(&self.components)).ok_or_else(|| {
            let Self { components, format, .. } = self;
            let detail = format!("{components} components of format {format}, expected 1 to 16 of a known format");
            Error::inconsistent("vertex attribute", detail)
        })?;
        Ok(u64::from(self.count) * u64::from(self.components) * u64::from(size))
    }

    /// Reads the four properties without checking them.
    ///
    /// # Errors
    /// If the payload has fewer.
    pub fn from_payload(payload: &PayloadView<'_>) -> Result<Self> {
        let [count, attribute, components, format] = payload.first_props()?;
        Ok(Self { count, attribute: VertexAttribute(attribute), components, format: VertexFormat(format) })
    }

    /// Returns the block with these properties and `data`.
    pub fn block(&self, data: &[u8]) -> Vec<u8> {
        block(&[self.count, self.attribute.0, self.components, self.format.0], data)
    }

    /// Whether `LoadMeshFromResource` of rres-raylib.h loads this attribute in this layout.
    pub fn is_read_by_raylib(&self) -> bool {
        use VertexAttribute as A;
        use VertexFormat as F;
        matches!(
            (self.attribute, self.components, self.format),
            (A::POSITION | A::NORMAL, 3, F::FLOAT)
                | (A::TEXCOORD1 | A::TEXCOORD2, 2, F::FLOAT)
                | (A::TANGENT, 4, F::FLOAT)
                | (A::COLOR, 4, F::UBYTE)
                | (A::INDEX, 1, F::USHORT)
        )
    }
}

/// A borrowed VRTX payload.
#[derive(Clone, Copy, Debug)]
pub struct VertexView<'a> {
    props: VertexProps,
    data: &'a [u8],
}

impl<'a> VertexView<'a> {
    /// Checks the properties, and that the data contains all vertices.
    ///
    /// # Errors
    /// As [`VertexProps::data_size`]; [`Error::Truncated`] if the data is too short.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let props = VertexProps::from_payload(&payload)?;
        Ok(Self { props, data: payload.data_of("vertices", props.data_size()?)? })
    }

    /// Returns the properties as stored.
    pub fn props(&self) -> VertexProps {
        self.props
    }

    /// Returns the components, little-endian.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_must_match_the_data() {
        let parse = |count, components, format| {
            let props = VertexProps { count, attribute: VertexAttribute::POSITION, components, format };
            let block = props.block(&[0; 24]);
            VertexView::parse(PayloadView::parse(&block).unwrap()).map(|view| view.data().len())
        };
        assert_eq!(parse(2, 3, VertexFormat::FLOAT), Ok(24));
        assert_eq!(parse(4, 3, VertexFormat::HFLOAT), Ok(24));
        assert!(parse(3, 3, VertexFormat::FLOAT).is_err());
        assert!(parse(u32::MAX, 16, VertexFormat::FLOAT).is_err());
        assert!(parse(1, 0, VertexFormat::FLOAT).is_err());
        assert!(parse(1, 3, VertexFormat(8)).is_err());
    }
}
