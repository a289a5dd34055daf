//! Packs → an object file with the packs in a section, which the linker puts into the program.
//!
//! The object is written here, so that neither rustc nor a C compiler has to read the packs: the linker copies them once. The
//! program finds them through its own headers (`rres_format::embedded::linked`), so no code refers to the section, and nothing
//! is unsafe.

mod archive;
mod coff;
mod elf;
mod macho;

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

use archive::write_archive_start;
use rres_format::embedded::{AttachmentWriter, PACK_ALIGNMENT};

use crate::cargo::Target;

/// The largest size of packs that are linked: distances in a program have 31 bits, and it has other sections, too.
pub(crate) const MAX_LINKED: u64 = 1 << 30;

/// The name of the symbol at the start of the packs. Linkers for Windows drop sections that nothing refers to.
pub(crate) fn symbol(name: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric();
    let name: String = name.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    format!("rres_packs_{name}")
}

/// The form of an object file for one kind of system.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectFormat {
    Elf(elf::Machine),
    /// The number of the machine.
    Coff(u16),
    /// Type and subtype of the processor.
    MachO(u32, u32),
}

impl ObjectFormat {
    /// Returns the format of a target; `None` if programs for it cannot contain packs.
    pub(crate) fn of(target: &Target) -> Option<Self> {
        let Target { arch, os, vendor, endian, .. } = target;
        if endian != "little" || os == "none" || arch.starts_with("wasm") {
            return None;
        }
        match (os.as_str(), vendor.as_str()) {
            ("windows", _) => coff::machine(arch).map(Self::Coff),
            (_, "apple") => macho::processor(arch).map(|(kind, subtype)| Self::MachO(kind, subtype)),
            _ => elf::Machine::of(arch).map(Self::Elf),
        }
    }

    /// Returns what is before and after an attachment of `len` bytes. The number of bytes before it does not depend on `len`.
    fn frame(self, len: u64, symbol: &str) -> (Vec<u8>, Vec<u8>) {
        match self {
            Self::Elf(machine) => elf::frame(machine, len),
            Self::Coff(machine) => coff::frame(machine, len, symbol),
            Self::MachO(kind, subtype) => macho::frame(kind, subtype, len, symbol),
        }
    }
}

/// Writes an object file with these packs, each with its file name.
pub(crate) fn write_object(
    out: &mut File,
    format: ObjectFormat,
    symbol: &str,
    packs: &[(String, PathBuf)],
) -> io::Result<()> {
    write_at(out, 0, format, symbol, packs).map(drop)
}

/// Writes a static library of one such object.
pub(crate) fn write_library(
    out: &mut File,
    format: ObjectFormat,
    symbol: &str,
    packs: &[(String, PathBuf)],
) -> io::Result<()> {
    write_archive_start(out, symbol, 0)?;
    let start = out.stream_position()?;
    let len = write_at(out, start, format, symbol, packs)?;
    out.seek(SeekFrom::Start(0))?;
    write_archive_start(out, symbol, len)
}

/// Writes an object at `start`, and returns its size, which is even.
fn write_at(
    out: &mut File,
    start: u64,
    format: ObjectFormat,
    symbol: &str,
    packs: &[(String, PathBuf)],
) -> io::Result<u64> {
    let (mut before, _) = format.frame(0, symbol);
    out.write_all(&before)?;
    let mut attachment = AttachmentWriter::link(&mut *out);
    for (name, file) in packs {
        attachment.pack(name, &mut File::open(file)?)?;
    }
    let len = attachment.finish()?.stream_position()? - start - before.len() as u64;
    debug_assert!(len.is_multiple_of(PACK_ALIGNMENT));
    let after;
    (before, after) = format.frame(len, symbol);
    out.write_all(&after)?;
    let mut end = out.stream_position()?;
    if end % 2 == 1 {
        out.write_all(&[0])?;
        end += 1;
    }
    out.seek(SeekFrom::Start(start))?;
    out.write_all(&before)?;
    Ok(end - start)
}

/// Appends little-endian numbers and zeros.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// Appends a name of exactly `len` bytes, with zeros at the end.
    fn name(&mut self, name: &str, len: usize) -> &mut Self {
        let end = self.0.len() + len;
        self.raw(name.as_bytes());
        self.0.resize(end, 0);
        self
    }

    fn pad(&mut self, alignment: usize) -> &mut Self {
        self.0.resize(self.0.len().next_multiple_of(alignment), 0);
        self
    }
}

#[cfg(test)]
mod tests;
