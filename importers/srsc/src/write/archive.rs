//! Bodies → an archive.

use crate::container::{ENTRY_SIZE, HEADER_SIZE, MAGIC, VERSION};
use crate::record_type::{RecordKey, RecordType};

/// A record to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordBytes {
    /// The type and the id.
    pub key: RecordKey,
    /// The id of the group; 0 for none.
    pub group: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl RecordBytes {
    /// Returns a record of a type, an id, a group and a body.
    pub fn new(kind: u16, id: u16, group: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { key: RecordKey { kind: RecordType(kind), id }, group, body: body.into() }
    }
}

/// Returns an archive with these records: their bodies in order, and then the directory.
///
/// # Panics
/// If there are more than 65535 records, or 4 GiB of bodies.
pub fn archive(records: &[RecordBytes]) -> Vec<u8> {
    let size: usize = records.iter().map(|record| record.body.len()).sum();
    let mut out = Vec::with_capacity(HEADER_SIZE + size + ENTRY_SIZE * records.len());
    let word = |value: usize| u32::try_from(value).expect("an archive has less than 4 GiB").to_le_bytes();
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend(word(HEADER_SIZE + size));
    out.extend(u16::try_from(records.len()).expect("an archive has at most 65535 records").to_le_bytes());
    let mut directory = Vec::new();
    for RecordBytes { key, group, body } in records {
        [key.kind.0, key.id, *group].iter().for_each(|value| directory.extend(value.to_le_bytes()));
        directory.extend(word(out.len()));
        directory.extend(word(body.len()));
        out.extend(body);
    }
    out.extend(directory);
    out
}
