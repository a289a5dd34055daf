//! Resources with equal chunks. A pack stores the chunks once.

use std::collections::HashMap;
use std::io;

use rres_format::{ChunkInfo, Cipher, ResourceId, StoredChunk};

use crate::model::{Resolved, Resource};

/// Finds the resources of a pack that are equal to an earlier one, as they are written.
#[derive(Debug)]
pub(super) struct EqualResources {
    /// The ids of the resources in the order of writing, and whether another one may be equal.
    resources: std::vec::IntoIter<(ResourceId, bool)>,
    /// The first resource with each hash and cipher.
    owners: HashMap<([u8; 32], Cipher), ResourceId>,
}

impl EqualResources {
    /// Most resources have a size that no other one has, and need no hash. Without `shares`, none is equal to another.
    pub(super) fn new(resolved: &Resolved, resources: &[&Resource], shares: bool) -> Self {
        let size = |resource: &Resource| {
            let info = resolved.info(resource);
            (info.base_size, info.chunks.count)
        };
        let mut counts: HashMap<(u32, u16), usize> = HashMap::new();
        resources.iter().for_each(|resource| *counts.entry(size(resource)).or_default() += 1);
        let resources: Vec<_> =
            resources.iter().map(|resource| (resource.id, shares && counts[&size(resource)] > 1)).collect();
        Self { resources: resources.into_iter(), owners: HashMap::new() }
    }

    /// The earlier resource whose chunks the next one shares, if any. The next one is encrypted with `cipher`.
    ///
    /// # Errors
    /// As [`chunks_hash`].
    pub(super) fn next(&mut self, chunks: &[StoredChunk<'_>], cipher: Cipher) -> io::Result<Option<ResourceId>> {
        let Some((id, true)) = self.resources.next() else { return Ok(None) };
        let owner = *self.owners.entry((chunks_hash(chunks)?, cipher)).or_insert(id);
        Ok(Some(owner).filter(|owner| *owner != id))
    }
}

/// A hash of everything that chunks have except ids and places. Resources with equal hashes can share their chunks in a pack.
///
/// # Errors
/// As [`StoredChunk::write_stored`]: none if the stored bytes are in memory.
pub fn chunks_hash(chunks: &[StoredChunk<'_>]) -> io::Result<[u8; 32]> {
    let mut hash = blake3::Hasher::new();
    for chunk in chunks {
        // Padding between chunks depends on their place, so only what they contain counts.
        let info = ChunkInfo { id: Default::default(), next_offset: u32::from(chunk.is_linked()), ..*chunk.info() };
        hash.update(&info.to_bytes());
        chunk.write_stored(&mut hash)?;
    }
    Ok(hash.finalize().into())
}
