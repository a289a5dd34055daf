//! Mach-O: the load commands, of thin files with 64 bits, little-endian. Universal files are not read.

use std::io::{self, Read, Seek};

use super::head::Head;
use crate::bytes::{u32_at, u64_at};

/// The name of the section that contains linked attachments.
const SECTION: &[u8; 16] = b"__rres\0\0\0\0\0\0\0\0\0\0";

/// Returns the end of the last segment.
pub(super) fn end(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Option<u64>> {
    let ends = segments(file, head)?;
    Ok(ends.iter().filter_map(|segment| u64_at(segment, 40).checked_add(u64_at(segment, 48))).max())
}

pub(super) fn linked_ranges(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Vec<(u64, u64)>> {
    let mut ranges = Vec::new();
    for segment in segments(file, head)? {
        let ours = segment[72..].chunks_exact(80).filter(|section| section[..16] == *SECTION);
        ranges.extend(ours.map(|section| {
            let (offset, len) = (u64::from(u32_at(section, 48)), u64_at(section, 40));
            (offset, offset.saturating_add(len))
        }));
    }
    Ok(ranges)
}

/// Returns the commands that describe segments with their sections, each of at least 72 bytes.
fn segments(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Vec<Vec<u8>>> {
    const HEADER: u64 = 32;
    const SEGMENT_64: u32 = 0x19;

    let Some(header) = head.get(file, 0, HEADER)?.filter(|header| header[0] == 0xcf) else { return Ok(Vec::new()) };
    let commands = head.get(file, HEADER, u32_at(&header, 20).into())?.unwrap_or_default();
    let mut segments = Vec::new();
    let mut rest = commands.as_slice();
    for _ in 0..u32_at(&header, 16) {
        let Some(size) = rest.get(..8).map(|command| u32_at(command, 4) as usize).filter(|size| *size >= 8) else {
            break;
        };
        let Some((command, after)) = rest.split_at_checked(size) else { break };
        if u32_at(command, 0) == SEGMENT_64 && size >= 72 {
            segments.push(command.to_vec());
        }
        rest = after;
    }
    Ok(segments)
}
