//! IMGE: the pixels of an image.
//!
//! Properties: width, height, pixel format, number of mip levels. Data: the levels from the largest to the smallest,
//! each tightly packed, with rows from top to bottom and pixels from left to right.

mod gl;

use super::{PayloadView, block};
use crate::error::{Error, Result};
use crate::limits::MAX_IMAGE_EDGE;
use crate::open_enum::open_enum;

open_enum! {
    /// The format of a pixel (`rresPixelFormat`). raylib 5 and later use numbers that are 3 higher from 11 on. rres has no
    /// formats above 21. Ours are 1000 + the number of the linear format in Vulkan, so the numbers of two programs agree.
    pub struct PixelFormat(u32);
    /// Not specified.
    UNDEFINED = 0, "undefined";
    /// 8-bit gray.
    GRAY8 = 1, "GRAY8";
    /// 8-bit gray and 8-bit alpha.
    GRAY_ALPHA8 = 2, "GRAY_ALPHA8";
    /// 5, 6 and 5 bits in a little-endian `u16`, red in the highest bits.
    RGB565 = 3, "RGB565";
    /// 8 bits per channel.
    RGB8 = 4, "RGB8";
    /// 5 bits per colour and 1 bit of alpha in a little-endian `u16`, red in the highest bits.
    RGBA5551 = 5, "RGBA5551";
    /// 4 bits per channel in a little-endian `u16`, red in the highest bits.
    RGBA4444 = 6, "RGBA4444";
    /// 8 bits per channel.
    RGBA8 = 7, "RGBA8";
    /// One `f32`.
    R32F = 8, "R32F";
    /// Three `f32`.
    RGB32F = 9, "RGB32F";
    /// Four `f32`.
    RGBA32F = 10, "RGBA32F";
    /// BC1 without alpha.
    DXT1_RGB = 11, "DXT1_RGB";
    /// BC1 with 1 bit of alpha.
    DXT1_RGBA = 12, "DXT1_RGBA";
    /// BC2.
    DXT3_RGBA = 13, "DXT3_RGBA";
    /// BC3.
    DXT5_RGBA = 14, "DXT5_RGBA";
    /// ETC1.
    ETC1_RGB = 15, "ETC1_RGB";
    /// ETC2 without alpha.
    ETC2_RGB = 16, "ETC2_RGB";
    /// ETC2 with EAC alpha.
    ETC2_EAC_RGBA = 17, "ETC2_EAC_RGBA";
    /// PVRTC without alpha.
    PVRT_RGB = 18, "PVRT_RGB";
    /// PVRTC with alpha.
    PVRT_RGBA = 19, "PVRT_RGBA";
    /// ASTC, 4×4 blocks.
    ASTC_4X4_RGBA = 20, "ASTC_4x4_RGBA";
    /// ASTC, 8×8 blocks.
    ASTC_8X8_RGBA = 21, "ASTC_8x8_RGBA";
    /// BC4: one channel.
    BC4 = 1139, "BC4";
    /// BC4 with numbers from -1 to 1.
    BC4_SIGNED = 1140, "BC4_SIGNED";
    /// BC5: two channels.
    BC5 = 1141, "BC5";
    /// BC5 with numbers from -1 to 1.
    BC5_SIGNED = 1142, "BC5_SIGNED";
    /// BC6H: three half floats that are not negative.
    BC6H = 1143, "BC6H";
    /// BC6H with signs.
    BC6H_SIGNED = 1144, "BC6H_SIGNED";
    /// BC7: colours with or without alpha.
    BC7 = 1145, "BC7";
    /// ETC2 with 1 bit of alpha.
    ETC2_RGBA1 = 1149, "ETC2_RGBA1";
    /// EAC: one channel.
    EAC_R11 = 1153, "EAC_R11";
    /// EAC with numbers from -1 to 1.
    EAC_R11_SIGNED = 1154, "EAC_R11_SIGNED";
    /// EAC: two channels.
    EAC_RG11 = 1155, "EAC_RG11";
    /// EAC with two channels from -1 to 1.
    EAC_RG11_SIGNED = 1156, "EAC_RG11_SIGNED";
    /// ASTC, 5×4 blocks.
    ASTC_5X4_RGBA = 1159, "ASTC_5x4_RGBA";
    /// ASTC, 5×5 blocks.
    ASTC_5X5_RGBA = 1161, "ASTC_5x5_RGBA";
    /// ASTC, 6×5 blocks.
    ASTC_6X5_RGBA = 1163, "ASTC_6x5_RGBA";
    /// ASTC, 6×6 blocks.
    ASTC_6X6_RGBA = 1165, "ASTC_6x6_RGBA";
    /// ASTC, 8×5 blocks.
    ASTC_8X5_RGBA = 1167, "ASTC_8x5_RGBA";
    /// ASTC, 8×6 blocks.
    ASTC_8X6_RGBA = 1169, "ASTC_8x6_RGBA";
    /// ASTC, 10×5 blocks.
    ASTC_10X5_RGBA = 1173, "ASTC_10x5_RGBA";
    /// ASTC, 10×6 blocks.
    ASTC_10X6_RGBA = 1175, "ASTC_10x6_RGBA";
    /// ASTC, 10×8 blocks.
    ASTC_10X8_RGBA = 1177, "ASTC_10x8_RGBA";
    /// ASTC, 10×10 blocks.
    ASTC_10X10_RGBA = 1179, "ASTC_10x10_RGBA";
    /// ASTC, 12×10 blocks.
    ASTC_12X10_RGBA = 1181, "ASTC_12x10_RGBA";
    /// ASTC, 12×12 blocks.
    ASTC_12X12_RGBA = 1183, "ASTC_12x12_RGBA";
}

