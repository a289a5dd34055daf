//! Importers in a crate of its own, outside the workspace of rres: a font, a model that joints move, and an image whose levels an artist
//! has drawn.
//!
//! A game depends on this crate in `[build-dependencies]` and registers what it needs:
//!
//! ```text
//! rres_build::import("assets")
//!     .importer(rres_import_workshop::BdfImporter)
//!     .importer(rres_import_workshop::PuppetImporter)
//!     .importer(rres_import_workshop::LevelsImporter)
//!     .build_or_exit();
//! ```
#![forbid(unsafe_code)]

mod bdf;
mod levels;
mod puppet;

pub use bdf::BdfImporter;
pub use levels::LevelsImporter;
pub use puppet::PuppetImporter;

use std::str::FromStr;

use rres_import::ImportError;

/// Reads the next word of a line as a number.
fn number<T: FromStr>(words: &mut dyn Iterator<Item = &str>, line: u32) -> Result<T, ImportError> {
    let word = words.next().ok_or_else(|| ImportError::new("expected another number").at(line, 1))?;
    word.parse().map_err(|_| ImportError::new(format!("expected a number, found \"{word}\"")).at(line, 1))
}
