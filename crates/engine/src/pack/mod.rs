//! Resolved assets → the files that the runtime opens: a pack, a set of packs, or a dev index.

mod arrangement;
mod blobs;
mod dev_index;
mod encryption;
mod equal;
mod existing;
mod object;
mod siblings;
mod split;
mod write;

pub(crate) use arrangement::{Arrangement, files as arrangement_files};
pub(crate) use dev_index::dev_index;
pub(crate) use encryption::{Ciphers, Encryption};
pub use equal::chunks_hash;
pub(crate) use existing::check_outputs;
pub(crate) use object::{MAX_LINKED, ObjectFormat, symbol, write_library, write_object};
pub(crate) use siblings::Siblings;
pub(crate) use write::{PackError, Packing, WrittenPacks};

use std::collections::HashMap;

use rres_format::ResourceId;

use crate::model::Resource;

/// The slot of each resource in an index of exactly these resources: its rank by id.
pub(crate) fn slots<'r>(resources: impl Iterator<Item = &'r Resource>) -> HashMap<ResourceId, u32> {
    let mut ids: Vec<ResourceId> = resources.map(|resource| resource.id).collect();
    ids.sort_unstable();
    ids.into_iter().zip(0..).collect()
}
