//! PO, the files of gettext: what Poedit, Weblate and `msgmerge` write → a [`Catalog`], and back.
//!
//! The key is `msgctxt`, the text in the first language `msgid`, and the line in the table the reference (`#:`). Two lines of the
//! header are ours: `X-Table` and `X-Source-Language`, which every program keeps.

mod read;
mod write;

pub use read::read;
pub use write::write;

/// The line of the header with the path of the table.
pub(crate) const TABLE: &str = "X-Table";

/// The line of the header with the first language.
pub(crate) const SOURCE_LANGUAGE: &str = "X-Source-Language";

#[cfg(doc)]
use crate::Catalog;
