//! Types of data, which a build script shares with its game: [`Build::data`](crate::Build::data) checks files against them.
//!
//! [`Id`] is what such a type refers to other assets with. Its other types replace the types of `rres_runtime`, which a build script
//! does not need:
//!
//! ```no_run
//! use rres_build::data::{Id, Image};
//!
//! // In a file that build script and game share: the game has `use rres_runtime::{Id, Image};` instead.
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Level {
//!     name: String,
//!     ground: Id<Image>,
//! }
//!
//! // fn main() of build.rs
//! rres_build::import("assets").data::<Level>("crate::Level", "levels/*.toml").build_or_exit();
//! ```
//!
//! `docs/typed-data.md` in the repository is the manual.

pub use rres_import_data::{Font, Id, Image, Model, Raw, Sound, Sprite, Text};