impl PixelFormat {
    /// Returns the number of bytes per pixel, or `None` for block-compressed and unknown formats.
    pub const fn bytes_per_pixel(self) -> Option<u32> {
        Some(match self {
            Self::GRAY8 => 1,
            Self::GRAY_ALPHA8 | Self::RGB565 | Self::RGBA5551 | Self::RGBA4444 => 2,
            Self::RGB8 => 3,
            Self::RGBA8 | Self::R32F => 4,
            Self::RGB32F => 12,
            Self::RGBA32F => 16,
            _ => return None,
        })
    }

    /// Returns whether no graphics API has the format in sRGB: floats, light, and blocks of one or two channels, such as masks and
    /// normal maps.
    pub const fn is_always_linear(self) -> bool {
        matches!(
            self,
            Self::R32F
                | Self::RGB32F
                | Self::RGBA32F
                | Self::BC4
                | Self::BC4_SIGNED
                | Self::BC5
                | Self::BC5_SIGNED
                | Self::BC6H
                | Self::BC6H_SIGNED
                | Self::EAC_R11
                | Self::EAC_R11_SIGNED
                | Self::EAC_RG11
                | Self::EAC_RG11_SIGNED
        )
    }

    /// Returns the layout of a block of pixels, or `None` for uncompressed and unknown formats.
    pub const fn pixel_block(self) -> Option<PixelBlock> {
        let (width, height, size) = match self {
            Self::DXT1_RGB | Self::DXT1_RGBA | Self::BC4 | Self::BC4_SIGNED => (4, 4, 8),
            Self::ETC1_RGB | Self::ETC2_RGB | Self::ETC2_RGBA1 | Self::EAC_R11 | Self::EAC_R11_SIGNED => (4, 4, 8),
            Self::PVRT_RGB | Self::PVRT_RGBA => (4, 4, 8),
            Self::DXT3_RGBA | Self::DXT5_RGBA | Self::BC5 | Self::BC5_SIGNED => (4, 4, 16),
            Self::BC6H | Self::BC6H_SIGNED | Self::BC7 => (4, 4, 16),
            Self::ETC2_EAC_RGBA | Self::EAC_RG11 | Self::EAC_RG11_SIGNED | Self::ASTC_4X4_RGBA => (4, 4, 16),
            Self::ASTC_5X4_RGBA => (5, 4, 16),
            Self::ASTC_5X5_RGBA => (5, 5, 16),
            Self::ASTC_6X5_RGBA => (6, 5, 16),
            Self::ASTC_6X6_RGBA => (6, 6, 16),
            Self::ASTC_8X5_RGBA => (8, 5, 16),
            Self::ASTC_8X6_RGBA => (8, 6, 16),
            Self::ASTC_8X8_RGBA => (8, 8, 16),
            Self::ASTC_10X5_RGBA => (10, 5, 16),
            Self::ASTC_10X6_RGBA => (10, 6, 16),
            Self::ASTC_10X8_RGBA => (10, 8, 16),
            Self::ASTC_10X10_RGBA => (10, 10, 16),
            Self::ASTC_12X10_RGBA => (12, 10, 16),
            Self::ASTC_12X12_RGBA => (12, 12, 16),
            _ => return None,
        };
        Some(PixelBlock { width, height, size })
    }

