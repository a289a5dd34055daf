//! Packs inside an executable: appended to it, or linked into it as a section.
//!
//! Either way the packs form one attachment, which ends with a footer of fixed size. All distances are counted back from the
//! footer, so an attachment is the same bytes wherever it is:
//!
//! ```text
//! [pack][zeros to 64][pack]…[zeros to 8][table][zeros to 64][footer]
//! ```
//!
//! The footer, in little-endian order like everything here:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | signature, `RRESEMB1` |
//! | 8 | 4 | size of the footer, 64 |
//! | 12 | 4 | flags, 0; a reader refuses others, because a newer writer set them |
//! | 16 | 8 | distance from the first pack to the footer |
//! | 24 | 8 | size of the program before the packs were appended; 0 in a section |
//! | 32 | 4 | size of the table |
//! | 36 | 4 | number of packs |
//! | 40 | 4 | distance from the start of the table to the footer |
//! | 44 | 4 | CRC-32 of the table |
//! | 48 | 8 | reserved, 0 |
//! | 56 | 4 | CRC-32 of the 56 bytes above |
//! | 60 | 4 | `RRX!` |
//!
//! The table has an entry for each pack:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | offset of the pack from the first pack |
//! | 8 | 8 | size of the pack |
//! | 16 | 4 | CRC-32 of the pack |
//! | 20 | 2 | length of the name |
//! | 22 | 2 | reserved, 0 |
//! | 24 | | name: a file name such as `game.rres` in UTF-8, then zeros to a multiple of 8 |
//!
//! Packs have the names that they would have as files, so several sets fit into one program, and the packs of a set are
//! found as they are in a directory.
//!
//! [`attachments`] finds them with a handful of small reads. Nothing is scanned for a signature: the bytes of
//! a pack may contain one.

mod elf;
mod head;
mod locate;
mod macho;
mod pe;
mod program;
mod write;

pub use head::{ProgramFormat, Signature};
pub use locate::{LocateError, appended, appended_before, attachments, linked};
pub use program::{ProgramInfo, program_info};
pub use write::AttachmentWriter;

use crate::bytes::slice;
use crate::error::{Error, Result};
use crate::wire::{Wire, wire_record};

/// The size of the footer in bytes.
pub const FOOTER_SIZE: u64 = 64;

/// The largest number of zeros that may follow the footer: a signer aligns its own data.
pub const MAX_TRAILING_ZEROS: u64 = 15;

/// Packs that are appended start at a multiple of this, so that a page of a map contains bytes of one pack only.
pub const APPEND_ALIGNMENT: u64 = 4096;

/// The start and the size of packs in an attachment are multiples of this, and so is the size of an attachment.
pub const PACK_ALIGNMENT: u64 = 64;

/// The largest size of the table: 10,000 packs with names of 80 bytes.
pub const MAX_TABLE_SIZE: u64 = 1 << 20;

const SIGNATURE: [u8; 8] = *b"RRESEMB1";
const END: [u8; 4] = *b"RRX!";

/// The offset of the CRC-32 in a footer, which covers the bytes before it.
const CRC_AT: usize = 56;

/// What is wrong with a footer, as [`Error::Inconsistent`] names it.
const FOOTER: &str = "footer of embedded packs";
const TABLE: &str = "table of embedded packs";

/// One pack in an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedPack {
    /// Its file name, such as `game.rres`.
    pub name: String,
    /// Its start: an offset in the executable.
    pub offset: u64,
    /// Its size in bytes.
    pub len: u64,
    /// The CRC-32 of its bytes.
    pub crc32: u32,
}

/// The packs that were embedded into an executable together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The size of the program before the packs were appended; 0 if they are linked into it.
    pub host_len: u64,
    /// The offset of the first pack in the executable.
    pub start: u64,
    /// The offset of the first byte after the footer.
    pub end: u64,
    /// The packs, in the order of the file.
    pub packs: Vec<EmbeddedPack>,
}

impl Attachment {
    /// Returns the pack with this file name.
    pub fn find(&self, name: &str) -> Option<&EmbeddedPack> {
        self.packs.iter().find(|pack| pack.name == name)
    }
}

/// The fields of a footer that vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Footer {
    attachment_len: u64,
    host_len: u64,
    table_len: u32,
    count: u32,
    table_distance: u32,
    table_crc32: u32,
}

impl Footer {
    /// Reads a footer; `None` if the bytes are something else.
    ///
    /// # Errors
    /// If the bytes have both signatures of a footer and are damaged, or a newer writer wrote them.
    fn parse(bytes: &[u8; FOOTER_SIZE as usize]) -> Result<Option<Self>> {
        let record = FooterRecord::get(bytes);
        if record.signature != SIGNATURE || record.end != END {
            return Ok(None);
        }
        let (stored, computed) = (record.crc32, crc32fast::hash(&bytes[..CRC_AT]));
        if stored != computed {
            return Err(inconsistent(format!("crc32 is {computed:08x}, expected {stored:08x}")));
        }
        let (size, flags) = (record.size, record.flags);
        if u64::from(size) != FOOTER_SIZE || flags != 0 || record.reserved != [0; 8] {
            let text = format!("size {size} and flags {flags:#x} are of a newer version, expected 64 and 0");
            return Err(inconsistent(text));
        }
        let FooterRecord { attachment_len, host_len, table_len, count, table_distance, table_crc32, .. } = record;
        Ok(Some(Self { attachment_len, host_len, table_len, count, table_distance, table_crc32 }))
    }

