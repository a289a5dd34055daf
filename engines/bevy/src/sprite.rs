//! Pictures in atlases.

use bevy_asset::{Asset, Handle, LoadContext};
use bevy_image::Image;
use bevy_math::{Rect, Vec2};
use bevy_reflect::TypePath;
use rres_runtime::Store;

use crate::convert::{Becomes, FromStore};
use crate::error::LoadError;
use crate::rres::asset_path;

/// A picture in an atlas, which a rule with `image.atlas` makes of an image file. Pictures of one atlas are drawn together.
///
/// It is what Bevy's `Sprite` and `ImageNode` need: `Sprite { image: rock.image.clone(), rect: Some(rock.rect), ..default() }`.
#[derive(Asset, TypePath, Clone, Debug, PartialEq)]
pub struct SpriteAsset {
    /// The atlas.
    #[dependency]
    pub image: Handle<Image>,
    /// The place of the picture in the atlas, in pixels from the top left.
    pub rect: Rect,
    /// The width and height of the whole picture, in pixels. With `image.atlas_trim`, the atlas has it without its transparent edges.
    pub full_size: Vec2,
    /// The centre of [`Self::rect`], from the centre of the whole picture, in pixels to the right and upwards. It is zero unless edges were cut off. Add it
    /// to the `Transform`, so that a picture is drawn where the whole one would be.
    pub center: Vec2,
}

impl Becomes<SpriteAsset> for rres_runtime::Sprite {}

impl FromStore for SpriteAsset {
    type Stored = rres_runtime::Sprite;
    type Settings = ();
    type Error = LoadError;

    fn from_store(
        sprite: &rres_runtime::Sprite,
        (): &(),
        store: &Store,
        context: &mut LoadContext<'_>,
    ) -> Result<Self, LoadError> {
        let path = asset_path(context, store, sprite.atlas()).ok_or(LoadError::Atlas(sprite.atlas().resource()))?;
        let vector = |(x, y): (u32, u32)| Vec2::new(x as f32, y as f32);
        let (at, size) = (vector((sprite.x(), sprite.y())), vector((sprite.width(), sprite.height())));
        let full_size = vector(sprite.full_size());
        let center = vector(sprite.offset()) + size / 2.0 - full_size / 2.0;
        Ok(Self {
            image: context.load(path),
            rect: Rect::from_corners(at, at + size),
            full_size,
            center: Vec2::new(center.x, -center.y),
        })
    }
}
