//! A pixel format and its colour space → the name of the format in WebGPU, and so in wgpu.

use std::borrow::Cow;

use rres_format::chunk::image::PixelFormat;

use super::{ColorSpace, Image};

impl Image {
    /// Returns what to upload to wgpu: the name of a format that every device knows or has a feature for, and the pixels of all levels, one
    /// after the other. If WebGPU lacks [the format of the image](Self::wgpu_format), these are RGBA of 8 bits; `None` if blocks cannot be
    /// turned into that.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let image = Image::from_rgba8(1, 1, [1, 2, 3, 4])?;
    /// let (format, pixels) = image.to_wgpu().expect("it is RGBA already");
    /// assert_eq!((format, &pixels[..]), ("rgba8unorm-srgb", &[1, 2, 3, 4][..]));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn to_wgpu(&self) -> Option<(&'static str, Cow<'_, [u8]>)> {
        if let Some(format) = self.wgpu_format() {
            return Some((format, Cow::from(&**self.data())));
        }
        let format = match self.color_space() {
            ColorSpace::Srgb => "rgba8unorm-srgb",
            ColorSpace::Linear => "rgba8unorm",
        };
        let levels = (0..self.mipmaps()).map(|level| self.level_to_rgba8(level)).collect::<Option<Vec<_>>>()?;
        Some((format, levels.concat().into()))
    }

    /// Returns the texture format for wgpu and WebGPU into which the [levels](Self::levels) can be written as they are,
    /// under its name in the WebGPU standard, such as "rgba8unorm-srgb" or "bc3-rgba-unorm". wgpu calls the first one
    /// `TextureFormat::Rgba8UnormSrgb`, and reads the names with its feature `serde`.
    ///
    /// Textures of this format have linear colours when a shader samples them, because the format is one in sRGB if the
    /// image is. Formats with "bc", "etc2", "eac" and "astc" need a feature of the device, and the image's edges have to be
    /// multiples of the block's.
    ///
    /// `None` if WebGPU has no such format: for three channels, for packed 16 bits, for PVRTC, and for gray
    /// and floats in sRGB. Then upload [`Self::to_rgba8`] as "rgba8unorm-srgb" or, if [`Self::color_space`] is linear, as
    /// "rgba8unorm".
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let image = Image::from_rgba8(1, 1, [255; 4])?; // in sRGB
    /// assert_eq!(image.wgpu_format(), Some("rgba8unorm-srgb"));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn wgpu_format(&self) -> Option<&'static str> {
        // The type of wgpu changes with each of its versions, four times a year; the names come from a standard.
        let (linear, srgb) = match self.format() {
            PixelFormat::GRAY8 => ("r8unorm", None),
            PixelFormat::GRAY_ALPHA8 => ("rg8unorm", None),
            PixelFormat::RGBA8 => ("rgba8unorm", Some("rgba8unorm-srgb")),
            PixelFormat::R32F => ("r32float", None),
            PixelFormat::RGBA32F => ("rgba32float", None),
            PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => ("bc1-rgba-unorm", Some("bc1-rgba-unorm-srgb")),
            PixelFormat::DXT3_RGBA => ("bc2-rgba-unorm", Some("bc2-rgba-unorm-srgb")),
            PixelFormat::DXT5_RGBA => ("bc3-rgba-unorm", Some("bc3-rgba-unorm-srgb")),
            // Decoders of ETC2 read ETC1.
            PixelFormat::ETC1_RGB | PixelFormat::ETC2_RGB => ("etc2-rgb8unorm", Some("etc2-rgb8unorm-srgb")),
            PixelFormat::ETC2_EAC_RGBA => ("etc2-rgba8unorm", Some("etc2-rgba8unorm-srgb")),
            PixelFormat::ASTC_4X4_RGBA => ("astc-4x4-unorm", Some("astc-4x4-unorm-srgb")),
            PixelFormat::ASTC_8X8_RGBA => ("astc-8x8-unorm", Some("astc-8x8-unorm-srgb")),
            PixelFormat::ASTC_5X4_RGBA => ("astc-5x4-unorm", Some("astc-5x4-unorm-srgb")),
            PixelFormat::ASTC_5X5_RGBA => ("astc-5x5-unorm", Some("astc-5x5-unorm-srgb")),
            PixelFormat::ASTC_6X5_RGBA => ("astc-6x5-unorm", Some("astc-6x5-unorm-srgb")),
            PixelFormat::ASTC_6X6_RGBA => ("astc-6x6-unorm", Some("astc-6x6-unorm-srgb")),
            PixelFormat::ASTC_8X5_RGBA => ("astc-8x5-unorm", Some("astc-8x5-unorm-srgb")),
            PixelFormat::ASTC_8X6_RGBA => ("astc-8x6-unorm", Some("astc-8x6-unorm-srgb")),
            PixelFormat::ASTC_10X5_RGBA => ("astc-10x5-unorm", Some("astc-10x5-unorm-srgb")),
            PixelFormat::ASTC_10X6_RGBA => ("astc-10x6-unorm", Some("astc-10x6-unorm-srgb")),
            PixelFormat::ASTC_10X8_RGBA => ("astc-10x8-unorm", Some("astc-10x8-unorm-srgb")),
            PixelFormat::ASTC_10X10_RGBA => ("astc-10x10-unorm", Some("astc-10x10-unorm-srgb")),
            PixelFormat::ASTC_12X10_RGBA => ("astc-12x10-unorm", Some("astc-12x10-unorm-srgb")),
            PixelFormat::ASTC_12X12_RGBA => ("astc-12x12-unorm", Some("astc-12x12-unorm-srgb")),
            PixelFormat::BC4 => ("bc4-r-unorm", None),
            PixelFormat::BC4_SIGNED => ("bc4-r-snorm", None),
            PixelFormat::BC5 => ("bc5-rg-unorm", None),
            PixelFormat::BC5_SIGNED => ("bc5-rg-snorm", None),
            PixelFormat::BC6H => ("bc6h-rgb-ufloat", None),
            PixelFormat::BC6H_SIGNED => ("bc6h-rgb-float", None),
            PixelFormat::BC7 => ("bc7-rgba-unorm", Some("bc7-rgba-unorm-srgb")),
            PixelFormat::ETC2_RGBA1 => ("etc2-rgb8a1unorm", Some("etc2-rgb8a1unorm-srgb")),
            PixelFormat::EAC_R11 => ("eac-r11unorm", None),
            PixelFormat::EAC_R11_SIGNED => ("eac-r11snorm", None),
            PixelFormat::EAC_RG11 => ("eac-rg11unorm", None),
            PixelFormat::EAC_RG11_SIGNED => ("eac-rg11snorm", None),
            _ => return None,
        };
        match self.color_space() {
            ColorSpace::Linear => Some(linear),
            ColorSpace::Srgb => srgb,
        }
    }
}
