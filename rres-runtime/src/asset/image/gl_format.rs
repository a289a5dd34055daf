//! A pixel format and its colour space → the number of the format in OpenGL, OpenGL ES and WebGL.

use rres_format::chunk::image::PixelFormat;

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
        // ASTC has its formats in the order of the sizes of blocks, those in sRGB 0x20 later.
        let astc = |number: u32| (number, Some(number + 0x20));
        let (linear, srgb) = match self.format() {
            PixelFormat::GRAY8 => (0x8229, None),
            PixelFormat::GRAY_ALPHA8 => (0x822b, None),
            PixelFormat::RGB565 => (0x8d62, None),
            PixelFormat::RGB8 => (0x8051, Some(0x8c41)),
            PixelFormat::RGBA5551 => (0x8057, None),
            PixelFormat::RGBA4444 => (0x8056, None),
            PixelFormat::RGBA8 => (0x8058, Some(0x8c43)),
            PixelFormat::R32F => (0x822e, None),
            PixelFormat::RGB32F => (0x8815, None),
            PixelFormat::RGBA32F => (0x8814, None),
            PixelFormat::DXT1_RGB => (0x83f0, Some(0x8c4c)),
            PixelFormat::DXT1_RGBA => (0x83f1, Some(0x8c4d)),
            PixelFormat::DXT3_RGBA => (0x83f2, Some(0x8c4e)),
            PixelFormat::DXT5_RGBA => (0x83f3, Some(0x8c4f)),
            PixelFormat::BC4 => (0x8dbb, None),
            PixelFormat::BC4_SIGNED => (0x8dbc, None),
            PixelFormat::BC5 => (0x8dbd, None),
            PixelFormat::BC5_SIGNED => (0x8dbe, None),
            PixelFormat::BC6H => (0x8e8f, None),
            PixelFormat::BC6H_SIGNED => (0x8e8e, None),
            PixelFormat::BC7 => (0x8e8c, Some(0x8e8d)),
            // Decoders of ETC2 read ETC1, whose own format knows no sRGB.
            PixelFormat::ETC1_RGB => (0x8d64, Some(0x9275)),
            PixelFormat::ETC2_RGB => (0x9274, Some(0x9275)),
            PixelFormat::ETC2_RGBA1 => (0x9276, Some(0x9277)),
            PixelFormat::ETC2_EAC_RGBA => (0x9278, Some(0x9279)),
            PixelFormat::EAC_R11 => (0x9270, None),
            PixelFormat::EAC_R11_SIGNED => (0x9271, None),
            PixelFormat::EAC_RG11 => (0x9272, None),
            PixelFormat::EAC_RG11_SIGNED => (0x9273, None),
            PixelFormat::PVRT_RGB => (0x8c00, Some(0x8a55)),
            PixelFormat::PVRT_RGBA => (0x8c02, Some(0x8a57)),
            PixelFormat::ASTC_4X4_RGBA => astc(0x93b0),
            PixelFormat::ASTC_5X4_RGBA => astc(0x93b1),
            PixelFormat::ASTC_5X5_RGBA => astc(0x93b2),
            PixelFormat::ASTC_6X5_RGBA => astc(0x93b3),
            PixelFormat::ASTC_6X6_RGBA => astc(0x93b4),
            PixelFormat::ASTC_8X5_RGBA => astc(0x93b5),
            PixelFormat::ASTC_8X6_RGBA => astc(0x93b6),
            PixelFormat::ASTC_8X8_RGBA => astc(0x93b7),
            PixelFormat::ASTC_10X5_RGBA => astc(0x93b8),
            PixelFormat::ASTC_10X6_RGBA => astc(0x93b9),
            PixelFormat::ASTC_10X8_RGBA => astc(0x93ba),
            PixelFormat::ASTC_10X10_RGBA => astc(0x93bb),
            PixelFormat::ASTC_12X10_RGBA => astc(0x93bc),
            PixelFormat::ASTC_12X12_RGBA => astc(0x93bd),
            _ => return None,
        };
        match self.color_space() {
            ColorSpace::Linear => Some(linear),
            ColorSpace::Srgb => srgb,
        }
    }
}
