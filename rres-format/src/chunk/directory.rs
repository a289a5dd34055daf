//! CDIR: the central directory, names of the resources in a pack.
//!
//! Property: number of entries. Each entry: `u32` id, `u32` file offset of the resource's first chunk head, `u32` 0,
//! `u32` size of the name field, name field. The name field holds the name, its terminator, and padding to a multiple
//! of 4; rrespacker adds 4 bytes more where none would be needed, and so do we.

use super::{PayloadView, block};
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::{slice, u32_at};

/// One entry of the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryEntry<'a> {
    /// The resource.
    pub id: ResourceId,
    /// File offset of its first chunk's head.
    pub offset: u32,
    /// Its name, terminator and padding left out; not checked to be UTF-8.
    pub name: &'a [u8],
}

/// A borrowed CDIR payload.
#[derive(Clone, Copy, Debug)]
pub struct DirectoryView<'a> {
    count: u32,
    data: &'a [u8],
}

impl<'a> DirectoryView<'a> {
    const ENTRY_HEAD: u64 = 16;

    /// Checks the entry count against the data; entries are checked when they are walked.
    ///
    /// # Errors
    /// [`Error::Truncated`] where the data cannot hold that many entries.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let count = payload.prop(0)?;
        payload.data_of("directory entries", u64::from(count) * Self::ENTRY_HEAD)?;
        Ok(Self { count, data: payload.data() })
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The entries in stored order, up to the first that does not fit.
    pub fn entries(&self) -> impl Iterator<Item = Result<DirectoryEntry<'a>>> + use<'a> {
        let (data, count) = (self.data, self.count);
        let mut at = 0u64;
        let mut left = count;
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let entry = (|| {
                let head = slice(data, "directory entry", at, Self::ENTRY_HEAD)?;
                let size = u32_at(head, 12);
                let field = slice(data, "directory name", at + Self::ENTRY_HEAD, size.into())?;
                at += Self::ENTRY_HEAD + u64::from(size);
                let end = field.iter().position(|b| *b == 0).unwrap_or(field.len());
                Ok(DirectoryEntry { id: ResourceId(u32_at(head, 0)), offset: u32_at(head, 4), name: &field[..end] })
            })();
            if entry.is_err() {
                left = 0;
            }
            Some(entry)
        })
    }

    /// The id of exactly this name; a prefix, or another case, is another name.
    ///
    /// # Errors
    /// As [`Self::entries`], where no entry before the damage matches.
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

/// The block of a directory. Entries are put in ascending byte order of their names, in which the prefix match of
/// `rresGetResourceId` finds every exact name.
///
/// # Errors
/// [`Error::Inconsistent`] for a name that is empty, too long, or holds a NUL.
pub fn directory_block(entries: &mut [DirectoryEntry<'_>]) -> Result<Vec<u8>> {
    entries.sort_by_key(|entry| entry.name);
    let mut data = Vec::new();
    for entry in entries.iter() {
        let len = entry.name.len();
        if len == 0 || len > crate::limits::MAX_NAME_LEN || entry.name.contains(&0) {
            let detail =
                format!("name \"{}\" has {len} bytes, expected 1 to 1022 without NUL", entry.name.escape_ascii());
            return Err(Error::inconsistent("directory", detail));
        }
        let terminated = len + 1;
        let field = terminated + (4 - terminated % 4);
        for value in [entry.id.0, entry.offset, 0, field as u32] {
            data.extend_from_slice(&value.to_le_bytes());
        }
        data.extend_from_slice(entry.name);
        data.resize(data.len() + field - len, 0);
    }
    Ok(block(&[entries.len() as u32], &data))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str) -> DirectoryEntry<'_> {
        DirectoryEntry { id: ResourceId::from_path(name), offset: 16, name: name.as_bytes() }
    }

    #[test]
    fn names_are_padded_as_rrespacker_pads_them() {
        let block = directory_block(&mut [entry("Sun.png")]).unwrap();
        assert_eq!(u32_at(&block, 8 + 12), 12, "7 bytes, terminator, 4 of padding");
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
    fn damaged_entries_end_the_walk_with_an_error() {
        let good = directory_block(&mut [entry("a"), entry("b")]).unwrap();
        for len in 8..good.len() {
            let Ok(view) = PayloadView::parse(&good[..len]).and_then(DirectoryView::parse) else { continue };
            let results: Vec<_> = view.entries().collect();
            assert!(results.last().unwrap().is_err(), "cut to {len}");
        }
        assert!(directory_block(&mut [entry("")]).is_err());
        assert!(directory_block(&mut [entry(&"x".repeat(1023))]).is_err());
    }
}
