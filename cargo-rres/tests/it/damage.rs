//! Functions that find and change fields of a pack, for tests that damage it.

use rres_format::{ChunkInfo, Header, PackView, ResourceId};

/// Offset of the data of the front index: after the file header, the chunk header, and three properties with their count.
const INDEX_DATA: usize = Header::SIZE + ChunkInfo::SIZE + 16;

/// Fields of the header of the front index that contain the offset of a section.
pub(crate) const ENTRIES: usize = 8;
pub(crate) const POOL: usize = 32;
pub(crate) const STRINGS: usize = 48;

/// Size of an entry of the front index in bytes.
pub(crate) const ENTRY_SIZE: usize = 44;

/// Returns the offset of the header of the first chunk of a resource.
pub(crate) fn chunk_offset(pack: &[u8], path: &str) -> usize {
    PackView::parse(pack).unwrap().find(ResourceId::from_path(path)).unwrap().unwrap().offset as usize
}

/// Returns the offset of the header of the directory chunk.
pub(crate) fn directory_offset(pack: &[u8]) -> usize {
    PackView::parse(pack).unwrap().header().directory_offset as usize + Header::SIZE
}

/// Returns the offset of the name of the first entry of the directory.
pub(crate) fn first_name(pack: &[u8]) -> usize {
    // The header of the chunk, one property with its count, and four fields before the name.
    directory_offset(pack) + ChunkInfo::SIZE + 8 + 16
}

/// Returns the file offset of a section of the front index.
pub(crate) fn index_section(pack: &[u8], field: usize) -> usize {
    INDEX_DATA + get(pack, INDEX_DATA + field) as usize
}

/// Returns the file offset of the index entry of a resource.
pub(crate) fn index_entry(pack: &[u8], path: &str) -> usize {
    let slot = PackView::parse(pack).unwrap().index().unwrap().find(ResourceId::from_path(path)).unwrap();
    index_section(pack, ENTRIES) + slot as usize * ENTRY_SIZE
}

pub(crate) fn get(pack: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(pack[at..at + 4].try_into().unwrap())
}

pub(crate) fn put(pack: &mut [u8], at: usize, value: u32) {
    pack[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Corrects the CRC of the chunk whose header is at `at`.
pub(crate) fn restore_crc(pack: &mut [u8], at: usize) {
    let copy = pack.to_vec();
    let chunk = PackView::parse_without_index(&copy).unwrap().chunk_at(at as u32).unwrap();
    if let Err(rres_format::Error::CrcMismatch { computed, .. }) = chunk.verify() {
        put(pack, at + 28, computed);
    }
}
