//! Zstd (number 50), our addition to rres: a sequence of frames of at most 1 MiB of content.
//!
//! Each frame declares its content size, so a reader can decode the frames of a large chunk on several threads. Skippable
//! frames may follow.
//!
//! There are two decoders. Programs that compress contain the C library anyway and use it. Programs that only load, which
//! are the games, use one in Rust: it compiles in a twentieth of the time, needs no C compiler on any target, and takes
//! 1.1 to 1.35 times as long to decode (`benches`, `p4`).

#[cfg(feature = "zstd-compress")]
mod c;
mod frames;
mod prefix;
#[cfg(any(test, not(feature = "zstd-compress")))]
mod rust;

#[cfg(feature = "zstd-compress")]
pub(super) use c::Decoder;
pub(super) use frames::frames;
pub(super) use prefix::decode_after;
#[cfg(not(feature = "zstd-compress"))]
pub(super) use rust::Decoder;
#[cfg(all(test, feature = "zstd-compress"))]
pub(super) use rust::Decoder as RustDecoder;

#[cfg(all(test, feature = "zstd-compress"))]
mod tests;