    /// Whether the format has an alpha channel. Unknown formats count as having one.
    pub const fn has_alpha(self) -> bool {
        !matches!(
            self,
            Self::GRAY8
                | Self::RGB565
                | Self::RGB8
                | Self::R32F
                | Self::RGB32F
                | Self::DXT1_RGB
                | Self::ETC1_RGB
                | Self::ETC2_RGB
                | Self::PVRT_RGB
                | Self::BC4
                | Self::BC4_SIGNED
                | Self::BC5
                | Self::BC5_SIGNED
                | Self::BC6H
                | Self::BC6H_SIGNED
                | Self::EAC_R11
                | Self::EAC_R11_SIGNED
                | Self::EAC_RG11
                | Self::EAC_RG11_SIGNED
        )
    }

    /// Whether `rres.h` has a number for the format. C readers do not know the others.
    pub const fn is_rres(self) -> bool {
        self.0 <= Self::ASTC_8X8_RGBA.0
    }

    /// Returns the number of bytes of a row of `width` pixels, or `None` for unknown formats. The rows of
    /// block-compressed formats are rows of whole blocks.
    ///
    /// ```
    /// use rres_format::chunk::image::PixelFormat;
    ///
    /// assert_eq!(PixelFormat::RGBA8.bytes_per_row(10), Some(40));
    /// assert_eq!(PixelFormat::DXT1_RGBA.bytes_per_row(10), Some(24)); // 3 blocks
    /// ```
    pub const fn bytes_per_row(self, width: u32) -> Option<u64> {
        match (self.bytes_per_pixel(), self.pixel_block()) {
            (Some(bytes), _) => Some(width as u64 * bytes as u64),
            (None, Some(block)) => Some(width.div_ceil(block.width) as u64 * block.size as u64),
            (None, None) => None,
        }
    }

    /// Returns the number of rows that `height` pixels take: of pixels, or of blocks in block-compressed formats.
    ///
    /// ```
    /// use rres_format::chunk::image::PixelFormat;
    ///
    /// assert_eq!((PixelFormat::RGBA8.rows(10), PixelFormat::DXT1_RGBA.rows(10)), (10, 3));
    /// ```
    pub const fn rows(self, height: u32) -> u32 {
        match self.pixel_block() {
            Some(block) => height.div_ceil(block.height),
            None => height,
        }
    }

    /// Returns the number of bytes of a level of `width` × `height` pixels, or `None` for unknown formats. The levels
    /// of block-compressed formats consist of whole blocks.
    pub const fn level_size(self, width: u32, height: u32) -> Option<u64> {
        match self.bytes_per_row(width) {
            Some(row) => row.checked_mul(self.rows(height) as u64),
            None => None,
        }
    }
}

/// The layout of a block of pixels in a block-compressed format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelBlock {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Size in bytes.
    pub size: u32,
}

/// Returns the edge of mip level `level`, in pixels: `base` halved `level` times and rounded down, at least 1.
pub fn level_edge(base: u32, level: u32) -> u32 {
    base.checked_shr(level).unwrap_or(0).max(1)
}

/// The properties of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageProps {
    /// Width of level 0 in pixels.
    pub width: u32,
    /// Height of level 0 in pixels.
    pub height: u32,
    /// Format of the pixels in every level.
    pub format: PixelFormat,
    /// Number of levels including level 0, so at least 1.
    pub mipmaps: u32,
}

impl ImageProps {
    /// Returns the number of bytes of all levels.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if the format is unknown, an edge is 0 or larger than [`MAX_IMAGE_EDGE`], or there are
    /// no levels, or more levels than it takes to halve the edges to 1.
    pub fn data_size(&self) -> Result<u64> {
        let Self { width, height, format, mipmaps } = *self;
        if width == 0 || height == 0 || width > MAX_IMAGE_EDGE || height > MAX_IMAGE_EDGE {
            let detail = format!("{width}×{height} pixels, expected edges of 1 to {MAX_IMAGE_EDGE} pixels");
            return Err(Error::inconsistent("image", detail));
        }
        let max_mipmaps = width.max(height).ilog2() + 1;
        if mipmaps == 0 || mipmaps > max_mipmaps {
            return Err(Error::inconsistent("image", format!("{mipmaps} mip levels, expected 1 to {max_mipmaps}")));
        }
        let sizes = (0..mipmaps).map(|l| format.level_size(level_edge(width, l), level_edge(height, l)));
        sizes.sum::<Option<u64>>().ok_or_else(|| {
            let last = PixelFormat::ASTC_8X8_RGBA.0;
            let detail =
                format!("pixel format {format}, expected a number from 1 to {last} or one of the formats from 1139 on");
            Error::inconsistent("image", detail)
        })
    }

