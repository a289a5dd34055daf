//! Pictures in atlases.

use rres_format::chunk::sprite::SpriteProps;
use rres_format::{AssetKind, FourCc};

use super::image::density;
use super::{Asset, FromResource, Image};
use crate::error::{Error, Result};
use crate::id::Id;
use crate::resource::LoadedResource;
use rres_protocol::packed_id::Slot;

/// A picture in an atlas: the image of the atlas and a rectangle in it. A rule with `image.atlas` makes it of an image file.
///
/// ```
/// use rres_runtime::{Image, Result, Sprite, Store};
///
/// /// Texture coordinates: left, top, right, bottom.
/// fn tex_coords(store: &Store, sprite: &Sprite) -> Result<[f32; 4]> {
///     let atlas = store.load(sprite.atlas())?;
///     Ok(sprite.tex_coords(&atlas.get()))
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sprite {
    atlas: Id<Image>,
    props: SpriteProps,
    /// The bits of an `f32`.
    density: u32,
}

impl Sprite {
    /// Returns the image that contains the picture, and usually others.
    pub fn atlas(&self) -> Id<Image> {
        self.atlas
    }

    /// Returns the left edge in the atlas, in pixels.
    pub fn x(&self) -> u32 {
        self.props.x
    }

    /// Returns the top edge in the atlas, in pixels.
    pub fn y(&self) -> u32 {
        self.props.y
    }

    /// Returns the width in the atlas, in pixels.
    pub fn width(&self) -> u32 {
        self.props.width
    }

    /// Returns the height in the atlas, in pixels.
    pub fn height(&self) -> u32 {
        self.props.height
    }

    /// Returns how many columns and rows of the whole picture are left out on its left and at its top, because they are
    /// transparent: the place to draw the rectangle. Both are 0 without `image.atlas_trim`.
    pub fn offset(&self) -> (u32, u32) {
        (self.props.left, self.props.top)
    }

    /// Returns the width and height of the whole picture, with the transparent edges that the atlas leaves out.
    pub fn full_size(&self) -> (u32, u32) {
        (self.props.full_width, self.props.full_height)
    }

    /// Returns the pixels for each unit of length, like [`Image::density`].
    pub fn density(&self) -> f32 {
        f32::from_bits(self.density)
    }

    /// Returns the texture coordinates of the rectangle, from 0 to 1: left, top, right, bottom. `atlas` is the image of
    /// [`Self::atlas`].
    pub fn tex_coords(&self, atlas: &Image) -> [f32; 4] {
        let SpriteProps { x, y, width, height, .. } = self.props;
        let across = |at: u32, len: u32| (f64::from(at) + f64::from(len)) / f64::from(atlas.width());
        let down = |at: u32, len: u32| (f64::from(at) + f64::from(len)) / f64::from(atlas.height());
        [across(x, 0), down(y, 0), across(x, width), down(y, height)].map(|v| v as f32)
    }
}

impl Asset for Sprite {
    const KIND: AssetKind = AssetKind::Sprite;
}

impl FromResource for Sprite {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let props = SpriteProps::parse(resource.chunk(FourCc::SPRT)?.payload()?)?;
        let Some(atlas) = resource.dependencies.first() else {
            let detail = "expected the id of an atlas among its dependencies, found none".to_owned();
            return Err(Error::from(rres_format::Error::Inconsistent { what: "sprite", detail }));
        };
        Ok(Self { atlas: Id::new(*atlas, Slot(0)), props, density: density(&resource.meta).to_bits() })
    }
}
