//! A block → sections, each with the filter that makes it smallest.

use rres_codec::{Coder, Filter, Map, Predictor, encode_samples, palette, write};

use super::forecast::Forecast;
use super::frames::Frames;
use super::layout::{Numbers, Region, layout};
use super::sample::sample;
use crate::fourcc::FourCc;

/// Bytes of a section, unless a row is longer. A section and what it is decoded from fit into the second cache of a processor.
const SECTION: usize = 256 << 10;

/// Bytes of a section whose pixels become indices of a palette: its coded form is a quarter of it or less, and pictures of few colours repeat
/// themselves at distances that are longer than a section.
const INDEXED_SECTION: usize = 4 << 20;

/// A block as sections.
#[derive(Debug)]
pub(in crate::codec) struct Sections {
    /// The sections; `None` if they would take more bytes than were allowed.
    pub(in crate::codec) bytes: Option<Vec<u8>>,
    /// Whether zstd without filters may be smaller: what repeats itself over more than a section is not a picture of nature, and
    /// then its sections have no predictor. Of samples nothing tells.
    pub(in crate::codec) is_doubtful: bool,
}

/// Compresses a block of a chunk of kind `kind` to at most `limit` bytes; `None` if it has no layout that filters know. `is_fast`: with LZ4,
/// and with filters that cost little time to undo.
pub(in crate::codec) fn compress(
    kind: FourCc,
    block: &[u8],
    frames: &mut dyn Frames,
    is_fast: bool,
    limit: usize,
) -> Result<Option<Sections>, String> {
    #[cfg(not(feature = "lz4"))]
    let _ = is_fast;
    let Some((start, regions)) = layout(kind, block) else { return Ok(None) };
    let (head, mut data) = block.split_at(start);
    let mut out = Vec::new();
    let mut is_doubtful = regions.iter().any(|region| region.numbers != Numbers::Channels);
    write::stored(head, &mut out);
    for (number, region) in regions.into_iter().enumerate() {
        let (bytes, rest) = data.split_at(region.size);
        data = rest;
        let row = region.width * region.pixel;
        if region.numbers == Numbers::Samples {
            write_samples(bytes, region.pixel / 2, frames, limit, &mut out)?;
            continue;
        }
        // A line without rows is cut anywhere between pixels.
        let is_line = row == region.size;
        let unit = if is_line { region.pixel } else { row };
        let width_of = |section: &[u8]| if is_line { section.len() / region.pixel } else { region.width };
        // Levels are sorted: the first is most of the block.
        let forecast = match number == 0 && !is_fast && limit < block.len() / 2 {
            true => Forecast::new(bytes, &region, limit, frames)?,
            false => Forecast::default(),
        };
        let mut rest = bytes;
        // Up to where indices have been tried for a large section, and another filter was better.
        let mut tried = bytes.len();
        while !rest.is_empty() {
            if out.len() + forecast.rest(bytes.len() - rest.len()) > limit {
                return Ok(Some(Sections { bytes: None, is_doubtful }));
            }
            let start = |size: usize| &rest[..rest.len().min((size / unit).max(1) * unit)];
            let mut section = start(SECTION);
            #[cfg(feature = "lz4")]
            if is_fast {
                super::choose_fast::write_section(&region, section, width_of(section), &mut out);
                rest = &rest[section.len()..];
                continue;
            }
            let large = start(INDEXED_SECTION);
            let is_larger = region.numbers == Numbers::Channels && large.len() > section.len() && rest.len() <= tried;
            let indexed = match is_larger && palette(large, region.pixel).is_some() {
                true => best_filter(&region, large, width_of(large), frames)?,
                false => None,
            };
            let filter = match indexed.filter(|filter| matches!(filter.map, Map::Palette { .. })) {
                Some(filter) => {
                    section = large;
                    Some(filter)
                }
                None => {
                    if is_larger {
                        tried = rest.len() - large.len();
                    }
                    best_filter(&region, section, width_of(section), frames)?
                }
            };
            is_doubtful |= write_section(filter, section, width_of(section), frames, &mut out)? == Predictor::None;
            rest = &rest[section.len()..];
        }
    }
    if !data.is_empty() {
        write::stored(data, &mut out);
    }
    let bytes = (out.len() <= limit).then_some(out);
    Ok(Some(Sections { bytes, is_doubtful }))
}

