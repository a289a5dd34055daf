//! The loops of compression 52, "filtered": pixels, samples and vertices as residuals of a prediction, which zstd compresses better. And the
//! encoder of LZ4 blocks.
//!
//! The stored bytes are sections. Each is decoded by itself, so that several threads can decode a large block and a section
//! stays in the cache of a processor from decompression to its final bytes. `docs/format.md` has the layout. Which filter a section gets is up to
//! `rres-format`.
//!
//! ```text
//! bytes of a section → zstd or LZ4 → planes → predictors → map → bytes of the block
//! ```
#![forbid(unsafe_code)]

mod apply;
mod element;
pub mod lz4;
mod map;
mod median_rows;
mod planes;
mod predict;
mod samples;
mod samples_apply;
mod section;
#[cfg(test)]
mod tests;

pub use apply::palette;
pub use map::Map;
pub use samples::MAX_CHANNELS;
pub use samples_apply::{EncodedSamples, encode_samples};
pub use section::{sections, write};

use section::{Coding, Section};

/// How a value is predicted from values before it. The format defines the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predictor {
    /// As zero.
    None = 0,
    /// As the value of the pixel to the left.
    Left = 1,
    /// As the value of the pixel above.
    Up = 2,
    /// As the mean of both, rounded down.
    Average = 3,
    /// As the median of both and of `left + up - up_left`.
    Median = 4,
    /// On the line through the two values to the left.
    Linear = 5,
}

impl Predictor {
    const ALL: [Self; 6] = [Self::None, Self::Left, Self::Up, Self::Average, Self::Median, Self::Linear];
}

/// What was done to a section before it was compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// What pixels become first.
    pub map: Map,
    /// How the values of the mapped pixels are predicted.
    pub predictor: Predictor,
    /// The size of a number that is predicted, in bytes: 1, 2 or 4.
    pub element: u8,
    /// The bytes of a pixel are stored apart: first the first of each, then the second of each, and so on.
    pub planes: bool,
}

/// What compresses a section after its filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coder {
    /// A frame of zstd.
    Zstd,
    /// A block of LZ4.
    Lz4,
}

/// Decodes what a coder made into a slice, and returns the number of bytes written.
pub type DecodeFrame<'a> = dyn FnMut(Coder, &[u8], &mut [u8]) -> Result<usize, String> + 'a;

/// Memory for the steps between a frame and the block. Kept, because it is needed for every section.
#[derive(Debug, Default)]
pub struct Scratch {
    coded: Vec<u8>,
    mapped: Vec<u8>,
}

/// Decodes sections into `out` and returns the number of bytes written. `decode` decodes what coders made.
pub fn decompress(
    packed: &[u8],
    out: &mut [u8],
    scratch: &mut Scratch,
    decode: &mut DecodeFrame<'_>,
) -> Result<usize, String> {
    let (mut rest, mut at) = (packed, 0);
    while let Some(section) = Section::split(&mut rest)? {
        let left = out.len() - at;
        let Some(out) = usize::try_from(section.size).ok().and_then(|size| out.get_mut(at..)?.get_mut(..size)) else {
            return Err(format!("a section of {} bytes where {left} are left", section.size));
        };
        at += out.len();
        match section.coding {
            Coding::Stored => out.copy_from_slice(section.content),
            Coding::Samples { channels } => samples::decode(section.content, channels, out, scratch, decode)?,
            Coding::Filtered { filter, coder, width } => {
                filter.decode(coder, section.content, width, out, scratch, decode)?;
            }
        }
    }
    Ok(at)
}

impl Filter {
    /// Decodes a section of rows of `width` pixels into `out`.
    fn decode(
        self,
        coder: Coder,
        content: &[u8],
        width: usize,
        out: &mut [u8],
        scratch: &mut Scratch,
        decode: &mut DecodeFrame<'_>,
    ) -> Result<(), String> {
        let Scratch { coded, mapped } = scratch;
        let mut decode = |out: &mut [u8]| match decode(coder, content, out)? {
            found if found == out.len() => Ok(()),
            found => Err(format!("a section decompresses to {found} bytes, expected {}", out.len())),
        };
        let pixel = self.map.coded_pixel();
        let pixels = out.len() / self.map.pixel();
        if let Map::Palette { .. } = self.map {
            coded.resize(self.map.coded_size(width, pixels / width), 0);
            decode(coded)?;
            return self.map.undo(coded, width, out);
        }
        let target = if self.map.is_in_place() {
            &mut *out
        } else {
            mapped.resize(pixels * pixel, 0);
            &mut *mapped
        };
        if self.planes && pixel > 1 {
            coded.resize(target.len(), 0);
            decode(coded)?;
            planes::join(coded, target, pixel);
        } else {
            decode(target)?;
        }
        predict::undo(self.predictor, target, width * pixel, pixel, self.element.into());
        if !self.map.is_in_place() {
            return self.map.undo(mapped, width, out);
        }
        self.map.undo_in_place(out);
        Ok(())
    }
}
