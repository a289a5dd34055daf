//! Images: pixels and how to sample them.

use std::borrow::Cow;

use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat, level_edge};
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::bytes::{AssetBytes, Backing};
use crate::error::Result;
use crate::resource::{Chunk, LoadedResource};

/// Pixels and how to sample them. The pixels of an uncompressed image are a view of the pack.
#[derive(Clone, Debug)]
pub struct Image {
    props: ImageProps,
    filter: Filter,
    wrap: Wrap,
    color_space: ColorSpace,
    premultiplied: bool,
    data: AssetBytes,
}

/// How an image is sampled between pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Blend neighbouring pixels.
    #[default]
    Linear,
    /// Take the nearest pixel.
    Nearest,
}

/// How an image is sampled beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// Repeat the pixel at the edge.
    #[default]
    Clamp,
    /// Repeat the image.
    Repeat,
    /// Repeat the image, mirrored every other time.
    Mirror,
}

/// What the numbers in the pixels mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorSpace {
    /// Colours, with the sRGB transfer curve.
    #[default]
    Srgb,
    /// Linear quantities: normals, masks, heights, light.
    Linear,
}

impl Image {
    /// Creates an image for [`crate::Store::insert`]: one level of 8-bit RGBA in sRGB, rows from the top.
    ///
    /// # Errors
    /// If there are not exactly `width × height × 4` bytes.
    pub fn from_rgba8(width: u32, height: u32, pixels: impl Into<Box<[u8]>>) -> Result<Self> {
        let (format, pixels) = (PixelFormat::R8G8B8A8, pixels.into());
        let props = ImageProps { width, height, format, mipmaps: 1 };
        if format.level_size(width, height) != Some(pixels.len() as u64) {
            let detail = format!("{} bytes, expected {width} × {height} pixels of 4 bytes", pixels.len());
            return Err(rres_format::Error::Inconsistent { what: "image", detail }.into());
        }
        Ok(Self {
            props,
            filter: Filter::default(),
            wrap: Wrap::default(),
            color_space: ColorSpace::default(),
            premultiplied: false,
            data: AssetBytes::new(Backing::Owned(pixels)),
        })
    }

    /// Returns the width of level 0, in pixels.
    pub fn width(&self) -> u32 {
        self.props.width
    }

    /// Returns the height of level 0, in pixels.
    pub fn height(&self) -> u32 {
        self.props.height
    }

    /// Returns the format of the pixels in every level.
    pub fn format(&self) -> PixelFormat {
        self.props.format
    }

    /// Returns the number of mip levels, at least 1.
    pub fn mipmaps(&self) -> u32 {
        self.props.mipmaps
    }

    /// Returns how to sample the image between pixels.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// Returns how to sample the image beyond its edges.
    pub fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Returns what the numbers in the pixels mean.
    pub fn color_space(&self) -> ColorSpace {
        self.color_space
    }

    /// Returns whether colours are multiplied by alpha.
    pub fn is_premultiplied(&self) -> bool {
        self.premultiplied
    }

    /// Returns all levels, from the largest to the smallest, tightly packed, rows from the top.
    pub fn data(&self) -> &AssetBytes {
        &self.data
    }

    /// Returns the width, height and pixels of one level; `None` beyond the last one.
    pub fn level(&self, level: u32) -> Option<(u32, u32, &[u8])> {
        let ImageProps { width, height, format, mipmaps } = self.props;
        let edges = |l| (level_edge(width, l), level_edge(height, l));
        let size = |l| format.level_size(edges(l).0, edges(l).1).unwrap_or(0) as usize;
        let start: usize = (0..level.min(mipmaps)).map(size).sum();
        let pixels = self.data.get(start..start + size(level)).filter(|_| level < mipmaps)?;
        Some((edges(level).0, edges(level).1, pixels))
    }

    /// Returns level 0 as 8-bit RGBA, without a copy if it already has that format; `None` if the format is
    /// block-compressed. Floats are clamped to 0 to 1.
    pub fn to_rgba8(&self) -> Option<Cow<'_, [u8]>> {
        let (_, _, pixels) = self.level(0)?;
        let wide = |bits: u16, shift: u16, max: u16| {
            let value = u32::from(bits >> shift & max) * 255;
            ((value + u32::from(max) / 2) / u32::from(max)) as u8
        };
        let unit = |raw: &[u8]| {
            let value = f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]);
            (value.clamp(0.0, 1.0) * 255.0).round() as u8
        };
        let each = |size: usize, to_rgba: &dyn Fn(&[u8]) -> [u8; 4]| {
            Some(Cow::Owned(pixels.chunks_exact(size).flat_map(to_rgba).collect()))
        };
        let word = |p: &[u8]| u16::from_le_bytes([p[0], p[1]]);
        match self.props.format {
            PixelFormat::R8G8B8A8 => Some(Cow::Borrowed(pixels)),
            PixelFormat::R8G8B8 => each(3, &|p| [p[0], p[1], p[2], 255]),
            PixelFormat::GRAYSCALE => each(1, &|p| [p[0], p[0], p[0], 255]),
            PixelFormat::GRAY_ALPHA => each(2, &|p| [p[0], p[0], p[0], p[1]]),
            PixelFormat::R5G6B5 => {
                each(2, &|p| [wide(word(p), 11, 31), wide(word(p), 5, 63), wide(word(p), 0, 31), 255])
            }
            PixelFormat::R5G5B5A1 => {
                each(2, &|p| [(11, 31), (6, 31), (1, 31), (0, 1)].map(|(shift, max)| wide(word(p), shift, max)))
            }
            PixelFormat::R4G4B4A4 => each(2, &|p| [12, 8, 4, 0].map(|shift| wide(word(p), shift, 15))),
            PixelFormat::R32 => each(4, &|p| [unit(p), unit(p), unit(p), 255]),
            PixelFormat::R32G32B32 => each(12, &|p| [unit(p), unit(&p[4..]), unit(&p[8..]), 255]),
            PixelFormat::R32G32B32A32 => each(16, &|p| [unit(p), unit(&p[4..]), unit(&p[8..]), unit(&p[12..])]),
            _ => None,
        }
    }

    pub(super) fn from_chunk(chunk: &Chunk, meta: &Meta) -> Result<Self> {
        let view = ImageView::parse(chunk.payload()?)?;
        Ok(Self {
            props: view.props(),
            filter: match meta.get(MetaKey::FILTER) {
                Some(1) => Filter::Nearest,
                _ => Filter::Linear,
            },
            wrap: match meta.get(MetaKey::WRAP) {
                Some(1) => Wrap::Repeat,
                Some(2) => Wrap::Mirror,
                _ => Wrap::Clamp,
            },
            color_space: match meta.get(MetaKey::COLOR_SPACE) {
                Some(1) => ColorSpace::Linear,
                _ => ColorSpace::Srgb,
            },
            premultiplied: meta.get(MetaKey::PREMULTIPLIED) == Some(1),
            data: chunk.share(view.data()),
        })
    }
}

impl Asset for Image {
    const KIND: AssetKind = AssetKind::Image;
}

impl FromResource for Image {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        Self::from_chunk(resource.chunk(FourCc::IMGE)?, &resource.meta)
    }
}
