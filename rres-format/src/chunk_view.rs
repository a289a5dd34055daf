//! One stored chunk: its CRC, its decryption and its decompression.

use std::borrow::Cow;

use crate::bytes::slice;
use crate::chunk::PayloadView;
use crate::codec::{Decompressor, frames};
use crate::delta::DeltaView;
use crate::encoding::{Cipher, Compression};
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::info::ChunkInfo;
use crate::limits::Limits;
use crate::read::PackLayout;
use crate::sibling::SiblingView;

/// One chunk: its header and its stored bytes.
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'a> {
    /// The chunk header.
    pub info: ChunkInfo,
    /// File offset of the chunk header.
    pub offset: u32,
    /// The stored bytes: compressed, encrypted, padded.
    pub stored: &'a [u8],
    limits: Limits,
    /// The number of stored bytes before decryption; `None` if `stored` are the bytes of the file.
    sealed_len: Option<u32>,
    /// The pack, which may have the sibling of the chunk. Empty for a decrypted chunk, which has none.
    pack: &'a [u8],
}

impl<'a> ChunkView<'a> {
    pub(crate) fn new(info: ChunkInfo, offset: u32, stored: &'a [u8], limits: Limits, pack: &'a [u8]) -> Self {
        Self { info, offset, stored, limits, sealed_len: None, pack }
    }

    /// Returns the file offset of the first byte after the chunk.
    pub fn end(&self) -> u64 {
        let stored = self.sealed_len.map_or(self.stored.len() as u64, u64::from);
        u64::from(self.offset) + ChunkInfo::SIZE as u64 + stored
    }

    /// Whether the chunk belongs to a resource: it is not padding, the front index, the description of a
    /// patch, the directory or the signature.
    pub fn is_resource(&self) -> bool {
        !matches!(self.info.kind, FourCc::NULL | FourCc::INDX | FourCc::CDIR | FourCc::PTCH | FourCc::SIGN)
    }

    /// Checks the CRC of the stored bytes. Nothing is left to check of a decrypted chunk.
    ///
    /// # Errors
    /// [`Error::CrcMismatch`] if they are damaged.
    pub fn verify(&self) -> Result<()> {
        if self.sealed_len.is_some() {
            return Ok(());
        }
        let computed = crc32fast::hash(self.stored);
        match self.info.crc32 {
            stored if stored == computed => Ok(()),
            stored => Err(Error::CrcMismatch { id: self.info.id, offset: self.offset.into(), stored, computed }),
        }
    }

    /// Returns the size of the decoded block in bytes, after checking it against the stored size and the limits.
    ///
    /// # Errors
    /// [`Error::NeedsKey`] and [`Error::UnsupportedCipher`] for encrypted chunks, [`Error::UnsupportedCompression`], [`Error::LimitExceeded`]
    /// if the size exceeds the reader's limit, and [`Error::Decompress`] or [`Error::Truncated`] if the stored bytes
    /// are too few for it.
    pub fn block_size(&self) -> Result<usize> {
        let info = &self.info;
        if info.cipher != Cipher::NONE {
            return Err(match info.cipher.is_enabled() {
                true => Error::NeedsKey(info.cipher),
                false => Error::UnsupportedCipher(info.cipher),
            });
        }
        if !info.compression.is_enabled() {
            return Err(Error::UnsupportedCompression(info.compression));
        }
        if info.is_plain() {
            slice(self.stored, "block of a plain chunk", 0, info.base_size.into())?;
        } else if u64::from(info.base_size) > self.limits.max_decoded {
            return Err(Error::LimitExceeded {
                what: "the decoded size of a chunk in bytes",
                value: info.base_size.into(),
                limit: self.limits.max_decoded,
                help: "raise the reader's limit if the pack is trusted",
            });
        }
        Decompressor::check_expansion(info.compression, info.packed_size, info.base_size)?;
        Ok(info.base_size as usize)
    }

    /// Returns [`Self::block_size`] of a chunk that is decoded by itself.
    fn decodable_size(&self) -> Result<usize> {
        match (self.delta()?, self.sibling()?) {
            (Some(delta), _) => Err(Error::NeedsBase(delta.base())),
            (_, Some(sibling)) => Err(Error::NeedsSibling(sibling.resource())),
            (None, None) => self.block_size(),
        }
    }

