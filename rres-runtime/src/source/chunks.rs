//! The stored chunks of one resource → blocks: a part of the pack if a chunk is uncompressed, else decoded into their
//! final allocation.

use rres_format::{ChunkView, FourCc};

use super::Source;
use super::decode::{decode, decode_delta};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, ErrorKind, Result};
use crate::resource::Chunk;

/// Reads the block of a chunk of `pack`, whose CRC was already checked or does not need to be. `below` are the sources that
/// have the bases of deltas, in search order.
pub(super) fn read_chunk(pack: &AssetBytes, chunk: ChunkView<'_>, below: &[Source]) -> Result<Chunk> {
    let block = match chunk.delta()? {
        Some(delta) => {
            let base = Source::find_chunk(below, delta.base(), delta.base_chunk())?;
            let base = base.ok_or_else(|| rres_format::Error::NeedsBase(delta.base()))?;
            AssetBytes::new(Backing::Owned(decode_delta(delta, &base.block)?.into()))
        }
        None if chunk.info.is_plain() => pack.share(chunk.plain_block()?),
        None => AssetBytes::new(decode(chunk)?),
    };
    Ok(Chunk { kind: chunk.info.kind, block })
}

/// Returns the first chunk of a kind and its number. The bytes of a plain one are not touched; the bytes of others are compared with their CRC.
pub(super) fn find_chunk<'a>(
    chunks: impl Iterator<Item = rres_format::Result<ChunkView<'a>>>,
    kind: FourCc,
) -> Result<(u16, ChunkView<'a>)> {
    let mut numbered = (0..).zip(chunks);
    let found = numbered.find(|(_, chunk)| chunk.as_ref().map_or(true, |chunk| chunk.info.kind == kind));
    let (number, chunk) = found.ok_or_else(|| Error::new(ErrorKind::MissingChunk(kind)))?;
    let chunk = chunk?;
    if !chunk.info.is_plain() {
        chunk.verify()?;
    }
    Ok((number, chunk))
}
