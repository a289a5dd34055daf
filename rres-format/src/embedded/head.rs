//! The first bytes of an executable, which tell its format; the other headers are read through them.

use std::io::{self, Read, Seek, SeekFrom};

/// How much is read at once. A footer and the table of a few packs fit, and so do the headers of a program.
pub(super) const READ: u64 = 4096;

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
    /// The offset of the eight bytes in the header that say where it is. Zeros there mean that the file has no signature.
    pub header_at: u64,
    /// The offset of the checksum of the file in the header, four bytes.
    pub checksum_at: u64,
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

    pub(super) fn format(&self) -> ProgramFormat {
        match *self.bytes.as_slice() {
            [0x7f, b'E', b'L', b'F', ..] => ProgramFormat::Elf,
            [b'M', b'Z', ..] => ProgramFormat::Pe,
            [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe | 0xbf, ..] => ProgramFormat::MachO,
            _ => ProgramFormat::Other,
        }
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

/// Reads `len` bytes from `offset` on. The caller has limited `len`.
pub(super) fn read_at(file: &mut (impl Read + Seek), offset: u64, len: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = vec![0; len as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
