//! Faces that are parts of one picture.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_import::ImportError;

use super::wrong;
use crate::Decoded;

/// The column and row of each face in a cross of 4×3 faces.
const WIDE: [(u32, u32); 6] = [(2, 1), (0, 1), (1, 0), (1, 2), (1, 1), (3, 1)];

/// The same in a cross of 3×4 faces. The last one stands on its head.
const HIGH: [(u32, u32); 6] = [(2, 1), (0, 1), (1, 0), (1, 2), (1, 1), (1, 3)];

/// Cuts the faces from a cross: +Z in the middle, +Y above and -Y below it, -X on its left and +X on its right. -Z is to the right of +X if
/// the cross is wide, and below -Y, turned by 180°, if it is high.
pub(super) fn cross(picture: &Decoded) -> Result<Vec<Decoded>, ImportError> {
    let ImageProps { width, height, .. } = picture.props;
    let (places, edge, is_high) = if u64::from(width) * 3 == u64::from(height) * 4 {
        (WIDE, width / 4, false)
    } else if u64::from(width) * 4 == u64::from(height) * 3 {
        (HIGH, width / 3, true)
    } else {
        return Err(wrong(format!("has {width}×{height} pixels, expected a cross of 4×3 or 3×4 square faces")));
    };
    let mut faces = places.iter().map(|place| crop(picture, *place, edge)).collect::<Result<Vec<_>, _>>()?;
    if let (true, Some(last)) = (is_high, faces.last_mut()) {
        let size = pixel_size(last.props.format);
        turn(last.data_mut(), size);
    }
    faces[0].notes.clone_from(&picture.notes);
    Ok(faces)
}

/// Cuts the faces from a row or a column of six.
pub(super) fn strip(picture: &Decoded) -> Result<Vec<Decoded>, ImportError> {
    let ImageProps { width, height, .. } = picture.props;
    let cut = if u64::from(width) == u64::from(height) * 6 {
        (0..6).map(|i| crop(picture, (i, 0), height)).collect()
    } else if u64::from(width) * 6 == u64::from(height) {
        (0..6).map(|i| crop(picture, (0, i), width)).collect()
    } else {
        Err(wrong(format!("has {width}×{height} pixels, expected a strip of 6×1 or 1×6 square faces")))
    };
    let mut faces: Vec<Decoded> = cut?;
    faces[0].notes.clone_from(&picture.notes);
    Ok(faces)
}

/// The face in a column and a row of faces.
fn crop(picture: &Decoded, (column, row): (u32, u32), edge: u32) -> Result<Decoded, ImportError> {
    let ImageProps { width, format, .. } = picture.props;
    let mut face = Decoded::zeroed(ImageProps { width: edge, height: edge, format, mipmaps: 1 })?;
    (face.linear, face.premultiplied, face.is_widened) = (picture.linear, picture.premultiplied, picture.is_widened);
    let size = pixel_size(format);
    let (edge, width) = (edge as usize * size, width as usize * size);
    let rows = picture.data().chunks_exact(width).skip(row as usize * edge / size);
    for (from, to) in rows.zip(face.data_mut().chunks_exact_mut(edge)) {
        to.copy_from_slice(&from[column as usize * edge..][..edge]);
    }
    Ok(face)
}

/// Turns a face by 180°: its pixels in the opposite order.
fn turn(pixels: &mut [u8], size: usize) {
    pixels.reverse();
    pixels.chunks_exact_mut(size).for_each(<[u8]>::reverse);
}

/// Bytes of a pixel. Pictures of blocks are refused before.
fn pixel_size(format: PixelFormat) -> usize {
    format.bytes_per_pixel().unwrap_or(1) as usize
}
