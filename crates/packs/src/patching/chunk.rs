//! A chunk of the new pack → its form in the patch: a delta if that is clearly smaller, or else the chunk as it is.

use rres_format::delta::{DeltaSpec, DeltaTarget};
use rres_format::{ChunkView, Cipher, Compression, Compressor, Decompressor, Resource, ResourceId, StoredChunk};

use crate::compare::{Item, blocks};
use crate::error::Error;
use crate::keyring::Keyring;

/// The zstd level of a first try, which takes little time.
const TRY_LEVEL: i32 = 3;

/// The zstd level of deltas. Blocks of this size or larger have a lower one, which takes a tenth of the time.
const LEVEL: i32 = 19;
const LARGE: usize = 16 << 20;
const LARGE_LEVEL: i32 = 12;

/// The levels of zstd, the most likely ones first.
const LEVELS: [u8; 22] = [9, 19, 3, 22, 15, 12, 1, 6, 17, 20, 21, 18, 16, 14, 13, 11, 10, 8, 7, 5, 4, 2];

/// Means [`Compressor::fast`] as the level of a filtered chunk.
const FAST: u8 = 0;

/// The content of a frame of a zstd chunk.
const FRAME: usize = 1 << 20;

/// Stores resources in a patch. It remembers what it has learnt about the new pack.
pub(super) struct ChunkPatcher {
    deltas: bool,
    decompressor: Decompressor,
    /// The zstd level of the last chunk whose level was found.
    level: Option<u8>,
    delta_count: usize,
}

impl ChunkPatcher {
    pub(super) fn new(deltas: bool) -> Self {
        Self { deltas, decompressor: Decompressor::default(), level: None, delta_count: 0 }
    }

    /// Returns the number of deltas so far.
    pub(super) fn delta_count(&self) -> usize {
        self.delta_count
    }

    /// Returns a resource as the patch stores it. `base` is the one that it may be stored as a difference from.
    pub(super) fn resource<'a>(&mut self, item: &Item<'a>, base: Option<&Item<'_>>) -> Result<Resource<'a>, Error> {
        let resource = &item.resource;
        let fault = |e: &dyn std::fmt::Display| Error::Fault(format!("{}: {e}", resource.name()));
        let Some(kind) = resource.kind else {
            return Err(fault(&"this version does not know the kind of the resource; install a newer cargo-rres"));
        };
        let mut chunks = Vec::with_capacity(resource.chunks.len());
        for (number, chunk) in resource.chunks.iter().enumerate() {
            chunk.verify().map_err(|e| fault(&e))?;
            let delta = match base.filter(|_| self.deltas) {
                Some(base) => self.delta(chunk, number, base).map_err(|e| fault(&e))?,
                None => None,
            };
            self.delta_count += usize::from(delta.is_some());
            chunks.push(delta.unwrap_or_else(|| StoredChunk::copied(*chunk)));
        }
        let mut out = Resource::new(resource.path.as_deref().unwrap_or_default(), chunks)
            .with_id(resource.id)
            .with_kind(kind)
            .with_meta(item.meta.clone());
        out.dependencies.clone_from(&item.dependencies);
        Ok(out)
    }

