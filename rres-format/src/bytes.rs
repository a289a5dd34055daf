//! Reading from untrusted bytes: every offset is checked before it is used.

use crate::error::{Error, Result};
use crate::wire::Wire;

/// Returns the `u16` at `at`; the caller has checked that it is inside `bytes`.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::get(&bytes[at..])
}

/// Returns the `u32` at `at`; the caller has checked that it is inside `bytes`.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::get(&bytes[at..])
}

/// Returns the `u64` at `at`; the caller has checked that it is inside `bytes`.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::get(&bytes[at..])
}

/// Returns `len` bytes of `bytes` from `offset` on, or [`Error::Truncated`] for `what`.
pub(crate) fn slice<'a>(bytes: &'a [u8], what: &'static str, offset: u64, len: u64) -> Result<&'a [u8]> {
    let available = bytes.len() as u64;
    let end = offset.checked_add(len).filter(|end| *end <= available);
    match end {
        // Both bounds are at most `bytes.len()`, so the casts cannot truncate.
        Some(end) => Ok(&bytes[offset as usize..end as usize]),
        None => Err(Error::Truncated { what, offset, needed: len, available: available.saturating_sub(offset) }),
    }
}
