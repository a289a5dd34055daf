//! The division of resources among the packs of a set, and their order.

use std::collections::HashMap;

use rres_compat as raylib;
use rres_format::limits::{MAX_CHUNKS, MAX_PACK_SIZE};
use rres_format::{ChunkInfo, Cipher, ResourceId};

use super::arrangement::Arrangement;
use super::encryption::Encryption;
use crate::model::{Resolved, Resource};
use crate::settings::{Compat, PackSettings};

/// The most bytes that a cipher appends to a chunk.
pub(super) const TRAILER: u64 = 56;

/// The largest size of a pack, in bytes.
fn max_size(settings: &PackSettings) -> u64 {
    let of_readers = match settings.compat {
        Some(Compat::Raylib) => raylib::MAX_SIZE,
        None => MAX_PACK_SIZE,
    };
    settings.split.unwrap_or(of_readers).min(of_readers)
}

/// Divides the resources among as few packs as possible, each within the limits of the format and the size that the settings allow.
///
/// The members of a group are adjacent, in the order of the groups' declarations; the other resources follow. Both are sorted by a recorded
/// order, if there is one, and then by path. So changing one asset does not reorder the others, and assets that are loaded together are read
/// together.
pub(super) fn split<'r>(
    resolved: &'r Resolved,
    settings: &PackSettings,
    encryption: &Encryption,
    arrangement: &Arrangement,
) -> Vec<Vec<&'r Resource>> {
    let mut group_of: HashMap<ResourceId, usize> = HashMap::new();
    for (number, group) in resolved.groups.iter().enumerate() {
        for id in &group.members {
            group_of.entry(*id).or_insert(number);
        }
    }
    let mut order: Vec<&Resource> = resolved.resources.iter().collect();
    order.sort_by_key(|resource| {
        let group = group_of.get(&resource.id).copied().unwrap_or(usize::MAX);
        (group, arrangement.rank(&resource.path))
    });

    let limit = max_size(settings);
    let mut packs = vec![Vec::new()];
    // One chunk is the index.
    let (mut bytes, mut chunks) = (0u64, 1usize);
    for resource in order {
        let info = resolved.info(resource);
        // Each takes at most one chunk of padding, an entry in the index and the directory, and its path in both.
        let own_chunks = usize::from(info.chunks.count) * 2;
        let overhead = own_chunks as u64 * ChunkInfo::SIZE as u64 + 128 + 2 * resource.path.len() as u64;
        let is_encrypted = encryption.cipher_of(resource.id) != Cipher::NONE;
        let trailers = if is_encrypted { u64::from(info.chunks.count) * TRAILER } else { 0 };
        let own_bytes = u64::from(info.stored_size) + overhead + trailers;
        let pack: &mut Vec<_> = packs.last_mut().expect("there is always a pack");
        if !pack.is_empty() && (bytes + own_bytes > limit || chunks + own_chunks > MAX_CHUNKS) {
            packs.push(vec![resource]);
            (bytes, chunks) = (own_bytes, 1 + own_chunks);
        } else {
            pack.push(resource);
            (bytes, chunks) = (bytes + own_bytes, chunks + own_chunks);
        }
    }
    packs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_for_c_programs_have_less_than_2_gib() {
        let of = |split, compat| max_size(&PackSettings { split, compat, ..PackSettings::default() });
        assert_eq!(of(None, None), MAX_PACK_SIZE);
        assert_eq!(of(None, Some(Compat::Raylib)), (1 << 31) - 1);
        assert_eq!(of(Some(1 << 32), Some(Compat::Raylib)), (1 << 31) - 1);
        assert_eq!(of(Some(1 << 20), Some(Compat::Raylib)), 1 << 20);
    }
}
