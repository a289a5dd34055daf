//! What the headers of an executable say: its format, its end, its signature, and its sections of packs.

use std::io::{self, Read, Seek};

use super::head::{Head, ProgramFormat, Signature};
use super::{elf, macho, pe};

/// What the headers of an executable tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramInfo {
    /// The format.
    pub format: ProgramFormat,
    /// The end of the program according to its headers; bytes after it were appended. `None` if the headers do not tell.
    pub end: Option<u64>,
    /// The signature of a PE file.
    pub signature: Option<Signature>,
}

/// Reads the headers of an executable.
///
/// # Errors
/// If the file cannot be read. Damaged headers say nothing, which is not an error.
pub fn program_info(file: &mut (impl Read + Seek)) -> io::Result<ProgramInfo> {
    let len = file.seek(io::SeekFrom::End(0))?;
    let head = Head::read(file, len)?;
    let format = head.format();
    let end = match format {
        ProgramFormat::Elf => elf::end(file, &head)?,
        ProgramFormat::Pe => match pe::Headers::read(file, &head)? {
            Some(headers) => headers.end(file)?,
            None => None,
        },
        ProgramFormat::MachO => macho::end(file, &head)?,
        ProgramFormat::Other => None,
    };
    let signature = signature(file, &head)?;
    Ok(ProgramInfo { format, end: end.filter(|end| *end <= len), signature })
}

/// Returns the ranges of the file that contain linked attachments.
pub(super) fn linked_ranges(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Vec<(u64, u64)>> {
    match head.format() {
        ProgramFormat::Elf => elf::linked_ranges(file, head),
        ProgramFormat::Pe => match pe::Headers::read(file, head)? {
            Some(headers) => headers.linked_ranges(file),
            None => Ok(Vec::new()),
        },
        ProgramFormat::MachO => macho::linked_ranges(file, head),
        ProgramFormat::Other => Ok(Vec::new()),
    }
}

/// Returns the signature of a PE file.
pub(super) fn signature(file: &mut (impl Read + Seek), head: &Head) -> io::Result<Option<Signature>> {
    if head.format() != ProgramFormat::Pe {
        return Ok(None);
    }
    Ok(pe::Headers::read(file, head)?.and_then(|headers| headers.signature(head.len)))
}
