//! An executable as it is on the disk: the program, packs and other bytes that were appended to it, and a signature.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rres_format::embedded::{
    self, APPEND_ALIGNMENT, Attachment, LocateError, MAX_TRAILING_ZEROS, ProgramInfo, Signature,
};

use super::copy::copy_range;
use super::legacy::LegacyPackage;
use crate::error::Error;

/// An executable.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    pub(super) file: File,
    /// The size of the file.
    pub len: u64,
    /// Its format and its parts.
    pub info: ProgramInfo,
    /// The packs that were appended, the last ones first: a tool that knows nothing of packs may have appended one
    /// executable to another.
    pub appended: Vec<Attachment>,
    /// The packs that were linked into it.
    pub linked: Vec<Attachment>,
}

/// A footer that is not where programs look for it.
#[derive(Clone, Debug)]
pub struct MovedFooter {
    /// The packs before the footer.
    pub attachment: Attachment,
    /// The number of bytes after it.
    pub bytes_after: u64,
}

impl Program {
    /// Opens an executable.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the file cannot be read or is empty; [`Error::Fault`] if the table of the packs in it is damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let unreadable = |why: String| Error::Unavailable(format!("cannot open {}: {why}", path.display()));
        let mut file = File::open(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => unreadable("no such file".to_owned()),
            _ => unreadable(e.to_string()),
        })?;
        let metadata = file.metadata().map_err(|e| unreadable(e.to_string()))?;
        if !metadata.is_file() {
            return Err(unreadable("it is not a regular file, expected an executable".to_owned()));
        }
        if metadata.len() == 0 {
            return Err(unreadable("it is empty, expected an executable".to_owned()));
        }
        let located = |error: LocateError| match error {
            LocateError::Io(error) => unreadable(error.to_string()),
            error => Error::Fault(format!(
                "{}: {error}; the packs in it are damaged: take a program without packs, and embed them again",
                path.display()
            )),
        };
        let info = embedded::program_info(&mut file).map_err(|e| unreadable(e.to_string()))?;
        let mut appended = Vec::new();
        let mut next = embedded::appended(&mut file).map_err(located)?;
        while let Some(attachment) = next {
            next = embedded::appended_before(&mut file, attachment.host_len).map_err(located)?;
            appended.push(attachment);
        }
        let linked = embedded::linked(&mut file).map_err(located)?;
        Ok(Self { path: path.to_owned(), file, len: metadata.len(), info, appended, linked })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the size of the program without packs that were appended.
    pub fn host_len(&self) -> u64 {
        self.appended.last().map_or(self.len, |attachment| attachment.host_len)
    }

    /// Returns how many bytes another tool has appended to the program, before or without packs. A signature is none of them.
    pub fn overlay(&self) -> u64 {
        let host_len = self.host_len();
        let end = self.info.end.unwrap_or(host_len);
        let signature = self.info.signature.filter(|signature| signature.offset < host_len);
        host_len.saturating_sub(end).saturating_sub(signature.map_or(0, |signature| signature.len))
    }

    /// Checks that the program can be told from what was appended to it. A tool that puts bytes in front of the packs leaves a footer that
    /// says less than there is, and a copy by it would lack the end of the program.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if another tool has changed the program.
    pub fn check_parts(&self) -> Result<(), Error> {
        let name = self.path.display();
        for Attachment { host_len, start, .. } in &self.appended {
            let expected = host_len.next_multiple_of(APPEND_ALIGNMENT);
            if *start != expected {
                return Err(Error::Unavailable(format!(
                    "cannot tell the program from the packs in {name}: they begin at offset {start}, expected {expected} after a \
                     program of {host_len} bytes, so another tool has changed it since; take the program without packs, and embed \
                     them again"
                )));
            }
        }
        Ok(())
    }

    /// Checks that nothing is lost with the signature of the program itself, which ends the copy.
    pub(super) fn check_end_of_signature(&self) -> Result<(), Error> {
        let signature = self.info.signature.filter(|signature| signature.offset < self.host_len());
        let end = signature.map(|signature| signature.offset.saturating_add(signature.len));
        match end.map_or(0, |end| self.host_len().saturating_sub(end)) {
            0 => Ok(()),
            after => Err(Error::Unavailable(format!(
                "cannot remove the signature of {}: another tool has appended {after} bytes after it, which would be lost; take the \
                 program as it was before it was signed",
                self.path.display()
            ))),
        }
    }

    /// Returns where the program ended before it was signed: signers align their data with zeros.
    pub(super) fn end_before(&self, signature: Signature) -> io::Result<u64> {
        let end = self.info.end.filter(|end| *end < signature.offset && signature.offset - *end <= MAX_TRAILING_ZEROS);
        let Some(end) = end else { return Ok(signature.offset) };
        let mut gap = Vec::new();
        copy_range(&self.file, end, signature.offset - end, &mut gap)?;
        Ok(if gap.iter().all(|byte| *byte == 0) { end } else { signature.offset })
    }

    /// Returns the signature of a program for Windows, if it has one.
    pub fn signature(&self) -> Option<Signature> {
        self.info.signature
    }

    /// Finds files in the layout of tutorials.
    pub fn legacy(&mut self, marker: &str) -> Result<LegacyPackage, Error> {
        let path = self.path.display();
        let found = LegacyPackage::find(&mut self.file, marker);
        let found = found.map_err(|e| Error::Unavailable(format!("cannot read {path}: {e}")))?;
        found.ok_or_else(|| {
            Error::Unavailable(format!(
                "{path}: found no index after the ELF hash of \"{marker}\"; if the game uses another text, pass it: \
                 --legacy=TEXT"
            ))
        })
    }

    /// Looks for a footer in the last MiB, for messages that explain why the packs are not found.
    pub fn scan(&mut self) -> Result<Option<MovedFooter>, Error> {
        const SCANNED: u64 = 1 << 20;
        /// The last bytes of a footer.
        const END: &[u8] = b"RRX!";

        let start = self.len.saturating_sub(SCANNED);
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|e| Error::Unavailable(format!("cannot read {}: {e}", self.path.display())))?;
        let ends = bytes.windows(END.len()).enumerate().rev().filter(|(_, window)| *window == END);
        for (at, _) in ends {
            let end = start + (at + END.len()) as u64;
            if let Ok(Some(attachment)) = embedded::appended_before(&mut self.file, end) {
                return Ok(Some(MovedFooter { bytes_after: self.len - end, attachment }));
            }
        }
        Ok(None)
    }
}