    /// Returns a chunk as a delta if that is smaller.
    fn delta(
        &mut self,
        chunk: &ChunkView<'_>,
        number: usize,
        base: &Item<'_>,
    ) -> rres_format::Result<Option<StoredChunk<'static>>> {
        let info = &chunk.info;
        if info.cipher != Cipher::NONE || info.flags != 0 || info.reserved != 0 {
            return Ok(None);
        }
        let Some((base_number, old)) = base_chunk(chunk, number, &base.resource.chunks) else { return Ok(None) };
        if old.verify().is_err() {
            return Ok(None);
        }
        let Ok(before) = blocks(&[old], Keyring::default(), &mut self.decompressor) else { return Ok(None) };
        let Ok(block) = chunk.decode(&mut self.decompressor) else { return Ok(None) };
        let (base_block, block) = (&*before[0].1, block.into_bytes());
        if base_block.is_empty() || block.is_empty() {
            return Ok(None);
        }
        let target = DeltaTarget {
            compression: info.compression,
            level: 0,
            packed_size: info.packed_size,
            packed_crc: info.crc32,
        };
        let spec = |target| DeltaSpec { base: base.resource.id, base_chunk: base_number, base_block, target };
        // A delta that saves little is not worth the time that it takes to load.
        let limit = chunk.stored.len() - chunk.stored.len() / 8;
        let tried = spec(target).encode(&block, TRY_LEVEL)?;
        if tried.len() >= limit {
            return Ok(None);
        }
        let Some(level) = self.level_of(chunk, &block) else { return Ok(None) };
        let effort = if block.len() < LARGE { LEVEL } else { LARGE_LEVEL };
        let best = spec(DeltaTarget { level, ..target }).encode(&block, effort)?;
        let delta = if best.len() <= tried.len() {
            best
        } else {
            spec(DeltaTarget { level, ..target }).encode(&block, TRY_LEVEL)?
        };
        StoredChunk::delta(*chunk, delta).map(Some)
    }

    /// Returns the zstd level that gives the stored bytes of a chunk, 0 for LZ4 and other compressions, or `None` if this program
    /// cannot make them.
    fn level_of(&mut self, chunk: &ChunkView<'_>, block: &[u8]) -> Option<u8> {
        let start = &block[..block.len().min(FRAME)];
        // One frame excludes a level without compressing the whole.
        let may_make = |level: &u8| match chunk.info.compression {
            Compression::ZSTD => {
                let frame = Compressor::with_level((*level).into()).compress(Compression::ZSTD, start);
                frame.is_ok_and(|frame| chunk.stored.starts_with(&frame))
            }
            _ => true,
        };
        let makes = |level: &u8| may_make(level) && is_made(chunk, block, *level);
        let level = match chunk.info.compression {
            Compression::ZSTD => self.level.filter(|level| *level != FAST).into_iter().chain(LEVELS).find(makes)?,
            Compression::FILTERED => self.level.into_iter().chain([FAST]).chain(LEVELS).find(makes)?,
            _ => return is_made(chunk, block, 0).then_some(0),
        };
        self.level = Some(level);
        Some(level)
    }
}

/// Returns the chunk that a chunk may be stored as a difference from: the one at the same place, or the first of its kind.
fn base_chunk<'b>(chunk: &ChunkView<'_>, number: usize, old: &[ChunkView<'b>]) -> Option<(u16, ChunkView<'b>)> {
    let is_alike = |old: &&ChunkView<'_>| old.info.kind == chunk.info.kind;
    let same_place = old.get(number).filter(is_alike).map(|old| (number, *old));
    let (number, old) = same_place.or_else(|| {
        let number = old.iter().position(|old| is_alike(&old))?;
        Some((number, old[number]))
    })?;
    Some((u16::try_from(number).ok()?, old))
}

/// Whether this program stores a block in the bytes of a chunk.
fn is_made(chunk: &ChunkView<'_>, block: &[u8], level: u8) -> bool {
    let target = DeltaTarget {
        compression: chunk.info.compression,
        level,
        packed_size: chunk.info.packed_size,
        packed_crc: chunk.info.crc32,
    };
    restore(chunk.info.kind, chunk.info.id, block, &target).is_ok()
}

/// Stores a block as the new pack does.
///
/// # Errors
/// If the bytes differ from the new pack.
pub(super) fn restore(
    kind: rres_format::FourCc,
    id: ResourceId,
    block: &[u8],
    target: &DeltaTarget,
) -> Result<StoredChunk<'static>, String> {
    let mut compressor = match target.level {
        FAST if target.compression == Compression::FILTERED => Compressor::fast(),
        0 => Compressor::default(),
        level => Compressor::with_level(level.into()),
    };
    let chunk = StoredChunk::encode(kind, block, target.compression, &mut compressor).map_err(|e| e.to_string())?;
    let info = chunk.info();
    let found = (info.compression, info.packed_size, info.crc32);
    if found != (target.compression, target.packed_size, target.packed_crc) {
        return Err(format!(
            "resource {id}: this version compresses to {} bytes of {} with crc32 {:08x}, expected {} bytes of {} with crc32 \
             {:08x}; apply the patch with the version of cargo-rres that made it",
            found.1, found.0, found.2, target.packed_size, target.compression, target.packed_crc
        ));
    }
    Ok(chunk)
}
