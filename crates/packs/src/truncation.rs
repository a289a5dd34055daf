//! Packs that are cut off, such as by an interrupted download: how much is missing, and which resources with it.
//!
//! One finding says so. Without it, every resource after the cut would be a finding of its own.

use rres_format::chunk::directory::{DirectoryEntry, directory_block};
use rres_format::index::IndexView;
use rres_format::{ChunkInfo, FourCc, Header, PackView};

use crate::finding::{Code, Finding};
use crate::text::{escape_terminal, grouped, shorten};

/// How many lost resources a finding names.
const MAX_NAMED: usize = 3;

/// A pack whose end is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Truncation {
    /// The length of the file in bytes.
    len: u64,
    /// The length that it should have; the least possible one if `is_exact` is false.
    expected: u64,
    is_exact: bool,
    /// What is lost, in words.
    lost: String,
}

impl Truncation {
    /// Returns how a pack is cut off, or `None` if it is not.
    pub(crate) fn of(pack: PackView<'_>) -> Option<Self> {
        match pack.index() {
            Some(index) if index.is_dev() => None,
            Some(index) => Self::of_indexed(pack, index),
            None => Self::of_unindexed(pack),
        }
    }

    /// Whether bytes that end at this file offset are lost.
    pub(crate) fn cuts(&self, end: u64) -> bool {
        end > self.len
    }

    /// Returns the finding that reports it.
    pub(crate) fn finding(&self) -> Finding {
        let Self { len, expected, is_exact, lost } = self;
        let least = if *is_exact { "" } else { "at least " };
        let (len, expected) = (grouped(*len), grouped(*expected));
        let message =
            format!("the file is cut off at {len} of {least}{expected} bytes; {lost}; copy or download it again");
        Finding::new(Code::FileTruncated, message)
    }

    /// The front index tells where everything is.
    fn of_indexed(pack: PackView<'_>, index: IndexView<'_>) -> Option<Self> {
        // A damaged index cannot tell.
        pack.chunk_at(Header::SIZE as u32).and_then(|chunk| chunk.verify()).ok()?;
        let len = pack.bytes().len() as u64;
        let end_of = |entry: &rres_format::index::Entry<'_>| u64::from(entry.offset) + u64::from(entry.stored_size);
        let end = index.entries().flatten().map(|entry| end_of(&entry)).max().unwrap_or(0);
        let directory_end = directory_end(pack, index, end);
        let expected = end.max(directory_end.unwrap_or(0));
        if expected <= len {
            return None;
        }
        let mut lost: Vec<&str> =
            index.entries().flatten().filter(|entry| end_of(entry) > len).map(|entry| entry.path).collect();
        lost.sort_unstable();
        let mut names: Vec<String> =
            lost.iter().take(MAX_NAMED).map(|path| format!("\"{}\"", escape_terminal(&shorten(path)))).collect();
        if lost.len() > MAX_NAMED {
            names.push(format!("and {} more", grouped((lost.len() - MAX_NAMED) as u64)));
        }
        let lost = match lost.len() {
            0 => "only the central directory is lost".to_owned(),
            count => format!("{}: {}", are_lost(count, index.len(), "resource"), names.join(", ")),
        };
        Some(Self { len, expected, is_exact: true, lost })
    }

    /// Without an index, a directory beyond the end of the file tells that chunks are missing, and nothing which ones.
    fn of_unindexed(pack: PackView<'_>) -> Option<Self> {
        let len = pack.bytes().len() as u64;
        let Header { chunk_count, directory_offset, .. } = pack.header();
        let found = pack.chunks().flatten().count();
        let broken_at = pack.chunks().flatten().last().map_or(Header::SIZE as u64, |chunk| chunk.end());
        let least = if directory_offset != 0 {
            u64::from(directory_offset) + ChunkInfo::SIZE as u64
        } else {
            // An index that is cut off cannot be read, and tells at least its own length.
            let header = pack.bytes().get(broken_at as usize..broken_at as usize + ChunkInfo::SIZE)?;
            let info = ChunkInfo::from_bytes(header.try_into().ok()?);
            (info.kind == FourCc::INDX).then(|| broken_at + ChunkInfo::SIZE as u64 + u64::from(info.packed_size))?
        };
        if found >= usize::from(chunk_count) || least <= len {
            return None;
        }
        let lost = are_lost(usize::from(chunk_count) - found, chunk_count.into(), "chunk");
        Some(Self { len, expected: least, is_exact: false, lost })
    }
}

/// Returns `1 of 3 chunks is lost`.
fn are_lost(lost: usize, all: usize, noun: &str) -> String {
    let (lost, all, verb) = (grouped(lost as u64), grouped(all as u64), if lost == 1 { "is" } else { "are" });
    format!("{lost} of {all} {noun}s {verb} lost")
}

/// Returns where the central directory of a pack with a front index ends, if there is one after the resources, which end
/// at `resources_end`.
fn directory_end(pack: PackView<'_>, index: IndexView<'_>, resources_end: u64) -> Option<u64> {
    let offset = u64::from(pack.header().directory_offset);
    let start = offset + Header::SIZE as u64;
    // A chunk header or two of padding may precede it. Anything else is a damaged offset.
    let is_after_resources = start.checked_sub(resources_end).is_some_and(|gap| gap <= 4 * ChunkInfo::SIZE as u64);
    if offset == 0 || !is_after_resources {
        return None;
    }
    let entries = index.entries().flatten();
    let mut entries: Vec<DirectoryEntry<'_>> = entries
        .map(|entry| DirectoryEntry { id: entry.id, offset: entry.offset, name: entry.path.as_bytes() })
        .collect();
    let block = directory_block(&mut entries).ok()?;
    Some(start + (ChunkInfo::SIZE + block.len()) as u64)
}
