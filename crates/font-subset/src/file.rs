//! The directory of a font file: tables by their tags, read and written.

use std::collections::BTreeMap;

use crate::SubsetError;
use crate::bytes::{Bytes, name, put_u16, put_u32};

/// The tables of a font.
#[derive(Debug)]
pub(crate) struct FontTables<'a> {
    tables: BTreeMap<[u8; 4], Bytes<'a>>,
}

impl<'a> FontTables<'a> {
    /// Reads the directory of a font, of a collection that of the first one.
    pub(crate) fn open(file: &'a [u8]) -> Result<Self, SubsetError> {
        let all = Bytes(file, *b"sfnt");
        let mut start = 0;
        if file.starts_with(b"ttcf") {
            start = all.u32(12)? as usize;
        }
        let magic: [u8; 4] = all.array(start).map_err(|_| SubsetError::NotAFont)?;
        if !matches!(&magic, b"\0\x01\0\0" | b"OTTO" | b"true") {
            return Err(SubsetError::NotAFont);
        }
        let count = usize::from(all.from(start)?.u16(4)?);
        let mut tables = BTreeMap::new();
        let records = all.from(start)?.slice(12, 16 * count)?;
        for record in 0..count {
            let record = records.slice(16 * record, 16)?;
            let tag = record.array(0)?;
            let table = all.slice(record.u32(8)? as usize, record.u32(12)? as usize);
            let table = table.map_err(|_| SubsetError::Damaged(name(&tag), "is outside of the file"))?;
            tables.entry(tag).or_insert(Bytes(table.0, tag));
        }
        Ok(Self { tables })
    }

    /// Every table, by tag.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&[u8; 4], Bytes<'a>)> {
        self.tables.iter().map(|(tag, table)| (tag, *table))
    }

    pub(crate) fn table(&self, tag: &[u8; 4]) -> Option<Bytes<'a>> {
        self.tables.get(tag).copied()
    }

    pub(crate) fn required(&self, tag: &'static [u8; 4]) -> Result<Bytes<'a>, SubsetError> {
        self.table(tag).ok_or(SubsetError::Missing(std::str::from_utf8(tag).unwrap_or_default()))
    }

    /// Whether the outlines are those of PostScript.
    pub(crate) fn is_cff(&self) -> bool {
        self.tables.contains_key(b"CFF ") || self.tables.contains_key(b"CFF2")
    }
}

/// Tables that become a file.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    tables: BTreeMap<[u8; 4], Vec<u8>>,
}

impl Writer {
    /// Adds a table, or replaces it.
    pub(crate) fn add(&mut self, tag: [u8; 4], table: Vec<u8>) {
        self.tables.insert(tag, table);
    }

    /// Sets a number of a table that was added, if it is long enough for that.
    pub(crate) fn set_u16(&mut self, tag: &[u8; 4], at: usize, number: u16) {
        if let Some(place) = self.tables.get_mut(tag).and_then(|table| table.get_mut(at..at + 2)) {
            place.copy_from_slice(&number.to_be_bytes());
        }
    }

    /// The file, with its checksums.
    pub(crate) fn finish(mut self, is_cff: bool) -> Vec<u8> {
        /// Where the table `head` has the checksum of the file, and what the sum of a whole file is.
        const ADJUSTMENT: (usize, u32) = (8, 0xb1b0_afba);
        if let Some(place) = self.tables.get_mut(b"head").and_then(|head| head.get_mut(ADJUSTMENT.0..12)) {
            place.fill(0);
        }
        let count = self.tables.len();
        let mut out = if is_cff { b"OTTO".to_vec() } else { vec![0, 1, 0, 0] };
        let steps = count.max(1).ilog2();
        put_u16(&mut out, count);
        put_u16(&mut out, 16_u32 << steps);
        put_u16(&mut out, steps);
        put_u16(&mut out, (16 * count).saturating_sub(16 << steps));
        let mut offset = 12 + 16 * count;
        let mut head = None;
        for (tag, table) in &self.tables {
            if tag == b"head" {
                head = Some(offset + ADJUSTMENT.0);
            }
            out.extend_from_slice(tag);
            put_u32(&mut out, checksum(table));
            put_u32(&mut out, offset);
            put_u32(&mut out, table.len());
            offset += table.len().next_multiple_of(4);
        }
        for table in self.tables.values() {
            out.extend_from_slice(table);
            out.resize(out.len().next_multiple_of(4), 0);
        }
        let adjustment = ADJUSTMENT.1.wrapping_sub(checksum(&out));
        if let Some(place) = head.and_then(|at| out.get_mut(at..at + 4)) {
            place.copy_from_slice(&adjustment.to_be_bytes());
        }
        out
    }
}

/// The sum of the numbers of 32 bits; zeros follow the last bytes.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.chunks(4).fold(0, |sum: u32, part| {
        let mut number = [0; 4];
        number[..part.len()].copy_from_slice(part);
        sum.wrapping_add(u32::from_be_bytes(number))
    })
}
