//! The mip levels of an image, with the numbers that an upload to a graphics card asks for.

use std::fmt;

use rres_format::chunk::image::{ImageProps, level_edge};
use rres_format::video_memory;

use super::{ColorSpace, Image};

/// One mip level of an image, as graphics libraries take it: tightly packed, rows from the top.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level<'a> {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Bytes from one row to the next. The rows of block-compressed formats are rows of whole blocks.
    pub bytes_per_row: u32,
    /// Number of rows: of pixels, or of blocks in block-compressed formats.
    pub rows: u32,
    /// The pixels: `bytes_per_row × rows` bytes.
    pub pixels: &'a [u8],
}

impl Image {
    /// Returns the levels, from the largest to the smallest.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// fn upload(image: &Image, mut write: impl FnMut(u32, u32, u32, &[u8])) {
    ///     for (number, level) in (0..).zip(image.levels()) {
    ///         write(number, level.bytes_per_row, level.rows, level.pixels);
    ///     }
    /// }
    ///
    /// let image = Image::from_rgba8(2, 1, [0; 8])?;
    /// upload(&image, |level, bytes_per_row, rows, pixels| {
    ///     assert_eq!((level, bytes_per_row, rows, pixels.len()), (0, 8, 1, 8));
    /// });
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = Level<'_>> {
        let ImageProps { width, height, format, mipmaps } = self.props;
        let mut rest: &[u8] = &self.data;
        (0..mipmaps).map_while(move |level| {
            let (width, height) = (level_edge(width, level), level_edge(height, level));
            let (bytes_per_row, rows) = (u32::try_from(format.bytes_per_row(width)?).ok()?, format.rows(height));
            let (pixels, below) = rest.split_at_checked(bytes_per_row as usize * rows as usize)?;
            rest = below;
            Some(Level { width, height, bytes_per_row, rows, pixels })
        })
    }

    /// Returns the bytes that a graphics card allocates for a texture with all levels, as [`Self::to_wgpu`] fills it: formats that no
    /// graphics card has become RGBA of 8 bits. A driver may round that up to the pages of its memory.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// assert_eq!(Image::from_rgba8(2, 1, [0; 8])?.video_memory(), 8);
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn video_memory(&self) -> u64 {
        let color_space = match self.color_space {
            ColorSpace::Srgb => rres_format::index::ColorSpace::Srgb,
            ColorSpace::Linear => rres_format::index::ColorSpace::Linear,
        };
        // The numbers were checked when the image was made.
        video_memory::of_image(self.props, color_space).unwrap_or_default()
    }

    /// Returns one level; `None` beyond the last one. Level 0 is the largest one that is loaded: the whole image, unless a texture limit leaves levels out.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let image = Image::from_rgba8(2, 1, [0; 8])?;
    /// assert_eq!(image.level(0).map(|level| (level.width, level.pixels.len())), Some((2, 8)));
    /// assert_eq!(image.level(1), None);
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn level(&self, level: u32) -> Option<Level<'_>> {
        self.levels().nth(level as usize)
    }
}

impl fmt::Debug for Level<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, bytes_per_row, rows, .. } = self;
        write!(f, "Level({width} × {height} pixels, {rows} rows of {bytes_per_row} bytes)")
    }
}