    /// Returns the number of the first level whose edges are at most `edge` pixels, or of the last level. An image of `layers` pictures one above
    /// the other has the edges of one of them.
    ///
    /// The image that begins with the level can be uploaded if this one can: its edges are multiples of the block's if those of this one are, and its
    /// pictures are whole. If no level within the limit is so, it is the smallest one that is.
    ///
    /// ```
    /// use rres_format::chunk::image::{ImageProps, PixelFormat};
    ///
    /// let image = ImageProps { width: 4096, height: 2048, format: PixelFormat::BC7, mipmaps: 13 };
    /// assert_eq!((image.first_level_within(1024, 1), image.first_level_within(8192, 1)), (2, 0));
    /// assert_eq!(image.first_level_within(1, 1), 9); // 8 × 4 pixels: below are parts of blocks
    /// ```
    pub fn first_level_within(&self, edge: u32, layers: u32) -> u32 {
        // An image has at most as many levels as its edges have bits, whatever the number says.
        let last = self.mipmaps.saturating_sub(1).min(u32::BITS - 1);
        let is_within = |level: &u32| self.from_level(*level).is_some_and(|props| props.longest_edge(layers) <= edge);
        let wanted = (0..=last).find(is_within).unwrap_or(last);
        let fits = |level: &u32| self.from_level(*level).is_some_and(|props| self.is_like(&props, layers.max(1)));
        (wanted..=last).find(fits).or_else(|| (0..wanted).rev().find(fits)).unwrap_or(0)
    }

    /// Whether a smaller image of this one can be used as it can.
    fn is_like(&self, smaller: &Self, layers: u32) -> bool {
        let has_whole_blocks = |props: &Self| {
            self.format.pixel_block().is_none_or(|block| {
                props.width.is_multiple_of(block.width) && (props.height / layers).is_multiple_of(block.height)
            })
        };
        // Halved heights are multiples as long as the height of each picture is what it is without the others.
        let has_whole_layers = |props: &Self| props.height.is_multiple_of(layers);
        (has_whole_blocks(smaller) || !has_whole_blocks(self)) && (has_whole_layers(smaller) || !has_whole_layers(self))
    }

    /// Returns the longest edge of the first level, in pixels; that of one picture if the image is `layers` pictures one above the other.
    pub fn longest_edge(&self, layers: u32) -> u32 {
        self.width.max(self.height / layers.max(1))
    }

    /// Returns the properties of the image that begins with this level; `None` beyond the last one.
    pub fn from_level(&self, level: u32) -> Option<Self> {
        let mipmaps = self.mipmaps.checked_sub(level).filter(|mipmaps| *mipmaps > 0)?;
        Some(Self { width: level_edge(self.width, level), height: level_edge(self.height, level), mipmaps, ..*self })
    }

    /// Returns the block with these properties and `pixels`, which contains all levels.
    pub fn block(&self, pixels: &[u8]) -> Vec<u8> {
        block(&[self.width, self.height, self.format.0, self.mipmaps], pixels)
    }

    /// Reads the four properties without checking them.
    ///
    /// # Errors
    /// If the payload has fewer.
    pub fn from_payload(payload: &PayloadView<'_>) -> Result<Self> {
        let [width, height, format, mipmaps] = payload.first_props()?;
        Ok(Self { width, height, format: PixelFormat(format), mipmaps })
    }
}

/// A borrowed IMGE payload.
#[derive(Clone, Copy, Debug)]
pub struct ImageView<'a> {
    props: ImageProps,
    data: &'a [u8],
}

