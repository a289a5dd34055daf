//! Translations of tables of texts: what programs for translators write → texts by key, and back.
//!
//! A [`Catalog`] is one table in two languages. [`po`] and `xliff` read and write the files of translators. [`csv`] and [`fluent`] read
//! tables, and change single texts of them: every other byte stays. [`Syntax`] finds placeholders, [`Coverage`] counts what a
//! language has, and [`pseudo()`] makes a language for tests.
//!
//! ```
//! use rres_translations::po;
//!
//! let text = "msgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"Beenden\"\n";
//! let catalog = po::read(text).unwrap();
//! assert_eq!((catalog.units[0].key.as_str(), catalog.units[0].target()), ("quit", Some("Beenden")));
//! ```
//!
//! The crate opens no file and knows nothing of assets. `xliff` needs the feature of that name.

#![forbid(unsafe_code)]

mod catalog;
mod coverage;
pub mod csv;
mod fault;
pub mod fluent;
pub mod plural;
pub mod po;
mod pseudo;
mod syntax;
#[cfg(feature = "xliff")]
pub mod xliff;

pub use catalog::{Catalog, Message, Unit};
pub use coverage::Coverage;
pub use fault::Fault;
pub use pseudo::pseudo;
pub use syntax::Syntax;

/// The largest file that is read, in bytes. Texts of a game are a hundredth of that.
pub const MAX_SIZE: usize = 64 << 20;
