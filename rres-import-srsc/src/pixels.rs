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

/// Decodes the bytes of one pixel.
type Decoder<'p> = dyn Fn(&[u8]) -> Result<[u8; 4], Fault> + 'p;

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
        let pixel = self.decoder(palette, order)?;
        let rows = self.rows(limits)?;
        let size = usize::from(self.bits / 8);
        let used = self.width as usize * size;
        let mut rgba = Vec::new();
        let out_size = self.width as usize * self.height as usize * 4;
        if rgba.try_reserve_exact(out_size).is_err() {
            let problem = Problem::TooLarge { found: out_size as u64, limit: limits.texture_size };
            return Err(Fault::new("width", 0, problem));
        }
        for row in rows.chunks_exact(self.pitch as usize).rev() {
            for bytes in row[..used].chunks_exact(size) {
                rgba.extend_from_slice(&pixel(bytes)?);
            }
        }
        Ok(Picture { width: self.width, height: self.height, rgba })
    }

    /// Returns what decodes one pixel.
    fn decoder<'p>(
        &'p self,
        palette: Option<&'p Items<'_, [u8; 4]>>,
        order: Option<ByteOrder>,
    ) -> Result<Box<Decoder<'p>>, Fault> {
        let alpha_of = |rgb: [u8; 3]| {
            let [r, g, b] = rgb.map(u32::from);
            if r << 16 | g << 8 | b == self.color_key { 0 } else { 255 }
        };
        Ok(match self.bits {
            8 => {
                let Some(palette) = palette else {
                    let what = "a palette, and the archive has none".to_owned();
                    return Err(Fault::new("bits per pixel", 12, Problem::Missing { what }));
                };
                Box::new(move |bytes| match palette.get(bytes[0].into()) {
                    Some([r, g, b, _]) => Ok([r, g, b, alpha_of([r, g, b])]),
                    None => {
                        let expected = format!("a colour of the palette, which has {}", palette.len());
                        Err(Fault::invalid("data", 54, format!("pixel {}", bytes[0]), expected))
                    }
                })
            }
            16 => {
                let has_alpha = self.flags.contains(TextureFlags::ALPHA);
                let unpack: fn(u16) -> [u8; 4] = match (has_alpha, self.alpha_bits) {
                    (false, _) | (_, 0) => rgb565,
                    (_, 1) => argb1555,
                    (_, 4) => argb4444,
                    (_, 8) => argb8332,
                    (_, other) => return Err(Fault::invalid("alpha bits per pixel", 14, other, "0, 1, 4 or 8")),
                };
                Box::new(move |bytes| Ok(unpack(u16::from_le_bytes([bytes[0], bytes[1]]))))
            }
            24 => Box::new(move |bytes| Ok([bytes[0], bytes[1], bytes[2], alpha_of([bytes[0], bytes[1], bytes[2]])])),
            _ => {
                let has_alpha = self.alpha_bits == 8;
                let default = if has_alpha { ByteOrder::Bgra } else { ByteOrder::Rgba };
                let order = order.unwrap_or(default);
                Box::new(move |bytes| {
                    let alpha = if has_alpha { bytes[3] } else { 255 };
                    Ok(match order {
                        ByteOrder::Rgba => [bytes[0], bytes[1], bytes[2], alpha],
                        ByteOrder::Bgra => [bytes[2], bytes[1], bytes[0], alpha],
                    })
                })
            }
        })
    }
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
