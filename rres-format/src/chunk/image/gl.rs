//! Pixel formats and their numbers in OpenGL, OpenGL ES and WebGL. KTX files of version 1 have these numbers, too.

use super::PixelFormat;

impl PixelFormat {
    /// Returns the internal format of OpenGL for linear numbers, and the one for numbers in sRGB if there is one. `None` for unknown
    /// formats.
    ///
    /// ```
    /// use rres_format::chunk::image::PixelFormat;
    ///
    /// assert_eq!(PixelFormat::RGBA8.gl_internal_formats(), Some((0x8058, Some(0x8c43)))); // GL_RGBA8, GL_SRGB8_ALPHA8
    /// ```
    pub const fn gl_internal_formats(self) -> Option<(u32, Option<u32>)> {
        Some(match self {
            Self::GRAY8 => (0x8229, None),
            Self::GRAY_ALPHA8 => (0x822b, None),
            Self::RGB565 => (0x8d62, None),
            Self::RGB8 => (0x8051, Some(0x8c41)),
            Self::RGBA5551 => (0x8057, None),
            Self::RGBA4444 => (0x8056, None),
            Self::RGBA8 => (0x8058, Some(0x8c43)),
            Self::R32F => (0x822e, None),
            Self::RGB32F => (0x8815, None),
            Self::RGBA32F => (0x8814, None),
            Self::DXT1_RGB => (0x83f0, Some(0x8c4c)),
            Self::DXT1_RGBA => (0x83f1, Some(0x8c4d)),
            Self::DXT3_RGBA => (0x83f2, Some(0x8c4e)),
            Self::DXT5_RGBA => (0x83f3, Some(0x8c4f)),
            Self::BC4 => (0x8dbb, None),
            Self::BC4_SIGNED => (0x8dbc, None),
            Self::BC5 => (0x8dbd, None),
            Self::BC5_SIGNED => (0x8dbe, None),
            Self::BC6H => (0x8e8f, None),
            Self::BC6H_SIGNED => (0x8e8e, None),
            Self::BC7 => (0x8e8c, Some(0x8e8d)),
            // Decoders of ETC2 read ETC1, whose own format knows no sRGB.
            Self::ETC1_RGB => (0x8d64, Some(0x9275)),
            Self::ETC2_RGB => (0x9274, Some(0x9275)),
            Self::ETC2_RGBA1 => (0x9276, Some(0x9277)),
            Self::ETC2_EAC_RGBA => (0x9278, Some(0x9279)),
            Self::EAC_R11 => (0x9270, None),
            Self::EAC_R11_SIGNED => (0x9271, None),
            Self::EAC_RG11 => (0x9272, None),
            Self::EAC_RG11_SIGNED => (0x9273, None),
            Self::PVRT_RGB => (0x8c00, Some(0x8a55)),
            Self::PVRT_RGBA => (0x8c02, Some(0x8a57)),
            Self::ASTC_4X4_RGBA => astc(0),
            Self::ASTC_5X4_RGBA => astc(1),
            Self::ASTC_5X5_RGBA => astc(2),
            Self::ASTC_6X5_RGBA => astc(3),
            Self::ASTC_6X6_RGBA => astc(4),
            Self::ASTC_8X5_RGBA => astc(5),
            Self::ASTC_8X6_RGBA => astc(6),
            Self::ASTC_8X8_RGBA => astc(7),
            Self::ASTC_10X5_RGBA => astc(8),
            Self::ASTC_10X6_RGBA => astc(9),
            Self::ASTC_10X8_RGBA => astc(10),
            Self::ASTC_10X10_RGBA => astc(11),
            Self::ASTC_12X10_RGBA => astc(12),
            Self::ASTC_12X12_RGBA => astc(13),
            _ => return None,
        })
    }

    /// Returns the format with this internal format of OpenGL, and whether its numbers are in sRGB.
    ///
    /// ```
    /// use rres_format::chunk::image::PixelFormat;
    ///
    /// assert_eq!(PixelFormat::from_gl_internal_format(0x8e8d), Some((PixelFormat::BC7, true)));
    /// assert_eq!(PixelFormat::from_gl_internal_format(0x8d64), Some((PixelFormat::ETC1_RGB, false)));
    /// // The number that ETC1 shares is the one of ETC2.
    /// assert_eq!(PixelFormat::from_gl_internal_format(0x9275), Some((PixelFormat::ETC2_RGB, true)));
    /// ```
    pub fn from_gl_internal_format(number: u32) -> Option<(Self, bool)> {
        Self::NAMED.iter().find_map(|&format| match format.gl_internal_formats()? {
            (linear, _) if linear == number => Some((format, false)),
            (_, Some(srgb)) if srgb == number && format != Self::ETC1_RGB => Some((format, true)),
            _ => None,
        })
    }
}

/// OpenGL has the formats of ASTC in the order of the sizes of blocks, and those in sRGB 0x20 later.
const fn astc(place: u32) -> (u32, Option<u32>) {
    (0x93b0 + place, Some(0x93d0 + place))
}
