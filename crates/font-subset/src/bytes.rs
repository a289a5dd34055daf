//! Numbers at places of a table, most significant byte first; every place is checked.

use crate::SubsetError;

/// The bytes of a table, or a part of it, with the tag of the table for errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8], pub(crate) [u8; 4]);

impl<'a> Bytes<'a> {
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    /// What is wrong with the table.
    pub(crate) fn fault(self, what: &'static str) -> SubsetError {
        SubsetError::Damaged(name(&self.1), what)
    }

    pub(crate) fn slice(self, at: usize, len: usize) -> Result<Self, SubsetError> {
        let end = at.checked_add(len);
        let part = end.and_then(|end| self.0.get(at..end));
        part.map(|part| Self(part, self.1)).ok_or_else(|| self.fault("ends before what it lists"))
    }

    /// What follows a place.
    pub(crate) fn from(self, at: usize) -> Result<Self, SubsetError> {
        self.slice(at, self.len().saturating_sub(at))
    }

    pub(crate) fn array<const N: usize>(self, at: usize) -> Result<[u8; N], SubsetError> {
        let part = self.slice(at, N)?.0;
        part.try_into().map_err(|_| self.fault("ends before what it lists"))
    }

    pub(crate) fn u8(self, at: usize) -> Result<u8, SubsetError> {
        Ok(self.array::<1>(at)?[0])
    }

    pub(crate) fn u16(self, at: usize) -> Result<u16, SubsetError> {
        Ok(u16::from_be_bytes(self.array(at)?))
    }

    pub(crate) fn u32(self, at: usize) -> Result<u32, SubsetError> {
        Ok(u32::from_be_bytes(self.array(at)?))
    }

    /// A number of 24 bits.
    pub(crate) fn u24(self, at: usize) -> Result<u32, SubsetError> {
        let [a, b, c] = self.array(at)?;
        Ok(u32::from_be_bytes([0, a, b, c]))
    }

    /// A number of one to four bytes.
    pub(crate) fn number(self, at: usize, size: usize) -> Result<usize, SubsetError> {
        Ok(self.slice(at, size)?.0.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// The part that a number of 16 bits at `at` points to; `None` if it is 0, which says that nothing is there.
    pub(crate) fn optional16(self, at: usize) -> Result<Option<Self>, SubsetError> {
        match self.u16(at)? {
            0 => Ok(None),
            place => self.from(usize::from(place)).map(Some),
        }
    }

    /// The part that a number of 32 bits at `at` points to.
    pub(crate) fn follow32(self, at: usize) -> Result<Self, SubsetError> {
        self.from(self.u32(at)? as usize)
    }

    /// The numbers of 16 bits from `at` on.
    pub(crate) fn u16s(self, at: usize, count: usize) -> Result<impl Iterator<Item = u16> + 'a, SubsetError> {
        let part = self.slice(at, count.saturating_mul(2))?.0;
        Ok(part.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])))
    }
}

/// A tag as it is written: without the spaces after it.
pub(crate) fn name(tag: &[u8; 4]) -> String {
    tag.escape_ascii().to_string().trim_end().to_owned()
}

pub(crate) fn put_u16(out: &mut Vec<u8>, number: impl TryInto<u16>) {
    // Callers have checked the size; a number that does not fit is 65,535, which readers refuse.
    out.extend_from_slice(&number.try_into().unwrap_or(u16::MAX).to_be_bytes());
}

pub(crate) fn put_u32(out: &mut Vec<u8>, number: impl TryInto<u32>) {
    out.extend_from_slice(&number.try_into().unwrap_or(u32::MAX).to_be_bytes());
}
