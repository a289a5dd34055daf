//! Mapped files, the only `unsafe` of the workspace; and memory in large pages.

use std::fs::File;
use std::io;
use std::path::Path;

/// The bytes of a file, mapped.
#[derive(Debug)]
pub(crate) struct Map(memmap2::Mmap);

impl Map {
    /// Maps a whole file.
    ///
    /// The caller passes on to its own callers that the file must not be changed in place or cut while the map
    /// lives. Replacing it (write another file, then rename) is fine: the map keeps the old file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: `Mmap::map` asks that the file is not modified while the map lives, since Rust assumes that
        // memory behind `&[u8]` does not change. No process of ours does so: the build writes packs, indexes and
        // blobs to a temporary file and renames it, so the bytes of a file that once was visible under its name
        // never change. Whoever opens a file that others write is told so by `Pack::open`, and has `Pack::read`,
        // which copies. Every access goes through bounds-checked slices of validated data; bytes that change
        // nevertheless can give wrong values, or a bus error where the file was cut, which is the promise that
        // the documentation of `Pack::open` asks of its caller.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(map))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Zeroed memory of its own pages, which the system is asked to make large ones: with pages of 4 KiB a large image would
/// spend half of its loading time on page faults. `None` where the system has no such memory.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn large_pages(len: usize) -> Option<memmap2::MmapMut> {
    let pages = memmap2::MmapMut::map_anon(len).ok()?;
    // Refused where large pages are switched off; the memory is good all the same.
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(pages)
}

/// As above, for systems that cannot be asked.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn large_pages(_: usize) -> Option<memmap2::MmapMut> {
    None
}
