//! Little-endian fields in byte slices: the only two ways this crate takes integers from untrusted bytes.

use crate::error::{Error, Result};

/// A `u16` at `at`; the caller has checked that the fixed-size structure holds it.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// A `u32` at `at`; the caller has checked that the fixed-size structure holds it.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// `len` bytes of `bytes` from `offset`, or an error that says what did not fit.
pub(crate) fn slice<'a>(bytes: &'a [u8], what: &'static str, offset: u64, len: u64) -> Result<&'a [u8]> {
    let available = bytes.len() as u64;
    let end = offset.checked_add(len).filter(|end| *end <= available);
    match end {
        // Both bounds are at most `bytes.len()`, so the casts cannot truncate.
        Some(end) => Ok(&bytes[offset as usize..end as usize]),
        None => Err(Error::Truncated { what, offset, needed: len, available: available.saturating_sub(offset) }),
    }
}
