//! Images: pixels and how to sample them.

mod cubemap;
mod frames;
mod gl_format;
#[cfg(feature = "image")]
mod image_crate;
mod layers;
mod levels;
mod limit;
mod links;
mod rgba8;
mod source;
mod wgpu_format;

pub use cubemap::CubeFace;
pub use frames::{Direction, Frame, FrameAnimation, Frames};
pub use levels::Level;
pub use links::{Playback, Sequence};
pub use rres_format::index::ImageShape;

use std::sync::Arc;

use rres_decode::DecodeError;
use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc};
use rres_protocol::packed_id::Slot;

use self::links::Links;
use super::{Asset, FromResource};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, ErrorKind, Result};
use crate::id::Id;
use crate::resource::{Chunk, LoadedResource};

/// Pixels and how to sample them. The pixels of an uncompressed image are a view of the pack.
#[derive(Clone, Debug)]
pub struct Image {
    props: ImageProps,
    /// The properties in the pack: others if a limit has left out levels.
    whole: ImageProps,
    /// The width and height of the picture; padding follows on the right and below.
    content: (u32, u32),
    filter: Filter,
    wrap: Wrap,
    color_space: ColorSpace,
    premultiplied: bool,
    shape: ImageShape,
    /// The colours that a table is for, if they are unusual.
    domain: Option<Arc<[[f32; 3]; 2]>>,
    density: f32,
    frames: Option<Arc<Frames>>,
    links: Option<Arc<Links>>,
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
            whole: props,
            content: (width, height),
            filter: Filter::default(),
            wrap: Wrap::default(),
            color_space: ColorSpace::default(),
            premultiplied: false,
            shape: ImageShape::Flat,
            domain: None,
            density: 1.0,
            frames: None,
            links: None,
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

    /// Returns the width and height of the picture, in pixels. They are smaller than the size of level 0 if a rule pads the image
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

    /// Returns the pixels for each unit of length: 2 for the variant `button@2x.png`, which is drawn at half its size; 1 for images that
    /// are not variants. [`crate::Store::set_density`] chooses the variant.
    pub fn density(&self) -> f32 {
        self.density
    }

    /// Returns its pictures and animations, if it is a sheet: an animated GIF, APNG, WebP or Aseprite file, or an image with
    /// `image.grid` or `image.sheet`.
    pub fn frames(&self) -> Option<&Frames> {
        self.frames.as_deref()
    }

    /// Returns the image with the bumps of this one, such as its normal map, if a rule with `image.bump` names it. It is loaded
    /// together with this one.
    ///
    /// ```
    /// use rres_runtime::{Id, Image, Result, Store};
    ///
    /// fn draw(store: &Store, wall: Id<Image>) -> Result<()> {
    ///     let colors = store.load(wall)?.get();
    ///     let normals = colors.bump().map(|bump| store.load(bump)).transpose()?;
    ///     # let _ = normals;
    ///     Ok(())
    /// }
    /// ```
    pub fn bump(&self) -> Option<Id<Self>> {
        self.links.as_deref()?.bump
    }

    /// Returns the image that may be shown instead of this one, if a rule with `image.alternate` names it. It is loaded together
    /// with this one.
    pub fn alternate(&self) -> Option<Id<Self>> {
        self.links.as_deref()?.alternate
    }

    /// Returns the asset that says what the surface of this image is made of, if a rule with `image.material` names it. It is loaded
    /// together with this one. `T` is its type, such as [`crate::Text`]; loading it as another one fails.
    pub fn material<T: Asset>(&self) -> Option<Id<T>> {
        Some(Id::new(self.links.as_deref()?.material?, Slot(0)))
    }

    /// Returns the images that are shown one after another, if this is the first one of files that a rule with `image.sequence`
    /// matches. All are loaded together with it.
    pub fn sequence(&self) -> Option<&Sequence> {
        self.links.as_deref()?.sequence.as_ref()
    }

    /// Returns all levels, from the largest to the smallest, tightly packed, rows from the top.
    pub fn data(&self) -> &AssetBytes {
        &self.data
    }

    pub(super) fn from_chunk(chunk: &Chunk, meta: &Meta) -> Result<Self> {
        let view = ImageView::parse(chunk.payload()?)?;
        Ok(Self::new(view.props(), chunk.share(view.data()), meta))
    }

    pub(super) fn new(props: ImageProps, data: AssetBytes, meta: &Meta) -> Self {
        // Metadata comes from a file, too.
        let content = |key, edge: u32| meta.get(key).map_or(edge, |content| content.clamp(1, edge));
        Self {
            props,
            whole: props,
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
            shape: ImageShape::Flat,
            domain: None,
            density: density(meta),
            frames: None,
            links: None,
            data,
        }
    }
}

fn inconsistent(detail: String) -> Error {
    rres_format::Error::Inconsistent { what: "image", detail }.into()
}

impl Asset for Image {
    const KIND: AssetKind = AssetKind::Image;
}

/// Returns the density in the metadata of an image or a sprite.
pub(super) fn density(meta: &Meta) -> f32 {
    let density = meta.get(MetaKey::DENSITY).map(f32::from_bits);
    density.filter(|density| density.is_finite() && *density > 0.0).unwrap_or(1.0)
}

impl FromResource for Image {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let mut image = match resource.chunk(FourCc::IMGE) {
            Ok(chunk) => Self::from_chunk(chunk, &resource.meta)?.within(resource.whole_image, &resource.meta),
            // The pack keeps the file.
            Err(error) => match resource.chunk(FourCc::RAWD) {
                Ok(chunk) => Self::from_source(chunk, resource)?,
                Err(_) => return Err(error),
            },
        };
        if let Ok(chunk) = resource.chunk(FourCc::FRMS) {
            image.frames = Some(Arc::new(Frames::from_chunk(chunk, (image.width(), image.height()))?));
        }
        image.shape = layers::shape(&resource.meta, &image.props)?;
        image.domain = layers::domain(&resource.meta).map(Arc::new);
        image.links = Links::of(resource)?.map(Arc::new);
        Ok(image)
    }

    fn from_file(file: &Chunk, resource: &LoadedResource<'_>) -> Option<Result<Self>> {
        // A file of no format with a decoder.
        let is_other = |made: &Result<Self>| {
            made.as_ref().is_err_and(|e| matches!(e.kind(), ErrorKind::Source(DecodeError::UnknownFormat { .. })))
        };
        (file.kind == FourCc::RAWD).then(|| Self::from_source(file, resource)).filter(|made| !is_other(made))
    }

    fn decoded_size(&self) -> u64 {
        self.data.len() as u64
    }
}
