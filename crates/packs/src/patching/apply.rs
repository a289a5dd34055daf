//! An old pack and a patch → the new pack, byte for byte.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use rres_format::limits::MAX_CHUNKS;
use rres_format::patch::{PatchView, TargetPack};
use rres_format::signature::PublicKey;
use rres_format::{Decompressor, ResourceId, StoredChunk};
use rres_protocol::files::additional_pack;
use tempfile::NamedTempFile;

use super::{FROM_BASE, FROM_PATCH, GAP, chunk::restore, gaps, identity, rebuild, set_hash};
use crate::atomic_write;
use crate::check::signature::check_pack;
use crate::compare::{Item, Side, blocks};
use crate::error::Error;
use crate::keyring::Keyring;
use crate::opened_pack::starts_like_a_pack;
use crate::progress::{Progress, ProgressMeter};

/// Rebuilds the packs that a patch leads to, and writes them to `out` and beside it. Verifies the old packs before and the
/// new ones after; nothing is replaced if anything is wrong. Returns the files and their bytes.
///
/// The patch names the hashes of the packs that it leads to. If `signed_with` has keys, the patch must be signed with one of them, which
/// covers these hashes.
pub fn apply(
    old: &Side<'_>,
    patch: &Side<'_>,
    out: &Path,
    signed_with: &[PublicKey],
    meter: &ProgressMeter,
) -> Result<Vec<(PathBuf, u64)>, Error> {
    let name = patch.packs[0].name();
    let fault = |text: String| Error::Fault(format!("{name}: {text}"));
    if !signed_with.is_empty() {
        check_pack(&patch.packs[0], signed_with).map_err(|e| fault(format!("refused by its signature: {e}")))?;
    }
    let view = patch.packs[0].view().patch().map_err(|e| fault(e.to_string()))?;
    let view =
        view.ok_or_else(|| fault("it is a pack, but not a patch; expected what `cargo rres patch` writes".to_owned()))?;
    if !view.can_rebuild() {
        let text = "it can only be mounted, because the pack that it leads to cannot be made from it, such as one that another \
                    version of rres-build wrote; mount the patch, or take the new pack itself";
        return Err(fault(text.to_owned()));
    }
    check_base(old, &view, &name)?;
    let targets = view.target_packs().map_err(|e| fault(e.to_string()))?;
    check_once(&targets, old, patch).map_err(fault)?;
    let groups = view.groups().map_err(|e| fault(e.to_string()))?;
    let bytes = targets.iter().map(|target| target.identity.size).sum();
    let count = targets.iter().flat_map(|target| &target.steps).map(|step| step.count as usize).sum();
    meter.set(Progress { noun: "assets", count, bytes, ..Progress::default() });

    let by_id: HashMap<ResourceId, &Item<'_>> = old.items.iter().map(|item| (item.resource.id, item)).collect();
    let mut written: Vec<(NamedTempFile, PathBuf, u64)> = Vec::new();
    let files = (0..).map(|number| if number == 0 { out.to_owned() } else { additional_pack(out, number) });
    let files: Vec<PathBuf> = files.take(targets.len()).collect();
    files.iter().try_for_each(|file| check_output(file, &[old, patch]))?;
    for (target, file) in targets.iter().zip(files) {
        let cannot_write = |e: io::Error| Error::Unavailable(format!("cannot write {}: {e}", file.display()));
        let temporary = atomic_write::temporary_beside(&file).map_err(cannot_write)?;
        let items = resources(target, old, patch).map_err(fault)?;
        let mut builder = rebuild::builder(target, set_hash(patch), &groups);
        for (_, item) in &items {
            let resource = rebuild::resource(item, Vec::new());
            builder.push(resource.ok_or_else(|| fault(format!("{} is of an unknown kind", item.resource.name())))?);
        }
        let mut stream =
            builder.stream(BufWriter::with_capacity(1 << 20, temporary.as_file())).map_err(cannot_write)?;
        let (mut done, mut equal) = (None, rebuild::EqualResources::of(target));
        for (gap, item) in items {
            meter.next(done.replace(item.resource.stored_size), &item.resource.name());
            let chunks = chunks(item, &by_id).map_err(|e| fault(format!("{}: {e}", item.resource.name())))?;
            if chunks.is_empty() {
                return Err(fault(format!("{} has no chunks", item.resource.name())));
            }
            equal.write(item.resource.id, &chunks, gap, &mut stream).map_err(cannot_write)?;
        }
        stream.finish().map_err(cannot_write)?;
        temporary.as_file().sync_all().map_err(cannot_write)?;
        let size = check_result(temporary.path(), target).map_err(|e| fault(format!("{}: {e}", file.display())))?;
        written.push((temporary, file, size));
    }
    let files = written.iter().map(|(_, file, size)| (file.clone(), *size)).collect();
    let persisted = atomic_write::persist_all(written.into_iter().map(|(temporary, file, _)| (temporary, file)));
    persisted.map_err(|(file, e)| Error::Unavailable(format!("cannot write {}: {e}", file.display())))?;
    Ok(files)
}

