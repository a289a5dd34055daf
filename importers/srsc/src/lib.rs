//! Reads SRSC files and databases, the resource archives of the Riot engine (*Drakan: Order of the Flame*).
//!
//! | step | where |
//! |---|---|
//! | the bytes of a file → records, each a part of the file | [`Archive`] |
//! | the bytes of a record → a typed value that borrows from it | [`Record`] |
//! | a texture → pixels; a sound → samples | [`Texture::to_rgba8`], [`Sound::pcm`] |
//! | a `.db` file → its archives and the databases that it depends on | [`OpenOptions::open`], [`Databases`] |
//! | a reference → the record that it leads to | [`Databases::resolve`], [`Databases::texture_links`] |
//! | the records of a model or an animation → one value | [`Databases::model`], [`Databases::animation`] |
//!
//! What a file claims is compared with what it has before memory is reserved, so damaged and hostile files become errors, with the file,
//! the record, the field and its offset. [`Checks`] chooses how strict the reader is. What is unknown is kept as bytes, and never guessed:
//! [`Record::Raw`], [`Texture::alpha_map`], [`Sequence::rest`].
//!
//! ```
//! use rres_import_srsc::{Checks, Location, MemoryFiles, OpenOptions, RecordKey, RecordType, write};
//!
//! // On a disk: `Folder::new("Drakan/Common")`.
//! let mut files = MemoryFiles(write::example().into_iter().collect());
//! let mut checks = Checks::default();
//! let databases = OpenOptions::new().open("Synth.db", &mut files, &mut checks)?;
//!
//! let brick = Location { database: 0, key: RecordKey { kind: RecordType::TEXTURE, id: 6 } };
//! let picture = databases.picture(brick, None, &mut checks)?;
//! assert_eq!((picture.width, picture.height), (2, 2));
//!
//! let quad = Location { database: 0, key: RecordKey { kind: RecordType::MODEL, id: 0x10 } };
//! let model = databases.model(quad, &mut checks)?;
//! let triangles: usize = model.surfaces(&model.meshes()[0]).iter().map(|surface| surface.indices.len() / 3).sum();
//! assert_eq!((model.name.decode().as_ref(), triangles), ("quad", 3));
//! # Ok::<(), rres_import_srsc::Error>(())
//! ```
//!
//! [`SrscImporter`] makes assets of the records for `rres-build`, and [`json`] has them as JSON. The feature `write` adds the module
//! `write`, with which tests make archives.
#![forbid(unsafe_code)]

mod animation;
mod body;
mod checks;
mod container;
mod database;
mod error;
mod import;
mod inflate;
pub mod json;
mod limits;
mod model;
mod pixels;
mod record_type;
mod records;
mod text;
#[cfg(feature = "write")]
pub mod write;

pub use animation::Animation;
pub use body::{Element, Items, Ref, Weight};
pub use checks::Checks;
pub use container::{Archive, Entry, MAGIC, RecordView};
pub use database::{
    Database, Databases, Definition, Dependency, EXTENSIONS, Files, Folder, LevelOfDetail, Location, MemoryFiles,
    OpenOptions, Song, TextureLinks, frame_at, select_level,
};
pub use error::{Error, Fault, Problem, Result};
pub use import::SrscImporter;
pub use limits::Limits;
pub use model::{Mesh, Model, Surface};
pub use pixels::{ByteOrder, Picture};
pub use record_type::{RecordKey, RecordType};
pub use records::{
    Action, ActionKind, Actor, AnimationInfo, Bounds, BoxShape, Cap, Channel, Character, CharacterSphere, Class,
    Corner, Field, FieldKind, Frame, Joint, Lod, LodMesh, ModelCounters, ModelName, Node, Polygon, Record, Sequence,
    SequenceRef, Shading, Shapes, Sound, SoundFlags, Texture, TextureFlags, Value, Volume,
};
pub use text::{Text, hide};
