//! Images that are several pictures of one size: texture arrays, 3D textures, cubemaps.

use rres_format::chunk::image::ImageProps;
use rres_format::index::{Meta, MetaKey};

use super::{Image, ImageShape, Level, inconsistent};
use crate::error::Result;

/// The first and the last colour that a table of colours is for: red, green and blue.
type Domain = [[f32; 3]; 2];

/// What the metadata of a resource says about its image with these properties.
///
/// # Errors
/// If the pictures would not have one size.
pub(super) fn shape(meta: &Meta, props: &ImageProps) -> Result<ImageShape> {
    let shape = ImageShape::of(|key| meta.get(key));
    let ImageProps { width, height, mipmaps, .. } = *props;
    match shape {
        ImageShape::Cube if u64::from(width) * 6 != u64::from(height) => {
            Err(inconsistent(format!("a cubemap of {width}×{height} pixels, expected six squares in a column")))
        }
        ImageShape::Array(layers) | ImageShape::Volume(layers) if !height.is_multiple_of(layers) => {
            Err(inconsistent(format!("{layers} layers in {width}×{height} pixels, expected layers of one height")))
        }
        ImageShape::Volume(_) if mipmaps > 1 => {
            Err(inconsistent(format!("a 3D texture with {mipmaps} mip levels, expected one")))
        }
        shape => Ok(shape),
    }
}

/// The colours that a table is for; `None` if they are those from 0 to 1.
pub(super) fn domain(meta: &Meta) -> Option<Domain> {
    let number = |key, usual: f32| meta.get(key).map_or(usual, f32::from_bits);
    let start = [MetaKey::DOMAIN_START_RED, MetaKey::DOMAIN_START_GREEN, MetaKey::DOMAIN_START_BLUE];
    let end = [MetaKey::DOMAIN_END_RED, MetaKey::DOMAIN_END_GREEN, MetaKey::DOMAIN_END_BLUE];
    let domain = [start.map(|key| number(key, 0.0)), end.map(|key| number(key, 1.0))];
    let is_usable = domain.iter().flatten().all(|number| number.is_finite());
    (is_usable && domain != [[0.0; 3], [1.0; 3]]).then_some(domain)
}

impl Image {
    /// Returns what the image is: one picture, a cubemap, a texture array or a 3D texture. The pictures of all but the first are one above
    /// the other, so [`Self::height`] is the height of one times their number.
    ///
    /// ```
    /// use rres_runtime::Image;
    /// use rres_runtime::asset::ImageShape;
    ///
    /// /// What a texture needs to know: width, height, and depth or number of layers.
    /// fn extent(image: &Image) -> [u32; 3] {
    ///     let layers = image.shape().layers();
    ///     [image.width(), image.height() / layers, layers]
    /// }
    ///
    /// let image = Image::from_rgba8(2, 1, [0; 8])?;
    /// assert_eq!((image.shape(), extent(&image)), (ImageShape::Flat, [2, 1, 1]));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn shape(&self) -> ImageShape {
        self.shape
    }

    /// Returns one picture of a level: a face of a cubemap, a layer of an array or a slice of a 3D texture. `None` beyond the last one and
    /// beyond the last level. An image with one picture has it as layer 0.
    ///
    /// A level as [`Self::level`] returns it has all of its layers, one after another, which is how graphics libraries take it.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// fn upload(tiles: &Image, mut write: impl FnMut(u32, u32, &[u8])) {
    ///     for level in 0..tiles.mipmaps() {
    ///         for number in 0..tiles.shape().layers() {
    ///             let Some(layer) = tiles.layer(number, level) else { continue };
    ///             write(level, number, layer.pixels);
    ///         }
    ///     }
    /// }
    /// # upload(&Image::from_rgba8(1, 1, [0; 4])?, |_, _, pixels| assert_eq!(pixels.len(), 4));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn layer(&self, number: u32, level: u32) -> Option<Level<'_>> {
        let layers = self.shape.layers();
        let Level { width, height, bytes_per_row, rows, pixels } = self.level(level)?;
        if number >= layers || !rows.is_multiple_of(layers) {
            return None;
        }
        let rows = rows / layers;
        let size = bytes_per_row as usize * rows as usize;
        let pixels = pixels.get(number as usize * size..)?.get(..size)?;
        Some(Level { width, height: height / layers, bytes_per_row, rows, pixels })
    }

    /// Returns the first and the last colour that a table of colours (a `.cube` file) is for, as red, green and blue: 0 and 1, unless the file
    /// says otherwise. A shader looks up `(color - first) / (last - first)`.
    pub fn domain(&self) -> [[f32; 3]; 2] {
        self.domain.as_deref().copied().unwrap_or([[0.0; 3], [1.0; 3]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rres_format::chunk::image::PixelFormat;

    fn shape_of(shape: ImageShape, width: u32, height: u32, mipmaps: u32) -> Result<ImageShape> {
        let mut meta = Meta::default();
        shape.set(&mut meta);
        super::shape(&meta, &ImageProps { width, height, format: PixelFormat::RGBA8, mipmaps })
    }

    #[test]
    fn pictures_of_several_sizes_are_refused() {
        assert_eq!(shape_of(ImageShape::Array(3), 4, 9, 2).unwrap(), ImageShape::Array(3));
        assert_eq!(shape_of(ImageShape::Volume(3), 4, 9, 1).unwrap(), ImageShape::Volume(3));
        for (shape, height, mipmaps) in [
            (ImageShape::Array(3), 10, 1),
            (ImageShape::Array(u32::MAX), 9, 1),
            (ImageShape::Volume(2), 9, 1),
            (ImageShape::Volume(3), 9, 2),
            (ImageShape::Cube, 12, 1),
        ] {
            assert!(shape_of(shape, 4, height, mipmaps).is_err(), "{shape:?}");
        }
    }

    #[test]
    fn a_layer_is_a_part_of_each_level() {
        let mut image = Image::from_rgba8(2, 6, (0..48).collect::<Vec<u8>>()).unwrap();
        image.shape = ImageShape::Array(3);
        let layer = image.layer(1, 0).unwrap();
        assert_eq!((layer.width, layer.height, layer.rows, layer.bytes_per_row), (2, 2, 2, 8));
        assert_eq!(layer.pixels, (16..32).collect::<Vec<u8>>());
        assert!(image.layer(3, 0).is_none() && image.layer(0, 1).is_none() && image.layer(u32::MAX, 0).is_none());
    }

    #[test]
    fn a_domain_is_that_of_the_file() {
        let mut meta = Meta::default();
        assert_eq!(domain(&meta), None);
        meta.set_f32(MetaKey::DOMAIN_END_GREEN, 4.0);
        assert_eq!(domain(&meta), Some([[0.0; 3], [1.0, 4.0, 1.0]]));
        meta.set_f32(MetaKey::DOMAIN_START_RED, f32::NAN);
        assert_eq!(domain(&meta), None);
    }
}
