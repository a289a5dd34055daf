//! The chunks of a PNG → a PNG with only those that decide its pixels.
//!
//! The decoder would unpack colour profiles and texts. Four megabytes of them can hold gigabytes. It also compares all
//! bits of a transparent grey with pixels of fewer bits; only the low ones count.

use std::borrow::Cow;

const SIGNATURE: usize = 8;
const GREY: u8 = 0;

/// A PNG without what does not matter here.
pub(super) struct Essence<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// The number of pictures of an animation; 1 if it is not one. The decoder takes the first.
    pub(super) frames: u32,
}

/// Leaves out what does not decide the pixels. What follows damage is left as it is, for the decoder to judge.
pub(super) fn essence(bytes: &[u8]) -> Essence<'_> {
    reduce(bytes, &[b"tRNS"])
}

/// The file with all pictures of an animation, without what does not decide their pixels and times.
pub(super) fn animation(bytes: &[u8]) -> Cow<'_, [u8]> {
    reduce(bytes, &[b"tRNS", b"acTL", b"fcTL", b"fdAT"]).bytes
}

/// The number of pictures.
pub(super) fn frames(bytes: &[u8]) -> u32 {
    essence(bytes).frames
}

/// Leaves out the chunks that a decoder may pass over, except those with these names.
fn reduce<'a>(bytes: &'a [u8], kept: &[&[u8; 4]]) -> Essence<'a> {
    let mut out = bytes[..SIGNATURE.min(bytes.len())].to_vec();
    let (mut at, mut frames, mut is_changed) = (out.len(), 1, false);
    let (mut depth, mut color) = (8, None);
    while let Some((name, chunk, data)) = chunk(bytes, at) {
        match (name, data) {
            (b"IHDR", [_, _, _, _, _, _, _, _, bits, kind, ..]) => (depth, color) = (u32::from(*bits), Some(*kind)),
            (b"acTL", [a, b, c, d, ..]) => frames = u32::from_be_bytes([*a, *b, *c, *d]).max(1),
            _ => {}
        }
        match (name, data) {
            (b"tRNS", [high, low]) if color == Some(GREY) && depth < 16 => {
                let grey = u16::from_be_bytes([*high, *low]) & ((1 << depth) - 1);
                let body = [&b"tRNS"[..], &grey.to_be_bytes()].concat();
                out.extend_from_slice(&chunk[..4]);
                out.extend_from_slice(&body);
                out.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
                is_changed |= *data != grey.to_be_bytes();
            }
            // Names of chunks that a decoder may pass over begin with a small letter.
            _ if name[0].is_ascii_lowercase() && !kept.contains(&name) => is_changed = true,
            _ => out.extend_from_slice(chunk),
        }
        at += chunk.len();
    }
    if !is_changed {
        return Essence { bytes: bytes.into(), frames };
    }
    out.extend_from_slice(&bytes[at..]);
    Essence { bytes: out.into(), frames }
}

/// Names and data of the chunks, up to the first one that is not whole.
pub(super) fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut at = SIGNATURE;
    std::iter::from_fn(move || {
        let (name, whole, data) = chunk(bytes, at)?;
        at += whole.len();
        Some((name, data))
    })
}

/// Bytes of the pixels, by the head alone.
pub(super) fn decoded_size(bytes: &[u8]) -> Option<u64> {
    let (_, _, &[a, b, c, d, e, f, g, h, depth, color, ..]) = chunk(bytes, SIGNATURE)? else { return None };
    let (width, height) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
    let channels = match color {
        0 => 1,
        2 => 3,
        4 => 2,
        _ => 4,
    };
    Some(u64::from(width).saturating_mul(u64::from(height)).saturating_mul(channels * if depth == 16 { 4 } else { 1 }))
}

/// Name, whole chunk and data of the chunk at `at`, if it is complete.
fn chunk(bytes: &[u8], at: usize) -> Option<(&[u8; 4], &[u8], &[u8])> {
    let rest = bytes.get(at..)?;
    let (len, rest_of_name) = rest.split_first_chunk::<4>()?;
    let name = rest_of_name.first_chunk::<4>()?;
    let len = usize::try_from(u32::from_be_bytes(*len)).ok()?;
    let chunk = rest.get(..len.checked_add(12)?)?;
    Some((name, chunk, &chunk[8..8 + len]))
}
