//! Packs → an attachment, piece by piece, so that a pack of any size takes little memory.

use std::io::{self, Write};

use super::{APPEND_ALIGNMENT, FOOTER_SIZE, Footer, MAX_TABLE_SIZE, PACK_ALIGNMENT, is_file_name};

/// Writes an attachment; see the [module](super) for its layout.
#[derive(Debug)]
pub struct AttachmentWriter<W> {
    out: W,
    host_len: u64,
    /// Bytes since the start of the attachment.
    len: u64,
    table: Vec<u8>,
    names: Vec<String>,
    /// Of the pack that is being written.
    crc32: crc32fast::Hasher,
    start: u64,
}

impl<W: Write> AttachmentWriter<W> {
    /// Starts an attachment that is appended to a program of `host_len` bytes, which `out` already contains.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn append(mut out: W, host_len: u64) -> io::Result<Self> {
        zeros(&mut out, padding(host_len, APPEND_ALIGNMENT))?;
        Ok(Self::new(out, host_len))
    }

    /// Starts an attachment that is linked into a program as a section.
    pub fn link(out: W) -> Self {
        Self::new(out, 0)
    }

    fn new(out: W, host_len: u64) -> Self {
        let (table, names) = (Vec::new(), Vec::new());
        Self { out, host_len, len: 0, table, names, crc32: crc32fast::Hasher::new(), start: 0 }
    }

    /// Writes one pack from `pieces`, and returns its size and its CRC-32.
    ///
    /// # Errors
    /// If `out` cannot be written, `pieces` cannot be read, or `name` is not a file name or already taken.
    pub fn pack(&mut self, name: &str, pieces: &mut impl io::Read) -> io::Result<(u64, u32)> {
        let invalid = |text: String| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        if !is_file_name(name) {
            return invalid(format!("{name:?} is not a file name that every system allows"));
        }
        // Some file systems do not tell them apart, and packs are extracted to files.
        if self.names.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            return invalid(format!("two packs are called {name}"));
        }
        self.pad(PACK_ALIGNMENT)?;
        self.start = self.len;
        self.crc32 = crc32fast::Hasher::new();
        self.copy(pieces)?;
        let (len, crc32) = (self.len - self.start, self.crc32.clone().finalize());
        self.table.extend(self.start.to_le_bytes());
        self.table.extend(len.to_le_bytes());
        self.table.extend(crc32.to_le_bytes());
        self.table.extend((name.len() as u16).to_le_bytes());
        self.table.extend([0; 2]);
        self.table.extend(name.as_bytes());
        self.table.resize(self.table.len().next_multiple_of(8), 0);
        self.names.push(name.to_owned());
        match self.table.len() as u64 {
            ..=MAX_TABLE_SIZE => Ok((len, crc32)),
            _ => invalid(format!("the names of {} packs do not fit into a table of 1 MiB", self.names.len())),
        }
    }

    fn copy(&mut self, pieces: &mut impl io::Read) -> io::Result<()> {
        let mut buffer = vec![0; COPY_BUFFER];
        // Large files may consist of zeros that are not stored. Their CRC is known after the first ones.
        let zero_crc32 = {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&buffer);
            hasher
        };
        let zeros = buffer.clone();
        loop {
            let len = read_full(pieces, &mut buffer)?;
            let bytes = &buffer[..len];
            if len == COPY_BUFFER && *bytes == *zeros {
                self.crc32.combine(&zero_crc32);
            } else {
                self.crc32.update(bytes);
            }
            self.out.write_all(bytes)?;
            self.len += len as u64;
            if len < COPY_BUFFER {
                return Ok(());
            }
        }
    }

    /// Writes the table and the footer, and returns `out`.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.pad(8)?;
        let table_at = self.len;
        self.out.write_all(&self.table)?;
        self.len += self.table.len() as u64;
        self.pad(PACK_ALIGNMENT)?;
        let footer = Footer {
            attachment_len: self.len,
            host_len: self.host_len,
            table_len: self.table.len() as u32,
            count: self.names.len() as u32,
            table_distance: (self.len - table_at) as u32,
            table_crc32: crc32fast::hash(&self.table),
        };
        self.out.write_all(&footer.to_bytes())?;
        Ok(self.out)
    }

    fn pad(&mut self, alignment: u64) -> io::Result<()> {
        let len = padding(self.len, alignment);
        self.len += len;
        zeros(&mut self.out, len)
    }
}

// A footer fits into the alignment, so attachments in one section have no gaps between them.
const _: () = assert!(FOOTER_SIZE == PACK_ALIGNMENT);

const COPY_BUFFER: usize = 256 << 10;

fn padding(len: u64, alignment: u64) -> u64 {
    len.next_multiple_of(alignment) - len
}

fn zeros(out: &mut impl Write, len: u64) -> io::Result<()> {
    out.write_all(&vec![0; len as usize])
}

/// Reads until `buffer` is full or the source ends.
fn read_full(from: &mut impl io::Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match from.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}
