//! Executables with packs in them: embeds packs, takes them out again, and tells what is there.
//!
//! `rres_format::embedded` has the layout. Executables of any size are copied in pieces.

mod embed;
mod new_file;
mod program;

pub(crate) use embed::{EmbedOptions, embed, packs_of_set};
