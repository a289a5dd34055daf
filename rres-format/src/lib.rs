//! The bytes of rres packs, and nothing else.
//!
//! rres is the open resource container of raylib's author (format version 1.0, file version 100). This crate reads
//! and writes it; it never opens a file, never runs an importer and holds no `unsafe`. The layers, from the bottom:
//!
//! | layer | modules | what it does |
//! |---|---|---|
//! | vocabulary | [`FourCc`], [`ResourceId`], [`Compression`], [`Cipher`], … | every enum of `rres.h`, open: any value survives |
//! | raw structures | [`Header`], [`ChunkInfo`] | 16 and 32 bytes, little-endian |
//! | payloads | [`chunk`] | one typed view and one builder per chunk kind |
//! | codecs | [`Compressor`], [`Decompressor`] | both directions of each compression, capped |
//! | reading | [`PackView`], [`ChunkView`] | borrowing, every offset checked before it is used |
//! | writing | [`StoredChunk`], [`PackBuilder`] | padding, order, index, directory |
//! | protocol | [`serve`] | the text in which a running game asks the build script to import again |
//! | index | [`index`] | our front index: lookup by id, slot or path without parsing |
//!
#![cfg_attr(feature = "zstd", doc = "```")]
#![cfg_attr(not(feature = "zstd"), doc = "```ignore")]
//! use rres_format::{chunk, Compression, Compressor, PackBuilder, PackView, Resource, ResourceId, StoredChunk};
//!
//! // Write: one text file, compressed where that pays.
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
//! Offsets, quirks of the C implementation and our extensions are written down in `docs/format.md`.
#![forbid(unsafe_code)]

mod asset_kind;
pub mod chunk;
mod codec;
mod error;
mod fourcc;
mod header;
mod id;
pub mod index;
mod info;
pub mod limits;
mod open_enum;
mod read;
pub mod serve;
mod wire;
mod write;

pub use asset_kind::AssetKind;
pub use codec::cipher::Cipher;
pub use codec::compress::{Compression, Compressor, Decompressor};
pub use error::{Error, Result};
pub use fourcc::FourCc;
pub use header::Header;
pub use id::{PathError, ResourceId, normalize_path};
pub use info::ChunkInfo;
pub use limits::Limits;
pub use read::{Chain, ChunkView, Chunks, Decoded, PackLayout, PackView, Piece};
pub use write::{PackBuilder, PackStream, Resource, StoredChunk};
