//! Levels whose edges are multiples of a block's.

use std::borrow::Cow;

/// Width and height of a block.
pub(super) const EDGE: usize = 4;

/// The pixels of a level up to whole blocks. The last column and row are repeated, so that pixels that nobody sees do not
/// cost the others quality.
///
/// A pixel has `SIZE` bytes.
pub(super) fn whole_blocks<const SIZE: usize>(pixels: &[u8], width: usize, height: usize) -> Cow<'_, [u8]> {
    let (across, down) = (width.next_multiple_of(EDGE), height.next_multiple_of(EDGE));
    if (across, down) == (width, height) {
        return pixels.into();
    }
    let mut out = Vec::with_capacity(across * down * SIZE);
    for y in 0..down {
        let row = &pixels[y.min(height - 1) * width * SIZE..][..width * SIZE];
        out.extend_from_slice(row);
        (width..across).for_each(|_| out.extend_from_slice(&row[row.len() - SIZE..]));
    }
    out.into()
}
