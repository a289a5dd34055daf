//! What the headers of an executable tell: its format, where it ends, its signature, and its sections of packs.

use std::io::{self, Read, Seek};

use super::locate::{READ, read_at};
use super::{elf, macho, pe};

/// The format of an executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgramFormat {
    /// Linux, Android and the BSDs.
    Elf,
    /// Windows.
    Pe,
    /// macOS and iOS.
    MachO,
    /// A script, or a format that this version does not know.
    Other,
}

impl ProgramFormat {
    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Elf => "ELF",
            Self::Pe => "PE",
            Self::MachO => "Mach-O",
            Self::Other => "unknown",
        }
    }
}

/// The signature of a PE file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its offset in the file.
    pub offset: u64,
    /// Its size in bytes.
    pub len: u64,
    /// The offset of the eight bytes in the header that say where it is. Zeros there mean that there is no signature.
    pub header_at: u64,
    /// The offset of the checksum of the file in the header, four bytes.
    pub checksum_at: u64,
}

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
/// If the file cannot be read. Headers that are damaged tell nothing, which is no error.
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
    let signature = head.signature(file)?;
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

/// The first bytes of an executable, and its size.
pub(super) struct Head {
    bytes: Vec<u8>,
    pub(super) len: u64,
}

impl Head {
    pub(super) fn read(file: &mut (impl Read + Seek), len: u64) -> io::Result<Self> {
        Ok(Self { bytes: read_at(file, 0, len.min(READ))?, len })
    }

    fn format(&self) -> ProgramFormat {
        match *self.bytes.as_slice() {
            [0x7f, b'E', b'L', b'F', ..] => ProgramFormat::Elf,
            [b'M', b'Z', ..] => ProgramFormat::Pe,
            [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe | 0xbf, ..] => ProgramFormat::MachO,
            _ => ProgramFormat::Other,
        }
    }

    /// Returns the signature of a PE file.
    pub(super) fn signature(&self, file: &mut (impl Read + Seek)) -> io::Result<Option<Signature>> {
        if self.format() != ProgramFormat::Pe {
            return Ok(None);
        }
        Ok(pe::Headers::read(file, self)?.and_then(|headers| headers.signature(self.len)))
    }

    /// Returns `len` bytes from `offset` on, which are mostly in memory already; `None` if the file ends before.
    pub(super) fn get(&self, file: &mut (impl Read + Seek), offset: u64, len: u64) -> io::Result<Option<Vec<u8>>> {
        /// No table of headers is larger.
        const MAX: u64 = 1 << 20;
        let Some(end) = offset.checked_add(len).filter(|end| *end <= self.len && len <= MAX) else { return Ok(None) };
        match self.bytes.get(offset as usize..end as usize) {
            Some(bytes) => Ok(Some(bytes.to_vec())),
            None => read_at(file, offset, len).map(Some),
        }
    }
}
