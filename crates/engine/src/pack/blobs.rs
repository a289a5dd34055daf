//! Reads and checks the blobs of a pack in one thread while another writes the pack. Large blobs are only opened there: they are copied by
//! ranges, and checked while they are copied.

use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use rres_format::{Cipher, PackStream, PackView, ResourceId, StoredChunk};

use super::encryption::Encryption;
use super::equal::EqualResources;
use crate::cache::LargeBlob;
use crate::file_range::{LARGE, is_of_source};
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
    /// Where it should start.
    pub(super) at: Option<u32>,
}

/// What a blob consists of.
#[derive(Clone, Copy)]
pub(super) enum Contents<'b> {
    /// Bytes that have been checked.
    Bytes(&'b [u8]),
    Large(&'b LargeBlob),
}

impl Contents<'_> {
    /// The chunks of a run.
    fn chunks(&self, run: ChunkRun) -> io::Result<Vec<StoredChunk<'_>>> {
        match self {
            Self::Bytes(bytes) => {
                let view = PackView::parse(bytes).map_err(io::Error::other)?;
                let chunks = run.of(&view).map_err(io::Error::other)?;
                Ok(chunks.into_iter().map(StoredChunk::copied).collect())
            }
            Self::Large(large) => large.chunks(run),
        }
    }
}

impl Blob {
    /// Writes the resources to a pack, encrypted if the settings say so. Equal resources share their chunks. Returns false if a large blob is
    /// damaged: what has been written is then of no use.
    pub(super) fn write(
        &self,
        contents: Contents<'_>,
        encryption: &Encryption,
        equal: &mut EqualResources,
        out: &mut PackStream<'_, '_, impl Write + Seek>,
    ) -> io::Result<bool> {
        match self.copy(contents, encryption, equal, out) {
            Err(error) if matches!(contents, Contents::Large(_)) && is_of_source(&error) => Ok(false),
            written => written.map(|()| true),
        }
    }

    fn copy(
        &self,
        contents: Contents<'_>,
        encryption: &Encryption,
        equal: &mut EqualResources,
        out: &mut PackStream<'_, '_, impl Write + Seek>,
    ) -> io::Result<()> {
        for resource in &self.resources {
            let cipher = encryption.cipher_of(resource.id);
            let mut chunks = contents.chunks(resource.chunks)?;
            if cipher != Cipher::NONE {
                // To encrypt bytes takes all of them. A damaged blob is noticed here.
                chunks = chunks.into_iter().map(StoredChunk::in_memory).collect::<io::Result<_>>()?;
            }
            let owner = equal.next(&chunks, cipher)?;
            if let (None, Some(at)) = (owner, resource.at) {
                out.skip_to(at)?;
            }
            match owner {
                Some(owner) => out.push_shared(owner)?,
                #[cfg(feature = "seal")]
                None => out.push(&encryption.seal(resource.id, chunks).map_err(io::Error::other)?)?,
                #[cfg(not(feature = "seal"))]
                None => out.push(&chunks)?,
            }
        }
        Ok(())
    }

    /// Whether every chunk of a large blob and its header are those that were written.
    pub(super) fn is_sound(&self, contents: Contents<'_>) -> bool {
        let Contents::Large(large) = contents else { return true };
        self.resources.iter().all(|resource| {
            let chunks = large.chunks(resource.chunks);
            chunks.and_then(|chunks| chunks.iter().try_for_each(|chunk| chunk.write_stored(io::sink()))).is_ok()
        })
    }

    /// Appends the bytes to `buffer`, and checks every chunk and its header, or only opens the blob if it is large; `None` if it is damaged.
    fn read(&self, buffer: &mut Buffer) -> Option<Place> {
        let mut file = open_file(&self.file).ok()?;
        let len = file.metadata().ok()?.len();
        if len >= LARGE {
            return LargeBlob::open(&self.file).ok()?.map(Place::Large);
        }
        let range = buffer.grow(usize::try_from(len).ok()?);
        file.read_exact(&mut buffer.bytes[range.clone()]).ok()?;
        let view = PackView::parse(&buffer.bytes[range.clone()]).ok()?;
        self.resources.iter().all(|resource| resource.chunks.sound(&view).is_ok()).then_some(Place::Buffer(range))
    }
}

/// Where the contents of a blob are.
enum Place {
    /// In the buffer of their batch.
    Buffer(Range<usize>),
    Large(LargeBlob),
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
    blobs: Vec<(Blob, Option<Place>)>,
}

/// Calls `take` for every blob in turn with its contents, or only with its key if it is missing or damaged.
///
/// # Errors
/// The first error of `take`. Nothing more is read after it.
pub(super) fn read(
    blobs: Vec<Blob>,
    mut take: impl FnMut(Result<(&Blob, Contents<'_>), Key>) -> io::Result<()>,
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
                    let place = blob.read(&mut batch.buffer);
                    batch.blobs.push((blob, place));
                }
                if send.send(batch).is_err() {
                    return;
                }
            }
        });
        for Batch { buffer, blobs } in batches {
            for (blob, place) in &blobs {
                let contents = place.as_ref().map(|place| match place {
                    Place::Buffer(range) => Contents::Bytes(&buffer.bytes[range.clone()]),
                    Place::Large(large) => Contents::Large(large),
                });
                take(contents.map(|contents| (blob, contents)).ok_or(blob.key))?;
            }
            // If the buffer cannot be sent, the reader has ended.
            let _ = give_back.send(buffer.empty());
        }
        Ok(())
    })
}
