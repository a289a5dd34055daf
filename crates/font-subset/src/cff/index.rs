//! An INDEX: a list of byte strings, read and written.

use super::Version;
use crate::SubsetError;
use crate::bytes::{Bytes, put_u16, put_u32};

/// A list of byte strings. Every place was checked when it was read.
#[derive(Clone, Copy)]
pub(super) struct Index<'a> {
    /// From the count on, to the end of the table.
    table: Bytes<'a>,
    count: usize,
    /// The bytes of the count, and of a place.
    sizes: (usize, usize),
    /// The size of the whole list.
    size: usize,
}

impl<'a> Index<'a> {
    /// A list of nothing.
    pub(super) fn empty(tag: [u8; 4]) -> Self {
        Self { table: Bytes(&[], tag), count: 0, sizes: (2, 1), size: 0 }
    }

    /// Reads the list at the start of these bytes.
    pub(super) fn read(table: Bytes<'a>, version: Version) -> Result<Self, SubsetError> {
        let of_count = if version == Version::One { 2 } else { 4 };
        let count = table.number(0, of_count)?;
        if count == 0 {
            return Ok(Self { table, count, sizes: (of_count, 1), size: of_count });
        }
        let of_place = usize::from(table.u8(of_count)?);
        if !(1..=4).contains(&of_place) {
            return Err(table.fault("has a list with places of other than 1 to 4 bytes"));
        }
        let places = table.slice(of_count + 1, (count + 1).saturating_mul(of_place))?;
        let mut before = 1;
        for place in places.0.chunks_exact(of_place) {
            let place = place.iter().fold(0, |number, byte| number << 8 | usize::from(*byte));
            if place < before {
                return Err(table.fault("has a list whose places go backwards"));
            }
            before = place;
        }
        let size = of_count + places.len() + before;
        table.slice(0, size)?;
        Ok(Self { table, count, sizes: (of_count, of_place), size })
    }

    /// The size of the whole list in bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The bytes of the list itself.
    pub(super) fn whole(&self) -> Bytes<'a> {
        Bytes(self.table.0.get(..self.size).unwrap_or_default(), self.table.1)
    }

    /// What follows the list.
    pub(super) fn after(&self) -> Bytes<'a> {
        Bytes(self.table.0.get(self.size..).unwrap_or_default(), self.table.1)
    }

    pub(super) fn get(&self, number: usize) -> Result<Bytes<'a>, SubsetError> {
        if number >= self.count {
            return Err(self.table.fault("refers to an entry that a list does not have"));
        }
        let (of_count, of_place) = self.sizes;
        let place = |number: usize| self.table.number(of_count + 1 + number * of_place, of_place);
        let (from, to) = (place(number)?, place(number + 1)?);
        // Places count from the byte before the first string.
        let start = of_count + (self.count + 1) * of_place;
        self.table.slice(start + from, to - from)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Bytes<'a>> + Clone + '_ {
        (0..self.count).filter_map(|number| self.get(number).ok())
    }

    /// Writes a list.
    pub(super) fn write<'s>(strings: impl Iterator<Item = &'s [u8]> + Clone, version: Version) -> Vec<u8> {
        let count = strings.clone().count();
        let mut out = Vec::new();
        match version {
            Version::One => put_u16(&mut out, count),
            Version::Two => put_u32(&mut out, count),
        }
        if count == 0 {
            return out;
        }
        let end = 1 + strings.clone().map(<[u8]>::len).sum::<usize>();
        let of_place = (1..4).find(|size| end < 1 << (8 * size)).unwrap_or(4);
        out.push(of_place as u8);
        let mut place = 1_u32;
        out.extend_from_slice(&place.to_be_bytes()[4 - of_place..]);
        for string in strings.clone() {
            place = place.saturating_add(string.len() as u32);
            out.extend_from_slice(&place.to_be_bytes()[4 - of_place..]);
        }
        strings.for_each(|string| out.extend_from_slice(string));
        out
    }
}
