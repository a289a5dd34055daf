//! The resources of a target pack → its bytes, written as `rres-build` writes packs.

use std::collections::HashMap;
use std::io::{self, Seek, SeekFrom, Write};

use rres_engine::chunks_hash;
use rres_format::index::GroupSpec;
use rres_format::patch::TargetPack;
use rres_format::{PackBuilder, PackStream, Resource, ResourceId, StoredChunk};

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

/// Whether the resources of a target pack give `expected`, byte for byte. Each comes with the offset that it starts at, if there is a gap
/// before it.
pub(super) fn gives<'i, 'a: 'i>(
    target: &TargetPack,
    set_hash: [u8; 16],
    groups: &[GroupSpec],
    items: impl Iterator<Item = (Option<u32>, &'i Item<'a>)>,
    expected: &[u8],
) -> bool {
    let items: Vec<_> = items.collect();
    let mut builder = builder(target, set_hash, groups);
    for (_, item) in &items {
        let Some(resource) = resource(item, Vec::new()) else { return false };
        builder.push(resource);
    }
    let mut out = Expected { bytes: expected, at: 0, equal: 0 };
    let write = || {
        let mut stream = builder.stream(&mut out)?;
        let mut equal = EqualResources::of(target);
        for (gap, item) in items {
            let chunks: Vec<_> = item.resource.chunks.iter().map(|chunk| StoredChunk::copied(*chunk)).collect();
            equal.write(item.resource.id, &chunks, gap, &mut stream)?;
        }
        stream.finish()
    };
    write().is_ok() && out.equal == expected.len()
}

/// Fails if something else is written than these bytes.
struct Expected<'e> {
    bytes: &'e [u8],
    at: u64,
    /// How many bytes were written. Each is written once.
    equal: usize,
}

impl Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let rest = usize::try_from(self.at).ok().and_then(|at| self.bytes.get(at..));
        if !rest.is_some_and(|rest| rest.starts_with(bytes)) {
            return Err(io::Error::other("other bytes"));
        }
        self.at += bytes.len() as u64;
        self.equal += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Expected<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        // A stream goes to where the resources begin, and back to the start.
        let SeekFrom::Start(at) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.at = at;
        Ok(at)
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

    /// Writes the next resource, or lets it share the chunks of an earlier one. `gap` is the offset that it starts at, if there is a gap before
    /// it.
    ///
    /// # Errors
    /// As [`PackStream::push`] and [`chunks_hash`].
    pub(super) fn write(
        &mut self,
        id: ResourceId,
        chunks: &[StoredChunk<'_>],
        gap: Option<u32>,
        out: &mut PackStream<'_, '_, impl Write + Seek>,
    ) -> io::Result<()> {
        if let Some(owner) = self.owner(id, chunks)? {
            return out.push_shared(owner);
        }
        gap.map_or(Ok(()), |offset| out.skip_to(offset))?;
        out.push(chunks)
    }

    /// Returns the earlier resource whose chunks this one shares, if any.
    fn owner(&mut self, id: ResourceId, chunks: &[StoredChunk<'_>]) -> io::Result<Option<ResourceId>> {
        if !self.shares {
            return Ok(None);
        }
        let owner = *self.owners.entry(chunks_hash(chunks)?).or_insert(id);
        Ok(Some(owner).filter(|owner| *owner != id))
    }
}
