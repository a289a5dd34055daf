//! Limits of the format.

/// Largest number of chunks in a pack, because `chunkCount` is a `u16`.
pub const MAX_CHUNKS: usize = u16::MAX as usize;

/// Largest size of a pack in bytes, because every offset is a `u32`.
pub const MAX_PACK_SIZE: u64 = u32::MAX as u64;

/// Largest length of a resource's path in bytes. `rres.h` copies it into a buffer of 1,024 bytes
/// (`RRES_MAX_FILENAME_SIZE`) with a terminator and padding; a longer path would overflow the buffer.
pub const MAX_NAME_LEN: usize = 1022;

/// Largest number of properties that a reader accepts in a chunk. `rres.h` defines at most 4.
pub const MAX_PROPS: u32 = 1024;

/// Largest length of a file extension in bytes, including its dot: two properties of a raw chunk store 8 bytes, of
/// which `rres-raylib.h` needs one as a terminator.
pub const MAX_EXTENSION_LEN: usize = 7;

/// Largest edge of an image in pixels. It keeps width × height × 16 bytes far below the maximum of `u64`.
pub const MAX_IMAGE_EDGE: u32 = 1 << 20;

/// Alignment of the data of plain chunks in the file, in bytes. It allows a memory-mapped slice to be uploaded to a
/// GPU, or viewed as `f32` or `u32`, without a copy.
pub const DATA_ALIGNMENT: u64 = 16;
