//! A section → the filter that makes it small and costs little time to undo, and LZ4.

use rres_codec::lz4::{self, Effort};
use rres_codec::{Coder, Filter, Map, Predictor, palette, write};

use super::layout::{Numbers, Region};
use super::sample::sample;

/// Writes a section with the filter that makes it smallest; but a filter that reads each byte once more must save a seventh.
pub(super) fn write_section(region: &Region, section: &[u8], width: usize, out: &mut Vec<u8>) {
    let rows = section.len() / (width * region.pixel);
    let (sample, sample_width) = sample(section, width, region.pixel);
    let mut best: Option<(usize, Filter)> = None;
    for filter in candidates(region, section) {
        // The section may have more colours than the sample, and a map that suits the sample need not suit it.
        let is_whole = !filter.map.is_in_place();
        let (data, width) = if is_whole { (section, width) } else { (sample, sample_width) };
        let Some(mapped) = filter.apply(data, width) else { continue };
        let mut cost = lz4::compress(&mapped, Effort::ESTIMATE).len();
        if is_whole {
            cost = (cost as u64 * sample.len() as u64 / section.len() as u64) as usize;
        }
        if filter.predictor != Predictor::None || filter.planes {
            cost += cost / 6;
        }
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, filter));
        }
    }
    let coded =
        best.and_then(|(_, filter)| Some((filter, lz4::compress(&filter.apply(section, width)?, Effort::BEST))));
    // Copying is faster than decoding what saves little.
    let is_smaller = |coded: &[u8]| coded.len() <= section.len() - section.len() / 16;
    match coded.filter(|(_, coded)| is_smaller(coded)) {
        Some((filter, coded)) => write::filtered(filter, Coder::Lz4, width, rows, &coded, out),
        None => write::stored(section, out),
    }
}

/// The filters that are worth trying, the fastest first.
fn candidates(region: &Region, section: &[u8]) -> Vec<Filter> {
    let pixel = region.pixel;
    let Ok(same) = u8::try_from(pixel).map(Map::Same) else { return Vec::new() };
    let filter = |map, predictor, element, planes| Filter { map, predictor, element, planes };
    let mut filters = vec![filter(same, Predictor::None, 1, false)];
    match region.numbers {
        Numbers::Channels => {
            if let Some((colors, _)) = palette(section, pixel).filter(|_| pixel <= 4) {
                let colors = (colors.len() / pixel) as u16;
                filters.push(filter(Map::Palette { pixel: pixel as u8, colors }, Predictor::None, 1, false));
            }
            let map = if pixel >= 3 { Map::MinusGreen(pixel as u8) } else { same };
            filters.push(filter(map, Predictor::Up, 1, false));
        }
        Numbers::Floats => {
            if pixel.is_multiple_of(4) && pixel <= 64 {
                let map = Map::Unit16((pixel / 4) as u8);
                filters.extend([filter(map, Predictor::None, 1, false), filter(map, Predictor::Up, 2, false)]);
            }
            if pixel == 12 {
                filters.push(filter(Map::Radiance, Predictor::None, 1, false));
            }
            filters.push(filter(same, Predictor::None, 1, true));
        }
        Numbers::Integers => {
            let element = region.element as u8;
            filters.extend([filter(same, Predictor::None, 1, true), filter(same, Predictor::Left, element, true)]);
        }
        Numbers::Samples | Numbers::Records => filters.push(filter(same, Predictor::None, 1, true)),
    }
    filters
}
