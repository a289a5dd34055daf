//! Pixels of textures → RGBA with 8 bits per channel, rows from the top to the bottom.
//!
//! | bits | alpha bits | layout |
//! |---|---|---|
//! | 8 | | a colour of the palette |
//! | 16 | 0, or no alpha in the pixels | `RRRRRGGG GGGBBBBB` |
//! | 16 | 1 | `ARRRRRGG GGGBBBBB` |
//! | 16 | 4 | `AAAARRRR GGGGBBBB` |
//! | 16 | 8 | `AAAAAAAA RRRGGGBB` |
//! | 24 | | red, green, blue |
//! | 32 | 0 | red, green, blue, unused |
//! | 32 | 8 | blue, green, red, alpha; or red first: see [`ByteOrder`] |
//!
//! A channel of *n* bits becomes `value * 255 / (2^n - 1)`, rounded down. With 8 and 24 bits, pixels of the colour key get the alpha 0.

use crate::body::Items;
use crate::error::{Fault, Problem};
use crate::limits::Limits;
use crate::records::{Texture, TextureFlags};

/// The order of the bytes of pixels with 32 bits. What is known of the format names red first; a reader of game files takes blue first
/// if there is alpha. No file that settles it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Red, green, blue, alpha.
    Rgba,
    /// Blue, green, red, alpha.
    Bgra,
}

/// A picture: RGBA with 8 bits per channel, rows from the top to the bottom, without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Four bytes for each pixel.
    pub rgba: Vec<u8>,
}