    /// Returns the difference that the chunk is stored as; `None` if it is stored by itself.
    ///
    /// # Errors
    /// As [`Self::block_size`], and [`Error::Truncated`] if the stored bytes are too few.
    pub fn delta(&self) -> Result<Option<DeltaView<'a>>> {
        if self.info.compression != Compression::DELTA {
            return Ok(None);
        }
        let size = self.block_size()?;
        DeltaView::parse(self.stored, size).map(Some)
    }

    /// Returns what the chunk is stored as, if that is what distinguishes it from a similar chunk of its pack; `None` if it
    /// is stored in another way. [`Self::decode`] needs no help with it; a program that decodes many chunks keeps the
    /// blocks of siblings instead of decoding them again and again.
    ///
    /// # Errors
    /// As [`Self::block_size`], [`Error::Truncated`] if the stored bytes are too few, and [`Error::Inconsistent`] if
    /// their header has impossible values.
    pub fn sibling(&self) -> Result<Option<SiblingView<'a>>> {
        if self.info.compression != Compression::SIBLING {
            return Ok(None);
        }
        let size = self.block_size()?;
        SiblingView::parse(self.stored, size).map(Some)
    }

    /// Returns the chunk that `sibling`, which is what this chunk is stored as, names.
    fn sibling_chunk(&self, sibling: &SiblingView<'_>) -> Result<ChunkView<'a>> {
        let needed = || Error::NeedsSibling(sibling.resource());
        if self.pack.is_empty() {
            return Err(needed());
        }
        let pack = PackLayout::parse(self.pack, self.limits)?.view(self.pack);
        let found = pack.find_nth(sibling.resource(), sibling.chunk())?.ok_or_else(needed)?;
        sibling.check_depth(&found)?;
        Ok(found)
    }

    /// Decrypts the chunk. What it returns has a view that can be decoded like any chunk. A chunk that is not encrypted
    /// is copied.
    ///
    /// # Errors
    /// [`Error::WrongKey`], [`Error::CrcMismatch`] if the stored bytes are damaged, [`Error::UnsupportedCipher`],
    /// [`Error::Truncated`] if the stored bytes are fewer than the cipher appends, and [`Error::LimitExceeded`] if the
    /// chunk demands more key derivations than the reader's limit.
    #[cfg(feature = "seal")]
    pub fn unseal(&self, keys: &crate::seal::Keys) -> Result<Unsealed> {
        use crate::seal::Opened;
        let Self { info, offset, stored, limits, .. } = *self;
        let plain = match info.cipher {
            Cipher::NONE => stored.to_vec(),
            cipher => match keys.open(cipher, stored, limits.max_key_derivations)? {
                Opened::Plain(plain) => plain,
                Opened::NoKeyFits => {
                    self.verify()?;
                    return Err(Error::WrongKey { id: info.id, offset: offset.into(), cipher });
                }
            },
        };
        Ok(Unsealed { info, offset, plain, limits })
    }

    /// Returns the block of a plain chunk without copying it.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the stored bytes are too few, and [`Error::Inconsistent`] if the chunk is compressed or
    /// encrypted.
    pub fn plain_block(&self) -> Result<&'a [u8]> {
        if !self.info.is_plain() {
            let ChunkInfo { kind, compression, cipher, .. } = self.info;
            let detail = format!("expected a plain chunk, found compression {compression} and cipher {cipher}");
            return Err(match kind {
                FourCc::INDX => Error::inconsistent("front index", detail),
                FourCc::CDIR => Error::inconsistent("central directory", detail),
                _ => Error::inconsistent("chunk", detail),
            });
        }
        let size = self.block_size()?;
        Ok(&self.stored[..size])
    }

    /// Decodes the block into `out`, whose length must be [`Self::block_size`]. A chunk with a sibling is not decoded in
    /// place; use [`Self::decode`] for it.
    ///
    /// # Errors
    /// As [`Self::block_size`] and [`Decompressor::decompress`]; [`Error::Inconsistent`] if `out` has another length.
    pub fn decode_into(&self, decompressor: &mut Decompressor, out: &mut [u8]) -> Result<()> {
        let size = self.decodable_size()?;
        if out.len() != size {
            let detail = format!("expected {size} bytes, the size of the block, found {}", out.len());
            return Err(Error::inconsistent("output buffer", detail));
        }
        decompressor.decompress(self.info.compression, self.stored, out)
    }

    /// Returns the block: borrowed if the chunk is plain, decoded otherwise. Does not check the CRC; see
    /// [`Self::verify`].
    ///
    /// # Errors
    /// As [`Self::block_size`] and [`Decompressor::decompress`]; [`Error::NeedsSibling`] if the pack lacks the sibling of the
    /// chunk.
    pub fn decode(&self, decompressor: &mut Decompressor) -> Result<Decoded<'a>> {
        if self.info.compression == Compression::NONE {
            return Ok(Decoded(Cow::Borrowed(&self.stored[..self.block_size()?])));
        }
        if let Some(sibling) = self.sibling()? {
            // The depth decreases, so this ends.
            let block = self.sibling_chunk(&sibling)?.decode(decompressor)?;
            return Ok(Decoded(Cow::Owned(sibling.decode(&block.0, decompressor)?)));
        }
        let size = self.decodable_size()?;
        decompressor.decompress_to_vec(self.info.compression, self.stored, size).map(|block| Decoded(Cow::Owned(block)))
    }

    /// Returns the frames of the block, which can be decoded independently on several threads. Their contents in order
    /// are the block. Only large zstd chunks have frames; the result is empty for other chunks.
    ///
    /// # Errors
    /// As [`Self::block_size`].
    pub fn frames(&self) -> Result<Vec<Frame<'a>>> {
        let compression = self.info.compression;
        let frames = frames(compression, self.stored, self.decodable_size()?).unwrap_or_default();
        Ok(frames.into_iter().map(|(packed, size)| Frame { compression, packed, size }).collect())
    }
}

