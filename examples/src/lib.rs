//! Two sorts of programs. `cargo test -p rres-examples` compiles and runs both, with the assets in `assets/`:
//!
//! - `examples/*.rs`: short programs, one thing each. Start one with `cargo run -p rres-examples --example image`.
//! - the programs in the book, in `docs/runtime.md` and in the READMEs, exactly as they appear on the page. They are
//!   doctests.

pub mod links;

#[cfg(doctest)]
#[doc = include_str!("../../book/src/start.md")]
mod book_start {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/shipping.md")]
mod shipping {}

#[cfg(doctest)]
#[doc = include_str!("../../book/src/coming-from.md")]
mod book_coming_from {}

// What its diffs make.
#[cfg(doctest)]
#[doc = include_str!(concat!(env!("OUT_DIR"), "/coming-from.md"))]
mod book_coming_from_diffs {}

#[cfg(doctest)]
#[doc = include_str!("../../book/src/two-directories.md")]
mod book_two_directories {}

#[cfg(doctest)]
#[doc = include_str!("../../book/src/assets-crate.md")]
mod book_assets_crate {}

#[cfg(doctest)]
#[doc = include_str!("../../book/src/data.md")]
mod book_data {}

#[cfg(doctest)]
#[doc = include_str!("../../book/src/network.md")]
mod book_network {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/mods.md")]
mod mods {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/fingerprints.md")]
mod fingerprints {}

#[cfg(doctest)]
#[doc = include_str!("../../crates/reload/README.md")]
mod reload_readme {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/languages.md")]
mod book_languages {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/images.md")]
mod images {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/importers.md")]
mod importers {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/sounds.md")]
mod sounds {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/shaders.md")]
mod shaders {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/fonts.md")]
mod fonts {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/models.md")]
mod models {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/runtime.md")]
mod runtime {}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../rres-format/README.md")]
mod format_readme {}

#[cfg(doctest)]
#[doc = include_str!("../../crates/decode/README.md")]
mod decode_readme {}

#[cfg(doctest)]
#[doc = include_str!("../../crates/import/README.md")]
mod import_readme {}

#[cfg(doctest)]
#[doc = include_str!("../../rres-protocol/README.md")]
mod protocol_readme {}

#[cfg(doctest)]
#[doc = include_str!("../../rres-build/README.md")]
mod build_readme {}

#[cfg(doctest)]
#[doc = include_str!("../../rres-runtime/README.md")]
mod runtime_readme {}
