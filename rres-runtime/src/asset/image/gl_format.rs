//! A pixel format and its colour space → the number of the format in OpenGL, OpenGL ES and WebGL.

use super::{ColorSpace, Image};

impl Image {
    /// Returns the internal format for `glTexImage2D` or, for blocks, `glCompressedTexImage2D` into which the
    /// [levels](Self::levels) can be written as they are. It is one in sRGB if the image is.
    ///
    /// Blocks need an extension in most versions of OpenGL, such as `GL_EXT_texture_compression_bptc` for BC7.
    ///
    /// `None` if OpenGL has no such format: for gray and floats in sRGB, and for packed 16 bits in sRGB.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let image = Image::from_rgba8(1, 1, [255; 4])?; // in sRGB
    /// assert_eq!(image.gl_internal_format(), Some(0x8c43)); // GL_SRGB8_ALPHA8
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn gl_internal_format(&self) -> Option<u32> {
        let (linear, srgb) = self.format().gl_internal_formats()?;
        match self.color_space() {
            ColorSpace::Linear => Some(linear),
            ColorSpace::Srgb => srgb,
        }
    }
}
