//! The indices of a primitive, in their stored width, and as `u32`.

use std::borrow::Cow;

/// The indices of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices<'a> {
    /// For up to 65,535 vertices. Importers use no index 65,535, which begins a new strip in WebGL.
    U16(&'a [u16]),
    /// For more vertices.
    U32(&'a [u32]),
}

impl<'a> Indices<'a> {
    /// Returns the indices as `u32`, without a copy if they are stored so: for engines that have one width.
    ///
    /// ```
    /// use rres_runtime::asset::model::Indices;
    ///
    /// assert_eq!(*Indices::U16(&[0, 1, 2]).to_u32(), [0, 1, 2]);
    /// ```
    pub fn to_u32(self) -> Cow<'a, [u32]> {
        match self {
            Self::U16(indices) => indices.iter().copied().map(u32::from).collect(),
            Self::U32(indices) => Cow::Borrowed(indices),
        }
    }

    /// Returns the number of indices.
    ///
    /// ```
    /// use rres_runtime::asset::model::Indices;
    ///
    /// assert_eq!(Indices::U32(&[0, 1, 70_000]).len(), 3);
    /// ```
    pub fn len(self) -> usize {
        match self {
            Self::U16(indices) => indices.len(),
            Self::U32(indices) => indices.len(),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}
