//! Patches: what an old pack lacks of a new one, as a pack that is mounted over the old one, or applied to it.

mod apply;
mod chunk;
mod overlay;
mod rebuild;

pub use apply::apply;
pub use overlay::{Outlines, Overlay, overlay};

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use chunk::ChunkPatcher;
use rres_format::index::GroupSpec;
use rres_format::patch::{PackIdentity, PatchSpec, Step, TargetPack};
use rres_format::signature::content_len;
use rres_format::{Decompressor, Header, PackBuilder, ResourceId};

use crate::compare::{Item, Moved, Side, is_stored_alike};
use crate::error::Error;
use crate::progress::ProgressMeter;

/// The source of a [`Step`].
const FROM_BASE: u32 = 0;
const FROM_PATCH: u32 = 1;

/// A patch, ready to be written.
#[derive(Debug)]
pub struct Patch<'a> {
    builder: PackBuilder<'a>,
    /// What it contains.
    pub summary: Summary,
}

/// What a patch contains.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// The number of resources that only the new pack has.
    pub added: usize,
    /// The number of resources with other contents.
    pub changed: usize,
    /// The number of resources that only the old pack has.
    pub removed: usize,
    /// The number of chunks that are stored as deltas.
    pub deltas: usize,
    /// Whether the new pack can be rebuilt from the patch and the old pack.
    pub can_rebuild: bool,
}

impl Patch<'_> {
    /// Writes the pack of the patch.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        self.builder.write_to(out)
    }

    /// Returns the size of the pack in bytes.
    pub fn size(&self) -> io::Result<u64> {
        /// Counts what is written.
        struct Counter(u64);
        impl Write for Counter {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 += bytes.len() as u64;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut counter = Counter(0);
        self.write(&mut counter)?;
        Ok(counter.0)
    }
}

