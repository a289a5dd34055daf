//! One stored chunk: its CRC, its size and its decryption. `decode.rs` decompresses it.

use crate::bytes::slice;
use crate::codec::Decompressor;
use crate::encoding::Cipher;
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::info::ChunkInfo;
use crate::reader_limits::Limits;

/// One chunk: its header and its stored bytes.
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'a> {
    /// The chunk header.
    pub info: ChunkInfo,
    /// File offset of the chunk header.
    pub offset: u32,
    /// The stored bytes: compressed, encrypted, padded.
    pub stored: &'a [u8],
    pub(crate) limits: Limits,
    /// The number of stored bytes before decryption; `None` if `stored` are the bytes of the file.
    sealed_len: Option<u32>,
    /// The pack, which may have the sibling of the chunk. Empty for a decrypted chunk, which has none, and in a part of a pack.
    pub(crate) pack: &'a [u8],
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
        } else {
            self.limits.check_decoded("the decoded size of a chunk in bytes", info.base_size.into())?;
        }
        Decompressor::check_expansion(info.compression, info.packed_size, info.base_size)?;
        Ok(info.base_size as usize)
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
}

/// A decrypted chunk; see [`ChunkView::unseal`].
#[cfg(feature = "seal")]
#[derive(Clone, Debug)]
pub struct Unsealed {
    pub(crate) info: ChunkInfo,
    offset: u32,
    pub(crate) plain: Vec<u8>,
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
}
