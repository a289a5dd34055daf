//! Which formats suit a picture, for `image.format = "block"`.

use rres_format::chunk::image::PixelFormat;
use rres_format::index::Filter;
use rres_import::Note;
use rres_settings::{ImageFormat, ImageSettings};

use super::super::Decoded;
use super::super::mips::Meaning;
use super::not_whole_blocks;

/// The quality in decibels below which blocks are not stored, if `image.min_psnr` says nothing.
pub(super) const FLOOR: f32 = 36.0;

/// With at least this quality, BC1 is taken instead of BC7, which has twice the size.
const GOOD_BC1: f64 = 42.0;

/// The formats of ASTC that are tried, and the least quality at which each is taken: 6×6 has less than half the size of 4×4.
const ASTC: [(PixelFormat, f64); 2] = [(PixelFormat::ASTC_6X6_RGBA, 40.0), (PixelFormat::ASTC_4X4_RGBA, 0.0)];

/// Smaller pictures stay uncompressed: there is little to save, and most of them are icons.
const FEW_PIXELS: u64 = 64 * 64;

/// What the choice depends on.
pub(super) struct Picture {
    pub(super) is_opaque: bool,
    /// The width and height of the first level.
    edges: (u32, u32),
    /// The pixels are floats: light, which may be brighter than white.
    pub(super) is_light: bool,
    /// Light that is below 0 somewhere.
    pub(super) has_negative: bool,
    is_gray: bool,
    meaning: Meaning,
    pixels: u64,
}

impl Picture {
    /// Looks at pixels in RGBA8 or, if they are light, in RGBA32F.
    pub(super) fn new(prepared: &Decoded, meaning: Meaning) -> Self {
        let props = prepared.props;
        let pixels = u64::from(props.width) * u64::from(props.height);
        // A block must not have pixels of two layers.
        let edges = (props.width, props.height / prepared.shape.layers());
        if props.format == PixelFormat::RGBA32F {
            let (first, _) = prepared.data().as_chunks::<16>();
            return Self {
                is_opaque: first.iter().all(|pixel| channels(pixel)[3] == 1.0),
                edges,
                is_light: true,
                has_negative: first.iter().any(|pixel| channels(pixel)[..3].iter().any(|v| *v < 0.0)),
                is_gray: false,
                meaning,
                pixels,
            };
        }
        let (first, _) = prepared.data().as_chunks::<4>();
        let first = &first[..pixels as usize];
        let is_normal_map = meaning == Meaning::Linear && first.iter().all(|pixel| is_direction(*pixel));
        Self {
            is_opaque: first.iter().all(|pixel| pixel[3] == u8::MAX),
            edges,
            is_light: false,
            has_negative: false,
            is_gray: first.iter().all(|[r, g, b, _]| r == g && g == b),
            meaning: if is_normal_map { Meaning::Normals } else { meaning },
            pixels,
        }
    }

    /// Whether the first level of each layer is a whole number of blocks of a format across and down.
    pub(super) fn is_whole(&self, format: PixelFormat) -> bool {
        let (width, height) = self.edges;
        format
            .pixel_block()
            .is_none_or(|block| width.is_multiple_of(block.width) && height.is_multiple_of(block.height))
    }

    /// What light has that BC6H cannot store.
    pub(super) fn missing_in_bc6h(&self) -> Option<&'static str> {
        if !self.is_opaque {
            return Some("has transparent pixels");
        }
        self.has_negative.then_some("has numbers below 0")
    }

    /// The formats to try, the smallest first, and the least quality at which each is taken; or why there are none.
    pub(super) fn formats(&self, settings: &ImageSettings) -> Result<Vec<(PixelFormat, f64)>, Option<Note>> {
        if settings.filter == Some(Filter::Nearest) || self.pixels <= FEW_PIXELS {
            // Pixel art and icons.
            return Err(None);
        }
        let smallest = if settings.format == ImageFormat::BlockAstc { ASTC[1].0 } else { PixelFormat::BC7 };
        if !self.is_whole(smallest) {
            return Err(Some(not_whole_blocks(smallest, "the pixels stay uncompressed")));
        }
        if self.is_light && settings.format != ImageFormat::Block {
            // ETC2 has no format for light, and the encoder of ASTC writes none.
            return Err(None);
        }
        if settings.format == ImageFormat::BlockAstc {
            let is_color = self.meaning != Meaning::Normals;
            return Ok(ASTC
                .into_iter()
                .filter(|(format, _)| self.is_whole(*format) && (is_color || *format == smallest))
                .collect());
        }
        if self.is_light {
            return match self.missing_in_bc6h() {
                Some(what) => {
                    let note = Note::new(format!("{what}, which BC6H has not, so the pixels stay uncompressed"));
                    Err(Some(note.with_help("accept it with image = { format = \"gpu\" } for them")))
                }
                None => Ok(vec![(PixelFormat::BC6H, 0.0)]),
            };
        }
        if settings.format == ImageFormat::BlockEtc2 {
            return Ok(match self.meaning {
                Meaning::Normals if self.is_opaque => vec![(PixelFormat::EAC_RG11, 0.0)],
                Meaning::Linear if self.is_gray && self.is_opaque => vec![(PixelFormat::EAC_R11, 0.0)],
                _ if self.is_opaque => vec![(PixelFormat::ETC2_RGB, 0.0)],
                _ => vec![(PixelFormat::ETC2_EAC_RGBA, 0.0)],
            });
        }
        Ok(match self.meaning {
            // The third number follows from the other two.
            Meaning::Normals if self.is_opaque => vec![(PixelFormat::BC5, 0.0)],
            // BC4 does not exist in sRGB.
            Meaning::Linear if self.is_gray && self.is_opaque => vec![(PixelFormat::BC4, 0.0)],
            // BC1 tints grays.
            _ if self.is_opaque && !self.is_gray => vec![(PixelFormat::DXT1_RGB, GOOD_BC1), (PixelFormat::BC7, 0.0)],
            _ => vec![(PixelFormat::BC7, 0.0)],
        })
    }
}

/// The channels of a pixel in RGBA32F.
pub(super) fn channels(pixel: &[u8; 16]) -> [f32; 4] {
    let (channels, _) = pixel.as_chunks::<4>();
    std::array::from_fn(|channel| f32::from_le_bytes(channels[channel]))
}

/// Whether a pixel is a direction of length 1 that points out of the surface, as every pixel of a normal map does.
fn is_direction([x, y, z, _]: [u8; 4]) -> bool {
    let [x, y, z] = [x, y, z].map(|v| f32::from(v) / 127.5 - 1.0);
    let length = x * x + y * y + z * z;
    z > 0.0 && (0.8..1.2).contains(&length)
}
