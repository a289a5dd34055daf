//! A block → whether filters will surely not bring it below a size, in a small part of the time that filtering takes.
//!
//! Of a photo that is kept as a JPEG, the pixels are filtered only to learn that the file is smaller.

use rres_codec::{Filter, Map, Predictor};

use super::frames::Frames;
use super::layout::{Numbers, Region, layout};
use crate::fourcc::FourCc;

/// How often the forecast must exceed the size. No filter and no level makes up for that.
const MARGIN: u64 = 2;

/// What is compressed to less than one part in as many is flat.
const FLAT: u64 = 16;

/// Places of a picture that are looked at.
const PLACES: usize = 3;

/// About the bytes of a place.
const PLACE: usize = 16 << 10;

/// Whether the block will take more than `limit` bytes. If in doubt, it will not.
pub(super) fn exceeds(kind: FourCc, block: &[u8], limit: usize, frames: &mut dyn Frames) -> Result<bool, String> {
    let Some((start, regions)) = layout(kind, block) else { return Ok(false) };
    // Levels are sorted: the first is most of the block.
    let Some(region) = regions.first().filter(|region| region.numbers == Numbers::Channels && region.size > 0) else {
        return Ok(false);
    };
    let (mut looked_at, mut size) = (0, 0);
    for place in places(&block[start..][..region.size], region) {
        let mut sizes = Vec::new();
        for filter in filters(region) {
            let coded = filter.apply(place, region.width);
            sizes.extend(coded.map(|coded| frames.estimate(&coded)).transpose()?);
        }
        looked_at += place.len() as u64;
        size += sizes.into_iter().min().unwrap_or(0) as u64;
    }
    // Flat pictures and patterns become smaller the more of them is compressed at once.
    if size * FLAT < looked_at {
        return Ok(false);
    }
    let whole = size * region.size as u64 / looked_at.max(1);
    Ok(whole > MARGIN * limit as u64)
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
