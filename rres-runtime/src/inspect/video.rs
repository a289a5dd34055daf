//! The video memory that an asset takes once a game has uploaded it.

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use crate::asset::Image;
use crate::id::Id;
use crate::store::Store;

/// Returns what an image takes with the levels that are loaded; `None` for what is not an image, or is not loaded as one. An engine may convert what it
/// uploads; see docs/video-memory.md.
pub(super) fn bytes(store: &Store, id: ResourceId, type_name: &str) -> Option<u64> {
    if type_name != "Image" {
        return None;
    }
    Some(store.loaded(Id::<Image>::new(id, Slot(0)))?.get().video_memory())
}