/// Checks that nothing is lost if `file` is written: that it is a pack if it exists, and none of those that are read.
///
/// # Errors
/// [`Error::Unavailable`] if it is not so.
pub fn check_output(file: &Path, sides: &[&Side<'_>]) -> Result<(), Error> {
    let refuse = |why: &str| Err(Error::Unavailable(format!("cannot write {}: {why}", file.display())));
    let Ok(place) = file.canonicalize() else { return Ok(()) };
    if !starts_like_a_pack(file) {
        return refuse("it exists and is not a pack, so it is not replaced");
    }
    let packs = sides.iter().flat_map(|side| side.packs);
    if packs.map(|pack| pack.path().canonicalize()).any(|path| path.is_ok_and(|path| path == place)) {
        return refuse("it is one of the packs to read; choose another file");
    }
    Ok(())
}

/// Checks that the old packs are those that the patch was made from.
fn check_base(old: &Side<'_>, patch: &PatchView<'_>, name: &str) -> Result<(), Error> {
    let expected: Vec<_> = patch.base().collect();
    if expected.len() != old.packs.len() {
        let (found, expected) = (old.packs.len(), expected.len());
        let text = format!(
            "{}: {name} was made from a set of {expected} packs, found {found}; take the pack that it was made from",
            old.packs[0].name()
        );
        return Err(Error::Fault(text));
    }
    for (pack, expected) in old.packs.iter().zip(expected) {
        let found = identity(pack.view());
        if found != expected {
            let hash = |identity: rres_format::patch::PackIdentity| blake3::Hash::from(identity.hash).to_hex();
            let text = format!(
                "{}: {name} was made from another pack, of {} bytes with BLAKE3 {}; found {} bytes with BLAKE3 {}",
                pack.name(),
                expected.size,
                hash(expected),
                found.size,
                hash(found)
            );
            return Err(Error::Fault(text));
        }
    }
    Ok(())
}

/// Checks that no resource is in two of the packs: a set has each once, so together they are not larger than what they are made of.
fn check_once(targets: &[TargetPack], old: &Side<'_>, patch: &Side<'_>) -> Result<(), String> {
    let mut seen = HashSet::new();
    for target in targets {
        for (_, item) in resources(target, old, patch)? {
            if !seen.insert(item.resource.id) {
                return Err(format!(
                    "two of the packs that it leads to have {}, expected each asset once",
                    item.resource.name()
                ));
            }
        }
        if target.steps.iter().all(|step| step.count == 0) && targets.len() > 1 {
            return Err("a pack that it leads to has no asset, expected one in each pack of a set".to_owned());
        }
    }
    Ok(())
}

/// A resource, and the offset that it starts at if there is a gap before it.
type Placed<'s, 'a> = (Option<u32>, &'s Item<'a>);

/// Returns the resources of a target pack, in its order.
fn resources<'s, 'a>(
    target: &TargetPack,
    old: &'s Side<'a>,
    patch: &'s Side<'a>,
) -> Result<Vec<Placed<'s, 'a>>, String> {
    let count: u64 = target.steps.iter().map(|step| u64::from(step.count)).sum();
    if count > MAX_CHUNKS as u64 {
        return Err(format!("a pack that it leads to has {count} resources, expected at most {MAX_CHUNKS}"));
    }
    let mut items = Vec::with_capacity(count as usize);
    for step in &target.steps {
        let source = match step.source {
            FROM_BASE => &old.items,
            FROM_PATCH => &patch.items,
            GAP if step.count == 0 && u64::from(step.first) < target.identity.size => continue,
            GAP => return Err(format!("a step leaves a gap until {}, and has {} resources", step.first, step.count)),
            other => return Err(format!("a step takes resources from source {other}, expected 0, 1 or 2")),
        };
        let end = u64::from(step.first) + u64::from(step.count);
        let run = usize::try_from(end).ok().and_then(|end| source.get(step.first as usize..end));
        items.extend(run.ok_or_else(|| {
            format!("a step takes resources {} to {end} of a source that has {}", step.first, source.len())
        })?);
    }
    Ok(gaps(&target.steps).zip(items).collect())
}

/// Returns the chunks of a resource as the new pack stores them.
fn chunks<'a>(item: &Item<'a>, old: &HashMap<ResourceId, &Item<'_>>) -> Result<Vec<StoredChunk<'a>>, String> {
    let mut decompressor = Decompressor::default();
    let mut chunks = Vec::with_capacity(item.resource.chunks.len());
    for chunk in &item.resource.chunks {
        chunk.verify().map_err(|e| e.to_string())?;
        let Some(delta) = chunk.delta().map_err(|e| e.to_string())? else {
            chunks.push(StoredChunk::copied(*chunk));
            continue;
        };
        let base = old.get(&delta.base()).and_then(|base| base.resource.chunks.get(usize::from(delta.base_chunk())));
        let base =
            base.ok_or_else(|| format!("the old pack has no chunk {} of {}", delta.base_chunk(), delta.base()))?;
        let base = blocks(&[*base], Keyring::default(), &mut decompressor).map_err(|e| e.to_string())?;
        let block = delta.apply(&base[0].1, &mut decompressor).map_err(|e| e.to_string())?;
        let restored = restore(chunk.info.kind, chunk.info.id, &block, &delta.target())?;
        chunks.push(restored.with_link(chunk.info.next_offset != 0));
    }
    Ok(chunks)
}

/// Checks that a file is what the patch leads to. Returns its size.
fn check_result(file: &Path, target: &TargetPack) -> Result<u64, String> {
    let mut hash = blake3::Hasher::new();
    let size = File::open(file).and_then(|mut file| io::copy(&mut file, &mut hash)).map_err(|e| e.to_string())?;
    if (size, hash.finalize().as_bytes()) != (target.identity.size, &target.identity.hash) {
        let expected = target.identity.size;
        return Err(format!(
            "the result has {size} bytes and is not the pack that the patch leads to, which has {expected}; nothing was \
             written"
        ));
    }
    Ok(size)
}
