//! The places of the frames in a block: RFC 8878, sections 3.1.1 and 3.1.2.

use crate::bytes::u32_at;

pub(super) const MAGIC: u32 = 0xfd2f_b528;

/// Skippable frames have one of sixteen magic numbers.
const SKIPPABLE_MAGIC: u32 = 0x184d_2a50;

/// Returns the frames of `packed` that have content, and the size of their content. Returns `None` unless every frame
/// declares its content size and the sizes add up to `len`.
pub(crate) fn frames(packed: &[u8], len: usize) -> Option<Vec<(&[u8], usize)>> {
    let mut frames = Vec::new();
    let (mut rest, mut left) = (packed, len);
    while !rest.is_empty() {
        let (size, content) = frame(rest)?;
        let (frame, next) = rest.split_at_checked(size)?;
        let content = usize::try_from(content).ok()?;
        left = left.checked_sub(content)?;
        if content > 0 {
            frames.push((frame, content));
        }
        rest = next;
    }
    (left == 0).then_some(frames)
}

/// The header of a frame.
pub(super) struct Header {
    /// Its size, after which the blocks begin.
    pub(super) size: usize,
    /// The size of the content.
    pub(super) content: u64,
    pub(super) has_checksum: bool,
    /// Whether it names a dictionary.
    pub(super) dictionary: bool,
}

/// Reads the header of the frame that `data` begins with; `None` if it does not declare the size of the content.
pub(super) fn header(data: &[u8]) -> Option<Header> {
    if u32_at(data.get(..4)?, 0) != MAGIC {
        return None;
    }
    // Descriptor, window, dictionary id, content size.
    let descriptor = *data.get(4)?;
    let (is_single_segment, has_checksum) = (descriptor & 0x20 != 0, descriptor & 0x04 != 0);
    let window_size = usize::from(!is_single_segment);
    let dictionary_size = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size_size = match descriptor >> 6 {
        0 => usize::from(is_single_segment),
        flag => 1 << flag,
    };
    let at = 5 + window_size + dictionary_size;
    let content_size = data.get(at..at + content_size_size)?;
    let content = match content_size.len() {
        0 => return None,
        // Two bytes store the size minus 256.
        2 => number(content_size) + 256,
        _ => number(content_size),
    };
    Some(Header { size: at + content_size_size, content, has_checksum, dictionary: dictionary_size > 0 })
}

/// Returns the size of the frame that `data` begins with, and the size of its content, which a skippable frame does not
/// have.
fn frame(data: &[u8]) -> Option<(usize, u64)> {
    let magic = u32_at(data.get(..4)?, 0);
    if magic & 0xffff_fff0 == SKIPPABLE_MAGIC {
        let size = u32_at(data.get(4..8)?, 0);
        return Some((usize::try_from(size).ok()?.checked_add(8)?, 0));
    }
    let Header { size: mut at, content, has_checksum, .. } = header(data)?;
    // The blocks: three bytes of header, then as many as it says, or one byte that is repeated.
    loop {
        let header = number(data.get(at..at + 3)?);
        let (is_last, kind, size) = (header & 1 != 0, header >> 1 & 3, (header >> 3) as usize);
        at += 3 + match kind {
            1 => 1,
            0 | 2 => size,
            _ => return None,
        };
        if is_last {
            return Some((at + if has_checksum { 4 } else { 0 }, content));
        }
    }
}

/// Reads a little-endian number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
