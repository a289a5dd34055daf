//! Images, fonts and models → the bytes that a graphics card allocates for them.
//!
//! The figure is what the adapters of engines upload, as the graphics API is asked for it: of a texture all levels, of a mesh its buffers. A
//! driver may round each texture up to the pages of its memory.

use crate::chunk::PayloadView;
use crate::chunk::image::{ImageProps, PixelFormat, level_edge};
use crate::chunk::vertex::VertexProps;
use crate::error::Result;
use crate::fourcc::FourCc;
use crate::index::ColorSpace;

/// Bytes of a block that suffice for [`of_chunk`].
pub const HEAD: usize = 64;

/// Buffers have a multiple of this many bytes, and so has each attribute of a vertex.
const ALIGNMENT: u64 = 4;

/// Returns whether WebGPU, and so wgpu, has no texture format for such pixels, so that adapters upload them as 8-bit RGBA: three channels,
/// packed 16 bits, and in sRGB also gray and floats. False for blocks: nothing turns them into pixels.
pub const fn is_uploaded_as_rgba8(format: PixelFormat, color_space: ColorSpace) -> bool {
    match format {
        PixelFormat::RGBA8 => false,
        PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8 | PixelFormat::R32F | PixelFormat::RGBA32F => {
            matches!(color_space, ColorSpace::Srgb)
        }
        _ => format.bytes_per_pixel().is_some(),
    }
}

/// Returns the bytes of a texture with all levels of an image; a cubemap is one image.
///
/// ```
/// use rres_format::chunk::image::{ImageProps, PixelFormat};
/// use rres_format::index::ColorSpace;
/// use rres_format::video_memory::of_image;
///
/// let bytes = |format| of_image(ImageProps { width: 4, height: 2, format, mipmaps: 3 }, ColorSpace::Srgb);
/// assert_eq!(bytes(PixelFormat::RGBA8)?, (8 + 2 + 1) * 4);
/// assert_eq!(bytes(PixelFormat::RGB8)?, bytes(PixelFormat::RGBA8)?); // no graphics card has formats of 24 bits
/// assert_eq!(bytes(PixelFormat::BC7)?, 3 * 16); // a block each
/// # Ok::<(), rres_format::Error>(())
/// ```
///
/// # Errors
/// As [`ImageProps::data_size`].
pub fn of_image(props: ImageProps, color_space: ColorSpace) -> Result<u64> {
    let stored = props.data_size()?;
    if !is_uploaded_as_rgba8(props.format, color_space) {
        return Ok(stored);
    }
    let pixels = |level| u64::from(level_edge(props.width, level)) * u64::from(level_edge(props.height, level));
    // The edges were checked above.
    Ok((0..props.mipmaps).map(pixels).sum::<u64>() * 4)
}

/// Returns the bytes that one attribute takes in the buffer of the vertices, or a list of indices in a buffer of its own. The attributes of a
/// vertex follow one another, each at a multiple of 4 bytes.
///
/// # Errors
/// As [`VertexProps::data_size`].
pub fn of_vertices(props: VertexProps) -> Result<u64> {
    let data = props.data_size()?;
    if props.attribute.is_indices() {
        return Ok(data.next_multiple_of(ALIGNMENT));
    }
    // At most 16 components of 4 bytes.
    let of_one = VertexProps { count: 1, ..props }.data_size()?;
    Ok(u64::from(props.count) * of_one.next_multiple_of(ALIGNMENT))
}

/// Returns the bytes that a chunk of an image, a font or a model takes; 0 for chunks that are not uploaded. The first [`HEAD`] bytes of its
/// block suffice as the payload. A resource takes the sum of its chunks.
///
/// # Errors
/// As [`of_image`] and [`of_vertices`], and if the payload lacks properties.
pub fn of_chunk(kind: FourCc, payload: &PayloadView<'_>, color_space: ColorSpace) -> Result<u64> {
    match kind {
        FourCc::IMGE => of_image(ImageProps::from_payload(payload)?, color_space),
        FourCc::VRTX => of_vertices(VertexProps::from_payload(payload)?),
        _ => Ok(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::vertex::{VertexAttribute, VertexFormat};

    #[test]
    fn a_format_is_stored_or_has_four_bytes_a_pixel() {
        for format in PixelFormat::NAMED.iter().filter(|format| **format != PixelFormat::UNDEFINED) {
            for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
                let props = ImageProps { width: 24, height: 12, format: *format, mipmaps: 5 };
                let (found, stored) = (of_image(props, color_space).unwrap(), props.data_size().unwrap());
                let as_rgba8 = ImageProps { format: PixelFormat::RGBA8, ..props }.data_size().unwrap();
                let expected = if is_uploaded_as_rgba8(*format, color_space) { as_rgba8 } else { stored };
                assert_eq!(found, expected, "{format} {color_space:?}");
                assert!(format.bytes_per_pixel().is_some() || found == stored, "{format}: blocks stay blocks");
            }
        }
    }

    #[test]
    fn attributes_and_indices_are_rounded_up() {
        let props = |count, attribute, components, format| VertexProps { count, attribute, components, format };
        for (props, expected) in [
            (props(3, VertexAttribute::POSITION, 3, VertexFormat::FLOAT), 36),
            (props(3, VertexAttribute::NORMAL, 3, VertexFormat::BYTE), 12),
            (props(3, VertexAttribute::POSITION, 3, VertexFormat::USHORT), 24),
            (props(3, VertexAttribute::INDEX, 1, VertexFormat::USHORT), 8),
            (props(6, VertexAttribute::LOD1, 1, VertexFormat::UINT), 24),
            (props(0, VertexAttribute::COLOR, 4, VertexFormat::UBYTE), 0),
            (props(u32::MAX, VertexAttribute::COLOR, 16, VertexFormat::FLOAT), u64::from(u32::MAX) * 64),
        ] {
            assert_eq!(of_vertices(props).unwrap(), expected, "{props:?}");
            let block = props.block(&[]);
            let payload = PayloadView::parse(&block).unwrap();
            assert_eq!(of_chunk(FourCc::VRTX, &payload, ColorSpace::Srgb).unwrap(), expected);
            assert_eq!(of_chunk(FourCc::MODL, &payload, ColorSpace::Srgb).unwrap(), 0);
        }
        assert!(of_vertices(props(1, VertexAttribute::COLOR, 17, VertexFormat::UBYTE)).is_err());
    }

    #[test]
    fn numbers_of_damaged_images_are_refused() {
        for props in [[0, 1, 7, 1], [u32::MAX, u32::MAX, 10, 1], [4, 4, 7, 99], [4, 4, 999, 1]] {
            let block = crate::chunk::block(&props, &[]);
            assert!(of_chunk(FourCc::IMGE, &PayloadView::parse(&block).unwrap(), ColorSpace::Srgb).is_err());
        }
        let short = crate::chunk::block(&[1, 2], &[]);
        assert!(of_chunk(FourCc::IMGE, &PayloadView::parse(&short).unwrap(), ColorSpace::Srgb).is_err());
    }
}
