//! Levels of detail: other index lists for the vertices of a primitive.

use rres_format::chunk::vertex::VertexAttribute;

use super::{Indices, Meshlets, Primitive};

/// A level of detail of a primitive: fewer triangles between the same vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lod<'a> {
    /// The indices of its triangles.
    pub indices: Indices<'a>,
    /// About how far its surface is from the surface of the primitive, in the unit of the positions.
    pub error: f32,
    /// The meshlets of its triangles, if the setting `model.meshlets` makes any.
    pub meshlets: Option<Meshlets<'a>>,
}

impl Primitive {
    /// Returns the levels of detail that the setting `model.lods` makes, the finest first. The primitive itself is none of them.
    pub fn lods(&self) -> impl ExactSizeIterator<Item = Lod<'_>> {
        self.lods.iter().enumerate().map(|(level, error)| Lod {
            // That there are some was checked when the model was loaded.
            indices: self.indices_of(VertexAttribute::lod(level as u32)).unwrap_or(Indices::U16(&[])),
            error: *error,
            meshlets: self.meshlets_of(level as u32 + 1),
        })
    }

    /// Returns the coarsest level of detail whose error is not larger than this; `None` if only the primitive itself is that close.
    ///
    /// An error is as many pixels on the screen as a thing of its length is, at the distance of the model.
    ///
    /// ```
    /// use rres_runtime::asset::model::{Indices, Primitive};
    ///
    /// /// Chooses what to draw: a pixel more or less is not seen. `size` is the length that one pixel covers at the model.
    /// fn visible(primitive: &Primitive, size: f32) -> Option<Indices<'_>> {
    ///     primitive.lod(size).map(|lod| lod.indices).or(primitive.indices())
    /// }
    /// ```
    pub fn lod(&self, error: f32) -> Option<Lod<'_>> {
        self.lods().take_while(|lod| lod.error <= error).last()
    }

    pub(super) fn has_lod(&self, level: u32) -> bool {
        self.indices_of(VertexAttribute::lod(level)).is_some()
    }
}
