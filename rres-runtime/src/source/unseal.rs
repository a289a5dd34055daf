//! The keys of a pack, if it was opened with any.
//!
//! Without the feature `seal` there are none, and encrypted chunks fail with an error that names the feature.

use rres_format::{ChunkView, PackView};
#[cfg(feature = "seal")]
use rres_format::{Cipher, Compression, Decompressor, Error as FormatError, seal::Keys};

use super::Source;
use super::chunks::read_chunk;
use crate::bytes::AssetBytes;
#[cfg(feature = "seal")]
use crate::bytes::Backing;
use crate::error::Result;
use crate::resource::Chunk;

/// The keys of a pack, if it was opened with any.
#[derive(Clone, Debug, Default)]
pub(super) struct PackKeys {
    #[cfg(feature = "seal")]
    pub(super) keys: Option<Keys>,
}

impl PackKeys {
    /// The same keys for one pack, whose derivations count apart from those of others.
    pub(super) fn for_pack(&self) -> Self {
        Self {
            #[cfg(feature = "seal")]
            keys: self.keys.as_ref().map(Keys::for_pack),
        }
    }

    /// Reads the block of a chunk of `pack`, like [`read_chunk`], and decrypts it first if it is encrypted.
    pub(super) fn read_chunk(&self, pack: &AssetBytes, chunk: ChunkView<'_>, below: &[Source]) -> Result<Chunk> {
        #[cfg(feature = "seal")]
        if let Some(keys) = &self.keys
            && chunk.info.cipher != Cipher::NONE
        {
            let unsealed = chunk.unseal(keys)?;
            if chunk.info.compression != Compression::NONE {
                return read_chunk(pack, unsealed.view(), below);
            }
            let block = unsealed.into_block(&mut Decompressor::default())?;
            return Ok(Chunk { kind: chunk.info.kind, block: AssetBytes::new(Backing::Owned(block.into())) });
        }
        read_chunk(pack, chunk, below)
    }

    /// Tries the keys on an encrypted chunk of the pack, so that a wrong one is known before anything is loaded. A pack
    /// without encrypted chunks derives none.
    pub(super) fn check(&self, pack: PackView<'_>) -> rres_format::Result<()> {
        #[cfg(feature = "seal")]
        if let Some(keys) = &self.keys {
            /// Number of chunks to compare. The smallest of them is tried first.
            const CANDIDATES: usize = 8;
            let encrypted = |chunk: &ChunkView<'_>| chunk.info.cipher != Cipher::NONE && chunk.info.cipher.is_enabled();
            let mut chunks: Vec<_> =
                pack.chunks().map_while(|chunk| chunk.ok()).filter(encrypted).take(CANDIDATES).collect();
            chunks.sort_by_key(|chunk| chunk.stored.len());
            for chunk in chunks {
                match chunk.unseal(keys) {
                    // Damage is reported when the damaged chunk is loaded.
                    Err(error) if error.is_damage() => {}
                    Err(error @ (FormatError::WrongKey { .. } | FormatError::LimitExceeded { .. })) => {
                        return Err(error);
                    }
                    _ => return Ok(()),
                }
            }
        }
        let _ = pack;
        Ok(())
    }
}
