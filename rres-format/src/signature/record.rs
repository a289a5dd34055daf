//! The signature chunk: found, read, and compared with the pack.

use std::borrow::Cow;

use super::{PublicKey, SignatureError};
use crate::bytes::u32_at;
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::info::ChunkInfo;
use crate::wire::{Wire, wire_record};

/// The last bytes of a signed pack.
pub const MAGIC: [u8; 8] = *b"rresSIGN";
/// The start of every message that is signed, so that the signature means nothing in another place.
pub const CONTEXT: &[u8; 24] = b"rres pack signature v1\0\0";

pub(super) const VERSION: u32 = 1;
/// The property count and four properties.
const PROPS: usize = 20;
pub(super) const SIGNATURE: usize = 64;
const TRAILER: usize = SIGNATURE_TRAILER;
/// How many bytes at the end of a pack say whether it is signed.
pub const SIGNATURE_TRAILER: usize = 12;

wire_record! {
    pub(super) struct Start[84] {
        key: [u8; 32],
        set_digest: [u8; 32],
        header: [u8; Header::SIZE],
        content_size: u32,
    }
}

wire_record! {
    pub(super) struct Piece[36] {
        pub(super) offset: u32,
        pub(super) hash: [u8; 32],
    }
}

/// The offset of the content digest in the block.
#[cfg(feature = "signed")]
const CONTENT: usize = PROPS + 64;

/// Returns the bytes of the chunk, with its header, of a signature over `pieces` pieces.
fn chunk_len(pieces: u64) -> u64 {
    (ChunkInfo::SIZE + PROPS + Start::SIZE + SIGNATURE + TRAILER) as u64 + pieces * Piece::SIZE as u64
}

/// Returns the header of the signature chunk with this block.
fn header_of(block: &[u8]) -> ChunkInfo {
    ChunkInfo::without_id(FourCc::SIGN, block, block.len() as u32)
}

/// Returns the number of bytes of a pack before its signature; all of its bytes if it has none. The signature is not checked.
///
/// # Errors
/// As [`Signature::find`], other than [`SignatureError::Missing`].
pub fn content_len(pack: &[u8]) -> Result<usize, SignatureError> {
    match chunk(pack) {
        Err(SignatureError::Missing) => Ok(pack.len()),
        found => found.map(|chunk| pack.len() - chunk.len()),
    }
}

/// Returns how many bytes the signature at the end of a pack has, which its last [`SIGNATURE_TRAILER`] bytes say; `None` if the pack is not signed. The
/// number is not checked.
pub fn signature_len(end: &[u8]) -> Option<u32> {
    let (_, trailer) = end.split_last_chunk::<TRAILER>()?;
    (trailer[4..] == MAGIC).then(|| u32_at(trailer, 0))
}

/// Finds the signature chunk by the end of the pack.
fn chunk(pack: &[u8]) -> Result<&[u8], SignatureError> {
    let Some((_, trailer)) = pack.split_last_chunk::<TRAILER>() else { return Err(SignatureError::Missing) };
    if trailer[4..] != MAGIC {
        return Err(SignatureError::Missing);
    }
    let len = u32_at(trailer, 0) as usize;
    let start = pack.len().checked_sub(len).filter(|start| *start >= Header::SIZE && len as u64 >= chunk_len(0));
    start.map(|start| &pack[start..]).ok_or_else(|| {
        let range = (chunk_len(0), (pack.len() - Header::SIZE.min(pack.len())) as u64);
        malformed(format!("its last bytes say that it has {len} bytes, expected {} to {}", range.0, range.1))
    })
}

fn malformed(detail: impl Into<String>) -> SignatureError {
    SignatureError::Malformed(detail.into())
}

/// The signature of a pack, in its exact form. Nothing in it can be relied on before `verify` has checked it.
///
/// It can be kept without the pack. Methods that compare it with the pack take all bytes of the pack.
#[derive(Clone, Debug)]
pub struct Signature<'a> {
    block: Cow<'a, [u8]>,
    start: Start,
    /// The number of pieces.
    pieces: usize,
    number: u32,
    packs: u32,
}