    fn to_bytes(self) -> [u8; FOOTER_SIZE as usize] {
        let Self { attachment_len, host_len, table_len, count, table_distance, table_crc32 } = self;
        let mut record = FooterRecord {
            signature: SIGNATURE,
            size: FOOTER_SIZE as u32,
            flags: 0,
            attachment_len,
            host_len,
            table_len,
            count,
            table_distance,
            table_crc32,
            reserved: [0; 8],
            crc32: 0,
            end: END,
        };
        let bytes = |record: FooterRecord| {
            let mut out = Vec::with_capacity(FOOTER_SIZE as usize);
            record.put(&mut out);
            out
        };
        record.crc32 = crc32fast::hash(&bytes(record)[..CRC_AT]);
        Wire::get(&bytes(record))
    }

    /// Returns the attachment with this footer at `footer_at`, and `table` as its table.
    fn attachment(&self, footer_at: u64, table: &[u8]) -> Result<Attachment> {
        let computed = crc32fast::hash(table);
        if computed != self.table_crc32 {
            let detail = format!("crc32 is {computed:08x}, expected {:08x}", self.table_crc32);
            return Err(Error::Inconsistent { what: TABLE, detail });
        }
        // `table_place` has compared the distances.
        let start = footer_at - self.attachment_len;
        let packs_len = self.attachment_len - u64::from(self.table_distance);
        let mut packs = Vec::new();
        let mut at = 0;
        for _ in 0..self.count {
            let entry = EntryRecord::get(slice(table, TABLE, at, EntryRecord::SIZE as u64)?);
            let EntryRecord { offset, len, crc32, name_len, .. } = entry;
            let (name_at, name_len) = (at + EntryRecord::SIZE as u64, u64::from(name_len));
            let name = std::str::from_utf8(slice(table, TABLE, name_at, name_len)?);
            let name = name.ok().filter(|name| is_file_name(name));
            let name = name.ok_or_else(|| Error::Inconsistent {
                what: TABLE,
                detail: format!("the name at {name_at} is not a file name"),
            })?;
            if offset.checked_add(len).is_none_or(|end| end > packs_len) {
                let detail = format!("{name} is at {offset} to {offset} + {len} of {packs_len} bytes");
                return Err(Error::Inconsistent { what: TABLE, detail });
            }
            packs.push(EmbeddedPack { name: name.to_owned(), offset: start + offset, len, crc32 });
            at = (name_at + name_len).next_multiple_of(8);
        }
        Ok(Attachment { host_len: self.host_len, start, end: footer_at + FOOTER_SIZE, packs })
    }

    /// Returns the offset and the size of the table, if the footer is at `footer_at`.
    fn table_place(&self, footer_at: u64) -> Result<(u64, usize)> {
        let (distance, len) = (u64::from(self.table_distance), u64::from(self.table_len));
        let start = footer_at.checked_sub(self.attachment_len);
        let start = start.filter(|start| distance <= self.attachment_len && len <= distance && self.host_len <= *start);
        start.ok_or_else(|| {
            let Self { attachment_len, host_len, .. } = self;
            inconsistent(format!(
                "a program of {host_len} bytes, {attachment_len} bytes of packs and a table of {len} bytes do not fit before \
                 offset {footer_at}"
            ))
        })?;
        if len > MAX_TABLE_SIZE {
            return Err(Error::LimitExceeded {
                what: "size of the table of embedded packs in bytes",
                value: len,
                limit: MAX_TABLE_SIZE,
                help: "embed fewer packs",
            });
        }
        Ok((footer_at - distance, len as usize))
    }
}

/// Whether a file in a directory can have this name, on every system.
fn is_file_name(name: &str) -> bool {
    let is_allowed = |c: char| !c.is_control() && !r#"/\:*?"<>|"#.contains(c);
    !name.is_empty() && name.len() <= 255 && name.chars().all(is_allowed) && name != "." && name != ".."
}

fn inconsistent(detail: String) -> Error {
    Error::Inconsistent { what: FOOTER, detail }
}

wire_record! {
    struct FooterRecord[64] {
        signature: [u8; 8],
        size: u32,
        flags: u32,
        attachment_len: u64,
        host_len: u64,
        table_len: u32,
        count: u32,
        table_distance: u32,
        table_crc32: u32,
        reserved: [u8; 8],
        crc32: u32,
        end: [u8; 4],
    }
}

wire_record! {
    struct EntryRecord[24] {
        offset: u64,
        len: u64,
        crc32: u32,
        name_len: u16,
        reserved: u16,
    }
}
