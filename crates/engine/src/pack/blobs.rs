//! Reads and checks the blobs of a pack in one thread while another writes the pack.

use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use rres_format::{PackStream, PackView, ResourceId, StoredChunk};

use super::encryption::Encryption;
use super::equal::EqualResources;
use crate::key::Key;
use crate::model::ChunkRun;
use crate::read_file::open_file;

/// The number of bytes that are read, passed on and written at once.
const BATCH: usize = 1 << 20;

/// The number of buffers: one is being written, one is being read, and one is in between.
const BUFFERS: usize = 3;

/// A blob, and the resources to copy from it.
#[derive(Debug)]
pub(super) struct Blob {
    pub(super) key: Key,
    pub(super) file: PathBuf,
    pub(super) resources: Vec<BlobResource>,
}

/// A resource to copy from a blob.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlobResource {
    /// Its id in the pack.
    pub(super) id: ResourceId,
    pub(super) chunks: ChunkRun,
}

impl Blob {
    /// Writes the resources to a pack, encrypted if the settings say so. Equal resources share their chunks.
    pub(super) fn write(
        &self,
        bytes: &[u8],
        encryption: &Encryption,
        equal: &mut EqualResources,
        out: &mut PackStream<'_, '_, impl Write + Seek>,
    ) -> io::Result<()> {
        let view = PackView::parse(bytes).map_err(io::Error::other)?;
        for resource in &self.resources {
            let chunks = resource.chunks.of(&view).map_err(io::Error::other)?;
            let chunks: Vec<_> = chunks.into_iter().map(StoredChunk::copied).collect();
            match equal.next(&chunks, encryption.cipher_of(resource.id)) {
                Some(owner) => out.push_shared(owner)?,
                #[cfg(feature = "seal")]
                None => out.push(&encryption.seal(resource.id, chunks).map_err(io::Error::other)?)?,
                #[cfg(not(feature = "seal"))]
                None => out.push(&chunks)?,
            }
        }
        Ok(())
    }

    /// Appends the bytes to `buffer`, and checks every chunk and its header; `None` if any is damaged.
    fn read(&self, buffer: &mut Buffer) -> Option<Range<usize>> {
        let mut file = open_file(&self.file).ok()?;
        let range = buffer.grow(usize::try_from(file.metadata().ok()?.len()).ok()?);
        file.read_exact(&mut buffer.bytes[range.clone()]).ok()?;
        let view = PackView::parse(&buffer.bytes[range.clone()]).ok()?;
        self.resources.iter().all(|resource| resource.chunks.sound(&view).is_ok()).then_some(range)
    }
}

/// The bytes of several blobs. Reused memory is not zeroed again.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    used: usize,
}

impl Buffer {
    fn grow(&mut self, len: usize) -> Range<usize> {
        let range = self.used..self.used + len;
        self.used = range.end;
        if self.bytes.len() < range.end {
            self.bytes.resize(range.end, 0);
        }
        range
    }

    /// Empties the buffer and keeps its memory, unless it was large.
    fn empty(mut self) -> Self {
        self.used = 0;
        self.bytes.truncate(4 * BATCH);
        self.bytes.shrink_to(4 * BATCH);
        self
    }
}

/// Blobs that are passed on together: passing on every small blob would take longer than reading it.
struct Batch {
    buffer: Buffer,
    blobs: Vec<(Blob, Option<Range<usize>>)>,
}

/// Calls `take` for every blob in turn with its bytes, or only with its key if it is missing or damaged.
///
/// # Errors
/// The first error of `take`. Nothing more is read after it.
pub(super) fn read(
    blobs: Vec<Blob>,
    mut take: impl FnMut(Result<(&Blob, &[u8]), Key>) -> io::Result<()>,
) -> io::Result<()> {
    let (send, batches) = mpsc::channel();
    let (give_back, empty) = mpsc::channel();
    for _ in 0..BUFFERS {
        give_back.send(Buffer::default()).expect("the receiver is here");
    }
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut blobs = blobs.into_iter().peekable();
            while blobs.peek().is_some() {
                // The writer has ended early.
                let Ok(buffer) = empty.recv() else { return };
                let mut batch = Batch { buffer, blobs: Vec::new() };
                while batch.buffer.used < BATCH
                    && let Some(blob) = blobs.next()
                {
                    let range = blob.read(&mut batch.buffer);
                    batch.blobs.push((blob, range));
                }
                if send.send(batch).is_err() {
                    return;
                }
            }
        });
        for Batch { buffer, blobs } in batches {
            for (blob, range) in &blobs {
                take(range.as_ref().map(|range| (blob, &buffer.bytes[range.clone()])).ok_or(blob.key))?;
            }
            // If the buffer cannot be sent, the reader has ended.
            let _ = give_back.send(buffer.empty());
        }
        Ok(())
    })
}