/// Writes 16-bit samples, unless there are more than `limit` bytes.
fn write_samples(
    bytes: &[u8],
    channels: usize,
    frames: &mut dyn Frames,
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let samples: Vec<i16> = bytes.as_chunks::<2>().0.iter().map(|sample| i16::from_le_bytes(*sample)).collect();
    let count = samples.len() / channels;
    let section = SECTION / 2 / channels;
    for start in (0..count).step_by(section) {
        if out.len() > limit {
            break;
        }
        let end = count.min(start + section);
        let encoded = encode_samples(&samples, channels, start, end);
        let mut content = encoded.start;
        content.extend(frames.frame(&encoded.highs, true)?);
        let plain = &bytes[start * channels * 2..end * channels * 2];
        match content.len() < plain.len() {
            true => write::samples(channels, end - start, &content, out),
            false => write::stored(plain, out),
        }
    }
    Ok(())
}

/// The filter that makes a section smallest.
fn best_filter(
    region: &Region,
    section: &[u8],
    width: usize,
    frames: &mut dyn Frames,
) -> Result<Option<Filter>, String> {
    let (sample, sample_width) = sample(section, width, region.pixel);
    // Channels are most of a pack, and estimates order their filters well. Of the rest they do not, and it is little.
    let is_exact = region.numbers != Numbers::Channels;
    let mut best: Option<(usize, Filter)> = None;
    for filter in candidates(region, section) {
        // A map that suits the sample need not suit the section, and the section may have more colours.
        let is_whole = is_exact || !filter.map.is_in_place();
        let (data, width) = if is_whole { (section, width) } else { (sample, sample_width) };
        let Some(coded) = filter.apply(data, width) else { continue };
        let mut size = match is_exact {
            true => frames.frame(&coded, filter.predictor != Predictor::None)?.len(),
            false => frames.estimate(&coded)?,
        };
        if is_whole {
            size = (size as u64 * sample.len() as u64 / section.len() as u64) as usize;
        }
        if best.is_none_or(|(smallest, _)| size < smallest) {
            best = Some((size, filter));
        }
    }
    Ok(best.map(|(_, filter)| filter))
}

/// Writes a section with a filter, if that makes it smaller, and returns the predictor.
fn write_section(
    filter: Option<Filter>,
    section: &[u8],
    width: usize,
    frames: &mut dyn Frames,
    out: &mut Vec<u8>,
) -> Result<Predictor, String> {
    if let Some(filter) = filter
        && let Some(coded) = filter.apply(section, width)
    {
        let rows = section.len() / (width * filter.map.pixel());
        let frame = frames.frame(&coded, filter.predictor != Predictor::None)?;
        if frame.len() < section.len() {
            write::filtered(filter, Coder::Zstd, width, rows, &frame, out);
            return Ok(filter.predictor);
        }
    }
    write::stored(section, out);
    Ok(Predictor::None)
}

/// The filters that are worth trying, the simplest first.
fn candidates(region: &Region, section: &[u8]) -> Vec<Filter> {
    let pixel = region.pixel;
    let Ok(same) = u8::try_from(pixel).map(Map::Same) else { return Vec::new() };
    let filter = |map, predictor, planes| Filter { map, predictor, element: region.element as u8, planes };
    let mut filters = vec![filter(same, Predictor::None, false)];
    let mut add = |map, element, list: &[(Predictor, bool)]| {
        filters.extend(list.iter().map(|(predictor, planes)| Filter {
            map,
            predictor: *predictor,
            element,
            planes: *planes,
        }));
    };
    use Predictor::{Average, Left, Linear, Median, None, Up};
    match region.numbers {
        Numbers::Channels => {
            if let Some((colors, _)) = palette(section, pixel).filter(|_| pixel <= 4) {
                let colors = (colors.len() / pixel) as u16;
                add(Map::Palette { pixel: pixel as u8, colors }, 1, &[(None, false)]);
            }
            add(same, 1, &[(Left, true), (Median, true)]);
            if pixel >= 3 {
                let map = Map::MinusGreen(pixel as u8);
                add(map, 1, &[(None, true), (Average, true), (Median, true)]);
            } else {
                add(same, 1, &[(Average, true), (Up, true)]);
            }
        }
        Numbers::Floats => {
            if pixel.is_multiple_of(4) && pixel <= 64 {
                let list = [(None, true), (Left, true), (Median, true)];
                add(Map::Unit16((pixel / 4) as u8), 2, &list);
                if pixel == 12 {
                    add(Map::Radiance, 1, &list);
                }
            }
            add(same, 4, &[(None, true), (Left, true)]);
        }
        Numbers::Integers => add(same, region.element as u8, &[(None, true), (Left, true), (Linear, true)]),
        Numbers::Samples | Numbers::Records => add(same, region.element as u8, &[(None, true), (Left, true)]),
    }
    filters
}