/// Makes the patch that leads from `old` to `new`. Both must have front indexes and contain bytes.
///
/// With `deltas`, chunks are stored as differences from the old ones where that is smaller.
pub fn make<'a>(old: &Side<'a>, new: &Side<'a>, deltas: bool, meter: &ProgressMeter) -> Result<Patch<'a>, Error> {
    let by_id: HashMap<ResourceId, (usize, &Item<'a>)> =
        old.items.iter().enumerate().map(|(number, item)| (item.resource.id, (number, item))).collect();
    let ids: HashSet<ResourceId> = new.items.iter().map(|item| item.resource.id).collect();
    let gone: Vec<&Item<'a>> = old.items.iter().filter(|item| !ids.contains(&item.resource.id)).collect();
    let mut removed: Vec<ResourceId> = gone.iter().map(|item| item.resource.id).collect();
    removed.sort_unstable();
    let mut summary = Summary { removed: removed.len(), ..Summary::default() };
    let added: Vec<&Item<'a>> = new.items.iter().filter(|item| !by_id.contains_key(&item.resource.id)).collect();
    let mut decompressor = Decompressor::default();
    let mut moved = Moved::new(gone.clone(), &added, &mut decompressor);

    let mut resources = Vec::new();
    let mut steps: Vec<Vec<Step>> = new.packs.iter().map(|_| Vec::new()).collect();
    let mut patcher = ChunkPatcher::new(deltas);
    let mut done = None;
    for item in &new.items {
        meter.next(done.replace(item.resource.decoded_size), &item.resource.name());
        let before = by_id.get(&item.resource.id).copied();
        if let Some((number, before)) = before
            && is_same(before, item)
        {
            push(&mut steps[item.pack], FROM_BASE, number as u32);
            continue;
        }
        let base = match before {
            Some((_, before)) => {
                summary.changed += 1;
                Some(before)
            }
            None => {
                summary.added += 1;
                let similar = || gone.iter().copied().find(|gone| gone.file_name() == item.file_name());
                moved.take(item, &mut decompressor).or_else(similar)
            }
        };
        push(&mut steps[item.pack], FROM_PATCH, resources.len() as u32);
        resources.push(patcher.resource(item, base)?);
    }
    summary.deltas = patcher.delta_count();

    let groups = groups(new)?;
    let targets: Vec<TargetPack> =
        new.packs.iter().zip(steps).map(|(pack, steps)| target(pack.view(), steps)).collect();
    summary.can_rebuild = targets.iter().enumerate().all(|(number, target)| {
        let own = new.items.iter().filter(|item| item.pack == number);
        rebuild::gives(target, set_hash(new), &groups, own, content(new.packs[number].view()))
    });
    let mut spec = PatchSpec {
        base: old.packs.iter().map(|pack| identity(pack.view())).collect(),
        targets,
        removed,
        groups,
        can_rebuild: summary.can_rebuild,
    };
    if !summary.can_rebuild {
        spec.targets.iter_mut().for_each(|target| target.steps.clear());
    }
    let mut builder = PackBuilder::new().set_hash(set_hash(new)).patch(spec.block());
    resources.into_iter().for_each(|resource| builder.push(resource));
    Ok(Patch { builder, summary })
}

/// Whether a resource is the same in every respect that the new pack records.
fn is_same(old: &Item<'_>, new: &Item<'_>) -> bool {
    let (before, after) = (&old.resource, &new.resource);
    let facts = |item: &Item<'_>| (item.resource.kind, item.resource.decoded_size);
    before.path == after.path
        && facts(old) == facts(new)
        && old.meta == new.meta
        && old.dependencies == new.dependencies
        && is_stored_alike(&before.chunks, &after.chunks)
}

/// Adds a resource to the steps.
fn push(steps: &mut Vec<Step>, source: u32, number: u32) {
    match steps.last_mut() {
        Some(last) if last.source == source && last.first + last.count == number => last.count += 1,
        _ => steps.push(Step { source, first: number, count: 1 }),
    }
}

/// Returns the hash of the set of assets.
fn set_hash(side: &Side<'_>) -> [u8; 16] {
    side.packs[0].view().index().map_or([0; 16], |index| index.set_hash())
}

/// Returns the bytes of a pack before its signature.
fn content(view: rres_format::PackView<'_>) -> &[u8] {
    let bytes = view.bytes();
    &bytes[..content_len(bytes).unwrap_or(bytes.len())]
}

/// Returns what identifies a pack, whether it is signed or not.
fn identity(view: rres_format::PackView<'_>) -> PackIdentity {
    let content = content(view);
    PackIdentity { index_crc: index_crc(view), size: content.len() as u64, hash: blake3::hash(content).into() }
}

/// Returns the CRC-32 of the front index of a pack; 0 without one.
fn index_crc(view: rres_format::PackView<'_>) -> u32 {
    view.chunk_at(Header::SIZE as u32).map_or(0, |index| index.info.crc32)
}

fn target(view: rres_format::PackView<'_>, steps: Vec<Step>) -> TargetPack {
    TargetPack {
        identity: identity(view),
        reserved: view.header().reserved,
        additional_packs: view.index().map_or(0, |index| index.additional_packs()),
        has_directory: view.header().directory_offset != 0,
        shares_equal: view.index().is_some_and(|index| index.entries().flatten().any(|entry| entry.is_shared)),
        steps,
    }
}

/// Returns the groups of a set. The packs have the same groups, each with the members that it contains.
fn groups(side: &Side<'_>) -> Result<Vec<GroupSpec>, Error> {
    let mut groups: Vec<GroupSpec> = Vec::new();
    for pack in side.packs {
        let Some(index) = pack.view().index() else { continue };
        for group in index.groups() {
            let group = group.map_err(|e| Error::Fault(format!("{}: {e}", pack.name())))?;
            let members = group.slots().filter_map(|slot| index.id(slot));
            match groups.iter_mut().find(|other| other.name == group.name) {
                Some(other) => other.members.extend(members),
                None => groups.push(GroupSpec { name: group.name.to_owned(), members: members.collect() }),
            }
        }
    }
    Ok(groups)
}
