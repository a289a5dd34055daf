//! Images that go into an atlas: what an engine asks the encoder of images for, and what it gets.

/// What the rules of all members of an atlas ask for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtlasOptions {
    /// The most pixels that a page may be wide and high.
    pub max_size: u32,
    /// How far the edges of pictures are repeated.
    pub extrude: u32,
    /// Transparent pixels between pictures.
    pub gap: u32,
    /// Whether pages have mip levels.
    pub mipmaps: bool,
    /// Whether all pictures are normal maps.
    pub are_normals: bool,
}

impl AtlasOptions {
    /// Mip levels below the first one.
    pub fn smaller_levels(&self) -> u32 {
        if self.mipmaps { self.extrude.max(1).ilog2() } else { 0 }
    }

    /// The edge of the squares that the smallest level blends. Everything begins and ends at multiples of it.
    pub fn square(&self) -> u32 {
        1 << self.smaller_levels()
    }

    /// The width or height of a picture with its edges repeated, which fill the squares that they begin.
    pub fn drawn(&self, edge: u32) -> u32 {
        (edge + 2 * self.extrude).next_multiple_of(self.square())
    }

    /// The width or height that a picture takes in a page.
    pub fn cell(&self, edge: u32) -> u32 {
        self.drawn(edge) + self.gap.next_multiple_of(self.square())
    }
}

/// Width and height of a page, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// The place of a picture: the number of the page, and its top left corner there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the page.
    pub page: usize,
    /// Pixels from the left.
    pub x: u32,
    /// Pixels from the top.
    pub y: u32,
}

/// An image of an atlas.
#[derive(Debug)]
pub struct Member {
    /// Its IMGE block.
    pub block: Vec<u8>,
    /// Where it goes.
    pub place: Place,
}
