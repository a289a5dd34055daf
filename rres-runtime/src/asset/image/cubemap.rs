//! Images that are the six faces of a cube.

use rres_format::index::{Meta, MetaKey};

use super::{Image, Level, inconsistent};
use crate::error::Result;

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

/// Whether the metadata of a resource says that its image of this size is a cubemap.
///
/// # Errors
/// If the faces would not be squares.
pub(super) fn is_cubemap(meta: &Meta, (width, height): (u32, u32)) -> Result<bool> {
    if meta.get(MetaKey::CUBEMAP) != Some(1) {
        return Ok(false);
    }
    if u64::from(width) * 6 != u64::from(height) {
        return Err(inconsistent(format!("a cubemap of {width}×{height} pixels, expected six squares in a column")));
    }
    Ok(true)
}

impl Image {
    /// Returns whether this is a cubemap: six square faces, one above the other, made by a `.cubemap` file. Each level is all of its
    /// faces, in the order of [`CubeFace::ALL`], which is how graphics libraries take a level of a texture with six layers.
    pub fn is_cubemap(&self) -> bool {
        self.is_cubemap
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
        let Level { width, height, bytes_per_row, rows, pixels } =
            self.level(level).filter(|level| self.is_cubemap && level.rows.is_multiple_of(6))?;
        let rows = rows / 6;
        let size = bytes_per_row as usize * rows as usize;
        let pixels = pixels.get(face as usize * size..)?.get(..size)?;
        Some(Level { width, height: height / 6, bytes_per_row, rows, pixels })
    }
}