impl<'a> Signature<'a> {
    /// Finds the signature of a pack and checks its form, in time that grows with the number of chunks.
    ///
    /// # Errors
    /// [`SignatureError::Missing`] if there is none, and [`SignatureError::Malformed`] if no signer writes such a chunk.
    pub fn find(pack: &'a [u8]) -> Result<Self, SignatureError> {
        Self::parse(Cow::Borrowed(chunk(pack)?), pack.len())
    }

    /// Copies the signature of a pack before it is checked, like [`Self::find`]. Nobody who changes the file of the pack
    /// afterwards can change the copy.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn read(pack: &[u8]) -> Result<Signature<'static>, SignatureError> {
        Signature::parse(Cow::Owned(chunk(pack)?.to_vec()), pack.len())
    }

    /// Reads the signature of a pack of `len` bytes from its last ones: at least as many as [`signature_len`] says.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn read_end(end: &[u8], len: u64) -> Result<Signature<'static>, SignatureError> {
        let size = signature_len(end).ok_or(SignatureError::Missing)?;
        let chunk = end.len().checked_sub(size as usize).map(|start| &end[start..]);
        let chunk = chunk
            .ok_or_else(|| malformed(format!("its last bytes say that it has {size} bytes, found {}", end.len())))?;
        Signature::parse(Cow::Owned(chunk.to_vec()), usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Reads a chunk that ends a pack of `len` bytes.
    fn parse(chunk: Cow<'a, [u8]>, len: usize) -> Result<Self, SignatureError> {
        // A copy may have other sizes than those that the chunk was found by, if the file has changed in between.
        if (chunk.len() as u64) < chunk_len(0) || len < chunk.len() {
            return Err(malformed(format!("it has {} bytes", chunk.len())));
        }
        let content = len - chunk.len();
        let block = match chunk {
            Cow::Borrowed(chunk) => Cow::Borrowed(&chunk[ChunkInfo::SIZE..]),
            Cow::Owned(ref chunk) => Cow::Owned(chunk[ChunkInfo::SIZE..].to_vec()),
        };
        if ChunkInfo::get(&chunk) != header_of(&block) {
            return Err(malformed(format!("its chunk header differs from {:?}", header_of(&block))));
        }
        let trailer = &block[block.len() - TRAILER..];
        if trailer[4..] != MAGIC || u32_at(trailer, 0) as usize != chunk.len() {
            return Err(malformed("its last bytes have changed since it was found"));
        }
        let [count, version, pieces, number, packs] = core::array::from_fn(|i| u32_at(&block, i * 4));
        if (count, version) != (4, VERSION) {
            let text = "properties and layout version";
            return Err(malformed(format!("it has {count} {text} {version}, expected 4 {text} {VERSION}")));
        }
        if chunk_len(pieces.into()) != chunk.len() as u64 {
            let expected = chunk_len(pieces.into());
            return Err(malformed(format!("it has {} bytes, expected {expected} for {pieces} pieces", chunk.len())));
        }
        if number >= packs {
            return Err(malformed(format!("it is of pack {number} of a set of {packs}, counted from 0")));
        }
        let start = Start::get(&block[PROPS..]);
        if start.content_size as usize != content {
            let detail = format!("it is of a pack of {} bytes, found {content} before it", start.content_size);
            return Err(malformed(detail));
        }
        let signature = Self { block, start, pieces: pieces as usize, number, packs };
        signature.check_pieces()?;
        Ok(signature)
    }

    /// Checks that the pieces follow one another from the file header to the signature.
    fn check_pieces(&self) -> Result<(), SignatureError> {
        let mut expected = Header::SIZE as u64;
        for piece in (0..self.pieces).map(|number| self.piece(number)) {
            let is_right = match expected {
                // Any piece but the first starts at least a chunk header after the one before it.
                first if first == Header::SIZE as u64 => u64::from(piece.offset) == first,
                least => u64::from(piece.offset) >= least,
            };
            if !is_right {
                return Err(malformed(format!("a piece starts at offset {}, expected {expected}", piece.offset)));
            }
            expected = u64::from(piece.offset) + ChunkInfo::SIZE as u64;
        }
        if expected > self.start.content_size.into() {
            return Err(malformed(format!("the last piece ends at offset {expected}, in the signature")));
        }
        Ok(())
    }

    /// Returns the key that the pack claims to be signed with.
    pub fn key(&self) -> PublicKey {
        PublicKey(self.start.key)
    }

    /// Returns the number of the pack in its set, counted from 0, and the number of packs.
    pub fn number(&self) -> (u32, u32) {
        (self.number, self.packs)
    }

    /// Returns the number of bytes before the signature.
    pub fn content_len(&self) -> usize {
        self.start.content_size as usize
    }

    /// Returns the number of pieces.
    pub fn len(&self) -> usize {
        self.pieces
    }

    /// Whether the pack has no chunks.
    pub fn is_empty(&self) -> bool {
        self.pieces == 0
    }

    fn piece(&self, number: usize) -> Piece {
        Piece::get(&self.block[PROPS + Start::SIZE + number * Piece::SIZE..])
    }

    /// Checks that the pack is the one with this number in a set whose first pack has the signature `first`. Both signatures
    /// must have been verified.
    ///
    /// # Errors
    /// [`SignatureError::OtherSet`] if not.
    pub fn check_set(&self, first: &Signature<'_>, number: u32, packs: u32) -> Result<(), SignatureError> {
        let expected = (number, packs);
        match self.number() == expected && self.start.set_digest == first.start.set_digest && self.key() == first.key()
        {
            true => Ok(()),
            false => Err(SignatureError::OtherSet { expected, found: self.number() }),
        }
    }
}

