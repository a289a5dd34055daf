//! The blobs of a pack, read and checked ahead of whoever writes it.

use std::fs;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use rres_format::{ChunkView, PackStream, PackView, StoredChunk};

use crate::cache::Key;
use crate::memory::Memory;

/// Bytes that are read ahead.
const AHEAD: u64 = 32 << 20;

/// A blob, and the parts of it that are wanted.
#[derive(Debug)]
pub(super) struct Blob {
    pub(super) key: Key,
    pub(super) file: PathBuf,
    /// Offset of the first chunk, and number of chunks.
    pub(super) parts: Vec<(u32, u16)>,
}

impl Blob {
    /// Writes the parts, one resource each.
    pub(super) fn write(&self, bytes: &[u8], out: &mut PackStream<'_, '_, impl Write + Seek>) -> io::Result<()> {
        let view = PackView::parse(bytes).map_err(io::Error::other)?;
        for part in &self.parts {
            let chunks = chunks(&view, *part).map(|chunk| chunk.map(StoredChunk::copied));
            out.push(&chunks.collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?)?;
        }
        Ok(())
    }

    /// The bytes, once every chunk is known to be sound.
    fn read(&self) -> Option<Vec<u8>> {
        let bytes = fs::read(&self.file).ok()?;
        let view = PackView::parse(&bytes).ok()?;
        let is_sound = |part| chunks(&view, part).all(|chunk| chunk.and_then(|chunk| chunk.verify()).is_ok());
        let sound = self.parts.iter().all(|part| is_sound(*part));
        sound.then_some(bytes)
    }
}

fn chunks<'b>(
    view: &PackView<'b>,
    (offset, count): (u32, u16),
) -> impl Iterator<Item = rres_format::Result<ChunkView<'b>>> {
    let first = view.chunk_at(offset);
    let (run, error) = match first {
        Ok(first) => (Some(view.run(first, count)), None),
        Err(error) => (None, Some(Err(error))),
    };
    run.into_iter().flatten().chain(error)
}

/// Gives every blob in turn to `take`, with its bytes; the key alone of one that is gone or damaged.
///
/// # Errors
/// The first of `take`, after which nothing more is read.
pub(super) fn read(
    blobs: Vec<Blob>,
    mut take: impl FnMut(Result<(&Blob, &[u8]), Key>) -> io::Result<()>,
) -> io::Result<()> {
    let memory = Memory::new(AHEAD);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        let memory = &memory;
        scope.spawn(move || {
            for blob in blobs {
                let size = fs::metadata(&blob.file).map_or(0, |metadata| metadata.len());
                memory.take(size);
                let bytes = blob.read();
                if send.send((blob, bytes, size)).is_err() {
                    return;
                }
            }
        });
        let mut result = Ok(());
        for (blob, bytes, size) in receive {
            // The reader ends when all is read; nobody waits for what it may have in hand.
            if result.is_ok() {
                result = take(bytes.as_deref().map(|bytes| (&blob, bytes)).ok_or(blob.key));
            }
            drop(bytes);
            memory.give_back(size);
        }
        result
    })
}
