//! ELF: program headers, section headers and notes, for 32 and 64 bits, little-endian.

use std::io::{self, Read, Seek};

use super::FOOTER_SIZE;
use super::head::Head;
use crate::bytes::{u16_at, u32_at, u64_at};

/// The name of the note that leads to an attachment, with the zero that ends it and the padding after that.
pub(super) const NOTE_NAME: &[u8; 8] = b"rres\0\0\0\0";

/// Returns the places in the file that the notes lead to. The contents of a note are four bytes: the signed distance from
/// them to the end of an attachment, in memory.
pub(super) fn linked_ranges(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Vec<(u64, u64)>> {
    const LOAD: u32 = 1;
    const NOTE: u32 = 4;
    /// Notes are short; a core dump has longer ones, and no packs.
    const MAX_NOTES: u64 = 64 << 10;

    let Some(elf) = Elf::read(file, head)? else { return Ok(Vec::new()) };
    let segments = elf.segments(file, head)?;
    let mut ranges = Vec::new();
    for notes in segments.iter().filter(|segment| segment.kind == NOTE && segment.len <= MAX_NOTES) {
        let Some(bytes) = head.get(file, notes.offset, notes.len)? else { continue };
        for at in attachment_notes(&bytes) {
            let distance = i64::from(u32_at(&bytes, at).cast_signed());
            let end = notes.address.wrapping_add(at as u64).wrapping_add_signed(distance);
            let end = segments.iter().filter(|segment| segment.kind == LOAD).find_map(|segment| {
                let within = end.checked_sub(segment.address)?;
                (within >= FOOTER_SIZE && within <= segment.len).then(|| segment.offset.checked_add(within))?
            });
            // The footer knows where its attachment starts, so one footer is enough.
            ranges.extend(end.map(|end| (end.saturating_sub(1), end)));
        }
    }
    Ok(ranges)
}

/// Returns where the contents of notes named `rres` start.
fn attachment_notes(notes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(head) = notes.get(at..at + 12) {
        let (name_len, len) = (u32_at(head, 0) as usize, u32_at(head, 4) as usize);
        let name = at + 12;
        let Some(contents) = name.checked_add(name_len).map(|end| end.next_multiple_of(4)) else { break };
        let Some(end) = contents.checked_add(len) else { break };
        let is_ours = name_len == 5 && notes.get(name..name + 8) == Some(NOTE_NAME);
        if is_ours && len == 4 && end <= notes.len() {
            found.push(contents);
        }
        at = end.next_multiple_of(4);
    }
    found
}

/// Returns the end of the last thing that the headers name.
pub(super) fn end(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Option<u64>> {
    /// A section without bytes in the file.
    const NOBITS: u32 = 8;

    let Some(elf) = Elf::read(file, head)? else { return Ok(None) };
    let segments = elf.segments(file, head)?;
    let mut end = segments.iter().filter_map(|segment| segment.offset.checked_add(segment.len)).max().unwrap_or(0);
    let (at, size, count) = elf.sections;
    let table_len = u64::from(size) * u64::from(count);
    if let Some(table) = head.get(file, at, table_len)?.filter(|_| count > 0 && size >= elf.min_section_size()) {
        end = end.max(at + table_len);
        for section in table.chunks_exact(usize::from(size)).filter(|section| u32_at(section, 4) != NOBITS) {
            let (offset, len) = match elf.is_64 {
                true => (u64_at(section, 24), u64_at(section, 32)),
                false => (u32_at(section, 16).into(), u32_at(section, 20).into()),
            };
            end = end.max(offset.saturating_add(len));
        }
    }
    Ok(Some(end))
}

struct Elf {
    is_64: bool,
    /// Offset of the table, size of an entry, number of entries.
    segments: (u64, u16, u16),
    sections: (u64, u16, u16),
}

struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    /// Bytes in the file.
    len: u64,
}

impl Elf {
    fn read(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Option<Self>> {
        let Some(bytes) = head.get(file, 0, 64)? else { return Ok(None) };
        let little_endian = bytes[5] == 1;
        Ok(match bytes[4] {
            2 if little_endian => Some(Self {
                is_64: true,
                segments: (u64_at(&bytes, 32), u16_at(&bytes, 54), u16_at(&bytes, 56)),
                sections: (u64_at(&bytes, 40), u16_at(&bytes, 58), u16_at(&bytes, 60)),
            }),
            1 if little_endian => Some(Self {
                is_64: false,
                segments: (u32_at(&bytes, 28).into(), u16_at(&bytes, 42), u16_at(&bytes, 44)),
                sections: (u32_at(&bytes, 32).into(), u16_at(&bytes, 46), u16_at(&bytes, 48)),
            }),
            _ => None,
        })
    }

    fn min_section_size(&self) -> u16 {
        if self.is_64 { 64 } else { 40 }
    }

    fn segments(&self, file: &mut (impl Read + Seek), head: &Head) -> io::Result<Vec<Segment>> {
        let (at, size, count) = self.segments;
        let least = if self.is_64 { 56 } else { 32 };
        let table = head.get(file, at, u64::from(size) * u64::from(count))?.filter(|_| size >= least && count > 0);
        let Some(table) = table else { return Ok(Vec::new()) };
        let segment = |bytes: &[u8]| match self.is_64 {
            true => Segment {
                kind: u32_at(bytes, 0),
                offset: u64_at(bytes, 8),
                address: u64_at(bytes, 16),
                len: u64_at(bytes, 32),
            },
            false => Segment {
                kind: u32_at(bytes, 0),
                offset: u32_at(bytes, 4).into(),
                address: u32_at(bytes, 8).into(),
                len: u32_at(bytes, 16).into(),
            },
        };
        Ok(table.chunks_exact(usize::from(size)).map(segment).collect())
    }
}
