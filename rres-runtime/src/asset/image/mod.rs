//! Images: pixels and how to sample them.

mod gl_format;
#[cfg(feature = "image")]
mod image_crate;
mod levels;
mod rgba8;
mod wgpu_format;

pub use levels::Level;

use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, Result};
use crate::resource::{Chunk, LoadedResource};

/// Pixels and how to sample them. The pixels of an uncompressed image are a view of the pack.
#[derive(Clone, Debug)]
pub struct Image {
    props: ImageProps,
    /// The width and height of the picture; padding follows on the right and below.
    content: (u32, u32),
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
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let white = Image::from_rgba8(1, 1, [255; 4])?;
    /// assert_eq!((white.width(), white.height(), white.mipmaps()), (1, 1, 1));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are not exactly `width × height × 4` bytes.
    pub fn from_rgba8(width: u32, height: u32, pixels: impl Into<Box<[u8]>>) -> Result<Self> {
        let (format, pixels) = (PixelFormat::RGBA8, pixels.into());
        let props = ImageProps { width, height, format, mipmaps: 1 };
        if format.level_size(width, height) != Some(pixels.len() as u64) {
            return Err(inconsistent(format!("{} bytes, expected {width} × {height} pixels of 4 bytes", pixels.len())));
        }
        Ok(Self {
            props,
            content: (width, height),
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

    /// Returns the width and height of the picture, in pixels. They are smaller than those of level 0 if a rule pads the image
    /// (`image.pad`): the picture is at the top left, so its texture coordinates end at `width / image.width()` and
    /// `height / image.height()`.
    pub fn content_size(&self) -> (u32, u32) {
        self.content
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

    pub(super) fn from_chunk(chunk: &Chunk, meta: &Meta) -> Result<Self> {
        let view = ImageView::parse(chunk.payload()?)?;
        let props = view.props();
        // Metadata comes from a file, too.
        let content = |key, edge: u32| meta.get(key).map_or(edge, |content| content.clamp(1, edge));
        Ok(Self {
            props,
            content: (content(MetaKey::CONTENT_WIDTH, props.width), content(MetaKey::CONTENT_HEIGHT, props.height)),
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

fn inconsistent(detail: String) -> Error {
    rres_format::Error::Inconsistent { what: "image", detail }.into()
}

impl Asset for Image {
    const KIND: AssetKind = AssetKind::Image;
}

impl FromResource for Image {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        Self::from_chunk(resource.chunk(FourCc::IMGE)?, &resource.meta)
    }
}