/// A decrypted chunk; see [`ChunkView::unseal`].
#[cfg(feature = "seal")]
#[derive(Clone, Debug)]
pub struct Unsealed {
    info: ChunkInfo,
    offset: u32,
    plain: Vec<u8>,
    limits: Limits,
}

#[cfg(feature = "seal")]
impl Unsealed {
    /// Returns the chunk as if it had not been encrypted: with [`Cipher::NONE`], and the decrypted bytes as its stored bytes. Its
    /// offset and its end are the same as of the encrypted chunk.
    pub fn view(&self) -> ChunkView<'_> {
        let Self { info, offset, ref plain, limits } = *self;
        let sealed_len = Some(info.packed_size);
        // Decrypting never makes bytes more.
        let info = ChunkInfo { cipher: Cipher::NONE, packed_size: plain.len() as u32, ..info };
        ChunkView { info, offset, stored: plain, limits, sealed_len, pack: &[] }
    }

    /// Decodes the block; see [`ChunkView::decode`]. An uncompressed block is not copied.
    ///
    /// # Errors
    /// As [`ChunkView::decode`].
    pub fn into_block(mut self, decompressor: &mut Decompressor) -> Result<Vec<u8>> {
        if self.info.compression == Compression::NONE {
            let size = self.view().block_size()?;
            self.plain.truncate(size);
            return Ok(self.plain);
        }
        Ok(self.view().decode(decompressor)?.into_bytes().into_owned())
    }

    /// Decodes the block; see [`Self::into_block`].
    ///
    /// # Errors
    /// As [`ChunkView::decode`].
    pub fn into_decoded(self, decompressor: &mut Decompressor) -> Result<Decoded<'static>> {
        self.into_block(decompressor).map(|block| Decoded(Cow::Owned(block)))
    }
}

/// A piece of a block that can be decoded independently; see [`ChunkView::frames`].
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    compression: Compression,
    packed: &'a [u8],
    size: usize,
}

impl Frame<'_> {
    /// Returns the size of the decoded frame in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Decodes the frame into `out`, whose length must be [`Self::size`].
    ///
    /// # Errors
    /// As [`Decompressor::decompress`].
    pub fn decode_into(&self, decompressor: &mut Decompressor, out: &mut [u8]) -> Result<()> {
        decompressor.decompress(self.compression, self.packed, out)
    }
}

/// A decoded block.
#[derive(Clone, Debug)]
pub struct Decoded<'a>(Cow<'a, [u8]>);

impl<'a> Decoded<'a> {
    /// Returns the block, split into properties and data.
    ///
    /// # Errors
    /// As [`PayloadView::parse`].
    pub fn view(&self) -> Result<PayloadView<'_>> {
        PayloadView::parse(&self.0)
    }

    /// Returns the bytes of the block.
    pub fn into_bytes(self) -> Cow<'a, [u8]> {
        self.0
    }
}
