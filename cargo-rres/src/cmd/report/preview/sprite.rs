//! Sprites: the picture cut out of the atlas.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rres_export::ExportError;
use rres_format::ResourceId;
use rres_runtime::{Image, Pack, Sprite};

use super::{Preview, image};

/// The atlases of sprites, each decoded once for all of its sprites.
#[derive(Debug, Default)]
pub(in crate::cmd::report) struct Atlases {
    /// By the address of the pack and the id of the image.
    decoded: Mutex<HashMap<(usize, ResourceId), Arc<Image>>>,
}

impl Atlases {
    fn get(&self, pack: &Pack, id: ResourceId) -> rres_runtime::Result<Arc<Image>> {
        // The lock is held meanwhile: other threads would only decode the same atlas.
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (std::ptr::from_ref(pack).addr(), id);
        if let Some(image) = decoded.get(&key) {
            return Ok(Arc::clone(image));
        }
        let image = Arc::new(pack.load::<Image>(id)?);
        decoded.insert(key, Arc::clone(&image));
        Ok(image)
    }
}

pub(super) fn preview(sprite: &Sprite, pack: &Pack, atlases: &Atlases, share: usize) -> Preview {
    let atlas = sprite.atlas().resource();
    let picture = match atlases.get(pack, atlas) {
        Ok(atlas) => rres_export::cut(sprite, &atlas),
        Err(error) => return Preview::nothing(format!("its atlas {atlas} cannot be loaded: {error}")),
    };
    match picture {
        Ok(picture) => image::preview(&picture, share),
        Err(ExportError::Unsupported(why) | ExportError::Damaged(why)) => Preview::nothing(why),
    }
}
