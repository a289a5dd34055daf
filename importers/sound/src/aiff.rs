//! The chunks of an AIFF or AIFC.

/// The names and bodies of all chunks.
pub(super) fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = bytes.get(12..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (name, len) = (rest.first_chunk()?, u32_at(rest, 4)? as usize);
        let body = rest.get(8..)?.get(..len)?;
        rest = rest.get((8 + len).next_multiple_of(2)..).unwrap_or_default();
        Some((name, body))
    })
}

/// Channels, and bits of each.
pub(super) fn frame(bytes: &[u8]) -> Option<(u16, u16)> {
    let (_, common) = chunks(bytes).find(|(name, _)| *name == b"COMM")?;
    Some((u16_at(common, 0)?, u16_at(common, 6)?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
