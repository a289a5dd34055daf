//! Patches: what an old pack lacks of a new one, as a pack that is mounted over the old one, or applied to it.

mod apply;
mod chunk;
mod overlay;
mod rebuild;

pub use apply::{apply, check_output};
pub use overlay::{Outlines, Overlay, overlay};

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use chunk::ChunkPatcher;
use rres_format::index::GroupSpec;
use rres_format::patch::{PackIdentity, PatchSpec, Step, TargetPack};
use rres_format::signature::content_len;
use rres_format::{ChunkInfo, Decompressor, Header, PackBuilder, ResourceId};

use crate::compare::{Item, Moved, Side, is_stored_alike};
use crate::error::Error;
use crate::progress::ProgressMeter;

/// The source of a [`Step`].
const FROM_BASE: u32 = 0;
const FROM_PATCH: u32 = 1;
/// The source of a step without resources: the next one starts at the offset that is its first number.
const GAP: u32 = 2;

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
    let mut origins = Vec::new();
    let mut patcher = ChunkPatcher::new(deltas);
    let mut done = None;
    for item in &new.items {
        meter.next(done.replace(item.resource.decoded_size), &item.resource.name());
        let before = by_id.get(&item.resource.id).copied();
        if let Some((number, before)) = before
            && is_same(before, item)
        {
            origins.push((FROM_BASE, number as u32));
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
        origins.push((FROM_PATCH, resources.len() as u32));
        resources.push(patcher.resource(item, base)?);
    }
    summary.deltas = patcher.delta_count();

    let groups = groups(new)?;
    // Most packs have no gaps, and steps without them take less room.
    let targets = [false, true].into_iter().map(|has_gaps| targets(new, &origins, has_gaps));
    let rebuilt = targets.clone().find(|targets| {
        targets.iter().zip(new.packs).enumerate().all(|(number, (target, pack))| {
            let own = new.items.iter().filter(|item| item.pack == number);
            let own = own.zip(gaps(&target.steps)).map(|(item, gap)| (gap, item));
            rebuild::gives(target, set_hash(new), &groups, own, content(pack.view()))
        })
    });
    summary.can_rebuild = rebuilt.is_some();
    let targets = rebuilt.or_else(|| targets.clone().next()).unwrap_or_default();
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

/// Returns the packs that a patch leads to. `origins` has the source of each resource of the new packs, and its number there.
fn targets(new: &Side<'_>, origins: &[(u32, u32)], has_gaps: bool) -> Vec<TargetPack> {
    let mut steps: Vec<Vec<Step>> = new.packs.iter().map(|_| Vec::new()).collect();
    let mut ends: Vec<u32> = new.packs.iter().map(|_| 0).collect();
    for (item, (source, number)) in new.items.iter().zip(origins) {
        let (steps, end) = (&mut steps[item.pack], &mut ends[item.pack]);
        let [Some(first), Some(last)] = [item.resource.chunks.first(), item.resource.chunks.last()] else { continue };
        if item.resource.same_as.is_none() {
            if has_gaps && first.offset > *end {
                steps.push(Step { source: GAP, first: first.offset, count: 0 });
            }
            *end = last.offset.saturating_add(ChunkInfo::SIZE as u32).saturating_add(last.stored.len() as u32);
        }
        push(steps, *source, *number);
    }
    new.packs.iter().zip(steps).map(|(pack, steps)| target(pack.view(), steps)).collect()
}

/// Returns for each resource of these steps the offset that it starts at, if there is a gap before it.
fn gaps(steps: &[Step]) -> impl Iterator<Item = Option<u32>> {
    let mut gap = None;
    let of_step = move |step: &Step| {
        if step.source == GAP {
            gap = Some(step.first);
        }
        let first = if step.count > 0 { gap.take() } else { None };
        std::iter::once(first).chain(std::iter::repeat(None)).take(step.count as usize)
    };
    steps.iter().flat_map(of_step)
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
