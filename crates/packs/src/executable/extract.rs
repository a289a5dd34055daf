//! Parts of an executable → files: packs, the program without packs, files in the layout of tutorials.

use std::io;
use std::path::Path;

use rres_format::embedded::EmbeddedPack;
use tempfile::NamedTempFile;

use super::copy::copy_range;
use super::program::Program;
use crate::error::Error;

impl Program {
    /// Writes a pack to a file, unless its CRC-32 is not the one in the table.
    pub fn extract_pack(&mut self, pack: &EmbeddedPack, to: &Path, replace: bool) -> Result<(), Error> {
        let EmbeddedPack { name, offset, len, crc32 } = pack;
        self.extract(*offset, *len, to, replace, |computed| match computed == *crc32 {
            true => Ok(()),
            false => Err(Error::Fault(format!(
                "{}: {name} is damaged: crc32 is {computed:08x}, expected {crc32:08x}",
                self.path().display()
            ))),
        })
    }

    /// Writes a range of the executable to a file, if `check` accepts the CRC-32 of the bytes.
    pub fn extract(
        &self,
        offset: u64,
        len: u64,
        to: &Path,
        replace: bool,
        check: impl FnOnce(u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let cannot_write = |e: io::Error| Error::Unavailable(format!("cannot write {}: {e}", to.display()));
        let mut temporary = crate::atomic_write::temporary_beside(to).map_err(cannot_write)?;
        let crc32 = copy_range(&self.file, offset, len, temporary.as_file_mut()).map_err(cannot_write)?;
        check(crc32)?;
        let persist = if replace { NamedTempFile::persist } else { NamedTempFile::persist_noclobber };
        persist(temporary, to).map_err(|e| cannot_write(e.error))?;
        Ok(())
    }

    /// Returns the CRC-32 of a range of the executable.
    pub fn crc32(&self, offset: u64, len: u64) -> Result<u32, Error> {
        let crc32 = copy_range(&self.file, offset, len, &mut io::sink());
        crc32.map_err(|e| Error::Unavailable(format!("cannot read {}: {e}", self.path().display())))
    }
}
