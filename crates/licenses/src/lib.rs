//! Who made the files of a game, and under which licence.
//!
//! [`Reuse`] finds what the files of [REUSE](https://reuse.software/spec-3.3/) say of a file: the file beside it whose name ends with
//! `.license`, tags in its own text, and `REUSE.toml`. [`Terms::or`] puts rules of `assets.toml` before that. [`License`] is an
//! expression of [SPDX](https://spdx.org/licenses/), and [`credits`] lists works by who made them.
//!
//! The crate knows nothing of assets: a caller names the files.

#![forbid(unsafe_code)]

mod credits;
mod expression;
mod pattern;
mod reuse;
mod reuse_toml;
mod tags;
mod terms;

pub use credits::{Credit, credits};
pub use expression::{License, LicenseError};
pub use reuse::{Reuse, within_project};
pub use terms::{Found, Origin, Terms};

/// The end of the name of a file that describes the one beside it: `hero.png.license` describes `hero.png`.
pub const SIDECAR: &str = ".license";

/// The name of a file that describes the files below its directory.
pub const REUSE_FILE: &str = "REUSE.toml";
