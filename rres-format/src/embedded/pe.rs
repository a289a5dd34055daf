//! PE: the data directory with the place of the signature, and the section headers.

use std::io::{self, Read, Seek};

use super::head::{Head, Signature};
use crate::bytes::{u16_at, u32_at};

/// The name of the section that contains linked attachments.
const SECTION: &[u8; 8] = b".rres\0\0\0";

/// The headers from the PE signature on.
pub(super) struct Headers<'h> {
    head: &'h Head,
    /// The offset of the optional header.
    optional_at: u64,
    optional: Vec<u8>,
    section_count: u16,
    /// Offset and number of entries of the symbol table, which MinGW writes after the sections.
    symbols: (u32, u32),
}

impl<'h> Headers<'h> {
    /// Reads the headers; `None` if the file is not a PE file, as a program for DOS is not.
    pub(super) fn read(file: &mut (impl Read + Seek), head: &'h Head) -> io::Result<Option<Self>> {
        let Some(dos) = head.get(file, 0, 64)? else { return Ok(None) };
        let at = u64::from(u32_at(&dos, 60));
        let Some(coff) = head.get(file, at, 24)?.filter(|coff| coff[..4] == *b"PE\0\0") else { return Ok(None) };
        let optional_at = at + 24;
        let Some(optional) = head.get(file, optional_at, u16_at(&coff, 20).into())? else { return Ok(None) };
        let symbols = (u32_at(&coff, 12), u32_at(&coff, 16));
        Ok(Some(Self { head, optional_at, optional, section_count: u16_at(&coff, 6), symbols }))
    }

    /// Returns the place of the signature, if there is one within the `len` bytes of the file.
    pub(super) fn signature(&self, len: u64) -> Option<Signature> {
        /// The number of the directory entry with the place of the signature. Unlike the others it has an offset in the file.
        const SECURITY: usize = 4;
        let optional = self.optional.as_slice();
        let directory = match u16_at(optional.get(..2)?, 0) {
            0x10b => 96,
            0x20b => 112,
            _ => return None,
        };
        let count = u32_at(optional.get(directory - 4..directory)?, 0) as usize;
        let entry_at = directory + 8 * SECURITY;
        let entry = optional.get(entry_at..entry_at + 8).filter(|_| count > SECURITY)?;
        let (offset, size) = (u64::from(u32_at(entry, 0)), u64::from(u32_at(entry, 4)));
        (offset > 0 && size > 0 && offset + size <= len).then_some(Signature {
            offset,
            len: size,
            header_at: self.optional_at + entry_at as u64,
            checksum_at: self.optional_at + 64,
        })
    }

    /// Returns the end of the last section and of the symbol table.
    pub(super) fn end(&self, file: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
        let sections = self.sections(file)?;
        let end = sections.iter().map(|section| section.offset + section.len).max();
        let (at, count) = self.symbols;
        if at == 0 {
            return Ok(end);
        }
        // The strings, whose size comes first, are after the symbols of 18 bytes.
        let strings_at = u64::from(at) + 18 * u64::from(count);
        let strings = self.head.get(file, strings_at, 4)?.map_or(0, |size| u64::from(u32_at(&size, 0)));
        Ok(end.max(Some(strings_at + strings)))
    }

    pub(super) fn linked_ranges(&self, file: &mut (impl Read + Seek)) -> io::Result<Vec<(u64, u64)>> {
        let sections = self.sections(file)?;
        let ours = sections.iter().filter(|section| section.name == *SECTION);
        Ok(ours.map(|section| (section.offset, section.offset + section.len.min(section.memory_len))).collect())
    }

    fn sections(&self, file: &mut (impl Read + Seek)) -> io::Result<Vec<Section>> {
        let at = self.optional_at + self.optional.len() as u64;
        let table = self.head.get(file, at, 40 * u64::from(self.section_count))?.unwrap_or_default();
        let section = |bytes: &[u8]| Section {
            name: std::array::from_fn(|i| bytes[i]),
            memory_len: u32_at(bytes, 8).into(),
            len: u32_at(bytes, 16).into(),
            offset: u32_at(bytes, 20).into(),
        };
        Ok(table.chunks_exact(40).map(section).collect())
    }
}

struct Section {
    name: [u8; 8],
    /// Bytes in memory: without the padding in the file.
    memory_len: u64,
    offset: u64,
    len: u64,
}
