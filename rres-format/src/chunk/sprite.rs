//! SPRT: the place of a picture in an atlas, which is the first dependency of the resource.
//!
//! Properties: x, y, width and height of the rectangle in the atlas, then x and y of the rectangle in the picture, and the width
//! and height of the picture. They differ if transparent edges were cut off. The chunk has no data.

use super::{PayloadView, block};
use crate::error::{Error, Result};

/// The place of a picture in an atlas, in pixels from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpriteProps {
    /// Left edge in the atlas.
    pub x: u32,
    /// Top edge in the atlas.
    pub y: u32,
    /// Width in the atlas.
    pub width: u32,
    /// Height in the atlas.
    pub height: u32,
    /// Columns of the picture that are left out on its left.
    pub left: u32,
    /// Rows of the picture that are left out at its top.
    pub top: u32,
    /// Width of the whole picture.
    pub full_width: u32,
    /// Height of the whole picture.
    pub full_height: u32,
}

impl SpriteProps {
    /// Reads and checks a payload. The caller compares the rectangle with the atlas.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if properties are missing, or the rectangle is empty or not inside the picture.
    pub fn parse(payload: PayloadView<'_>) -> Result<Self> {
        let [x, y, width, height, left, top, full_width, full_height] = payload.first_props()?;
        let fits = |at: u32, len: u32, full: u32| len > 0 && at.checked_add(len).is_some_and(|end| end <= full);
        if !fits(left, width, full_width) || !fits(top, height, full_height) {
            let detail = format!("{width}×{height} pixels at {left},{top} of a picture of {full_width}×{full_height}");
            return Err(Error::inconsistent("sprite", detail));
        }
        Ok(Self { x, y, width, height, left, top, full_width, full_height })
    }

    /// Returns the block.
    pub fn block(&self) -> Vec<u8> {
        let Self { x, y, width, height, left, top, full_width, full_height } = *self;
        block(&[x, y, width, height, left, top, full_width, full_height], &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPRITE: SpriteProps =
        SpriteProps { x: 5, y: 6, width: 3, height: 4, left: 1, top: 0, full_width: 4, full_height: 4 };

    #[test]
    fn what_is_written_is_read() {
        let block = SPRITE.block();
        assert_eq!(block.len(), 36);
        assert_eq!(SpriteProps::parse(PayloadView::parse(&block).unwrap()).unwrap(), SPRITE);
        assert!(SpriteProps::parse(PayloadView::parse(&super::block(&[1; 7], &[])).unwrap()).is_err());
    }

    #[test]
    fn a_rectangle_is_not_empty_and_inside_its_picture() {
        for bad in [
            SpriteProps { width: 0, ..SPRITE },
            SpriteProps { height: 5, ..SPRITE },
            SpriteProps { left: 2, ..SPRITE },
            SpriteProps { left: u32::MAX, ..SPRITE },
            SpriteProps { full_width: 0, ..SPRITE },
        ] {
            assert!(SpriteProps::parse(PayloadView::parse(&bad.block()).unwrap()).is_err(), "{bad:?}");
        }
    }
}
