//! Finds the attachments in an executable, with a few small reads at places that its headers name.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use super::head::{Head, READ, read_at};
use super::program;
use super::{Attachment, FOOTER_SIZE, Footer, MAX_TRAILING_ZEROS, PACK_ALIGNMENT};
use crate::error::Error;

/// Why the packs in an executable could not be found.
#[derive(Debug)]
#[non_exhaustive]
pub enum LocateError {
    /// The executable could not be read.
    Io(io::Error),
    /// There is a footer, and it or its table is damaged.
    Format(Error),
}

impl fmt::Display for LocateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LocateError {}

impl From<io::Error> for LocateError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Error> for LocateError {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

type Result<T> = std::result::Result<T, LocateError>;

/// Finds all packs in an executable: those that were appended come first, because they were embedded later.
///
/// # Errors
/// If the file cannot be read, or there is a footer that is damaged.
pub fn attachments(file: &mut (impl Read + Seek)) -> Result<Vec<Attachment>> {
    let len = file.seek(SeekFrom::End(0))?;
    let at_end = appended_before(file, len)?;
    let head = Head::read(file, len)?;
    let mut attachments = Vec::from_iter(match at_end {
        Some(attachment) => Some(attachment),
        None => appended_before_signature(file, &head)?,
    });
    attachments.extend(linked_by(file, &head)?);
    Ok(attachments)
}

/// Finds the packs that were appended to an executable: at the end of the file, or before the signature of a PE file.
///
/// # Errors
/// If the file cannot be read, or there is a footer that is damaged.
pub fn appended(file: &mut (impl Read + Seek)) -> Result<Option<Attachment>> {
    let len = file.seek(SeekFrom::End(0))?;
    if let Some(attachment) = appended_before(file, len)? {
        return Ok(Some(attachment));
    }
    let head = Head::read(file, len)?;
    appended_before_signature(file, &head)
}

fn appended_before_signature(file: &mut (impl Read + Seek), head: &Head) -> Result<Option<Attachment>> {
    match program::signature(file, head)? {
        Some(signature) => appended_before(file, signature.offset),
        None => Ok(None),
    }
}

/// Returns the attachment that ends at `end`, or at most [`MAX_TRAILING_ZEROS`] zeros before it, and was appended to a program.
///
/// # Errors
/// If the file cannot be read, or the footer is damaged.
pub fn appended_before(file: &mut (impl Read + Seek), end: u64) -> Result<Option<Attachment>> {
    // The section of a linked attachment may be the last thing in a file.
    Ok(attachment_before(file, end, MAX_TRAILING_ZEROS)?.filter(|attachment| attachment.host_len > 0))
}

/// Finds the packs that were linked into an executable.
///
/// ELF files have a note `rres` for each attachment, which leads to it through the program headers, so nothing depends on section
/// headers. PE and Mach-O files have a section `.rres` or `__rres`.
///
/// # Errors
/// If the file cannot be read, or there is a footer that is damaged.
pub fn linked(file: &mut (impl Read + Seek)) -> Result<Vec<Attachment>> {
    let len = file.seek(SeekFrom::End(0))?;
    let head = Head::read(file, len)?;
    linked_by(file, &head)
}

fn linked_by(file: &mut (impl Read + Seek), head: &Head) -> Result<Vec<Attachment>> {
    let mut attachments = Vec::new();
    for (start, end) in program::linked_ranges(file, head)? {
        // Several crates of one program may have packs; their sections are concatenated.
        let mut end = end.min(head.len);
        while end > start {
            let attachment = attachment_before(file, end, PACK_ALIGNMENT - 1)?;
            let Some(attachment) = attachment.filter(|attachment| attachment.host_len == 0) else { break };
            end = attachment.start;
            attachments.push(attachment);
        }
    }
    attachments.reverse();
    Ok(attachments)
}

fn attachment_before(file: &mut (impl Read + Seek), end: u64, max_zeros: u64) -> Result<Option<Attachment>> {
    let tail_start = end.saturating_sub(READ);
    let tail = read_at(file, tail_start, end - tail_start)?;
    let zeros = tail.iter().rev().take_while(|byte| **byte == 0).count();
    let tail = &tail[..tail.len() - zeros];
    let Some((before, footer_bytes)) = tail.split_last_chunk::<{ FOOTER_SIZE as usize }>() else { return Ok(None) };
    let footer = if zeros as u64 <= max_zeros { Footer::parse(footer_bytes)? } else { None };
    let Some(footer) = footer else { return Ok(None) };
    let footer_at = tail_start + before.len() as u64;
    let (table_at, table_len) = footer.table_place(footer_at)?;
    // The table of a few packs has been read already.
    let attachment = match table_at.checked_sub(tail_start) {
        Some(at) => footer.attachment(footer_at, &tail[at as usize..at as usize + table_len])?,
        None => footer.attachment(footer_at, &read_at(file, table_at, table_len as u64)?)?,
    };
    Ok(Some(attachment))
}
