//! CDIR: the central directory, which lists the ids and names of the resources in a pack.
//!
//! Property: number of entries. Each entry: `u32` id, `u32` file offset of the header of the resource's first chunk,
//! `u32` 0, `u32` size of the name field, name field. The name field contains the name, a NUL, and padding to a
//! multiple of 4. If no padding is needed, rrespacker still adds 4 bytes, and so does this crate.

use super::{PayloadView, block};
use crate::bytes::slice;
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::limits::MAX_NAME_LEN;
use crate::wire::{Wire, wire_record};

wire_record! {
    /// An entry as stored; the name field follows it.
    struct EntryRecord[16] {
        id: ResourceId,
        offset: u32,
        reserved: u32,
        name_size: u32,
    }
}

/// One entry of the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryEntry<'a> {
    /// Id of the resource.
    pub id: ResourceId,
    /// File offset of the header of its first chunk.
    pub offset: u32,
    /// Name of the resource, without terminator and padding; not checked to be UTF-8.
    pub name: &'a [u8],
}

/// A borrowed CDIR payload.
#[derive(Clone, Copy, Debug)]
pub struct DirectoryView<'a> {
    count: u32,
    data: &'a [u8],
}

impl<'a> DirectoryView<'a> {
    /// Checks that the data is large enough for the number of entries. [`Self::entries`] checks each entry.
    ///
    /// # Errors
    /// [`Error::Truncated`] if it is not.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let count = payload.prop(0)?;
        payload.data_of("directory entries", u64::from(count) * EntryRecord::SIZE as u64)?;
        Ok(Self { count, data: payload.data() })
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether the directory has no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the entries in stored order. The first one that does not fit the data is an error and the last item.
    pub fn entries(&self) -> impl Iterator<Item = Result<DirectoryEntry<'a>>> + use<'a> {
        let (data, count) = (self.data, self.count);
        let mut at = 0u64;
        let mut left = count;
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let entry = (|| {
                let record = EntryRecord::get(slice(data, "directory entry", at, EntryRecord::SIZE as u64)?);
                at += EntryRecord::SIZE as u64;
                let field = slice(data, "directory name", at, record.name_size.into())?;
                at += u64::from(record.name_size);
                let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
                Ok(DirectoryEntry { id: record.id, offset: record.offset, name: &field[..end] })
            })();
            if entry.is_err() {
                left = 0;
            }
            Some(entry)
        })
    }

    /// Returns the id of the resource called `name`, or `None` if it does not exist. The
    /// whole name must match; `rresGetResourceId` matches prefixes.
    ///
    /// # Errors
    /// [`Error::Truncated`] if an entry does not fit the data and no entry before it has the name.
    pub fn find(&self, name: &str) -> Result<Option<ResourceId>> {
        for entry in self.entries() {
            let entry = entry?;
            if entry.name == name.as_bytes() {
                return Ok(Some(entry.id));
            }
        }
        Ok(None)
    }
}

/// Returns the block of a directory. Sorts the entries by the bytes of their names: in this order, `rresGetResourceId`,
/// which matches prefixes, finds every exact name.
///
/// # Errors
/// [`Error::Inconsistent`] if a name is empty, longer than [`MAX_NAME_LEN`], or contains a NUL.
pub fn directory_block(entries: &mut [DirectoryEntry<'_>]) -> Result<Vec<u8>> {
    entries.sort_by_key(|entry| entry.name);
    let mut data = Vec::new();
    for entry in entries.iter() {
        let len = entry.name.len();
        if len == 0 || len > MAX_NAME_LEN || entry.name.contains(&0) {
            let name = entry.name.escape_ascii();
            let detail = format!("name \"{name}\" has {len} bytes, expected 1 to {MAX_NAME_LEN} bytes without a NUL");
            return Err(Error::inconsistent("directory", detail));
        }
        let terminated = len + 1;
        let field = terminated + (4 - terminated % 4);
        let record = EntryRecord { id: entry.id, offset: entry.offset, reserved: 0, name_size: field as u32 };
        record.put(&mut data);
        data.extend_from_slice(entry.name);
        data.resize(data.len() + field - len, 0);
    }
    Ok(block(&[entries.len() as u32], &data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::u32_at;

    fn entry(name: &str) -> DirectoryEntry<'_> {
        DirectoryEntry { id: ResourceId::from_path(name), offset: 16, name: name.as_bytes() }
    }

    #[test]
    fn names_are_padded_as_rrespacker_pads_them() {
        let block = directory_block(&mut [entry("Sun.png")]).unwrap();
        assert_eq!(u32_at(&block, 8 + 12), 12, "7 bytes, a NUL, 4 bytes of padding");
        assert_eq!(block.len(), 8 + 16 + 12);
    }

    #[test]
    fn lookup_is_exact_and_prefixes_come_first() {
        let block = directory_block(&mut [entry("ab.txt2"), entry("ab.txt"), entry("Ab.txt")]).unwrap();
        let view = DirectoryView::parse(PayloadView::parse(&block).unwrap()).unwrap();
        let names: Vec<_> = view.entries().map(|e| e.unwrap().name).collect();
        assert_eq!(names, [&b"Ab.txt"[..], b"ab.txt", b"ab.txt2"]);
        assert_eq!(view.find("ab.txt"), Ok(Some(ResourceId::from_path("ab.txt"))));
        assert_eq!(view.find("ab.t"), Ok(None));
        assert_eq!(view.find(""), Ok(None));
    }

    #[test]
    fn a_truncated_entry_is_an_error_and_the_last_item() {
        let good = directory_block(&mut [entry("a"), entry("b")]).unwrap();
        for len in 8..good.len() {
            let Ok(view) = PayloadView::parse(&good[..len]).and_then(DirectoryView::parse) else { continue };
            let results: Vec<_> = view.entries().collect();
            assert!(results.last().unwrap().is_err(), "truncated to {len} bytes");
        }
        assert!(directory_block(&mut [entry("")]).is_err());
        assert!(directory_block(&mut [entry(&"x".repeat(1023))]).is_err());
    }
}
