//! The container: a header, the bodies of the records, and a directory of them at the end.
//!
//! ```text
//! header     12 bytes: "SRSC", u16 version, u32 offset of the directory, u16 number of records
//! bodies     from byte 12, one after the other
//! directory  14 bytes for each record: u16 type, u16 id, u16 group, u32 offset, u32 size
//! ```
//!
//! All numbers are little-endian, and nothing is aligned.

use std::fmt;
use std::ops::Range;

use crate::checks::{Checks, Notes};
use crate::error::{Error, Fault, Problem, Result};
use crate::record_type::{RecordKey, RecordType};
use crate::records::{self, Record, SequenceRef};

/// The bytes that every archive begins with.
pub const MAGIC: [u8; 4] = *b"SRSC";

/// The size of the header.
pub(crate) const HEADER_SIZE: usize = 12;

/// The size of an entry of the directory.
pub(crate) const ENTRY_SIZE: usize = 14;

/// The version of the files of Drakan.
pub(crate) const VERSION: u16 = 0x0100;

/// A later version, which another game uses for another layout. Files of this version with the old layout exist.
pub(crate) const LATER_VERSION: u16 = 0x0101;

/// An entry of the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The type and the id.
    pub key: RecordKey,
    /// The id of the group; 0 for no group.
    pub group: u16,
    /// The offset of the body, in bytes from the start of the file.
    pub offset: u32,
    /// The size of the body in bytes.
    pub size: u32,
}

/// An archive whose directory was checked: each body is a part of the file.
#[derive(Clone, Copy)]
pub struct Archive<'a> {
    file: &'a str,
    bytes: &'a [u8],
    directory: &'a [u8],
    directory_offset: usize,
    version: u16,
}

impl<'a> Archive<'a> {
    /// Checks the header and every entry of the directory. `file` is the path for messages. Nothing is copied.
    ///
    /// ```
    /// use rres_import_srsc::{Archive, Checks, Record, write};
    ///
    /// let bytes = write::archive(&[write::RecordBytes::new(0x0401, 2, 0, *b"Plain text")]);
    /// let mut checks = Checks::default();
    /// let archive = Archive::parse("texts.rrc", &bytes, &mut checks)?;
    /// let record = archive.records().next().unwrap();
    /// assert_eq!(record.entry().offset, 12);
    /// assert!(matches!(record.parse(&mut checks)?, Record::Text(text) if text.decode() == "Plain text"));
    /// # Ok::<(), rres_import_srsc::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the file does not begin with `SRSC`, has another version, or if the directory or a body is not within the file. With
    /// [`Checks::strict`] also if bytes follow the directory.
    pub fn parse(file: &'a str, bytes: &'a [u8], checks: &mut Checks) -> Result<Self> {
        let fail = |field, offset: usize, problem| Error::in_file(file, field, offset as u64, problem);
        let limit = checks.limits().file_size;
        if bytes.len() as u64 > limit {
            return Err(fail("file", 0, Problem::TooLarge { found: bytes.len() as u64, limit }));
        }
        if !bytes.starts_with(&MAGIC) {
            return Err(fail("magic", 0, Problem::NotSrsc { found: bytes[..bytes.len().min(4)].to_vec() }));
        }
        let Some(header) = bytes.first_chunk::<HEADER_SIZE>() else {
            let problem = Problem::Truncated { needed: HEADER_SIZE as u64, left: bytes.len() as u64 };
            return Err(fail("header", 0, problem));
        };
        let version = u16::from_le_bytes([header[4], header[5]]);
        if !matches!(version, VERSION | LATER_VERSION) {
            return Err(fail("version", 4, Problem::Version { found: version }));
        }
        let start = u64::from(u32::from_le_bytes([header[6], header[7], header[8], header[9]]));
        let size = u64::from(u16::from_le_bytes([header[10], header[11]])) * ENTRY_SIZE as u64;
        let file_size = bytes.len() as u64;
        if version == LATER_VERSION && start + size != file_size {
            return Err(fail("version", 4, Problem::Version { found: version }));
        }
        if start < HEADER_SIZE as u64 {
            let problem =
                Problem::Invalid { found: start.to_string(), expected: "an offset after the header".to_owned() };
            return Err(fail("directory offset", 6, problem));
        }
        if start + size > file_size {
            let problem = Problem::Truncated { needed: size, left: file_size.saturating_sub(start) };
            return Err(fail("directory", start as usize, problem));
        }
        // Both are at most the length of the file.
        let (start, end) = (start as usize, (start + size) as usize);
        if end != bytes.len() {
            let what = format!("{} bytes follow the directory", bytes.len() - end);
            checks.warn(fail("end", end, Problem::Unknown { what }))?;
        }
        let archive = Self { file, bytes, directory: &bytes[start..end], directory_offset: start, version };
        for (number, entry) in archive.entries().enumerate() {
            archive.check(entry, start, start + number * ENTRY_SIZE)?;
        }
        Ok(archive)
    }

