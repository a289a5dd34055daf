//! Allocations whose size comes from a file: if there is not enough memory, they are an error and do not end the process.

use crate::error::{Error, Result};

/// Allocations of this size or larger are tried first. A program that has no room for less is at its end anyway.
const LARGE: usize = 1 << 20;

/// Returns an error if `len` bytes cannot be allocated.
pub(crate) fn check(len: usize) -> Result<()> {
    if len < LARGE {
        return Ok(());
    }
    // The memory is given back at once and asked for again as zeros, because no safe function does both: zeros
    // from the system cost nothing, and filling a reserved vector with them touches every page.
    Vec::<u8>::new().try_reserve_exact(len).map_err(|_| Error::OutOfMemory { bytes: len as u64 })
}

/// Returns `len` zeros.
///
/// # Errors
/// [`Error::OutOfMemory`] if there is not enough memory.
pub fn zeroed(len: usize) -> Result<Vec<u8>> {
    check(len)?;
    Ok(vec![0; len])
}
