//! One side of a comparison: the resources of a pack set, in the order of its files.

use rres_format::ResourceId;
use rres_format::index::Meta;

use super::Key;
use crate::error::Error;
use crate::opened_pack::OpenedPack;
use crate::pack_set::PackSet;
use crate::resource_list::{Resource, ResourceList};
use crate::text::escape_terminal;

/// The resources of a pack set.
#[derive(Debug)]
pub struct Side<'a> {
    /// The packs of the set.
    pub packs: &'a [OpenedPack],
    /// In the order of the packs, and of their offsets.
    pub items: Vec<Item<'a>>,
    /// Whether a pack is the dev index of a debug build, which has no bytes of assets.
    pub is_dev_index: bool,
    /// Whether every pack has a front index.
    pub has_index: bool,
}

/// A resource, and what the front index says about it.
#[derive(Debug)]
pub struct Item<'a> {
    /// The number of its pack in the set.
    pub pack: usize,
    /// The resource and its chunks.
    pub resource: Resource<'a>,
    /// Its metadata; empty without a front index.
    pub meta: Meta,
    /// The ids of the resources that it needs.
    pub dependencies: Vec<ResourceId>,
    /// In a dev index: the hash of the blob, which depends on the source and its settings, and the offset in it.
    pub blob: Option<([u8; 32], u32)>,
}

impl<'a> Side<'a> {
    /// Lists the resources of a set, which must be complete and undamaged as far as listing shows.
    pub fn new(set: &'a PackSet) -> Result<Self, Error> {
        if let Some(missing) = &set.missing {
            return Err(Error::Fault(format!("{}: {missing}", set.packs[0].name())));
        }
        let mut items = Vec::new();
        for (number, pack) in set.packs.iter().enumerate() {
            let list = ResourceList::new(pack);
            if let Some(finding) = list.findings.first() {
                let name = escape_terminal(&pack.name());
                let text = format!("{name}: {finding}; `cargo rres verify {name}` lists everything that is wrong");
                return Err(Error::Fault(text));
            }
            let mut own = list.resources.into_iter().map(|resource| item(pack, number, resource)).collect::<Vec<_>>();
            own.sort_by_key(|item| {
                let Resource { chunks, same_as, id, .. } = &item.resource;
                (chunks.first().map(|chunk| chunk.offset), same_as.is_some(), *id)
            });
            items.extend(own);
        }
        let is_dev_index = set.packs.iter().any(OpenedPack::is_dev_index);
        let has_index = set.packs.iter().all(|pack| pack.view().index().is_some());
        Ok(Self { packs: &set.packs, items, is_dev_index, has_index })
    }

    /// Compares every chunk with its CRC: an update that starts from damaged bytes, or leads to them, is of no use.
    ///
    /// # Errors
    /// [`Error::Fault`] about the first chunk that is damaged.
    pub fn check_chunks(&self) -> Result<(), Error> {
        for item in &self.items {
            for chunk in &item.resource.chunks {
                chunk.verify().map_err(|error| {
                    let name = escape_terminal(&self.packs[item.pack].name());
                    let text = format!("{name}: {}: {error}", item.resource.name());
                    Error::Fault(format!("{text}; `cargo rres verify {name}` lists everything that is wrong"))
                })?;
            }
        }
        Ok(())
    }

    /// Returns the bytes of each file.
    pub fn files(&self) -> Vec<&'a [u8]> {
        self.packs.iter().map(|pack| pack.view().bytes()).collect()
    }

    /// Returns the bytes of all files.
    pub fn size(&self) -> u64 {
        self.files().iter().map(|bytes| bytes.len() as u64).sum()
    }
}

fn item<'a>(pack: &'a OpenedPack, number: usize, resource: Resource<'a>) -> Item<'a> {
    let index = pack.view().index();
    // `ResourceList` has read the entry, so these fail for damaged packs only, which have a finding.
    let at = index.zip(resource.slot);
    let meta = at.and_then(|(index, slot)| Some(index.meta(slot).ok()?.to_meta())).unwrap_or_default();
    let dependencies = at.and_then(|(index, slot)| Some(index.dependencies(slot).ok()?.collect())).unwrap_or_default();
    let blob = at.and_then(|(index, slot)| {
        let entry = index.entry(slot).ok()?;
        Some((index.blob(entry.blob)?, entry.offset))
    });
    Item { pack: number, resource, meta, dependencies, blob }
}

impl Item<'_> {
    pub(super) fn key(&self) -> Key<'_> {
        self.resource.path.as_deref().map_or(Key::Id(self.resource.id), Key::Path)
    }

    /// Returns the last part of its path.
    pub fn file_name(&self) -> Option<&str> {
        self.resource.path.as_deref()?.rsplit('/').next()
    }
}
