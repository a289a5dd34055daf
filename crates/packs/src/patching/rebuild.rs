//! The resources of a target pack → its bytes, written as `rres-build` writes packs.

use std::collections::HashMap;
use std::io::{self, Write};

use rres_engine::chunks_hash;
use rres_format::index::GroupSpec;
use rres_format::patch::TargetPack;
use rres_format::{PackBuilder, Resource, ResourceId, StoredChunk};

use crate::compare::Item;

/// Returns the builder of a target pack, without its resources.
pub(super) fn builder<'a>(target: &TargetPack, set_hash: [u8; 16], groups: &[GroupSpec]) -> PackBuilder<'a> {
    let mut builder = PackBuilder::new()
        .set_hash(set_hash)
        .reserved(target.reserved)
        .additional_packs(target.additional_packs)
        .directory(target.has_directory);
    groups.iter().for_each(|group| builder.push_group(group.clone()));
    builder
}

/// Returns a resource for a builder, as the front index describes it. `chunks` may be left for later.
pub(super) fn resource<'a>(item: &Item<'_>, chunks: Vec<StoredChunk<'a>>) -> Option<Resource<'a>> {
    let mut resource = Resource::new(item.resource.path.as_deref().unwrap_or_default(), chunks)
        .with_id(item.resource.id)
        .with_kind(item.resource.kind?)
        .with_meta(item.meta.clone());
    resource.dependencies.clone_from(&item.dependencies);
    Some(resource)
}

/// Whether the resources of a target pack give `expected`, byte for byte.
pub(super) fn gives<'i, 'a: 'i>(
    target: &TargetPack,
    set_hash: [u8; 16],
    groups: &[GroupSpec],
    items: impl Iterator<Item = &'i Item<'a>>,
    expected: &[u8],
) -> bool {
    let mut builder = builder(target, set_hash, groups);
    let mut equal = EqualResources::of(target);
    for item in items {
        let chunks: Vec<_> = item.resource.chunks.iter().map(|chunk| StoredChunk::copied(*chunk)).collect();
        let Ok(owner) = equal.owner(item.resource.id, &chunks) else { return false };
        let Some(resource) = resource(item, chunks) else { return false };
        builder.push(match owner {
            Some(owner) => resource.sharing(owner),
            None => resource,
        });
    }
    let mut rest = Expected(expected);
    builder.write_to(&mut rest).is_ok() && rest.0.is_empty()
}

/// Fails if something else is written than these bytes.
struct Expected<'e>(&'e [u8]);

impl Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.strip_prefix(bytes) {
            Some(rest) => {
                self.0 = rest;
                Ok(bytes.len())
            }
            None => Err(io::Error::other("other bytes")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The resources of a target pack that are equal to an earlier one, found in the order of writing.
#[derive(Default)]
pub(super) struct EqualResources {
    shares: bool,
    /// The first resource with each hash.
    owners: HashMap<[u8; 32], ResourceId>,
}

impl EqualResources {
    pub(super) fn of(target: &TargetPack) -> Self {
        Self { shares: target.shares_equal, ..Self::default() }
    }

    /// Returns the earlier resource whose chunks this one shares, if any.
    ///
    /// # Errors
    /// As [`chunks_hash`].
    pub(super) fn owner(&mut self, id: ResourceId, chunks: &[StoredChunk<'_>]) -> io::Result<Option<ResourceId>> {
        if !self.shares {
            return Ok(None);
        }
        let owner = *self.owners.entry(chunks_hash(chunks)?).or_insert(id);
        Ok(Some(owner).filter(|owner| *owner != id))
    }
}
