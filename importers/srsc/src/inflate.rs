//! Data that is compressed with zlib, whose size is known beforehand.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::error::{Fault, Problem};

/// The most that a byte of compressed data can become. A size beyond that is wrong, so no memory is reserved for it.
const MAX_RATIO: u64 = 1032;

/// Decompresses `data`, which must become exactly `size` bytes. `field` and `offset` are the place of `data`.
pub(crate) fn exact(data: &[u8], size: u64, field: &'static str, offset: usize) -> Result<Vec<u8>, Fault> {
    let fail = |reason: String| Fault::new(field, offset, Problem::Compressed { reason });
    if size > (data.len() as u64).saturating_mul(MAX_RATIO) {
        return Err(fail(format!("{} bytes cannot become {size}", data.len())));
    }
    let mut out = Vec::new();
    let reserve = usize::try_from(size).ok().and_then(|size| size.checked_add(1));
    let reserved = reserve.and_then(|size| out.try_reserve_exact(size).ok());
    reserved.ok_or_else(|| fail(format!("{size} bytes cannot be allocated")))?;
    // One more byte than is expected, so that more is noticed, and the checksum is read.
    ZlibDecoder::new(data).take(size + 1).read_to_end(&mut out).map_err(|error| fail(error.to_string()))?;
    match out.len() as u64 {
        found if found == size => Ok(out),
        found if found > size => Err(fail(format!("it becomes more than {size} bytes"))),
        found => Err(fail(format!("it becomes {found} bytes, expected {size}"))),
    }
}