    /// Returns an archive that was checked before, of the same bytes.
    pub(crate) fn of_parts(file: &'a str, bytes: &'a [u8], directory: Range<usize>, version: u16) -> Self {
        let directory_offset = directory.start;
        Self { file, bytes, directory: bytes.get(directory).unwrap_or(&[]), directory_offset, version }
    }

    /// Returns where the directory is.
    pub(crate) fn directory_range(&self) -> Range<usize> {
        self.directory_offset..self.directory_offset + self.directory.len()
    }

    /// Checks that a body is between the header and the directory. `at` is where its entry is.
    fn check(&self, entry: Entry, directory: usize, at: usize) -> Result<()> {
        let (start, end) = (u64::from(entry.offset), u64::from(entry.offset) + u64::from(entry.size));
        if start >= HEADER_SIZE as u64 && end <= directory as u64 {
            return Ok(());
        }
        let expected = format!("between {HEADER_SIZE} and {directory}");
        let problem = Problem::Invalid { found: format!("{start} to {end}"), expected };
        Err(Error { record: Some(entry.key), ..Error::in_file(self.file, "body", (at + 6) as u64, problem) })
    }

    /// Returns the path of the file, as it was given.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// Returns the version in the header.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.directory.len() / ENTRY_SIZE
    }

    /// Whether the archive has no records.
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// Returns the entries of the directory, in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry> + use<'a> {
        self.directory.chunks_exact(ENTRY_SIZE).map(entry)
    }

    /// Returns the records, in the order of the directory.
    pub fn records(&self) -> impl ExactSizeIterator<Item = RecordView<'a>> + use<'a> {
        let archive = *self;
        self.entries().map(move |entry| archive.view(entry))
    }

    /// Returns the record with a number in the directory; `None` beyond the end.
    pub fn record(&self, number: usize) -> Option<RecordView<'a>> {
        let start = number.checked_mul(ENTRY_SIZE)?;
        self.directory.get(start..start.checked_add(ENTRY_SIZE)?).map(|bytes| self.view(entry(bytes)))
    }

    fn view(&self, entry: Entry) -> RecordView<'a> {
        // `parse` has checked the range of every entry.
        let body = &self.bytes[entry.offset as usize..entry.offset as usize + entry.size as usize];
        RecordView { file: self.file, entry, body }
    }
}

impl fmt::Debug for Archive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("file", &self.file).field("len", &self.len()).finish_non_exhaustive()
    }
}

fn entry(bytes: &[u8]) -> Entry {
    let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    Entry { key: RecordKey { kind: RecordType(half(0)), id: half(2) }, group: half(4), offset: word(6), size: word(10) }
}

/// A record of an archive: its entry and the bytes of its body.
#[derive(Clone, Copy)]
pub struct RecordView<'a> {
    file: &'a str,
    entry: Entry,
    body: &'a [u8],
}

impl<'a> RecordView<'a> {
    /// Returns the path of the archive.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// Returns the entry of the directory.
    pub fn entry(&self) -> Entry {
        self.entry
    }

    /// Returns the type and the id.
    pub fn key(&self) -> RecordKey {
        self.entry.key
    }

    /// Returns the bytes of the body.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Reads the body by its type. A type that is not known is [`Record::Raw`].
    ///
    /// # Errors
    /// If the body is not what its type requires.
    pub fn parse(&self, checks: &mut Checks) -> Result<Record<'a>> {
        checks.within(|fault| self.error(fault), |notes| Record::parse(self.entry.key, self.body, notes))
    }

    /// Returns the references of a sequence, in the order of the body; none for other records. A sequence that is damaged has none.
    pub fn sequence_refs(&self) -> Vec<SequenceRef> {
        if self.entry.key.kind != RecordType::SEQUENCE {
            return Vec::new();
        }
        let found = Checks::default().within(|fault| self.error(fault), |notes| records::references(self.body, notes));
        found.unwrap_or_default()
    }

    /// Returns the offset of the animations in the body of a character; 0 if there are none.
    pub(crate) fn animations_offset(&self) -> u64 {
        let read = |notes: &mut Notes<'_>| records::animations_offset(self.body, notes);
        Checks::default().within(|fault| self.error(fault), read).unwrap_or_default() as u64
    }

    /// Returns an error about the record as a whole, for what cannot be made of it.
    pub fn refusal(&self, why: impl Into<String>) -> Error {
        self.error(Fault::unknown("record", 0, why))
    }

    /// Adds the file and the record to what is wrong with the body.
    pub fn error(&self, fault: Fault) -> Error {
        Error {
            file: self.file.to_owned(),
            record: Some(self.entry.key),
            field: fault.field,
            offset: u64::from(self.entry.offset) + fault.offset,
            problem: fault.problem,
        }
    }
}

impl fmt::Debug for RecordView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordView").field("file", &self.file).field("entry", &self.entry).finish_non_exhaustive()
    }
}
