//! Sources of the bytes of assets. A release build reads packs, a debug build reads a dev index and the blobs of the
//! import cache that the index refers to.
//!
//! Either kind of source has a front index, whose entries have a position, the *slot*. The other modules find an asset
//! in the index and load it by its slot; they do not know which kind of source they have.

mod chunks;
pub(crate) mod content;
mod decode;
mod dev_index;
mod executable;
mod info;
mod levels;
mod options;
mod pack;
mod patch;
mod scan;
#[cfg_attr(not(feature = "signed"), path = "unsigned.rs")]
mod signature;
#[cfg(feature = "signed")]
mod signed_pack;
mod unseal;

pub(crate) use content::{Arrivals, FetchGuard, Hold, PartSource, Ticket};
pub(crate) use decode::decode_on_this_thread_only;
pub(crate) use dev_index::DevSource;
pub use dev_index::{Dev, DevReader};
pub(crate) use executable::OwnExecutable;
pub use executable::packs_in_executable;
pub use info::AssetInfo;
pub use options::{CrcPolicy, PackOptions};
pub use pack::Pack;
pub(crate) use pack::set::{check_set, open_set};
pub(crate) use patch::Patch;
#[cfg(feature = "signed")]
pub use signature::SignaturePolicy;

use std::path::Path;
use std::sync::Arc;

use rres_format::chunk::image::ImageProps;
use rres_format::index::IndexView;
use rres_format::{FourCc, ResourceId};

use crate::error::Result;
use crate::resource::{Chunk, LoadedResource};

/// One source. Cloning shares it.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Pack(Arc<Pack>),
    DevIndex(Arc<dyn DevSource>),
    Patch(Arc<Patch>),
}

