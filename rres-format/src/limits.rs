//! What the format can hold, and what a reader refuses before it allocates.

/// Most chunks of one pack: `chunkCount` is a `u16`.
pub const MAX_CHUNKS: usize = u16::MAX as usize;

/// Largest pack in bytes: every offset is a `u32`.
pub const MAX_PACK_SIZE: u64 = u32::MAX as u64;

/// Longest resource name in bytes. `rres.h` copies names into a buffer of 1,024 bytes
/// (`RRES_MAX_FILENAME_SIZE`) with a terminator and padding, and overruns it beyond this.
pub const MAX_NAME_LEN: usize = 1022;

/// Most properties of one chunk that a reader accepts. `rres.h` defines at most 4; the bound stops a hostile count.
pub const MAX_PROPS: u32 = 1024;

/// Longest file extension, dot included, that fits the two properties of a raw chunk and still leaves the
/// terminator that `rres-raylib.h` needs.
pub const MAX_EXTENSION_LEN: usize = 7;

/// Largest image edge, in pixels: 2^20. Keeps width × height × 16 bytes within `u64` with room to spare.
pub const MAX_IMAGE_EDGE: u32 = 1 << 20;

/// Data of plain chunks starts at a multiple of this in the file, so that a mapped slice can be given to a GPU or
/// viewed as `f32` or `u32` without a copy.
pub const DATA_ALIGNMENT: u64 = 16;

/// Caps that a reader enforces before it allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Most bytes that one chunk may decode to. Default: 1 GiB.
    pub max_decoded: u64,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self { max_decoded: 1 << 30 };

    /// The same limits with another cap on the decoded size of a chunk.
    #[must_use]
    pub const fn with_max_decoded(mut self, bytes: u64) -> Self {
        self.max_decoded = bytes;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