impl<'a> ImageView<'a> {
    /// Checks the properties, and that the data contains all levels.
    ///
    /// # Errors
    /// As [`ImageProps::data_size`]; [`Error::Truncated`] if the data is too short.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let props = ImageProps::from_payload(&payload)?;
        Ok(Self { props, data: payload.data_of("pixels", props.data_size()?)? })
    }

    /// Returns the properties as stored.
    pub fn props(&self) -> ImageProps {
        self.props
    }

    /// Returns the pixels of all levels, from the largest to the smallest.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Returns the pixels of a level, or `None` if the image has no such level.
    pub fn level(&self, level: u32) -> Option<&'a [u8]> {
        if level >= self.props.mipmaps {
            return None;
        }
        let size = |l| self.props.format.level_size(level_edge(self.props.width, l), level_edge(self.props.height, l));
        let start = (0..level).map(size).sum::<Option<u64>>()?;
        self.data.get(start as usize..(start + size(level)?) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_format_has_a_size() {
        for format in PixelFormat::NAMED.iter().filter(|f| **f != PixelFormat::UNDEFINED) {
            let size = format.level_size(24, 24).unwrap();
            assert_eq!(format.bytes_per_pixel().is_some(), format.pixel_block().is_none(), "{format}");
            assert!(size >= 64, "{format}: {size}");
        }
        assert_eq!(PixelFormat::DXT1_RGB.level_size(1, 1), Some(8));
        assert_eq!(PixelFormat::DXT5_RGBA.level_size(5, 4), Some(32));
        assert_eq!(PixelFormat::ASTC_8X8_RGBA.level_size(16, 8), Some(32));
        assert_eq!(PixelFormat::ASTC_10X6_RGBA.level_size(11, 12), Some(64));
        assert_eq!(PixelFormat(99).level_size(1, 1), None);
    }

    #[test]
    fn a_limit_chooses_the_first_level_that_can_be_uploaded() {
        let props = |width, height, format, mipmaps| ImageProps { width, height, format, mipmaps };
        for (props, edge, faces, level) in [
            (props(4096, 4096, PixelFormat::RGBA8, 13), 1024, 1, 2),
            (props(4096, 4096, PixelFormat::RGBA8, 13), 1023, 1, 3),
            (props(4096, 4096, PixelFormat::RGBA8, 13), 0, 1, 12),
            (props(4096, 16, PixelFormat::RGBA8, 3), 1, 1, 2),
            (props(4096, 4096, PixelFormat::RGBA8, 1), 1, 1, 0),
            (props(4000, 4000, PixelFormat::BC7, 12), 1000, 1, 2),
            // 250 and below are no multiples of 4, so the least that is.
            (props(4000, 4000, PixelFormat::BC7, 12), 300, 1, 3),
            (props(4000, 4000, PixelFormat::RGBA8, 12), 300, 1, 4),
            // Its edges never were.
            (props(30, 30, PixelFormat::BC7, 5), 8, 1, 2),
            (props(256, 1536, PixelFormat::RGBA8, 9), 64, 6, 2),
            (props(20, 120, PixelFormat::RGBA8, 5), 3, 6, 2),
            // Layers of 64×32 pixels: 16×8 are within 16, and below 2×1 the layers are no rows any more.
            (props(64, 160, PixelFormat::RGBA8, 6), 16, 5, 2),
            (props(64, 160, PixelFormat::RGBA8, 6), 1, 5, 5),
            (props(64, 160, PixelFormat::BC7, 6), 1, 5, 3),
        ] {
            assert_eq!(props.first_level_within(edge, faces), level, "{props:?} {edge}");
        }
        let image = props(10, 4, PixelFormat::RGBA8, 4);
        assert_eq!(image.from_level(2), Some(props(2, 1, PixelFormat::RGBA8, 2)));
        assert_eq!((image.from_level(0), image.from_level(4)), (Some(image), None));
        assert_eq!(props(0, 0, PixelFormat::RGBA8, 0).first_level_within(1, 1), 0);
    }

    #[test]
    fn levels_follow_one_another() {
        let props = ImageProps { width: 4, height: 2, format: PixelFormat::GRAY8, mipmaps: 3 };
        let block = props.block(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2]);
        let view = ImageView::parse(PayloadView::parse(&block).unwrap()).unwrap();
        assert_eq!(view.level(0).unwrap().len(), 8);
        assert_eq!(view.level(1), Some(&[1, 1][..]));
        assert_eq!(view.level(2), Some(&[2][..]));
        assert_eq!(view.level(3), None);
    }

    #[test]
    fn invalid_sizes_are_errors() {
        let parse = |w, h, f, m| {
            let block = ImageProps { width: w, height: h, format: PixelFormat(f), mipmaps: m }.block(&[0; 64]);
            ImageView::parse(PayloadView::parse(&block).unwrap()).map(|_| ())
        };
        assert!(parse(4, 4, 7, 1).is_ok());
        for (w, h, f, m) in [
            (0, 4, 7, 1),
            (4, 4, 7, 2),
            (4, 4, 7, 0),
            (4, 4, 7, 9),
            (4, 4, 0, 1),
            (4, 4, 22, 1),
            (u32::MAX, u32::MAX, 10, 1),
            (1 << 20, 1 << 20, 10, 21),
        ] {
            assert!(parse(w, h, f, m).is_err(), "{w}×{h} {f} {m}");
        }
    }
}
