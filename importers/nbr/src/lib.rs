//! Reads NBR files, the resources of the [Nikola engine](https://github.com/FrodoAlaska/Nikola).
//!
//! Nikola's tool `nbr` converts pictures, models, fonts and sounds to files of raw structures, one resource each. This crate reads them from
//! slices into typed values: pixels, vertices and indices, joints, keys, glyphs, samples. It opens no files and has no `unsafe` code.
//! [`NbrImporter`] makes assets of the values for `rres-build`. `docs/nbr.md` has the layout of each type.
//!
//! ```
//! use rres_import_nbr::{Pixels, Resource, read};
//!
//! let bytes = b"\x6b\0\0\x08\0\x02\0\x01\0\0\0\x01\0\0\0\x04\x08\xff\x80\0\xff";
//! let file = read(bytes)?;
//! let Resource::Texture(texture) = file.resource else { panic!("it is a {}", file.header.resource_type) };
//! assert_eq!((texture.width, texture.height), (1, 1));
//! assert_eq!(texture.pixels, Pixels::Rgba8(vec![255, 128, 0, 255].into()));
//! # Ok::<(), rres_import_nbr::Error>(())
//! ```
//!
//! Every count is compared with the size of the file before memory is allocated, so that a value takes at most four times the memory of its file.
//! A file that is cut off, or that goes on after its resource, is an [`Error`]. What Nikola's tool is known to write wrong is read by the
//! rules of `docs/nbr.md`, and each leaves a [`Warning`].
//!
//! With the feature `write`, the module `write` writes the same files.
#![forbid(unsafe_code)]

mod animation;
mod audio;
mod error;
mod font;
mod header;
mod import;
mod model;
mod reader;
mod shader;
mod skeleton;
mod texture;
mod types;
#[cfg(feature = "write")]
pub mod write;

pub use animation::{Animation, Key, Track};
pub use audio::{Audio, Samples};
pub use error::{Error, ErrorKind, Operation, Warning, WarningKind};
pub use font::{Font, Glyph};
pub use header::{HEADER_LEN, Header, MARK};
pub use import::NbrImporter;
pub use model::{FLOATS_PER_VERTEX, Material, Mesh, Model};
pub use shader::Shader;
pub use skeleton::{Joint, Skeleton};
pub use texture::{CUBEMAP_FACES, Cubemap, Pixels, Texture};
pub use types::{ResourceType, Version};

use reader::Reader;

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct File<'a> {
    /// The version and the type.
    pub header: Header,
    /// The contents.
    pub resource: Resource<'a>,
    /// What was read by a rule, although the file contradicts itself.
    pub warnings: Vec<Warning>,
}

/// The contents of a file. Bytes are borrowed from the file.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each variant is documented by its type")]
pub enum Resource<'a> {
    Texture(Texture<'a>),
    Cubemap(Cubemap<'a>),
    Shader(Shader<'a>),
    Model(Model<'a>),
    Skeleton(Skeleton),
    Animation(Animation),
    Font(Font<'a>),
    Audio(Audio<'a>),
}

/// Reads a file.
///
/// # Errors
/// If it is not an NBR file of a known version, ends too early or too late, or has a value that no such file can have.
pub fn read(bytes: &[u8]) -> Result<File<'_>, Error> {
    let mut reader = Reader::new(bytes, Operation::ReadHeader);
    let header = Header::parse(&mut reader)?;
    reader.operation = Operation::Read(header.resource_type);
    let resource = match header.resource_type {
        ResourceType::Texture => Resource::Texture(Texture::parse(&mut reader)?),
        ResourceType::Cubemap => Resource::Cubemap(Cubemap::parse(&mut reader)?),
        ResourceType::Shader => Resource::Shader(Shader::parse(&mut reader)?),
        ResourceType::Model => Resource::Model(Model::parse(&mut reader)?),
        ResourceType::Skeleton => Resource::Skeleton(Skeleton::parse(&mut reader)?),
        ResourceType::Animation => Resource::Animation(Animation::parse(&mut reader)?),
        ResourceType::Font => Resource::Font(Font::parse(&mut reader, header.version)?),
        ResourceType::Audio => Resource::Audio(Audio::parse(&mut reader)?),
    };
    reader.end()?;
    Ok(File { header, resource, warnings: reader.warnings })
}

impl Resource<'_> {
    /// The type of the resource.
    #[must_use]
    pub fn resource_type(&self) -> ResourceType {
        match self {
            Self::Texture(_) => ResourceType::Texture,
            Self::Cubemap(_) => ResourceType::Cubemap,
            Self::Shader(_) => ResourceType::Shader,
            Self::Model(_) => ResourceType::Model,
            Self::Skeleton(_) => ResourceType::Skeleton,
            Self::Animation(_) => ResourceType::Animation,
            Self::Font(_) => ResourceType::Font,
            Self::Audio(_) => ResourceType::Audio,
        }
    }

    /// The memory that the value has allocated, in bytes. What it borrows from the file does not count.
    #[must_use]
    pub fn heap_size(&self) -> usize {
        match self {
            Self::Texture(texture) => texture.pixels.heap_size(),
            Self::Cubemap(cubemap) => cubemap.faces.iter().map(Pixels::heap_size).sum(),
            Self::Shader(shader) => shader.heap_size(),
            Self::Model(model) => model.heap_size(),
            Self::Skeleton(skeleton) => skeleton.heap_size(),
            Self::Animation(animation) => animation.heap_size(),
            Self::Font(font) => font.heap_size(),
            Self::Audio(audio) => audio.samples.heap_size(),
        }
    }
}
