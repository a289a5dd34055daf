//! The heads of sections: the form and size of what follows.
//!
//! | bytes | contents |
//! |---|---|
//! | 1 | 0: this and all further bytes are padding; 1: stored; 2: samples; 128 to 255: filtered |
//!
//! A stored section: its size, then its bytes. Samples: the number of channels (one byte), the frames, the size of the content, and
//! the content ([`crate::samples`]). A filtered section: bits 0 to 2 of the first byte are the predictor, 3 and 4 the
//! logarithm of the element's size, 5 whether there are planes, 6 the coder: 0 zstd, 1 LZ4; then the map ([`Map::parse`]), the pixels of a row, the
//! rows, the size of the frame or LZ4 block, and the latter. Sizes are LEB128 numbers.

use crate::map::Map;
use crate::samples::MAX_CHANNELS;
use crate::{Coder, Filter, Predictor};

const PADDING: u8 = 0;
const STORED: u8 = 1;
const SAMPLES: u8 = 2;
const FILTERED: u8 = 0x80;
const LZ4: u8 = 0x40;
const PLANES: u8 = 0x20;

/// The form of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Its content is the bytes of the block.
    Stored,
    /// Its content is 16-bit samples of this many channels.
    Samples { channels: usize },
    /// Its content is what this coder made.
    Filtered { filter: Filter, coder: Coder, width: usize },
}

/// A section of stored bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section<'a> {
    pub(crate) coding: Coding,
    pub(crate) content: &'a [u8],
    /// Its bytes in the block.
    pub(crate) size: u64,
}

impl<'a> Section<'a> {
    /// Splits the next section off `rest`; `None` at the end.
    pub(crate) fn split(rest: &mut &'a [u8]) -> Result<Option<Self>, String> {
        let truncated = || "the head of a section is cut off".to_owned();
        let Some((&first, after)) = rest.split_first() else { return Ok(None) };
        *rest = after;
        let (coding, size) = match first {
            PADDING => return Ok(None),
            STORED => (Coding::Stored, None),
            SAMPLES => {
                let (&channels, after) = rest.split_first().ok_or_else(truncated)?;
                *rest = after;
                let frames = number(rest).ok_or_else(truncated)?;
                if channels == 0 || usize::from(channels) > MAX_CHANNELS || frames == 0 {
                    return Err(format!("a section of {frames} frames of {channels} channels"));
                }
                let size = u64::from(frames) * u64::from(channels) * 2;
                (Coding::Samples { channels: channels.into() }, Some(size))
            }
            first if first & FILTERED != 0 => {
                let map = Map::parse(rest)?;
                let predictor = Predictor::ALL.into_iter().find(|predictor| *predictor as u8 == first & 7);
                let predictor = predictor.ok_or_else(|| format!("the unknown predictor {}", first & 7))?;
                let coder = if first & LZ4 == 0 { Coder::Zstd } else { Coder::Lz4 };
                let element = 1 << (first >> 3 & 3);
                let filter = Filter { map, predictor, element, planes: first & PLANES != 0 };
                let pixel = map.coded_pixel();
                if element > 4 || pixel % usize::from(element) != 0 {
                    return Err(format!("numbers of {element} bytes in pixels of {pixel}"));
                }
                let (width, rows) = (number(rest).ok_or_else(truncated)?, number(rest).ok_or_else(truncated)?);
                if width == 0 || rows == 0 {
                    return Err("a section without pixels".to_owned());
                }
                let size = u64::from(width) * u64::from(rows);
                let size = size.checked_mul(map.pixel() as u64).ok_or("a section of more than 2^64 bytes")?;
                (Coding::Filtered { filter, coder, width: width as usize }, Some(size))
            }
            other => return Err(format!("the unknown form {other} of a section")),
        };
        let len = number(rest).ok_or_else(truncated)?;
        let Some((content, after)) = rest.split_at_checked(len as usize) else {
            return Err(format!("a section of {len} bytes where {} are left", rest.len()));
        };
        *rest = after;
        Ok(Some(Self { coding, content, size: size.unwrap_or(u64::from(len)) }))
    }
}

/// Returns the sections of `packed`, each with its size in the block, if they add up to `len`.
pub fn sections(packed: &[u8], len: usize) -> Option<Vec<(&[u8], usize)>> {
    let (mut sections, mut rest, mut left) = (Vec::new(), packed, len);
    loop {
        let start = rest;
        let Some(section) = Section::split(&mut rest).ok()? else { break };
        let size = usize::try_from(section.size).ok()?;
        left = left.checked_sub(size)?;
        sections.push((&start[..start.len() - rest.len()], size));
    }
    (left == 0).then_some(sections)
}

/// Reads a LEB128 number of at most 32 bits.
fn number(rest: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        let bits = u32::from(byte & 0x7f);
        number |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Writes sections.
pub mod write {
    use super::{Coder, FILTERED, Filter, LZ4, PLANES, SAMPLES, STORED};

    /// Appends `number` as LEB128.
    fn put(mut number: u32, out: &mut Vec<u8>) {
        while number >= 0x80 {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }

    /// Appends a stored section.
    pub fn stored(bytes: &[u8], out: &mut Vec<u8>) {
        out.push(STORED);
        put(bytes.len() as u32, out);
        out.extend_from_slice(bytes);
    }

    /// Appends a section of 16-bit samples.
    pub fn samples(channels: usize, frames: usize, content: &[u8], out: &mut Vec<u8>) {
        out.extend([SAMPLES, channels as u8]);
        put(frames as u32, out);
        put(content.len() as u32, out);
        out.extend_from_slice(content);
    }

    /// Appends a filtered section. `coder` has made `coded` from it.
    pub fn filtered(filter: Filter, coder: Coder, width: usize, rows: usize, coded: &[u8], out: &mut Vec<u8>) {
        let lz4 = if coder == Coder::Lz4 { LZ4 } else { 0 };
        let planes = if filter.planes { PLANES } else { 0 };
        out.push(FILTERED | filter.predictor as u8 | (filter.element.trailing_zeros() as u8) << 3 | planes | lz4);
        filter.map.write(out);
        for size in [width, rows, coded.len()] {
            put(size as u32, out);
        }
        out.extend_from_slice(coded);
    }
}