impl Texture<'_> {
    /// Whether the order of the bytes is a guess unless it is chosen: pixels of 32 bits with alpha.
    pub fn has_uncertain_order(&self) -> bool {
        self.bits == 32 && self.alpha_bits == 8
    }

    /// Decodes the pixels. `palette` is the palette of the archive, which textures of 8 bits need; `order` chooses the order of the bytes
    /// of 32 bits.
    ///
    /// # Errors
    /// If the data cannot be decompressed, a pixel has no colour in the palette, or the layout of the pixels is unknown.
    pub fn to_rgba8(
        &self,
        palette: Option<&Items<'_, [u8; 4]>>,
        order: Option<ByteOrder>,
        limits: &Limits,
    ) -> Result<Picture, Fault> {
        // What cannot be decoded is refused before anything is decompressed.
        let layout = self.layout(palette, order)?;
        let rows = self.rows(limits)?;
        let mut rgba = Vec::new();
        let size = self.width as usize * self.height as usize * 4;
        if rgba.try_reserve_exact(size).is_err() {
            let problem = Problem::TooLarge { found: size as u64, limit: limits.texture_size };
            return Err(Fault::new("width", 0, problem));
        }
        rgba.resize(size, 0);
        let key = self.color_key;
        let keyed = |[r, g, b]: [u8; 3]| {
            let is_key = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b) == key;
            [r, g, b, if is_key { 0 } else { 255 }]
        };
        match layout {
            Layout::Palette(palette) => {
                if palette.len() < 256 {
                    self.check_colors(&rows, palette.len())?;
                }
                let colors: [[u8; 4]; 256] = std::array::from_fn(|number| {
                    let [r, g, b, _] = palette.get(number).unwrap_or_default();
                    keyed([r, g, b])
                });
                self.fill(&rows, &mut rgba, |[number]| colors[usize::from(number)]);
            }
            Layout::Rgb565 => self.fill(&rows, &mut rgba, |bytes| rgb565(u16::from_le_bytes(bytes))),
            Layout::Argb1555 => self.fill(&rows, &mut rgba, |bytes| argb1555(u16::from_le_bytes(bytes))),
            Layout::Argb4444 => self.fill(&rows, &mut rgba, |bytes| argb4444(u16::from_le_bytes(bytes))),
            Layout::Argb8332 => self.fill(&rows, &mut rgba, |bytes| argb8332(u16::from_le_bytes(bytes))),
            Layout::Rgb => self.fill(&rows, &mut rgba, keyed),
            Layout::Rgbx => self.fill(&rows, &mut rgba, |[r, g, b, _]| [r, g, b, 255]),
            Layout::Bgrx => self.fill(&rows, &mut rgba, |[b, g, r, _]| [r, g, b, 255]),
            Layout::Rgba => self.fill(&rows, &mut rgba, |pixel| pixel),
            Layout::Bgra => self.fill(&rows, &mut rgba, |[b, g, r, a]| [r, g, b, a]),
        }
        Ok(Picture { width: self.width, height: self.height, rgba })
    }

    /// Decodes all rows, the last one first. There is one loop for each layout, since a call for each pixel would take longer than
    /// decompressing it.
    fn fill<const SIZE: usize>(&self, rows: &[u8], rgba: &mut [u8], pixel: impl Fn([u8; SIZE]) -> [u8; 4]) {
        let width = self.width as usize;
        // A row has at least the bytes of its pixels: reading the texture has refused others.
        for (row, out) in rows.chunks_exact(self.pitch as usize).rev().zip(rgba.chunks_exact_mut(4 * width)) {
            for (out, bytes) in out.as_chunks_mut::<4>().0.iter_mut().zip(row.as_chunks::<SIZE>().0) {
                *out = pixel(*bytes);
            }
        }
    }

    /// Refuses pixels beyond the colours of the palette.
    fn check_colors(&self, rows: &[u8], colors: usize) -> Result<(), Fault> {
        let used = rows.chunks_exact(self.pitch as usize).rev().flat_map(|row| &row[..self.width as usize]);
        match used.into_iter().find(|number| usize::from(**number) >= colors) {
            None => Ok(()),
            Some(number) => {
                let expected = format!("a colour of the palette, which has {colors}");
                Err(Fault::invalid("data", 54, format!("pixel {number}"), expected))
            }
        }
    }

    /// Returns how the bytes of a pixel are laid out.
    fn layout<'p>(
        &self,
        palette: Option<&'p Items<'p, [u8; 4]>>,
        order: Option<ByteOrder>,
    ) -> Result<Layout<'p>, Fault> {
        Ok(match self.bits {
            8 => match palette {
                Some(palette) => Layout::Palette(palette),
                None => {
                    let what = "a palette, and the archive has none".to_owned();
                    return Err(Fault::new("bits per pixel", 12, Problem::Missing { what }));
                }
            },
            16 => match (self.flags.contains(TextureFlags::ALPHA), self.alpha_bits) {
                (false, _) | (_, 0) => Layout::Rgb565,
                (_, 1) => Layout::Argb1555,
                (_, 4) => Layout::Argb4444,
                (_, 8) => Layout::Argb8332,
                (_, other) => return Err(Fault::invalid("alpha bits per pixel", 14, other, "0, 1, 4 or 8")),
            },
            24 => Layout::Rgb,
            _ => match (self.alpha_bits == 8, order) {
                (true, Some(ByteOrder::Rgba)) => Layout::Rgba,
                (true, _) => Layout::Bgra,
                (false, Some(ByteOrder::Bgra)) => Layout::Bgrx,
                (false, _) => Layout::Rgbx,
            },
        })
    }
}

/// How the bytes of a pixel are laid out.
enum Layout<'p> {
    Palette(&'p Items<'p, [u8; 4]>),
    Rgb565,
    Argb1555,
    Argb4444,
    Argb8332,
    Rgb,
    Rgbx,
    Bgrx,
    Rgba,
    Bgra,
}

/// Returns `count` bits from `shift` on, as a number from 0 to 255.
fn channel(pixel: u16, shift: u32, count: u32) -> u8 {
    let largest = (1u32 << count) - 1;
    ((u32::from(pixel) >> shift & largest) * 255 / largest) as u8
}

fn rgb565(pixel: u16) -> [u8; 4] {
    [channel(pixel, 11, 5), channel(pixel, 5, 6), channel(pixel, 0, 5), 255]
}

fn argb1555(pixel: u16) -> [u8; 4] {
    [channel(pixel, 10, 5), channel(pixel, 5, 5), channel(pixel, 0, 5), channel(pixel, 15, 1)]
}

fn argb4444(pixel: u16) -> [u8; 4] {
    [channel(pixel, 8, 4), channel(pixel, 4, 4), channel(pixel, 0, 4), channel(pixel, 12, 4)]
}

fn argb8332(pixel: u16) -> [u8; 4] {
    [channel(pixel, 5, 3), channel(pixel, 2, 3), channel(pixel, 0, 2), (pixel >> 8) as u8]
}
