//! Encoding of a block that does not fit into memory: it is read in pieces, and becomes the same bytes as with [`StoredChunk::encode`].
//!
//! The block is read once for its size and its CRC-32, and again when it is compressed or copied. What is read later is compared with the
//! first time, so a file that changes meanwhile is an error and never half of each.
//!
//! [`StoredChunk::encode`]: crate::StoredChunk::encode

use std::io::{self, Read, Write};

use super::chunk::{MAX_STORED, too_large};
#[cfg(feature = "zstd-compress")]
use super::chunk::{max_packed, pad};
use crate::codec::Compressor;
#[cfg(feature = "zstd-compress")]
use crate::codec::ZSTD_FRAME;
use crate::encoding::{Cipher, Compression};
#[cfg(any(doc, feature = "zstd-compress"))]
use crate::error::Error;
use crate::fourcc::FourCc;
use crate::id::ResourceId;
use crate::info::ChunkInfo;
use crate::limits::DATA_ALIGNMENT;

/// The number of bytes that are read at once: the content of a zstd frame.
const PIECE: usize = 1 << 20;
#[cfg(feature = "zstd-compress")]
const _: () = assert!(PIECE == ZSTD_FRAME);

/// A block that was read once, in pieces.
///
/// ```
/// # #[cfg(feature = "zstd-compress")] {
/// use rres_format::{Compression, Compressor, FourCc, LargeBlock, StoredChunk, chunk};
///
/// let block = chunk::raw::raw_block(".txt", "a game of chess. ".repeat(100_000).as_bytes());
/// let large = LargeBlock::scan(FourCc::RAWD, &mut block.as_slice())?;
/// let mut packed = Vec::new();
/// let info = large.compress(&mut block.as_slice(), Compression::ZSTD, &mut Compressor::default(), &mut packed)?;
/// let whole = StoredChunk::encode(FourCc::RAWD, &block, Compression::ZSTD, &mut Compressor::default())?;
/// assert_eq!((info.as_ref(), Some(&packed[..])), (Some(whole.info()), whole.stored()));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LargeBlock {
    /// The header of the chunk if the block is stored as it is.
    plain: ChunkInfo,
}

impl LargeBlock {
    /// Whether [`Self::compress`] knows a compression for blocks of this kind. LZ4, DEFLATE and QOI need the whole block, and so do the filters,
    /// which exist for other kinds than these.
    pub fn can_compress(kind: FourCc, compression: Compression) -> bool {
        cfg!(feature = "zstd-compress")
            && matches!(compression, Compression::ZSTD | Compression::FILTERED)
            && kind == FourCc::RAWD
    }

    /// Reads a block from its start to its end.
    ///
    /// # Errors
    /// Errors of `block`, and [`Error::LimitExceeded`] in [`io::ErrorKind::InvalidInput`] if it has about 4 GiB or more.
    pub fn scan(kind: FourCc, block: &mut dyn Read) -> io::Result<Self> {
        let (mut crc, mut len) = (crc32fast::Hasher::new(), 0);
        for_each_piece(block, |piece| {
            crc.update(piece);
            len += piece.len() as u64;
            if len > MAX_STORED { Err(io::Error::new(io::ErrorKind::InvalidInput, too_large(len))) } else { Ok(true) }
        })?;
        let padding = padding_of(len);
        crc.update(padding);
        let plain = ChunkInfo {
            kind,
            id: ResourceId::NONE,
            compression: Compression::NONE,
            cipher: Cipher::NONE,
            flags: 0,
            packed_size: u32::try_from(len + padding.len() as u64).map_err(|_| io::ErrorKind::InvalidInput)?,
            base_size: len as u32,
            next_offset: 0,
            reserved: 0,
            crc32: crc.finalize(),
        };
        Ok(Self { plain })
    }

    /// Returns the header of the chunk if the block is stored as it is, followed by [`Self::padding`].
    pub fn plain(&self) -> ChunkInfo {
        self.plain
    }

