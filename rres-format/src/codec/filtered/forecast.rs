//! A block → how many bytes it will surely take with filters, in a small part of the time that filtering takes.
//!
//! Of a photo that is kept as a JPEG, the pixels are filtered only to learn that the file is smaller.

use rres_codec::{Filter, Map, Predictor};

use super::frames::Frames;
use super::layout::{Numbers, Region};

/// How often the forecast must exceed a size. No filter and no level makes up for that.
const MARGIN: u64 = 2;

/// What is compressed to less than one part in as many is flat.
const FLAT: u64 = 16;

/// Places of a picture that are looked at, each for an equal part of it.
const PLACES: usize = 3;

/// About the bytes of a place.
const PLACE: usize = 16 << 10;

/// The least that the parts of a picture will take.
#[derive(Debug, Default)]
pub(super) struct Forecast {
    /// Bytes of each part before they are compressed.
    part: u64,
    /// Bytes that each part will take; 0 in doubt.
    least: [u64; PLACES],
}

impl Forecast {
    /// Looks at the pixels of a region, until they will surely take more than `limit` bytes.
    pub(super) fn new(pixels: &[u8], region: &Region, limit: usize, frames: &mut dyn Frames) -> Result<Self, String> {
        let mut forecast = Self { part: (pixels.len() / PLACES) as u64, ..Self::default() };
        if region.numbers != Numbers::Channels || pixels.is_empty() {
            return Ok(forecast);
        }
        let (mut looked_at, mut size) = (0, 0);
        for (number, place) in places(pixels, region).enumerate() {
            let mut sizes = Vec::new();
            for filter in filters(region) {
                let coded = filter.apply(place, region.width);
                sizes.extend(coded.map(|coded| frames.estimate(&coded)).transpose()?);
            }
            let smallest = sizes.into_iter().min().unwrap_or(0) as u64;
            forecast.least[number] = smallest * forecast.part / place.len() as u64 / MARGIN;
            (looked_at, size) = (place.len() as u64 * PLACES as u64, size + smallest);
            let is_flat = size * FLAT < looked_at;
            if !is_flat && forecast.least.iter().sum::<u64>() > limit as u64 {
                return Ok(forecast);
            }
        }
        // Flat pictures and patterns become smaller the more of them is compressed at once.
        Ok(if size * FLAT < looked_at { Self::default() } else { forecast })
    }

    /// The least that the pixels from this byte on will take.
    pub(super) fn rest(&self, from: usize) -> usize {
        let parts = (0..).zip(self.least).filter(|_| self.part > 0);
        let rest = parts.map(|(part, least)| {
            let passed = (from as u64).saturating_sub(self.part * part).min(self.part);
            least * (self.part - passed) / self.part
        });
        rest.sum::<u64>() as usize
    }
}

/// Some rows of different parts of a picture.
fn places<'a>(picture: &'a [u8], region: &Region) -> impl Iterator<Item = &'a [u8]> + use<'a> {
    let row = region.width * region.pixel;
    let rows = picture.len() / row;
    let taken = (PLACE / row).clamp(1, rows.div_ceil(PLACES));
    (1..=PLACES).filter_map(move |place| {
        picture.get((rows * place / (PLACES + 1)).min(rows - taken) * row..)?.get(..taken * row)
    })
}

/// The filters that most sections of pictures end with.
fn filters(region: &Region) -> Vec<Filter> {
    let Ok(pixel) = u8::try_from(region.pixel) else { return Vec::new() };
    let (same, element) = (Map::Same(pixel), region.element as u8);
    let green = if pixel >= 3 { Map::MinusGreen(pixel) } else { same };
    vec![
        Filter { map: same, predictor: Predictor::None, element, planes: false },
        Filter { map: same, predictor: Predictor::Left, element: 1, planes: true },
        Filter { map: green, predictor: Predictor::Median, element: 1, planes: true },
    ]
}
