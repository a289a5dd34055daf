//! Executables with packs in them: embeds packs, takes them out again, and lists them.
//!
//! `rres_format::embedded` has the layout. Executables of any size are copied in pieces.

mod copy;
mod embed;
mod extract;
mod legacy;
mod new_file;
mod program;

pub use embed::{EmbedOptions, NamedPack, embed, packs_of_set, remove};
pub use legacy::{KnownNames, LegacyFile, LegacyPackage, MARKER};
pub use program::{MovedFooter, Program};
