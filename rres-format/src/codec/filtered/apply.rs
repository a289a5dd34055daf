//! Bytes of a block → what zstd compresses: the opposite of decoding.

use super::element::{Element, median};
use super::map::{Map, index_bits, index_bytes, radiance, unit};
use super::{Filter, Predictor, planes};

impl Filter {
    /// Filters rows of `width` pixels. `None` if the map cannot express them.
    pub(super) fn apply(self, data: &[u8], width: usize) -> Option<Vec<u8>> {
        let mut coded = self.map.apply(data, width)?;
        let pixel = self.map.coded_pixel();
        if self.predictor != Predictor::None {
            coded = match self.element {
                1 => residuals::<u8>(self.predictor, &coded, width * pixel, pixel),
                2 => residuals::<u16>(self.predictor, &coded, width * pixel, pixel),
                _ => residuals::<u32>(self.predictor, &coded, width * pixel, pixel),
            };
        }
        Some(if self.planes && pixel > 1 { planes::split(&coded, pixel) } else { coded })
    }
}

impl Map {
    /// Maps rows of `width` pixels. `None` if they cannot be expressed.
    fn apply(self, data: &[u8], width: usize) -> Option<Vec<u8>> {
        Some(match self {
            Self::Same(_) => data.to_vec(),
            Self::MinusGreen(pixel) => {
                let mut data = data.to_vec();
                for pixel in data.chunks_exact_mut(pixel.into()) {
                    pixel[0] = pixel[0].wrapping_sub(pixel[1]);
                    pixel[2] = pixel[2].wrapping_sub(pixel[1]);
                }
                data
            }
            Self::Palette { pixel, colors } => {
                let (palette, indices) = palette(data, pixel.into())?;
                if palette.len() != usize::from(colors) * usize::from(pixel) {
                    return None;
                }
                let bits = index_bits(colors);
                let mut coded = palette;
                for row in indices.chunks_exact(width) {
                    let at = coded.len();
                    coded.resize(at + index_bytes(colors, width), 0);
                    for (x, index) in row.iter().enumerate() {
                        coded[at + x * bits / 8] |= index << (x * bits % 8);
                    }
                }
                coded
            }
            Self::Unit16(_) => {
                let numbers = data.as_chunks::<4>().0.iter().map(|bytes| {
                    let float = f32::from_le_bytes(*bytes);
                    // The cast is saturating, and what it rounds wrongly does not compare equal.
                    let number = (float * 65535.0).round() as u16;
                    (unit(number).to_bits() == float.to_bits()).then_some(number.to_le_bytes())
                });
                numbers.collect::<Option<Vec<_>>>()?.into_flattened()
            }
            Self::Radiance => {
                let pixels = data.as_chunks::<12>().0.iter().map(to_radiance);
                pixels.collect::<Option<Vec<_>>>()?.into_flattened()
            }
        })
    }
}

/// The colours of pixels of at most 4 bytes, and an index for each pixel. `None` beyond 256 colours.
pub(super) fn palette(data: &[u8], pixel: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    /// Places of a hash table that is at most a quarter full.
    const PLACES: usize = 1024;
    let key = |pixel: &[u8]| pixel.iter().fold(0_u32, |key, byte| key << 8 | u32::from(*byte));
    let mut table = [(0_u32, u16::MAX); PLACES];
    let place = |table: &[(u32, u16); PLACES], key: u32| {
        // Multiplicative hashing by the golden ratio; the upper bits are the best.
        let mut place = key.wrapping_mul(0x9e37_79b9) as usize >> 22;
        while table[place].1 != u16::MAX && table[place].0 != key {
            place = (place + 1) % PLACES;
        }
        place
    };
    let mut colors = Vec::new();
    let mut last = None;
    for color in data.chunks_exact(pixel) {
        if last == Some(color) {
            continue;
        }
        last = Some(color);
        let at = place(&table, key(color));
        if table[at].1 == u16::MAX {
            if colors.len() == 256 {
                return None;
            }
            table[at] = (key(color), 0);
            colors.push(color);
        }
    }
    // By the last channel first, which may be alpha: neighbours in the palette are then neighbours in the image.
    colors.sort_unstable_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    for (i, color) in colors.iter().enumerate() {
        let at = place(&table, key(color));
        table[at].1 = i as u16;
    }
    let indices = data.chunks_exact(pixel).map(|color| table[place(&table, key(color))].1 as u8).collect();
    Some((colors.concat(), indices))
}

/// The Radiance pixel that is read as these floats, if there is one.
fn to_radiance(floats: &[u8; 12]) -> Option<[u8; 4]> {
    let colors: [f32; 3] = core::array::from_fn(|i| f32::from_le_bytes(floats.as_chunks::<4>().0[i]));
    let brightest = colors.into_iter().fold(0.0, f32::max);
    // The exponent with which the brightest mantissa is 128 to 255; a source may have used a larger one.
    let exponent = (i64::from(brightest.to_bits() >> 23) - 127 + 129).clamp(0, 255) as u8;
    let exponents = if brightest == 0.0 { 0..=0 } else { exponent..=exponent.saturating_add(8) };
    for e in exponents {
        let [unit, ..] = radiance([1, 0, 0, e]);
        let mantissas = colors.map(|color| (color / unit).round() as u8);
        let [r, g, b] = if e == 0 { [0; 3] } else { mantissas };
        if radiance([r, g, b, e]).map(f32::to_bits) == colors.map(f32::to_bits) {
            return Some([r, g, b, e]);
        }
    }
    None
}

/// What predictions leave of rows of `row` bytes.
fn residuals<E: Element>(predictor: Predictor, data: &[u8], row: usize, pixel: usize) -> Vec<u8> {
    let mut out = vec![0; data.len()];
    let zeros = vec![0; row];
    let mut above = zeros.as_slice();
    for (row, out) in data.chunks_exact(row).zip(out.chunks_exact_mut(row)) {
        for at in (0..row.len()).step_by(E::SIZE) {
            let left =
                |row: &[u8], steps: usize| at.checked_sub(pixel * steps).map_or(E::default(), |at| E::get(&row[at..]));
            let predicted = match predictor {
                Predictor::None => E::default(),
                Predictor::Left => left(row, 1),
                Predictor::Linear => left(row, 1).plus(left(row, 1)).minus(left(row, 2)),
                Predictor::Up => E::get(&above[at..]),
                Predictor::Average => left(row, 1).middle(E::get(&above[at..])),
                Predictor::Median => median(left(row, 1), E::get(&above[at..]), left(above, 1)),
            };
            E::get(&row[at..]).minus(predicted).set(&mut out[at..]);
        }
        above = row;
    }
    out
}
