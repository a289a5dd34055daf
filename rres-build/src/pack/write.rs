//! Blobs → packs, at the speed of copying; or → a dev index, which leads to the blobs themselves.
//!
//! Blobs are read and checked by one thread (`blobs.rs`) while another writes. Packs are not synced: after a power cut
//! they are no worse off than the executable beside them, and syncing takes longer than writing.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rres_format::index::{EntrySpec, GroupSpec, IndexBuilder};
use rres_format::limits::{MAX_CHUNKS, MAX_PACK_SIZE};
use rres_format::{ChunkInfo, FourCc, PackBuilder, Resource, ResourceId};

use super::blobs::{self, Blob};
use super::set::{AssetSet, Member};
use crate::cache::{Cache, Key, KeyBuilder, replace, write_if_changed};
use crate::error::{Errors, Problem};
use crate::settings::PackSettings;

/// The packs of a build.
#[derive(Debug)]
pub(crate) struct WrittenPacks {
    /// Their files, the first one first.
    pub(crate) files: Vec<PathBuf>,
    /// Bytes of all of them.
    pub(crate) size: u64,
    /// Whether anything was written.
    pub(crate) changed: bool,
    /// For each resource, the pack (high 16 bits) and the slot in its index.
    pub(crate) slots: HashMap<ResourceId, u32>,
}

/// Why a pack could not be written.
#[derive(Debug)]
pub(crate) enum PackError {
    /// These blobs are not there any more, or damaged: they have to be made again.
    Blobs(Vec<Key>),
    /// Anything else.
    Problem(Problem),
}

impl From<Problem> for PackError {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<PackError> for Errors {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Problem(problem) => problem.into(),
            PackError::Blobs(keys) => {
                let message = format!("{} imported assets are damaged as soon as they are stored", keys.len());
                Problem::new("import cache", message).help("check the disk and the memory of this machine").into()
            }
        }
    }
}

/// Writes the pack `name.rres` into `dir`, and `name.1.rres` and so on where one does not hold everything.
pub(crate) fn write_packs(
    set: &AssetSet,
    cache: &Cache,
    settings: &PackSettings,
    dir: &Path,
    name: &str,
) -> Result<WrittenPacks, PackError> {
    let plan = split(set, settings);
    let mut written = WrittenPacks { files: Vec::new(), size: 0, changed: false, slots: HashMap::new() };
    for (number, members) in plan.iter().enumerate() {
        let file = match number {
            0 => dir.join(format!("{name}.rres")),
            number => dir.join(format!("{name}.{number}.rres")),
        };
        let slots = AssetSet::slots(members.iter().copied());
        written.slots.extend(slots.into_iter().map(|(id, slot)| (id, (number as u32) << 16 | slot)));
        let further = if number == 0 { plan.len() as u32 - 1 } else { 0 };
        written.changed |= write_pack(set, cache, settings, &file, members, further)?;
        written.size += fs::metadata(&file).map_err(|e| Problem::io("read it", &file, &e))?.len();
        written.files.push(file);
    }
    remove_stale(dir, name, plan.len());
    Ok(written)
}

/// Writes one pack, unless the file there was made of the same.
fn write_pack(
    set: &AssetSet,
    cache: &Cache,
    settings: &PackSettings,
    file: &Path,
    members: &[&Member],
    further: u32,
) -> Result<bool, PackError> {
    let mut key = KeyBuilder::new("rres pack");
    key.field(env!("CARGO_PKG_VERSION").as_bytes()).field(&set.hash).field(&further.to_le_bytes());
    key.field(&[settings.directory.into()]);
    for member in members {
        let blob = &set.assets[member.asset].sight.blob;
        key.field(member.path.as_bytes()).field(&member.id.0.to_le_bytes()).field(&blob.0);
        member.dependencies.iter().for_each(|id| key.number(id.0));
    }
    for group in &set.groups {
        key.field(group.name.as_bytes());
        group.members.iter().for_each(|id| key.number(id.0));
    }
    // What the pack was made of, and its length: a cut or missing file is written again.
    let made_of = file.with_extension("rres.key");
    let stamp = |len: u64| format!("{} {len}\n", key.finish().hex());
    if let (Ok(metadata), Ok(old)) = (fs::metadata(file), fs::read_to_string(&made_of))
        && old == stamp(metadata.len())
    {
        return Ok(false);
    }

    // Until the new pack stands, nothing says what the file is made of.
    match fs::remove_file(&made_of) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Problem::io("replace it", &made_of, &error).into());
        }
        _ => {}
    }
    let mut pack = PackBuilder::new().directory(settings.directory).set_hash(set.hash).further_packs(further);
    for member in members {
        let part = &set.assets[member.asset].sight.parts[member.part];
        let mut resource = Resource::new(member.path.clone(), Vec::new())
            .with_id(member.id)
            .with_kind(member.kind)
            .with_meta(part.meta.clone());
        resource.dependencies.clone_from(&member.dependencies);
        pack.push(resource);
    }
    set.groups.iter().for_each(|group| pack.push_group(group.clone()));
    let mut damaged = Vec::new();
    let mut blobs = blobs_of(set, cache, members);
    let write = |out: &mut fs::File| {
        let mut stream = pack.stream(BufWriter::with_capacity(1 << 20, out))?;
        blobs::read(std::mem::take(&mut blobs), |blob| match blob {
            Ok((blob, bytes)) => {
                // What is damaged further on shall be known as well, so reading goes on where writing has ended.
                if damaged.is_empty() { blob.write(bytes, &mut stream) } else { Ok(()) }
            }
            Err(key) => {
                damaged.push(key);
                Ok(())
            }
        })?;
        if damaged.is_empty() { stream.finish() } else { Err(io::Error::other("blobs are damaged")) }
    };
    match replace(file, write) {
        Err(_) if !damaged.is_empty() => return Err(PackError::Blobs(damaged)),
        written => written.map_err(|e| Problem::io("write the pack", file, &e))?,
    }
    let len = fs::metadata(file).map_err(|e| Problem::io("read it", file, &e))?.len();
    let said = replace(&made_of, |out| out.write_all(stamp(len).as_bytes()));
    said.map_err(|e| Problem::io("write it", &made_of, &e))?;
    Ok(true)
}

