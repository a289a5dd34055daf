//! What tools do with rres packs: `cargo rres` prints it, and an editor or a launcher can show it.
//!
//! | question | answer |
//! |---|---|
//! | What is in a pack? | [`PackOpener`] opens packs, damaged ones and files of other engines included; [`ResourceList`] lists their resources |
//! | What do groups take? | [`group_totals()`] |
//! | What does a chunk contain? | [`describe`] |
//! | Is a pack whole? | [`check`](check::check) reports [`Finding`](finding::Finding)s |
//! | How do two packs differ? | [`compare`]; [`staleness`] against the pack that the sources give now |
//! | What does a player download? | [`patching`] makes a pack of the differences, and applies it |
//! | Which files are its assets? | [`extract`] |
//! | How do packs get into an executable, and out of it? | [`executable`] |
//!
//! ```
//! use rres_format::chunk::text::TextProps;
//! use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
//! use rres_packs::check::{CheckOptions, check};
//! use rres_packs::progress::ProgressMeter;
//! use rres_packs::{PackOpener, pack_set};
//!
//! # let dir = tempfile::tempdir()?;
//! # let file = dir.path().join("game.rres");
//! let block = TextProps::utf8(5).block(b"hello");
//! let chunk = StoredChunk::encode(FourCc::TEXT, &block, Compression::NONE, &mut Compressor::default())?;
//! let mut pack = PackBuilder::new();
//! pack.push(Resource::new("hello.txt", vec![chunk]));
//! std::fs::write(&file, pack.to_vec()?)?;
//!
//! let sets = [PackOpener::default().open_set(&file)?];
//! let lists = pack_set::resource_lists(&sets);
//! assert_eq!(lists[0].resources[0].path.as_deref(), Some("hello.txt"));
//! let reports = check(&sets[0], CheckOptions::default(), &ProgressMeter::default());
//! assert_eq!(reports[0].error_count(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod atomic_write;
pub mod check;
pub mod compare;
pub mod describe;
mod error;
pub mod executable;
pub mod extract;
pub mod finding;
mod group_totals;
mod keyring;
mod opened_pack;
pub mod pack_set;
pub mod patching;
pub mod progress;
mod resource_list;
mod selection;
pub mod staleness;
pub mod text;
mod truncation;
mod video_memory;

pub use error::{Error, Result};
pub use group_totals::{GroupTotal, group_totals};
pub use keyring::Keyring;
pub use opened_pack::{Damage, Foreign, OpenedPack, PackOpener, starts_like_a_pack};
pub use pack_set::PackSet;
pub use resource_list::{Resource, ResourceList};
pub use selection::Selection;
