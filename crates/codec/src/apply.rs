//! Bytes of a block → what zstd compresses: the opposite of decoding.

use crate::element::{Element, median};
use crate::map::{Map, index_bits, index_bytes, radiance, unit};
use crate::{Filter, Predictor, planes};

impl Filter {
    /// Filters rows of `width` pixels. `None` if the map cannot express them.
    pub fn apply(self, data: &[u8], width: usize) -> Option<Vec<u8>> {
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
                match pixel {
                    3 => data.as_chunks_mut::<3>().0.iter_mut().for_each(minus_green),
                    4 => data.as_chunks_mut::<4>().0.iter_mut().for_each(minus_green),
                    _ => return None,
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

#[inline(always)]
fn minus_green<const N: usize>(pixel: &mut [u8; N]) {
    pixel[0] = pixel[0].wrapping_sub(pixel[1]);
    pixel[2] = pixel[2].wrapping_sub(pixel[1]);
}

/// The colours of pixels of at most 4 bytes, and an index for each pixel. `None` beyond 256 colours.
pub fn palette(data: &[u8], pixel: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    match pixel {
        1 => palette_of(data.as_chunks::<1>().0),
        2 => palette_of(data.as_chunks::<2>().0),
        3 => palette_of(data.as_chunks::<3>().0),
        4 => palette_of(data.as_chunks::<4>().0),
        _ => None,
    }
}

fn palette_of<const N: usize>(pixels: &[[u8; N]]) -> Option<(Vec<u8>, Vec<u8>)> {
    /// Places of a hash table that is at most a quarter full.
    const PLACES: usize = 1024;
    /// The last channel, which may be alpha, is the highest: neighbours in the palette are then neighbours in the image.
    #[inline(always)]
    fn key<const N: usize>(color: &[u8; N]) -> u32 {
        color.iter().rev().fold(0, |key, byte| key << 8 | u32::from(*byte))
    }
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
    for key in pixels.iter().map(key) {
        if last == Some(key) {
            continue;
        }
        last = Some(key);
        let at = place(&table, key);
        if table[at].1 == u16::MAX {
            if colors.len() == 256 {
                return None;
            }
            table[at] = (key, 0);
            colors.push(key);
        }
    }
    colors.sort_unstable();
    for (i, key) in colors.iter().enumerate() {
        table[place(&table, *key)].1 = i as u16;
    }
    let mut last = None;
    let indices = pixels.iter().map(key).map(|key| match last {
        Some((found, index)) if found == key => index,
        _ => {
            let index = table[place(&table, key)].1 as u8;
            last = Some((key, index));
            index
        }
    });
    let indices = indices.collect();
    Some((colors.iter().flat_map(|key| key.to_le_bytes().into_iter().take(N)).collect(), indices))
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
    match predictor {
        Predictor::None => data.to_vec(),
        Predictor::Left => left_by::<E>(data, row, pixel, |left, _, _| left),
        // A difference of differences.
        Predictor::Linear => {
            let differences = residuals::<E>(Predictor::Left, data, row, pixel);
            residuals::<E>(Predictor::Left, &differences, row, pixel)
        }
        Predictor::Up => left_by::<E>(data, row, pixel, |_, up, _| up),
        Predictor::Average => left_by::<E>(data, row, pixel, |left, up, _| left.middle(up)),
        Predictor::Median => left_by::<E>(data, row, pixel, |left, up, up_left| median(left, up, up_left)),
    }
}

/// What a prediction leaves that is made of the values to the left, above, and above to the left.
#[inline(always)]
fn left_by<E: Element>(data: &[u8], row: usize, pixel: usize, predict: impl Fn(E, E, E) -> E) -> Vec<u8> {
    let values = |bytes| <[u8]>::chunks_exact(bytes, E::SIZE).map(E::get);
    let mut out = vec![0; data.len()];
    // A row of zeros is above the first row, and a pixel of zeros to the left of each.
    let zeros = vec![0; row];
    let mut above = zeros.as_slice();
    for (row, out) in data.chunks_exact(row).zip(out.chunks_exact_mut(row)) {
        let places = [(0, &zeros[..pixel], &zeros[..pixel]), (pixel, row, above)];
        for (at, left, up_left) in places {
            let neighbours = values(left).zip(values(&above[at..])).zip(values(up_left));
            let here = out[at..].chunks_exact_mut(E::SIZE).zip(values(&row[at..]));
            for ((out, value), ((left, up), up_left)) in here.zip(neighbours) {
                value.minus(predict(left, up, up_left)).set(out);
            }
        }
        above = row;
    }
    out
}
