//! The compressions and ciphers of chunks, by their numbers in `rres.h`.
//!
//! The ciphers that the C library implements are behind the feature `seal`. Chunks of any cipher are listed and copied.

use crate::open_enum::open_enum;
use crate::wire::wire_newtype;

open_enum! {
    /// The compression of a chunk (`rresCompressionType`, and one of our own).
    pub struct Compression(u8);
    /// Not compressed.
    NONE = 0, "none";
    /// Named by `rres.h`, not implemented by any program.
    RLE = 1, "RLE";
    /// Raw DEFLATE (RFC 1951), without a zlib header.
    DEFLATE = 10, "DEFLATE";
    /// One bare LZ4 block, without a frame.
    LZ4 = 20, "LZ4";
    /// Named by `rres.h`, not implemented by any program.
    LZMA2 = 30, "LZMA2";
    /// A QOI file whose pixels are the block; only for images of 3 or 4 channels of 8 bits.
    QOI = 40, "QOI";
    /// Zstandard frames. Our addition: unmodified C readers list such chunks but cannot decompress them.
    ZSTD = 50, "zstd";
    /// The difference from a block of another pack; see [`crate::delta`]. Our addition, in patch packs only.
    DELTA = 51, "delta";
    /// Pixels, samples and vertices as residuals of predictions, in Zstandard frames or LZ4 blocks. Our addition: unmodified C readers list
    /// such chunks but cannot decompress them.
    FILTERED = 52, "filtered";
    /// What distinguishes a block from that of a similar chunk of the same pack; see [`crate::sibling`]. Our addition: unmodified C readers
    /// list such chunks but cannot decompress them.
    SIBLING = 53, "sibling";
}

impl Compression {
    /// Whether its number is one of `rres.h`, and not one of ours.
    ///
    /// ```
    /// use rres_format::Compression;
    ///
    /// assert!(Compression::DEFLATE.is_of_rres() && !Compression::ZSTD.is_of_rres());
    /// ```
    pub const fn is_of_rres(self) -> bool {
        matches!(self, Self::NONE | Self::RLE | Self::DEFLATE | Self::LZ4 | Self::LZMA2 | Self::QOI)
    }

    /// Whether this crate implements it, possibly behind a disabled feature.
    pub const fn is_implemented(self) -> bool {
        matches!(self, Self::NONE | Self::DEFLATE | Self::LZ4 | Self::QOI) || self.needs_zstd()
    }

    /// Whether it is made of zstd frames.
    pub(crate) const fn needs_zstd(self) -> bool {
        matches!(self, Self::ZSTD | Self::DELTA | Self::FILTERED | Self::SIBLING)
    }

    /// Whether this build of the crate implements it.
    pub const fn is_enabled(self) -> bool {
        self.0 == Self::NONE.0
            || cfg!(feature = "deflate") && self.0 == Self::DEFLATE.0
            || cfg!(feature = "lz4") && self.0 == Self::LZ4.0
            || cfg!(feature = "qoi") && self.0 == Self::QOI.0
            || cfg!(feature = "zstd") && self.needs_zstd()
    }

    /// Returns the largest number of bytes that one compressed byte can expand to, or `None` without compression.
    ///
    /// DEFLATE: 258 bytes from 2 bits. LZ4: 255 bytes from one length byte. QOI: a run of 62 pixels of 4 bytes from one
    /// byte. Zstd: a block of 128 KiB from its 3-byte header and one repeated byte. Filtered: besides, 8 pixels of 4 bytes
    /// from a byte of indices.
    pub(crate) const fn max_expansion(self) -> Option<u64> {
        match self {
            Self::DEFLATE => Some(1032),
            Self::LZ4 => Some(256),
            Self::QOI => Some(248),
            Self::ZSTD | Self::DELTA | Self::SIBLING => Some(32 << 10),
            Self::FILTERED => Some(1 << 20),
            _ => None,
        }
    }
}

wire_newtype!(Compression);

open_enum! {
    /// The cipher of a chunk (`rresEncryptionType`).
    pub struct Cipher(u8);
    /// Not encrypted.
    NONE = 0, "none";
    /// Named by `rres.h`, not implemented by any program.
    XOR = 1, "XOR";
    /// Named by `rres.h`, not implemented by any program.
    DES = 10, "DES";
    /// Named by `rres.h`, not implemented by any program.
    TDES = 11, "TDES";
    /// Named by `rres.h`, not implemented by any program.
    IDEA = 20, "IDEA";
    /// AES-256 in counter mode, as `rres-raylib.h` uses it.
    AES = 30, "AES";
    /// Named by `rres.h`, not implemented by any program.
    AES_GCM = 31, "AES-GCM";
    /// Named by `rres.h`, not implemented by any program.
    XTEA = 40, "XTEA";
    /// Named by `rres.h`, not implemented by any program.
    BLOWFISH = 50, "Blowfish";
    /// Named by `rres.h`, not implemented by any program.
    RSA = 60, "RSA";
    /// Named by `rres.h`, not implemented by any program.
    SALSA20 = 70, "Salsa20";
    /// Named by `rres.h`, not implemented by any program.
    CHACHA20 = 71, "ChaCha20";
    /// Named by `rres.h`, not implemented by any program.
    XCHACHA20 = 72, "XChaCha20";
    /// XChaCha20-Poly1305, as `rres-raylib.h` uses it.
    XCHACHA20_POLY1305 = 73, "XChaCha20-Poly1305";
}

impl Cipher {
    /// Whether this crate implements it, possibly behind the disabled feature `seal`.
    pub const fn is_implemented(self) -> bool {
        matches!(self, Self::NONE | Self::AES | Self::XCHACHA20_POLY1305)
    }

    /// Whether this build of the crate implements it.
    pub const fn is_enabled(self) -> bool {
        self.0 == Self::NONE.0 || cfg!(feature = "seal") && self.is_implemented()
    }
}

wire_newtype!(Cipher);
