//! Mapped files and memory in large pages, with the only `unsafe` of the workspace.

mod slabs;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

pub(crate) use slabs::Piece;

/// The bytes of a mapped file.
#[derive(Debug)]
pub(crate) struct Map(memmap2::Mmap);

impl Map {
    /// Maps a whole file.
    ///
    /// The file must not be changed in place or truncated while the map lives; callers ask the same of their own
    /// callers. Replacing the file (write another one, then rename it) is fine: the map keeps the old file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: `Mmap::map` requires that the file is not modified while the map lives, because Rust assumes that
        // memory behind `&[u8]` does not change. No process of ours modifies one: the build writes packs, indexes and
        // blobs to a temporary file and renames it, so the bytes of a file that was once visible under its name never
        // change. For files that other programs write, the documentation of `Pack::open` asks this promise of its
        // caller, who can use `PackOptions::read` instead, which copies. Every access goes through bounds-checked slices of
        // validated data. Bytes that change nevertheless can give wrong values, and reading beyond the end of a
        // truncated file raises a bus error; the documentation of `Pack::open` states both.
        let map = unsafe { memmap2::Mmap::map(&file) };
        let map = Self(map.map_err(|error| explain(&file, error))?);
        if map.bytes().len() <= MOST_WHOLE {
            map.in_large_pages(0..map.bytes().len());
        }
        Ok(map)
    }

    /// Maps `len` bytes of a file from `offset` on, which need not be a multiple of anything. The file must have them, and must not be
    /// changed, as in [`Self::open`].
    pub(crate) fn of_part(file: &File, offset: u64, len: u64) -> io::Result<Self> {
        let len =
            usize::try_from(len).map_err(|_| io::Error::other("the pack is larger than the memory of a process"))?;
        // SAFETY: as in `Self::open`; the documentation of `FilePart` asks the promise of its caller. For packs in the executable of this
        // process: systems do not let anyone write to a program that is running, and the tools that embed packs replace executables by a
        // rename.
        let map = unsafe { memmap2::MmapOptions::new().offset(offset).len(len).map(file)? };
        Ok(Self(map))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Tells the system that a part of the file is read soon. Only systems with `madvise` can be told.
    pub(crate) fn will_need(&self, part: Range<usize>) {
        self.in_large_pages(part.clone());
        #[cfg(unix)]
        // If it fails, the pages are read when they are touched, as without it.
        let _ = self.0.advise_range(memmap2::Advice::WillNeed, part.start, part.len());
        #[cfg(not(unix))]
        let _ = part;
    }

    /// Asks the system to read a part of the file, and to map it, in large pages.
    ///
    /// Linux then reads 2 MiB around the first byte that is touched, so this is for what is read as a whole. With the read-ahead of 128 KiB
    /// that most systems have, reading 64 MB took 4.4 instead of 13 ms of CPU from the disk, and 2.3 instead of 3.8 ms from its cache. But 16 KB
    /// of every 8 MB of a file took 215 instead of 29 ms, as 560 instead of 28 MB were read from the disk.
    fn in_large_pages(&self, part: Range<usize>) {
        #[cfg(target_os = "linux")]
        if part.len() >= LARGE_PAGE {
            // If large pages are switched off, this fails.
            let _ = self.0.advise_range(memmap2::Advice::HugePage, part.start, part.len());
        }
        #[cfg(not(target_os = "linux"))]
        let _ = part;
    }
}

/// The size of a large page on most processors.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;

/// Up to this size, a file is taken to be read as a whole: to read it in vain takes a third of a second on the
/// slowest disks.
const MOST_WHOLE: usize = 32 << 20;

/// Replaces what Linux says about a directory, which it opens and cannot map: "No such device".
fn explain(file: &File, error: io::Error) -> io::Error {
    match file.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, expected a file")
        }
        _ => error,
    }
}

/// Allocates zeroed memory in pages of its own, which the system is asked to make large: with pages of 4 KiB, a large
/// image spends half of its loading time on page faults. Returns `None` if the system cannot do that.
#[cfg(target_os = "linux")]
pub(crate) fn large_pages(len: usize) -> Option<memmap2::MmapMut> {
    let pages = memmap2::MmapMut::map_anon(len).ok()?;
    // This fails if large pages are switched off. The memory is still usable.
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(pages)
}

/// Returns `None`: this system cannot be asked for large pages.
#[cfg(not(target_os = "linux"))]
pub(crate) fn large_pages(_: usize) -> Option<memmap2::MmapMut> {
    None
}