    /// Returns the zeros after a block that is stored as it is.
    pub fn padding(&self) -> &'static [u8] {
        padding_of(self.plain.base_size.into())
    }

    /// Reads the block again, writes its compressed form to `out`, and returns the header of the chunk. `None` if that does not save enough, or
    /// [cannot be made in pieces](Self::can_compress): the block is then stored as it is, and what was written to `out` is of no use.
    ///
    /// # Errors
    /// Errors of `block` and `out`, and [`Error::Inconsistent`] in [`io::ErrorKind::InvalidData`] if the block is another than at first, or zstd
    /// fails.
    pub fn compress(
        &self,
        block: &mut dyn Read,
        compression: Compression,
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<Option<ChunkInfo>> {
        #[cfg(feature = "zstd-compress")]
        if Self::can_compress(self.plain.kind, compression) {
            return self.zstd(block, compressor, out);
        }
        let _ = (block, compression, compressor, out);
        Ok(None)
    }

    #[cfg(feature = "zstd-compress")]
    fn zstd(
        &self,
        block: &mut dyn Read,
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<Option<ChunkInfo>> {
        let limit = max_packed(self.plain.base_size as usize);
        let (mut before, mut after, mut size) = (crc32fast::Hasher::new(), crc32fast::Hasher::new(), 0);
        let mut len = 0;
        let mut write = |bytes: &[u8]| {
            after.update(bytes);
            out.write_all(bytes)
        };
        for_each_piece(block, |piece| {
            before.update(piece);
            len += piece.len() as u64;
            let frame = compressor.zstd_frame(piece).map_err(invalid_data)?;
            size += frame.len();
            write(&frame)?;
            Ok(size <= limit)
        })?;
        // An empty block has no frame, and would not become smaller.
        if size > limit || size == 0 {
            return Ok(None);
        }
        before.update(padding_of(len));
        if (len, before.finalize()) != (self.plain.base_size.into(), self.plain.crc32) {
            let detail = format!(
                "its {} bytes were read twice, and were not the same {len} the second time",
                self.plain.base_size
            );
            return Err(invalid_data(Error::inconsistent("block", detail)));
        }
        let mut padding = Vec::new();
        pad(Compression::ZSTD, size, &mut padding);
        write(&padding)?;
        // It is smaller than the block.
        let packed_size = (size + padding.len()) as u32;
        Ok(Some(ChunkInfo { compression: Compression::ZSTD, packed_size, crc32: after.finalize(), ..self.plain }))
    }
}

#[cfg(feature = "zstd-compress")]
fn invalid_data(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Calls `take` for every [`PIECE`] of a block until it returns false. The last one may be shorter.
fn for_each_piece(block: &mut dyn Read, mut take: impl FnMut(&[u8]) -> io::Result<bool>) -> io::Result<()> {
    let mut piece = Vec::with_capacity(PIECE);
    loop {
        piece.clear();
        block.take(PIECE as u64).read_to_end(&mut piece)?;
        if piece.is_empty() || !take(&piece)? {
            return Ok(());
        }
    }
}

/// Returns the zeros after a block of `len` bytes.
fn padding_of(len: u64) -> &'static [u8] {
    const ZEROS: [u8; DATA_ALIGNMENT as usize] = [0; DATA_ALIGNMENT as usize];
    &ZEROS[..(len.next_multiple_of(DATA_ALIGNMENT) - len) as usize]
}

#[cfg(all(test, feature = "zstd-compress"))]
mod tests {
    use rres_test_data::random::Random;

    use super::*;
    use crate::chunk::raw::raw_block;
    use crate::write::StoredChunk;

    /// What becomes of a block that is read in pieces: the header of its chunk, and the stored bytes.
    fn in_pieces(block: &[u8], compression: Compression, level: i32) -> (ChunkInfo, Vec<u8>) {
        let large = LargeBlock::scan(FourCc::RAWD, &mut &*block).unwrap();
        let mut packed = Vec::new();
        let mut compressor = Compressor::with_level(level);
        match large.compress(&mut &*block, compression, &mut compressor, &mut packed).unwrap() {
            Some(info) => (info, packed),
            None => (large.plain(), [block, large.padding()].concat()),
        }
    }

    #[test]
    fn a_block_in_pieces_becomes_the_same_bytes_as_a_whole_one() {
        let mut rng = Random::new(71);
        let text = |len: usize| {
            let lines = (0..).map(|line: u32| format!("line {line} of {}; ", line.wrapping_mul(2_654_435_761)));
            lines.flat_map(String::into_bytes).take(len).collect::<Vec<u8>>()
        };
        let mut data =
            vec![text(3 * PIECE), text(2 * PIECE - 20), text(PIECE + 5), rng.bytes(2 * PIECE + 7), text(3), vec![]];
        // Just at the limit of what is worth it: noise, and zeros after it.
        for noise in [PIECE * 14 / 16, PIECE * 15 / 16 - 40, PIECE * 15 / 16, PIECE] {
            data.push([rng.bytes(noise), vec![0; PIECE - noise]].concat());
        }
        for data in &data {
            let block = raw_block(".bin", data);
            for (compression, level) in
                [(Compression::NONE, 9), (Compression::ZSTD, 1), (Compression::ZSTD, 9), (Compression::FILTERED, 9)]
            {
                let mut compressor = Compressor::with_level(level);
                let whole = StoredChunk::encode(FourCc::RAWD, &block, compression, &mut compressor).unwrap();
                let (info, stored) = in_pieces(&block, compression, level);
                assert_eq!(&info, whole.info(), "{} bytes, {compression}", data.len());
                assert_eq!(Some(&stored[..]), whole.stored(), "{} bytes, {compression}", data.len());
            }
        }
    }

    #[test]
    fn a_block_that_is_another_the_second_time_is_an_error() {
        let mut block = raw_block(".txt", &b"some text ".repeat(200_000));
        let large = LargeBlock::scan(FourCc::RAWD, &mut block.as_slice()).unwrap();
        let compress =
            |block: &[u8]| large.compress(&mut &*block, Compression::ZSTD, &mut Compressor::default(), &mut Vec::new());
        assert!(compress(&block).unwrap().is_some());
        assert_eq!(compress(&block[..block.len() - 1]).unwrap_err().kind(), io::ErrorKind::InvalidData);
        block[1_000_000] ^= 1;
        assert_eq!(compress(&block).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
