//! Tests of the crate as its callers see it: write, read back, compare; files of the C tools; damage; limits.
//!
//! One binary with a module per intent. `sample` makes packs, `probe` walks everything that a pack offers; the fuzz
//! targets use the same walk.

mod golden;
mod limits;
mod malformed;
mod probe;
mod properties;
mod real_packs;
mod round_trip;
mod sample;
mod vocabulary;
