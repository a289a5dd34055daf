//! Tests of encryption: packs of the C library, round trips, wrong keys, hostile packs.
//!
//! A target of its own, because it needs the feature `seal`: `cargo test -p rres-format --features seal`.

mod c_packs;
mod hostile;
mod round_trip;
#[path = "../it/sample.rs"]
#[allow(dead_code, reason = "the other target uses more of it")]
mod sample;
mod secrets;
