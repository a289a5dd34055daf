//! Tests of the public API: round trips, packs of the C tools, damaged packs, limits.
//!
//! `sample` builds packs for the other modules. `probe` calls everything that a pack offers; the fuzz targets use it
//! too.

mod c_packs;
mod embedded;
mod golden;
mod limits;
mod malformed;
mod probe;
mod properties;
mod round_trip;
mod sample;
mod siblings;
#[cfg(feature = "signed")]
mod signature;
mod vocabulary;
