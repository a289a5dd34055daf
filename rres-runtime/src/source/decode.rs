//! A compressed chunk → its block, in its final allocation; a large one on several threads.

use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rres_format::{ChunkView, Decompressor, Piece};

use crate::data::Backing;
use crate::error::Result;
use crate::map::large_pages;

/// From this size of a block on, starting threads and mapping memory costs a small part of what it saves.
const LARGE: usize = 4 << 20;

thread_local! {
    // Contexts of decompressors cost more than a small asset; each thread keeps its own.
    static DECOMPRESSOR: RefCell<Decompressor> = RefCell::default();
    /// Whether others keep the processors busy.
    static ON_ONE_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// From now on, what this thread decodes it decodes alone.
pub(crate) fn on_one_thread() {
    ON_ONE_THREAD.set(true);
}

/// The block of a chunk that is not plain.
pub(super) fn decode(chunk: ChunkView<'_>) -> Result<Backing> {
    let size = chunk.block_size()?;
    if size < LARGE {
        let block = DECOMPRESSOR.with_borrow_mut(|decompressor| chunk.decode(decompressor))?;
        return Ok(Backing::Owned(block.into_bytes().into_owned().into_boxed_slice()));
    }
    match large_pages(size) {
        Some(mut pages) => decode_large(chunk, &mut pages).map(|()| Backing::Pages(pages)),
        None => {
            let mut block = vec![0; size].into_boxed_slice();
            decode_large(chunk, &mut block).map(|()| Backing::Owned(block))
        }
    }
}

fn decode_large(chunk: ChunkView<'_>, block: &mut [u8]) -> Result<()> {
    let threads = if ON_ONE_THREAD.get() { 1 } else { processors() };
    let pieces = if threads == 1 { Vec::new() } else { chunk.pieces()? };
    match pieces.as_slice() {
        [] => Ok(DECOMPRESSOR.with_borrow_mut(|decompressor| chunk.decode_into(decompressor, block))?),
        pieces => decode_pieces(pieces, block, threads),
    }
}

fn decode_pieces(pieces: &[Piece<'_>], mut block: &mut [u8], threads: usize) -> Result<()> {
    let mut jobs = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (out, rest) = block.split_at_mut(piece.size());
        jobs.push((piece, out));
        block = rest;
    }
    let (jobs, failed) = (Mutex::new(jobs), Mutex::new(None));
    let work = |decompressor: &mut Decompressor| {
        // A guard in the condition would be held while the piece is decoded.
        let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).pop();
        while let Some((piece, out)) = next() {
            if let Err(error) = piece.decode_into(decompressor, out) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                jobs.lock().unwrap_or_else(PoisonError::into_inner).clear();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(pieces.len()) {
            // Where no thread can be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, || work(&mut Decompressor::default()));
        }
        DECOMPRESSOR.with_borrow_mut(work);
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// How many threads may run at once. Asked for once: the answer takes several system calls.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use rres_format::{Compression, Compressor, FourCc, PackBuilder, PackView, Resource, StoredChunk, chunk};

    use super::*;

    /// A pack of one zstd chunk of 5.5 MiB in six frames.
    fn pack() -> (Vec<u8>, Vec<u8>) {
        let bytes: Vec<u8> = (0..11u64 << 19).map(|i| (i / 97 * i / 1024) as u8).collect();
        let block = chunk::raw::raw_block(".dat", &bytes);
        let stored = StoredChunk::encode(FourCc::RAWD, &block, Compression::ZSTD, &mut Compressor::default()).unwrap();
        let mut pack = PackBuilder::new();
        pack.push(Resource::new("a", vec![stored]));
        (pack.to_vec().unwrap(), block)
    }

    fn first(pack: &[u8]) -> ChunkView<'_> {
        PackView::parse(pack)
            .unwrap()
            .chunks()
            .map(|chunk| chunk.unwrap())
            .find(|c| c.info.kind == FourCc::RAWD)
            .unwrap()
    }

    #[test]
    fn a_large_block_is_the_same_on_any_number_of_threads() {
        let (pack, block) = pack();
        let pieces = first(&pack).pieces().unwrap();
        assert_eq!(pieces.len(), 6);
        for threads in [1, 2, 3, 16] {
            let mut out = vec![0; block.len()];
            decode_pieces(&pieces, &mut out, threads).unwrap();
            assert!(out == block, "{threads} threads");
        }
        assert!(decode(first(&pack)).unwrap().bytes() == block);
    }

    #[test]
    fn a_damaged_piece_fails_the_whole() {
        let (mut pack, block) = pack();
        let chunk = first(&pack);
        let middle = chunk.offset as usize + 32 + chunk.stored.len() / 2;
        pack[middle..middle + 64].fill(0xff);
        let chunk = first(&pack);
        assert!(decode(chunk).is_err());
        let pieces = chunk.pieces().unwrap();
        if !pieces.is_empty() {
            assert!(decode_pieces(&pieces, &mut vec![0; block.len()], 2).is_err());
        }
    }
}
