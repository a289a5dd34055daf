//! Reads and writes the bytes of rres packs.
//!
//! rres is the open resource container of raylib's author (format version 1.0, file version 100). This crate opens no
//! files, runs no importers and contains no `unsafe` code. Its layers, from the bottom up:
//!
//! | layer | items | what it does |
//! |---|---|---|
//! | vocabulary | [`FourCc`], [`ResourceId`], [`Compression`], [`Cipher`], … | every enum of `rres.h`; unknown values are preserved |
//! | raw structures | [`Header`], [`ChunkInfo`] | the 16-byte file header and the 32-byte chunk header |
//! | payloads | [`chunk`] | a typed view and a builder for each kind of chunk |
//! | codecs | [`Compressor`], [`Decompressor`] | both directions of each compression, with limited output |
//! | reading | [`PackView`], [`ChunkView`] | borrowed views that check every offset before they use it |
//! | writing | [`StoredChunk`], [`PackBuilder`] | order, padding, front index, directory |
//! | patches | [`patch`], [`delta`] | what a patch pack replaces and removes; blocks as differences |
//! | similar chunks | [`sibling`] | blocks as what distinguishes them from others of the same pack |
//! | encryption | `seal` | chunks encrypted and decrypted as the C library does it; needs the feature `seal` |
//! | signatures | [`signature`] | who has released a pack, and the hashes of its chunks |
//! | video memory | [`video_memory`] | what a graphics card allocates for images, fonts and models |
//! | index | [`index`] | our front index: lookup by id, slot or path without parsing |
//!
#![cfg_attr(feature = "zstd-compress", doc = "```")]
#![cfg_attr(not(feature = "zstd-compress"), doc = "```ignore")]
//! use rres_format::{chunk, Compression, Compressor, PackBuilder, PackView, Resource, ResourceId, StoredChunk};
//!
//! // Write a pack with one text, which is compressed if that saves enough.
//! let block = chunk::text::TextProps::utf8(5).block(b"hello");
//! let chunk = StoredChunk::encode(rres_format::FourCc::TEXT, &block, Compression::ZSTD, &mut Compressor::default())?;
//! let mut pack = PackBuilder::new();
//! pack.push(Resource::new("text/hello.txt", vec![chunk]));
//! let bytes = pack.to_vec()?;
//!
//! // Read it back.
//! let view = PackView::parse(&bytes)?;
//! let found = view.find(ResourceId::from_path("text/hello.txt"))?.expect("it was just written");
//! let payload = found.decode(&mut Default::default())?;
//! assert_eq!(chunk::text::TextView::parse(payload.view()?)?.bytes(), b"hello");
//! # Ok::<(), rres_format::Error>(())
//! ```
//!
//! `docs/format.md` documents the layout of every structure, the quirks of the C implementation and our additions.
#![forbid(unsafe_code)]

mod asset_kind;
mod bytes;
pub mod chunk;
mod chunk_view;
mod closed_enum;
mod codec;
mod decode;
pub mod delta;
pub mod embedded;
mod encoding;
mod error;
mod fourcc;
mod header;
mod headers;
mod id;
pub mod index;
mod info;
mod language_tag;
pub mod limits;
mod memory;
mod number;
mod open_enum;
pub mod patch;
#[cfg(feature = "qoi")]
pub mod qoi_file;
mod read;
mod reader_limits;
#[cfg(feature = "seal")]
pub mod seal;
pub mod sibling;
pub mod signature;
mod sound_format;
pub mod video_memory;
pub mod wav;
mod wire;
mod write;

pub use asset_kind::AssetKind;
pub use chunk_view::ChunkView;
#[cfg(feature = "seal")]
pub use chunk_view::Unsealed;
pub use codec::{Compressor, Decompressor};
pub use decode::{Decoded, Frame};
pub use encoding::{Cipher, Compression};
pub use error::{Error, Result};
pub use fourcc::FourCc;
pub use header::Header;
pub use headers::{ChunkHeaders, ChunkPlace};
pub use id::{PathError, ResourceId, normalize_path};
pub use info::ChunkInfo;
pub use language_tag::{LanguageTag, LanguageTagError};
#[doc(hidden)]
pub use memory::zeroed;
pub use number::shortest_f64;
pub use read::{Chain, Chunks, PackLayout, PackView};
pub use reader_limits::Limits;
pub use sound_format::SoundFormat;
pub use write::{LargeBlock, PackBuilder, PackStream, Resource, StoredChunk, StoredSource};