/// What to read for these members, in their order: parts that follow each other come of one reading.
fn blobs_of(set: &AssetSet, cache: &Cache, members: &[&Member]) -> Vec<Blob> {
    let of_asset = |run: &[&Member]| {
        let sight = &set.assets[run[0].asset].sight;
        let parts = run.iter().map(|member| (sight.parts[member.part].offset, sight.parts[member.part].chunk_count));
        Blob { key: sight.blob, file: cache.blob_file(&sight.blob), parts: parts.collect() }
    };
    members.chunk_by(|a, b| a.asset == b.asset).map(of_asset).collect()
}

/// Divides the members among packs: as few as hold them, each up to the format's limits or the size that was set.
///
/// Members of a group stand together, in the order in which groups are declared; the rest follows by path. So a
/// change of one asset moves no other, and what is loaded together is read together.
fn split<'s>(set: &'s AssetSet, settings: &PackSettings) -> Vec<Vec<&'s Member>> {
    let mut group_of: HashMap<ResourceId, usize> = HashMap::new();
    for (number, group) in set.groups.iter().enumerate() {
        for id in &group.members {
            group_of.entry(*id).or_insert(number);
        }
    }
    let mut order: Vec<&Member> = set.members.iter().collect();
    order.sort_by_key(|member| group_of.get(&member.id).copied().unwrap_or(usize::MAX));

    let most = settings.split.unwrap_or(MAX_PACK_SIZE).min(MAX_PACK_SIZE);
    let mut packs = vec![Vec::new()];
    let (mut bytes, mut chunks) = (0u64, 1usize);
    for member in order {
        let part = &set.assets[member.asset].sight.parts[member.part];
        // At the most one chunk of padding before each, and in index and directory the entry and twice the path.
        let own_chunks = usize::from(part.chunk_count) * 2;
        let overhead = own_chunks as u64 * ChunkInfo::SIZE as u64 + 128 + 2 * member.path.len() as u64;
        let own_bytes = u64::from(part.stored_size) + overhead;
        let pack: &mut Vec<_> = packs.last_mut().expect("there is always a pack");
        if !pack.is_empty() && (bytes + own_bytes > most || chunks + own_chunks > MAX_CHUNKS) {
            packs.push(vec![member]);
            (bytes, chunks) = (own_bytes, 1 + own_chunks);
        } else {
            pack.push(member);
            (bytes, chunks) = (bytes + own_bytes, chunks + own_chunks);
        }
    }
    packs
}

/// Removes packs of an earlier build that had more of them.
fn remove_stale(dir: &Path, name: &str, count: usize) {
    for number in count.. {
        let stale = dir.join(format!("{name}.{number}.rres"));
        if number == 0 || fs::remove_file(&stale).is_err() {
            break;
        }
        // Only says what the pack was made of; without the pack it is never looked at.
        let _ = fs::remove_file(stale.with_extension("rres.key"));
    }
}

/// Writes the dev index, and tells which slot each resource has in it.
pub(crate) fn write_dev_index(set: &AssetSet, file: &Path) -> Result<HashMap<ResourceId, u32>, Problem> {
    let bytes = dev_index(set).map_err(|e| Problem::new(file.display().to_string(), e.to_string()))?;
    write_if_changed(file, &bytes).map_err(|e| Problem::io("write the dev index", file, &e))?;
    Ok(AssetSet::slots(set.members.iter()))
}

/// The bytes of a dev index: the same index that a pack has, whose entries lead into blobs.
pub(crate) fn dev_index(set: &AssetSet) -> Result<Vec<u8>, rres_format::Error> {
    let entries = set.members.iter().map(|member| {
        let part = &set.assets[member.asset].sight.parts[member.part];
        EntrySpec {
            id: member.id,
            path: member.path.clone(),
            kind: member.kind,
            offset: part.offset,
            stored_size: part.stored_size,
            base_size: part.base_size,
            chunk_count: part.chunk_count,
            meta: part.meta.clone(),
            dependencies: member.dependencies.clone(),
            blob: member.asset as u32,
        }
    });
    let index = IndexBuilder {
        entries: entries.collect(),
        groups: set.groups.iter().map(|g| GroupSpec { name: g.name.clone(), members: g.members.clone() }).collect(),
        blobs: set.assets.iter().map(|asset| asset.sight.blob.0).collect(),
        set_hash: set.hash,
        further_packs: 0,
    };
    index.block().and_then(|block| PackBuilder::new().directory(false).lead(FourCc::INDX, block).to_vec())
}
