//! The values of settings of images.

use rres_format::chunk::image::PixelFormat;

use super::fingerprint::Fingerprint;
use super::values::{Word, fingerprint_of_word, word_enum, words};

words! { PixelFormat:
    "gray8" => Self::GRAY8,
    "gray_alpha8" => Self::GRAY_ALPHA8,
    "rgb565" => Self::RGB565,
    "rgb8" => Self::RGB8,
    "rgba5551" => Self::RGBA5551,
    "rgba4444" => Self::RGBA4444,
    "rgba8" => Self::RGBA8,
    "r32f" => Self::R32F,
    "rgb32f" => Self::RGB32F,
    "rgba32f" => Self::RGBA32F,
}

/// The format of the pixels of a stored image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImageFormat {
    /// Depth and alpha of the source.
    #[default]
    Keep,
    /// The nearest format that every GPU takes: three channels become four, and fewer than 8 bits become 8. One and two
    /// channels, four channels, and blocks stay as they are.
    Gpu,
    /// Blocks in the format that suits the picture: BC5 for normal maps, BC4 for masks, BC1 or BC7 for colours, BC6H for light in
    /// floats. Pixel art, small pictures, and what blocks would spoil is stored as [`Self::Gpu`] says.
    Block,
    /// The same with the blocks of phones: EAC for normal maps and masks, ETC2 for colours. Light in floats stays uncompressed.
    BlockEtc2,
    /// The same with ASTC, which newer phones have: 6×6 where that is good enough, otherwise 4×4. Light in floats stays uncompressed.
    BlockAstc,
    /// This format. Of the block formats [`PixelFormat::DXT1_RGB`] (BC1), [`PixelFormat::DXT5_RGBA`] (BC3), and
    /// [`PixelFormat::BC4`], [`PixelFormat::BC5`], [`PixelFormat::BC6H`], [`PixelFormat::BC7`],
    /// [`PixelFormat::ETC2_RGB`], [`PixelFormat::ETC2_EAC_RGBA`], [`PixelFormat::EAC_R11`], [`PixelFormat::EAC_RG11`],
    /// [`PixelFormat::ASTC_4X4_RGBA`], [`PixelFormat::ASTC_6X6_RGBA`] and [`PixelFormat::ASTC_8X8_RGBA`].
    Exact(PixelFormat),
}

impl ImageFormat {
    /// The format that pixels of `source` are stored in, or that blocks are made from.
    pub fn of(self, source: PixelFormat) -> PixelFormat {
        match (self, source) {
            (Self::Exact(PixelFormat::BC6H), _) => PixelFormat::RGBA32F,
            (Self::Exact(format), _) if format.pixel_block().is_some() => PixelFormat::RGBA8,
            (Self::Exact(format), _) => format,
            (Self::Block | Self::BlockEtc2 | Self::BlockAstc, PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8) => {
                PixelFormat::RGBA8
            }
            (Self::Block | Self::BlockEtc2 | Self::BlockAstc, source) => Self::Gpu.of(source),
            (Self::Gpu, PixelFormat::RGB8 | PixelFormat::RGB565) => PixelFormat::RGBA8,
            (Self::Gpu, PixelFormat::RGBA5551 | PixelFormat::RGBA4444) => PixelFormat::RGBA8,
            (Self::Gpu, PixelFormat::RGB32F) => PixelFormat::RGBA32F,
            (Self::Gpu | Self::Keep, source) => source,
        }
    }

    /// Whether pixels become blocks.
    pub fn is_blocks(self) -> bool {
        matches!(self, Self::Block | Self::BlockEtc2 | Self::BlockAstc)
            || self.exact().is_some_and(|format| format.pixel_block().is_some())
    }

    /// The format, if the setting names one.
    pub fn exact(self) -> Option<PixelFormat> {
        if let Self::Exact(format) = self { Some(format) } else { None }
    }
}

/// The block formats that there is an encoder for.
const BLOCKS: &[(&str, PixelFormat)] = &[
    ("bc1", PixelFormat::DXT1_RGB),
    ("bc3", PixelFormat::DXT5_RGBA),
    ("bc4", PixelFormat::BC4),
    ("bc5", PixelFormat::BC5),
    ("bc6h", PixelFormat::BC6H),
    ("bc7", PixelFormat::BC7),
    ("etc2", PixelFormat::ETC2_RGB),
    ("etc2_rgba", PixelFormat::ETC2_EAC_RGBA),
    ("eac_r11", PixelFormat::EAC_R11),
    ("eac_rg11", PixelFormat::EAC_RG11),
    ("astc_4x4", PixelFormat::ASTC_4X4_RGBA),
    ("astc_6x6", PixelFormat::ASTC_6X6_RGBA),
    ("astc_8x8", PixelFormat::ASTC_8X8_RGBA),
];

impl Word for ImageFormat {
    fn words() -> Vec<(&'static str, Self)> {
        let formats = PixelFormat::words().into_iter().map(|(word, format)| (word, Self::Exact(format)));
        let blocks = BLOCKS.iter().map(|(word, format)| (*word, Self::Exact(*format)));
        let chosen = [
            ("keep", Self::Keep),
            ("gpu", Self::Gpu),
            ("block", Self::Block),
            ("block_etc2", Self::BlockEtc2),
            ("block_astc", Self::BlockAstc),
        ];
        chosen.into_iter().chain(blocks).chain(formats).collect()
    }
}

fingerprint_of_word!(ImageFormat);

impl From<PixelFormat> for ImageFormat {
    fn from(format: PixelFormat) -> Self {
        Self::Exact(format)
    }
}

word_enum! {
    /// The stored form of an image.
    #[derive(Default)]
    ImageStorage {
        /// The file of a lossy source (JPEG) if it is smaller than the stored pixels; pixels of all others.
        #[default]
        Auto = "auto";
        /// Pixels, ready to upload.
        Pixels = "pixels";
        /// The bytes of the source file.
        Source = "source";
    }
}

word_enum! {
    /// What becomes of colours that are not sRGB, by a profile in the file.
    #[derive(Default)]
    ColorProfile {
        /// They are converted to sRGB.
        #[default]
        Apply = "apply";
        /// The numbers of the file are stored.
        Ignore = "ignore";
    }
}

word_enum! {
    /// The pictures of an animated file that are stored.
    #[derive(Default)]
    ImageFrames {
        /// The first one.
        #[default]
        First = "first";
        /// All, side by side in one image.
        All = "all";
    }
}

word_enum! {
    /// Whether an image is followed by others, which are shown one after another in its place.
    #[derive(Default)]
    ImageSequence {
        /// It is not.
        #[default]
        None = "none";
        /// Shown again and again.
        Loop = "loop";
        /// Shown once; the last one stays.
        Once = "once";
        /// Shown to the last one and back, again and again.
        PingPong = "ping-pong";
    }
}

word_enum! {
    /// Pixels that are added to an image on the right and at the bottom.
    #[derive(Default)]
    ImagePadding {
        /// None.
        #[default]
        None = "none";
        /// Up to powers of two.
        PowerOfTwo = "pow2";
        /// Up to multiples of 4, the edge of the blocks of GPU formats.
        Block = "block";
    }
}

word_enum! {
    /// How long the encoder of blocks searches for the best ones.
    #[derive(Default)]
    BlockEffort {
        /// A look at each block.
        #[default]
        Fast = "fast";
        /// More modes for each block, which takes 3 to 10 times as long.
        Best = "best";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixel_formats_have_one_name_which_is_written_small_in_settings() {
        for (word, format) in PixelFormat::words() {
            assert_eq!(format.to_string().to_lowercase(), word);
        }
    }
}