impl Source {
    /// Returns the resources of the source and their slots.
    pub(crate) fn index(&self) -> IndexView<'_> {
        match self {
            Self::Pack(pack) => pack.index(),
            Self::DevIndex(dev) => dev.index(),
            Self::Patch(patch) => patch.pack().index(),
        }
    }

    /// Returns the file of the pack or of the dev index; `None` for a pack in memory.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Pack(pack) => pack.file(),
            Self::DevIndex(dev) => dev.file(),
            Self::Patch(patch) => patch.pack().file(),
        }
    }

    /// Reads all chunks of the resource at `slot`, and compares them with their CRC as the source's policy asks.
    ///
    /// Of an image with mip levels, the first one has edges of at most `edge` pixels, and the others are smaller; see [`levels`].
    pub(crate) fn load_slot(&self, slot: u32, edge: Option<u32>) -> Result<LoadedResource<'_>> {
        match self {
            Self::Pack(pack) => pack.load_slot(slot, &[], edge),
            Self::DevIndex(dev) => dev.load_slot(slot, edge),
            Self::Patch(patch) => patch.pack().load_slot(slot, patch.below(), edge),
        }
    }

    /// Returns the properties of the image at `slot`, without decoding its pixels; `None` if it is none.
    pub(crate) fn image_props(&self, slot: u32) -> Result<Option<ImageProps>> {
        match self {
            Self::Pack(pack) => pack.image_props(slot, &[]),
            Self::DevIndex(dev) => dev.image_props(slot),
            Self::Patch(patch) => patch.pack().image_props(slot, patch.below()),
        }
    }

    /// Returns the first chunk of a kind of the resource at `slot`. The bytes of an uncompressed chunk are not read, so
    /// they are not compared with their CRC either.
    pub(crate) fn open_slot(&self, slot: u32, kind: FourCc) -> Result<Chunk> {
        match self {
            Self::Pack(pack) => pack.open_slot(slot, kind, &[]),
            Self::DevIndex(dev) => dev.open_slot(slot, kind),
            Self::Patch(patch) => patch.pack().open_slot(slot, kind, patch.below()),
        }
    }

    /// Compares the whole front index with its CRC, once.
    pub(crate) fn check_index(&self) -> Result<()> {
        match self {
            Self::Pack(pack) => pack.check_index(),
            Self::DevIndex(dev) => dev.check_index(),
            Self::Patch(patch) => patch.pack().check_index(),
        }
    }

    /// Returns the index for listing assets and finding them by path; `None` if it is damaged, so that it could name others.
    pub(crate) fn listed(&self) -> Option<IndexView<'_>> {
        // A scanned index is made from the chunks, and its damage is a warning.
        let is_made = matches!(self, Self::Pack(pack) if pack.index_damage().is_some());
        (is_made || self.check_index().is_ok()).then(|| self.index())
    }

    /// Tells the system that the resources at these slots are read soon.
    pub(crate) fn prefetch(&self, slots: &[u32]) {
        match self {
            Self::Pack(pack) => pack.prefetch(slots),
            // Blobs are files of their own, which the system reads ahead when they are opened.
            Self::DevIndex(_) => {}
            Self::Patch(patch) => patch.pack().prefetch(slots),
        }
    }

    /// Returns what fetches the parts of the source; `None` if all of them are here.
    pub(crate) fn parts(&self) -> Option<&Arc<dyn PartSource>> {
        self.pack().and_then(Pack::parts)
    }

    /// Compares the chunks of the resource at `slot` with their CRCs.
    pub(crate) fn verify_slot(&self, slot: u32) -> Result<()> {
        match self {
            Self::Pack(pack) => pack.verify_slot(slot),
            Self::DevIndex(dev) => dev.verify_slot(slot),
            Self::Patch(patch) => patch.pack().verify_slot(slot),
        }
    }

    /// Reads chunk `number` of a resource from the first of several sources that has the resource; `None` if none has it,
    /// or it has fewer chunks.
    fn find_chunk(sources: &[Self], id: ResourceId, number: u16) -> Result<Option<Chunk>> {
        let found = sources.iter().find_map(|source| Some((source, source.index().find(id)?)));
        let Some((source, slot)) = found else { return Ok(None) };
        match source {
            Self::Pack(pack) => pack.read_nth(slot, number, &[]),
            Self::DevIndex(dev) => dev.read_nth(slot, number),
            Self::Patch(patch) => patch.pack().read_nth(slot, number, patch.below()),
        }
    }

    /// Returns the patch, if the source is one.
    pub(crate) fn patch(&self) -> Option<&Patch> {
        match self {
            Self::Patch(patch) => Some(patch),
            Self::Pack(_) | Self::DevIndex(_) => None,
        }
    }

    /// Returns the groups of the source with their members. The groups of a patch are the groups of the packs that it leads to.
    /// Damaged ones are left out.
    pub(crate) fn groups(&self) -> Vec<(String, Vec<ResourceId>)> {
        if let Self::Patch(patch) = self {
            return patch.groups();
        }
        let index = self.index();
        let groups = index.groups().filter_map(|group| group.ok());
        groups.map(|group| (group.name.to_owned(), group.slots().filter_map(|slot| index.id(slot)).collect())).collect()
    }

    /// Returns what is wrong with the source although it is used.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = crate::Error> + use<> {
        let pack = self.pack();
        let damage = pack.and_then(Pack::index_damage);
        #[cfg(feature = "signed")]
        return damage.into_iter().chain(pack.and_then(Pack::signature_warning));
        #[cfg(not(feature = "signed"))]
        damage.into_iter()
    }

    /// Returns why the front index of the source is not used.
    pub(crate) fn index_damage(&self) -> Option<crate::Error> {
        self.pack().and_then(Pack::index_damage)
    }

    fn pack(&self) -> Option<&Pack> {
        match self {
            Self::Pack(pack) => Some(pack),
            Self::Patch(patch) => Some(patch.pack()),
            Self::DevIndex(_) => None,
        }
    }

    /// Returns the CRC-32 of the front index; `None` for a dev index and for packs of other programs.
    pub(crate) fn checksum(&self) -> Option<u32> {
        self.pack()?.checksum()
    }

    /// Whether the resource at `slot` is known to be the same as the one at a slot of another source.
    pub(crate) fn is_alike(&self, slot: u32, other: &Self, other_slot: u32) -> bool {
        let outline = |source: &Self, slot| source.pack()?.outline(slot);
        outline(self, slot).is_some_and(|found| outline(other, other_slot) == Some(found))
    }

    /// Returns what identifies the source to a patch: the CRC-32 of its front index, and its size.
    pub(crate) fn identity(&self) -> Option<(u32, u64)> {
        match self {
            Self::Pack(pack) => pack.identity(),
            Self::DevIndex(_) | Self::Patch(_) => None,
        }
    }
}
