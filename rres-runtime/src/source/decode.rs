//! A compressed chunk → its block, in its final allocation. A large block is decoded on several threads.

use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::sync::{Mutex, OnceLock};
use std::thread;

use rres_format::delta::DeltaView;
use rres_format::sibling::SiblingView;
use rres_format::{ChunkView, Decompressor, Frame};

use crate::bytes::{Backing, LARGE};
use crate::error::Result;
use crate::sync::lock;

thread_local! {
    // The context of a decompressor takes longer to create than a small asset to decode, so each thread keeps one.
    static DECOMPRESSOR: RefCell<Decompressor> = RefCell::default();
    /// Whether this thread decodes large blocks alone.
    static ON_ONE_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Makes the calling thread decode large blocks without the help of other threads from now on. For threads of a pool
/// that keeps all processors busy by itself.
pub(crate) fn decode_on_this_thread_only() {
    ON_ONE_THREAD.set(true);
}

/// Calls `work` with the decompressor of this thread.
pub(super) fn with_decompressor<T>(work: impl FnOnce(&mut Decompressor) -> rres_format::Result<T>) -> Result<T> {
    Ok(DECOMPRESSOR.with_borrow_mut(work)?)
}

/// Decodes the block of a compressed chunk.
pub(super) fn decode(chunk: ChunkView<'_>) -> Result<Backing> {
    let size = chunk.block_size()?;
    Backing::filled(size, |block| match block.len() {
        LARGE.. => decode_large(chunk, block),
        _ => Ok(DECOMPRESSOR.with_borrow_mut(|decompressor| chunk.decode_into(decompressor, block))?),
    })
}

/// Makes a block from its difference from `base`.
pub(super) fn decode_delta(delta: DeltaView<'_>, base: &[u8]) -> Result<Vec<u8>> {
    Ok(DECOMPRESSOR.with_borrow_mut(|decompressor| delta.apply(base, decompressor))?)
}

/// Makes a block from its sibling.
pub(super) fn decode_sibling(view: &SiblingView<'_>, sibling: &[u8]) -> Result<Vec<u8>> {
    Ok(DECOMPRESSOR.with_borrow_mut(|decompressor| view.decode(sibling, decompressor))?)
}

fn decode_large(chunk: ChunkView<'_>, block: &mut [u8]) -> Result<()> {
    let threads = if ON_ONE_THREAD.get() { 1 } else { processors() };
    let frames = if threads == 1 { Vec::new() } else { chunk.frames()? };
    match frames.as_slice() {
        [] => Ok(DECOMPRESSOR.with_borrow_mut(|decompressor| chunk.decode_into(decompressor, block))?),
        frames => decode_frames(frames, block, threads),
    }
}

fn decode_frames(frames: &[Frame<'_>], mut block: &mut [u8], threads: usize) -> Result<()> {
    let mut jobs = Vec::with_capacity(frames.len());
    for frame in frames {
        let (out, rest) = block.split_at_mut(frame.size());
        jobs.push((frame, out));
        block = rest;
    }
    let (jobs, failed) = (Mutex::new(jobs), Mutex::new(None));
    let work = |decompressor: &mut Decompressor| {
        // A guard in the condition of the loop would be held while the frame is decoded.
        let next = || lock(&jobs).pop();
        while let Some((frame, out)) = next() {
            if let Err(error) = frame.decode_into(decompressor, out) {
                *lock(&failed) = Some(error);
                lock(&jobs).clear();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(frames.len()) {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, || work(&mut Decompressor::default()));
        }
        DECOMPRESSOR.with_borrow_mut(work);
    });
    match lock(&failed).take() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Returns how many threads can run at once. Cached, because asking takes several system calls.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use rres_format::{Compression, Compressor, FourCc, PackBuilder, PackView, Resource, StoredChunk, chunk};

    use super::*;

    /// Creates a pack of one zstd chunk of 5.5 MiB in six frames, and the block in it.
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
        let frames = first(&pack).frames().unwrap();
        assert_eq!(frames.len(), 6);
        for threads in [1, 2, 3, 16] {
            let mut out = vec![0; block.len()];
            decode_frames(&frames, &mut out, threads).unwrap();
            assert!(out == block, "{threads} threads");
        }
        assert!(decode(first(&pack)).unwrap().bytes() == block);
    }

    #[test]
    fn a_damaged_frame_fails_the_whole() {
        let (mut pack, block) = pack();
        // After the header of the first frame (9 bytes) and of its first block (3 bytes): the sizes of the block's
        // literals.
        let sizes = first(&pack).offset as usize + 32 + 12;
        pack[sizes] ^= 0xff;
        let chunk = first(&pack);
        let frames = chunk.frames().unwrap();
        assert_eq!(frames.len(), 6, "the damage is within a frame");
        for threads in [1, 2, 16] {
            assert!(decode_frames(&frames, &mut vec![0; block.len()], threads).is_err(), "{threads} threads");
        }
        assert!(decode(chunk).is_err());
    }

    #[test]
    fn damage_between_frames_fails_the_whole() {
        let (mut pack, _) = pack();
        let start = first(&pack).offset as usize + 32;
        pack[start..start + 4].fill(0xff);
        let chunk = first(&pack);
        assert!(chunk.frames().unwrap().is_empty(), "without its magic number it is not a frame");
        assert!(decode(chunk).is_err());
    }
}
