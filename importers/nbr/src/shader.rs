//! Shaders: GLSL of a compute shader, or of a vertex and a pixel shader.

use std::borrow::Cow;

use crate::error::Error;
use crate::reader::Reader;
use crate::texture::heap_size;

/// The source of a shader. Texts are as `nbr` found them, from the first `#` on; they need not be UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shader<'a> {
    /// A compute shader; not empty.
    Compute(Cow<'a, [u8]>),
    /// The stages that draw.
    Graphics {
        /// The vertex shader.
        vertex: Cow<'a, [u8]>,
        /// The pixel shader, which OpenGL calls fragment shader.
        pixel: Cow<'a, [u8]>,
    },
}

impl<'a> Shader<'a> {
    pub(crate) fn parse(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let compute_length = reader.u16("compute length")?;
        if compute_length > 0 {
            return Ok(Self::Compute(source(reader, compute_length, "compute source")?.into()));
        }
        let length = reader.u16("vertex length")?;
        let vertex = source(reader, length, "vertex source")?;
        let length = reader.u16("pixel length")?;
        let pixel = source(reader, length, "pixel source")?;
        Ok(Self::Graphics { vertex: vertex.into(), pixel: pixel.into() })
    }

    /// The stages and their sources, with the extension that GLSL compilers know a stage by.
    #[must_use]
    pub fn stages(&self) -> Vec<(&'static str, &[u8])> {
        match self {
            Self::Compute(source) => vec![("comp", source)],
            Self::Graphics { vertex, pixel } => vec![("vert", vertex), ("frag", pixel)],
        }
    }

    pub(crate) fn heap_size(&self) -> usize {
        match self {
            Self::Compute(source) => heap_size(source),
            Self::Graphics { vertex, pixel } => heap_size(vertex) + heap_size(pixel),
        }
    }
}

/// Reads a source and the zero after it.
fn source<'a>(reader: &mut Reader<'a>, length: u16, field: &str) -> Result<&'a [u8], Error> {
    let source = reader.take(length.into(), field)?;
    let at = reader.position();
    match reader.u8(field)? {
        0 => Ok(source),
        other => Err(reader.invalid(at, field, format!("the byte {other} after it"), "a zero after it")),
    }
}
