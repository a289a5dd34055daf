//! XLIFF 1.2 and 2.0: what Weblate, Crowdin, memoQ and Poedit write → [`Catalog`]s, and back.
//!
//! The key is `resname` (1.2) or `name` (2.0), or else the `id`; the table is `original` of the file. Placeholders are plain text, so no
//! program can lose them in a tag of its own.

mod read;
mod write;

pub use read::read;
pub use write::write;

#[cfg(doc)]
use crate::Catalog;

/// A version of XLIFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 1.2, which most programs read.
    V1_2,
    /// 2.0.
    V2_0,
}
