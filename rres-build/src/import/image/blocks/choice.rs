//! Which formats suit a picture, for `image.format = "block"`.

use rres_format::chunk::image::PixelFormat;
use rres_format::index::Filter;

use super::super::Decoded;
use super::super::mips::Meaning;
use super::not_whole_blocks;
use crate::note::Note;
use crate::settings::ImageSettings;

/// The quality in decibels below which blocks are not stored, if `image.min_psnr` says nothing.
pub(super) const FLOOR: f32 = 36.0;

/// The quality from which BC1 is taken instead of BC7, which has twice the size.
const GOOD_BC1: f64 = 42.0;

/// Smaller pictures stay uncompressed: there is little to save, and most of them are icons.
const FEW_PIXELS: u64 = 64 * 64;

/// What the choice depends on.
pub(super) struct Picture {
    pub(super) is_opaque: bool,
    /// Both edges of the first level are multiples of 4.
    pub(super) is_whole_blocks: bool,
    is_gray: bool,
    meaning: Meaning,
    pixels: u64,
}

impl Picture {
    pub(super) fn new(prepared: &Decoded, meaning: Meaning) -> Self {
        let props = prepared.props;
        let pixels = u64::from(props.width) * u64::from(props.height);
        let (first, _) = prepared.data().as_chunks::<4>();
        let first = &first[..pixels as usize];
        let is_normal_map = meaning == Meaning::Linear && first.iter().all(|pixel| is_direction(*pixel));
        Self {
            is_opaque: first.iter().all(|pixel| pixel[3] == u8::MAX),
            is_whole_blocks: props.width.is_multiple_of(4) && props.height.is_multiple_of(4),
            is_gray: first.iter().all(|[r, g, b, _]| r == g && g == b),
            meaning: if is_normal_map { Meaning::Normals } else { meaning },
            pixels,
        }
    }

    /// The formats to try, the smallest first, and the quality from which each is taken; or why there are none.
    pub(super) fn formats(&self, settings: &ImageSettings) -> Result<Vec<(PixelFormat, f64)>, Option<Note>> {
        if settings.filter == Some(Filter::Nearest) || self.pixels <= FEW_PIXELS {
            // Pixel art and icons.
            return Err(None);
        }
        if !self.is_whole_blocks {
            return Err(Some(not_whole_blocks("the pixels stay uncompressed")));
        }
        Ok(match self.meaning {
            // The third number follows from the other two.
            Meaning::Normals if self.is_opaque => vec![(PixelFormat::BC5, 0.0)],
            // There is no BC4 in sRGB.
            Meaning::Linear if self.is_gray && self.is_opaque => vec![(PixelFormat::BC4, 0.0)],
            // BC1 tints grays.
            _ if self.is_opaque && !self.is_gray => vec![(PixelFormat::DXT1_RGB, GOOD_BC1), (PixelFormat::BC7, 0.0)],
            _ => vec![(PixelFormat::BC7, 0.0)],
        })
    }
}

/// Whether a pixel stands for a direction of length 1 that points out of the surface, as every pixel of a normal map does.
fn is_direction([x, y, z, _]: [u8; 4]) -> bool {
    let [x, y, z] = [x, y, z].map(|v| f32::from(v) / 127.5 - 1.0);
    let length = x * x + y * y + z * z;
    z > 0.0 && (0.8..1.2).contains(&length)
}
