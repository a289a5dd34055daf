//! A zstd frame that was compressed with a prefix → its content.
//!
//! The decoders take no prefix, so the frame is completed instead: a header for both, the prefix as raw blocks, then the
//! blocks of the frame. That is the same content at the same distances, and raw blocks change no state of a decoder, so
//! this is what a decoder with a prefix does, in either decoder and without a window that could be too small.

use super::frames::{Header, MAGIC, header};

/// Largest content of a block, in bytes.
const BLOCK: usize = 128 << 10;

/// Decodes `frame`, which has `len` bytes of content, after `prefix`. `decode` is a decoder: it takes frames and the size of
/// their content.
pub(crate) fn decode_after(
    decode: impl FnOnce(&[u8], usize) -> Result<Vec<u8>, String>,
    prefix: &[u8],
    frame: &[u8],
    len: usize,
) -> Result<Vec<u8>, String> {
    let Some(Header { size, content, has_checksum, dictionary }) = header(frame) else {
        return Err("it does not begin with a zstd frame that declares its content size".to_owned());
    };
    if content != len as u64 {
        return Err(format!("its frame declares {content} bytes, expected {len}"));
    }
    if has_checksum || dictionary {
        return Err("its frame has a checksum or needs a dictionary, expected neither".to_owned());
    }
    let total = prefix.len().checked_add(len).ok_or("it is too large for this machine")?;
    let mut whole = Vec::new();
    let room = prefix.len() + prefix.len().div_ceil(BLOCK) * 3 + frame.len() + 16;
    whole.try_reserve_exact(room).map_err(|e| e.to_string())?;
    whole.extend_from_slice(&MAGIC.to_le_bytes());
    // A content size of eight bytes, and no window: everything is at hand.
    whole.push(0b1110_0000);
    whole.extend_from_slice(&(total as u64).to_le_bytes());
    for raw in prefix.chunks(BLOCK) {
        whole.extend_from_slice(&((raw.len() as u32) << 3).to_le_bytes()[..3]);
        whole.extend_from_slice(raw);
    }
    whole.extend_from_slice(&frame[size..]);
    let mut content = decode(&whole, total)?;
    drop(whole);
    if content.len() != total {
        return Err(format!("it decompresses to {} bytes, expected {len}", content.len().saturating_sub(prefix.len())));
    }
    Ok(content.split_off(prefix.len()))
}
