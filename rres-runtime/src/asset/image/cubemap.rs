//! Images that are the six faces of a cube.

use super::{Image, ImageShape, Level};

/// A face of a cubemap, in the order of graphics libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeFace {
    /// +X.
    PositiveX,
    /// -X.
    NegativeX,
    /// +Y, the sky.
    PositiveY,
    /// -Y, the ground.
    NegativeY,
    /// +Z.
    PositiveZ,
    /// -Z.
    NegativeZ,
}

impl CubeFace {
    /// All faces, in their order in the image and in layers of textures.
    pub const ALL: [Self; 6] =
        [Self::PositiveX, Self::NegativeX, Self::PositiveY, Self::NegativeY, Self::PositiveZ, Self::NegativeZ];
}

impl Image {
    /// Returns whether this is a cubemap: six square faces, one above the other, made by a `.cubemap` file. Each level is all of its
    /// faces, in the order of [`CubeFace::ALL`], which is how graphics libraries take a level of a texture with six layers.
    pub fn is_cubemap(&self) -> bool {
        self.shape == ImageShape::Cube
    }

    /// Returns a face of a level; `None` if this is not a cubemap, or beyond the last level.
    ///
    /// ```
    /// use rres_runtime::Image;
    /// use rres_runtime::asset::CubeFace;
    ///
    /// fn upload(sky: &Image, mut write: impl FnMut(u32, u32, &[u8])) {
    ///     for level in 0..sky.mipmaps() {
    ///         for (layer, face) in (0..).zip(CubeFace::ALL) {
    ///             let Some(face) = sky.cube_face(face, level) else { continue };
    ///             write(layer, level, face.pixels);
    ///         }
    ///     }
    /// }
    /// ```
    pub fn cube_face(&self, face: CubeFace, level: u32) -> Option<Level<'_>> {
        if self.is_cubemap() { self.layer(face as u32, level) } else { None }
    }
}
