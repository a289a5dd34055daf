//! The programs of `docs/runtime.md` and of the README, as tests: each is compiled and run as it stands on the page,
//! with assets imported by this crate's own build script. Nothing is hidden from the reader.
//!
//! ```sh
//! cargo test -p rres-guide
//! ```

#[cfg(doctest)]
#[doc = include_str!("../../docs/runtime.md")]
mod runtime {}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
