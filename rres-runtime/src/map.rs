//! Mapped files: the only `unsafe` of the workspace.

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
