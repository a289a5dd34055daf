//! The stored chunks of one resource → blocks: a part of the pack if a chunk is uncompressed, else decoded into their
//! final allocation.

use rres_format::{ChunkView, FourCc};

use super::decode::decode;
use crate::bytes::AssetBytes;
use crate::error::{Error, ErrorKind, Result};
use crate::resource::Chunk;

/// Reads the block of a chunk of `pack`, whose CRC was already checked or does not need to be.
pub(super) fn read_chunk(pack: &AssetBytes, chunk: ChunkView<'_>) -> Result<Chunk> {
    let block = match chunk.info.is_plain() {
        true => pack.share(chunk.plain_block()?),
        false => AssetBytes::new(decode(chunk)?),
    };
    Ok(Chunk { kind: chunk.info.kind, block })
}

/// Reads the block of the first chunk of a kind. The bytes of an uncompressed one are not touched; a compressed one is
/// compared with its CRC.
pub(super) fn open_chunk<'a>(
    pack: &AssetBytes,
    mut chunks: impl Iterator<Item = rres_format::Result<ChunkView<'a>>>,
    kind: FourCc,
) -> Result<Chunk> {
    let found = chunks.find(|chunk| chunk.as_ref().map_or(true, |chunk| chunk.info.kind == kind));
    let chunk = found.ok_or_else(|| Error::new(ErrorKind::MissingChunk(kind)))??;
    if !chunk.info.is_plain() {
        chunk.verify()?;
    }
    read_chunk(pack, chunk)
}
