//! The video memory that an asset takes once a game has uploaded it.

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use crate::asset::Image;
use crate::id::Id;
use crate::store::Store;

/// Returns the bytes of all pixels of an image with its mip levels, as the pack has them; `None` for what is not an image, or is not loaded as one.
///
/// What an engine does with it may take another amount: this is what the asset itself asks for.
pub(super) fn bytes(store: &Store, id: ResourceId, type_name: &str) -> Option<u64> {
    if type_name != "Image" {
        return None;
    }
    let image = store.loaded(Id::<Image>::new(id, Slot(0)))?.get();
    Some(image.data().len() as u64)
}
