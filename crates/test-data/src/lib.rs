//! Files and bytes that tests of several crates make.
//!
//! The crate has no dependencies, so unit tests of every crate can use it: a crate that depended on one under test would compile that one
//! a second time, with other types. What needs packs or property tests is in `rres-test-support` and in the tests of each crate.

pub mod bytes;
pub mod damage;
pub mod model;
pub mod picture;
pub mod random;
pub mod sound;
