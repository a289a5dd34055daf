//! Textures and cubemaps: their size, a label, and pixels of four channels.

use std::borrow::Cow;

use crate::error::{Error, WarningKind};
use crate::reader::Reader;

/// The number of channels, which `nbr` always writes.
pub(crate) const CHANNELS: u8 = 4;

/// Numbers of pixel formats that are found in files.
pub(crate) const R8: u8 = 0;
pub(crate) const RGBA8: u8 = 8;
pub(crate) const RGBA16F: u8 = 10;

/// The names of the faces of a cubemap, in the order of the file: the axes that OpenGL gives them to.
pub const CUBEMAP_FACES: [&str; 6] = ["px", "nx", "py", "ny", "pz", "nz"];

/// The shortest texture in a model: its size, channels, label, and one pixel.
pub(crate) const LEAST_TEXTURE: usize = 14;

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture<'a> {
    /// The width in pixels; 1 or more.
    pub width: u32,
    /// The height in pixels; 1 or more.
    pub height: u32,
    /// The pixels, row by row from the top left.
    pub pixels: Pixels<'a>,
}

/// Pixels of four channels: red, green, blue, alpha.
#[derive(Clone, Debug, PartialEq)]
pub enum Pixels<'a> {
    /// Four bytes for each pixel, with colours in sRGB as in the picture that `nbr` converted.
    Rgba8(Cow<'a, [u8]>),
    /// Four floats for each pixel, with linear colours. Files call them RGBA16F.
    Rgba32F(Vec<f32>),
}

/// Six pictures of the same size.
#[derive(Clone, Debug, PartialEq)]
pub struct Cubemap<'a> {
    /// The width of each face in pixels; 1 or more.
    pub width: u32,
    /// The height of each face in pixels; 1 or more.
    pub height: u32,
    /// The faces in the order of [`CUBEMAP_FACES`]. All have the same format.
    ///
    /// `nbr` takes them in the order of the file system. So these are the axes at which the engine shows them, and not the axes in the
    /// names of their pictures.
    pub faces: [Pixels<'a>; 6],
}

/// What comes before the pixels.
struct Shape {
    width: u32,
    height: u32,
    format: u8,
    format_at: usize,
}

impl Shape {
    fn parse(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut side = |field: &str| -> Result<u32, Error> {
            let at = reader.position();
            match reader.u32(field)? {
                0 => Err(reader.invalid(at, field, 0, "1 or more")),
                side => Ok(side),
            }
        };
        let (width, height) = (side("width")?, side("height")?);
        let at = reader.position();
        let channels = reader.u8("channels")?;
        if channels != CHANNELS {
            return Err(reader.invalid(at, "channels", channels.cast_signed(), CHANNELS));
        }
        let format_at = reader.position();
        let format = reader.u8("format")?;
        if !matches!(format, R8 | RGBA8 | RGBA16F) {
            return Err(reader.invalid(format_at, "format", format, format!("{RGBA8} (RGBA8) or {RGBA16F} (RGBA16F)")));
        }
        Ok(Self { width, height, format, format_at })
    }

    fn warn(&self, reader: &mut Reader<'_>) {
        let text = match self.format {
            R8 => {
                "the label says R8, and there are four channels; they are read as RGBA8, as the engine does in models"
            }
            RGBA16F => "the label says RGBA16F, and `nbr` writes floats of 32 bits; they are read as such",
            _ => return,
        };
        reader.warn(WarningKind::PixelFormat, self.format_at, "format", text);
    }

    fn pixels<'a>(&self, reader: &mut Reader<'a>, field: &str) -> Result<Pixels<'a>, Error> {
        // At most 2^64 - 2^33 + 1, so the number of pixels does not overflow, but the number of bytes may.
        let count = u64::from(self.width) * u64::from(self.height);
        let pixel = if self.format == RGBA16F { 16 } else { 4 };
        let bytes = reader.take(count.saturating_mul(pixel), field)?;
        Ok(match self.format {
            RGBA16F => Pixels::Rgba32F(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()),
            _ => Pixels::Rgba8(bytes.into()),
        })
    }
}

impl<'a> Texture<'a> {
    pub(crate) fn parse(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let shape = Shape::parse(reader)?;
        let pixels = shape.pixels(reader, "pixels")?;
        shape.warn(reader);
        Ok(Self { width: shape.width, height: shape.height, pixels })
    }
}

impl<'a> Cubemap<'a> {
    pub(crate) fn parse(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let shape = Shape::parse(reader)?;
        let at = reader.position();
        let count = reader.u8("faces")?;
        if usize::from(count) != CUBEMAP_FACES.len() {
            return Err(reader.invalid(at, "faces", count, "6; a cubemap needs a picture for each side"));
        }
        let mut face = |number: usize| shape.pixels(reader, "pixels").map_err(|error| error.within("faces", number));
        let faces = [face(0)?, face(1)?, face(2)?, face(3)?, face(4)?, face(5)?];
        shape.warn(reader);
        Ok(Self { width: shape.width, height: shape.height, faces })
    }

    /// Returns a face as a texture; `number` is its place in [`CUBEMAP_FACES`].
    #[must_use]
    pub fn face(&self, number: usize) -> Option<Texture<'_>> {
        let pixels = match self.faces.get(number)? {
            Pixels::Rgba8(bytes) => Pixels::Rgba8(Cow::Borrowed(bytes)),
            Pixels::Rgba32F(floats) => Pixels::Rgba32F(floats.clone()),
        };
        Some(Texture { width: self.width, height: self.height, pixels })
    }
}

impl Pixels<'_> {
    /// The number of channels of all pixels.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Rgba8(bytes) => bytes.len(),
            Self::Rgba32F(floats) => floats.len(),
        }
    }

    /// Whether the texture has no pixels. Files always have some.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn heap_size(&self) -> usize {
        match self {
            Self::Rgba8(bytes) => heap_size(bytes),
            Self::Rgba32F(floats) => floats.capacity() * 4,
        }
    }
}

/// The memory that bytes have allocated.
#[expect(clippy::ptr_arg, reason = "borrowed bytes have allocated none")]
pub(crate) fn heap_size(bytes: &Cow<'_, [u8]>) -> usize {
    match bytes {
        Cow::Borrowed(_) => 0,
        Cow::Owned(bytes) => bytes.capacity(),
    }
}