#[cfg(feature = "signed")]
impl Signature<'_> {
    /// Checks that the list of hashes was signed with one of `keys`, which it returns, and that the file header is the one that
    /// was signed. Of the other bytes, none is read.
    ///
    /// # Errors
    /// [`SignatureError::UnknownKey`], [`SignatureError::Forged`], or [`SignatureError::Changed`] for the file header.
    pub fn verify(&self, pack: &[u8], keys: &[PublicKey]) -> Result<PublicKey, SignatureError> {
        let key = self.key();
        if !keys.contains(&key) {
            return Err(SignatureError::UnknownKey { found: key, trusted: keys.len() });
        }
        let end = self.block.len() - SIGNATURE - TRAILER;
        if !key.verifies(message(&self.block[..end]), &Wire::get(&self.block[end..])) {
            return Err(SignatureError::Forged { key });
        }
        if !pack.starts_with(&self.start.header) {
            return Err(SignatureError::Changed { offset: 0, len: Header::SIZE as u64, kind: None });
        }
        Ok(key)
    }

    /// Checks that the chunk whose header is at this offset has the bytes that were signed.
    ///
    /// # Errors
    /// [`SignatureError::NotCovered`] if no piece starts there, [`SignatureError::Changed`] if the bytes are others.
    pub fn check_chunk(&self, pack: &[u8], offset: u32) -> Result<(), SignatureError> {
        self.check_piece(pack, 0, self.find_piece(offset)?)
    }

    /// Checks that the chunks from `offset` on, which together have `len` bytes, have the bytes that were signed.
    ///
    /// # Errors
    /// As [`Self::check_chunk`], also if no piece ends where they end.
    pub fn check_chunks(&self, pack: &[u8], offset: u32, len: u32) -> Result<(), SignatureError> {
        self.check_part(pack, 0, offset, len)
    }

    /// Checks chunks like [`Self::check_chunks`], which are within a part of the pack: within `part`, which is at the file offset `start`.
    ///
    /// # Errors
    /// As [`Self::check_chunks`].
    pub fn check_part(&self, part: &[u8], start: u32, offset: u32, len: u32) -> Result<(), SignatureError> {
        let first = self.find_piece(offset)?;
        let end = u64::from(offset) + u64::from(len);
        for number in first..self.pieces {
            match u64::from(self.end(number)) {
                piece if piece > end => break,
                piece => {
                    self.check_piece(part, start, number)?;
                    if piece == end {
                        return Ok(());
                    }
                }
            }
        }
        Err(SignatureError::NotCovered { offset })
    }

    /// Checks every piece, and so all bytes of the pack.
    ///
    /// # Errors
    /// [`SignatureError::Changed`] for the first piece that has other bytes.
    pub fn check_all(&self, pack: &[u8]) -> Result<(), SignatureError> {
        (0..self.pieces).try_for_each(|number| self.check_piece(pack, 0, number))
    }

    /// Returns the number of the piece at an offset.
    fn find_piece(&self, offset: u32) -> Result<usize, SignatureError> {
        let (mut low, mut high) = (0, self.pieces);
        while low < high {
            let middle = (low + high) / 2;
            match self.piece(middle).offset.cmp(&offset) {
                core::cmp::Ordering::Equal => return Ok(middle),
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(SignatureError::NotCovered { offset })
    }

    /// Returns where a piece ends.
    fn end(&self, number: usize) -> u32 {
        if number + 1 < self.pieces { self.piece(number + 1).offset } else { self.start.content_size }
    }

    fn check_piece(&self, part: &[u8], start: u32, number: usize) -> Result<(), SignatureError> {
        let (Piece { offset, hash }, end) = (self.piece(number), self.end(number));
        // The pieces ascend and have a chunk header each.
        let range = offset.checked_sub(start).map(|at| at as usize..(end - start) as usize);
        let bytes = range.and_then(|range| part.get(range)).ok_or(SignatureError::NotCovered { offset })?;
        if *blake3::hash(bytes).as_bytes() == hash {
            return Ok(());
        }
        Err(SignatureError::Changed { offset, len: bytes.len() as u64, kind: Some(FourCc::get(bytes)) })
    }
}

/// Returns the message whose signature signs the start of a block.
#[cfg(feature = "signed")]
fn message(block: &[u8]) -> [u8; 56] {
    let mut message = [0; 56];
    message[..24].copy_from_slice(CONTEXT);
    message[24..].copy_from_slice(blake3::hash(block).as_bytes());
    message
}

/// The signature of a pack before it is signed.
#[cfg(feature = "signed")]
pub(super) struct Draft {
    block: Vec<u8>,
}

#[cfg(feature = "signed")]
impl Draft {
    /// Hashes the pieces of a pack without a signature. `offsets` are the offsets of its chunks, which follow one another.
    pub(super) fn new(content: &[u8], offsets: &[u32], key: PublicKey, number: (u32, u32)) -> Self {
        let props = [VERSION, offsets.len() as u32, number.0, number.1];
        let mut block = crate::chunk::block(&props, &[]);
        let header = Wire::get(content);
        Start { key: key.0, set_digest: [0; 32], header, content_size: content.len() as u32 }.put(&mut block);
        let ends = offsets.iter().skip(1).copied().chain([content.len() as u32]);
        for (offset, end) in offsets.iter().copied().zip(ends) {
            let hash = *blake3::hash(&content[offset as usize..end as usize]).as_bytes();
            Piece { offset, hash }.put(&mut block);
        }
        Self { block }
    }

    /// Returns the content digest.
    pub(super) fn digest(&self) -> [u8; 32] {
        *blake3::hash(&self.block[CONTENT..]).as_bytes()
    }

    /// Signs, and returns the chunk.
    pub(super) fn sign(
        mut self,
        set_digest: [u8; 32],
        sign: impl FnOnce(&[u8]) -> [u8; SIGNATURE],
    ) -> crate::Result<Vec<u8>> {
        self.block[PROPS + 32..PROPS + 64].copy_from_slice(&set_digest);
        let signature = sign(&message(&self.block));
        signature.put(&mut self.block);
        let len = (ChunkInfo::SIZE + self.block.len() + TRAILER) as u32;
        len.put(&mut self.block);
        MAGIC.put(&mut self.block);
        let mut chunk = header_of(&self.block).to_bytes().to_vec();
        chunk.append(&mut self.block);
        Ok(chunk)
    }
}

const _: () = assert!(CONTEXT.len() == 24);
