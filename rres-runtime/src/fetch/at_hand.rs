//! Sources whose bytes are at hand.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use super::byte_source::{ByteSource, Contents, Reply};
use crate::bytes::Backing;
use crate::map::Map;

/// A pack that is a file, or a part of one, which is mapped. An asset in an APK, a file in a bundle or in the archive of a
/// console is such a part, if it is not compressed there.
///
/// ```no_run
/// use std::fs::File;
/// use rres_runtime::{FilePart, PackOptions};
///
/// // On Android, `AAsset_openFileDescriptor` returns the descriptor, the offset and the length.
/// let (archive, offset, len) = (File::open("base.apk")?, 4096, 1_000_000);
/// let pack = PackOptions::default().open_from(FilePart::new(archive, offset, len)).wait()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The part must not be changed or truncated while the pack lives, as [`crate::Pack::open`] says of files.
#[derive(Debug)]
pub struct FilePart {
    file: File,
    name: String,
    offset: u64,
    len: u64,
}

impl FilePart {
    /// Returns the part of an open file.
    pub fn new(file: File, offset: u64, len: u64) -> Self {
        Self { file, name: format!("{len} bytes of a file from {offset} on"), offset, len }
    }

    /// Opens a file and returns the part of it.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: impl AsRef<Path>, offset: u64, len: u64) -> io::Result<Self> {
        let path = path.as_ref();
        let name = format!("{}, {len} bytes from {offset} on", path.display());
        Ok(Self { name, ..Self::new(File::open(path)?, offset, len) })
    }
}

impl ByteSource for FilePart {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn contents(&mut self) -> io::Result<Option<Contents>> {
        let end = self.offset.checked_add(self.len);
        let available = self.file.metadata()?.len();
        if end.is_none_or(|end| end > available) {
            let detail = format!("the part ends beyond the end of the file, which has {available} bytes");
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, detail));
        }
        let map = Map::of_part(&self.file, self.offset, self.len)?;
        Ok(Some(Contents(Backing::Map(map))))
    }

    fn read(&self, _: Range<u64>, reply: Reply) {
        reply.fail(io::Error::other("the part is mapped as a whole"));
    }
}

/// A pack in memory.
impl ByteSource for Vec<u8> {
    fn name(&self) -> String {
        "a pack in memory".to_owned()
    }

    fn contents(&mut self) -> io::Result<Option<Contents>> {
        Ok(Some(std::mem::take(self).into()))
    }

    fn read(&self, range: Range<u64>, reply: Reply) {
        answer(self, range, reply);
    }
}

/// A pack that is part of the program, as `include_bytes!` returns it.
impl ByteSource for &'static [u8] {
    fn name(&self) -> String {
        "a pack in the program".to_owned()
    }

    fn contents(&mut self) -> io::Result<Option<Contents>> {
        Ok(Some((*self).into()))
    }

    fn read(&self, range: Range<u64>, reply: Reply) {
        answer(self, range, reply);
    }
}

fn answer(bytes: &[u8], range: Range<u64>, mut reply: Reply) {
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let _ = reply.push(&bytes[at(range.start)..at(range.end).max(at(range.start))]);
    reply.finish();
}
