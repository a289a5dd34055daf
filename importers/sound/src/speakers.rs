//! The places of the channels of a sound: as a codec has them, or as a WAV, a CAF or a QOA says it.
//!
//! Only what a file says counts. Readers guess places for more than two channels, and a mix would then lose some of them.

use symphonia::core::audio::{Channels, Position};

use super::aiff::u32_at;

/// The place of a channel, as far as mixing and loudness distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    Left,
    Right,
    /// In front, between left and right; also the only channel of a sound.
    Center,
    /// At the side or behind.
    LeftSurround,
    RightSurround,
    /// Behind, between both sides.
    BackCenter,
    /// Deep tones only.
    LowFrequency,
    /// Above, or between others.
    Elsewhere,
}

use Speaker::{BackCenter, Center, Elsewhere, Left, LeftSurround, LowFrequency, Right, RightSurround};

/// The layouts of a CAF that have a number, by that number without its lower half, which is the number of channels.
const LAYOUTS: [(u32, &[Speaker]); 13] = [
    (108, &[Left, Right, LeftSurround, RightSurround]),
    (113, &[Left, Right, Center]),
    (114, &[Center, Left, Right]),
    (115, &[Left, Right, Center, BackCenter]),
    (116, &[Center, Left, Right, BackCenter]),
    (117, &[Left, Right, Center, LeftSurround, RightSurround]),
    (118, &[Left, Right, LeftSurround, RightSurround, Center]),
    (119, &[Left, Center, Right, LeftSurround, RightSurround]),
    (120, &[Center, Left, Right, LeftSurround, RightSurround]),
    (121, &[Left, Right, Center, LowFrequency, LeftSurround, RightSurround]),
    (122, &[Left, Right, LeftSurround, RightSurround, Center, LowFrequency]),
    (123, &[Left, Center, Right, LeftSurround, RightSurround, LowFrequency]),
    (124, &[Center, Left, Right, LeftSurround, RightSurround, LowFrequency]),
];

/// The speakers of the channels in their order, as a decoder names them; `None` if the file does not say where they are.
pub(super) fn speakers(channels: &Channels) -> Option<Vec<Speaker>> {
    let positioned = match channels {
        Channels::Positioned(positions) => Some(positions.iter().map(speaker).collect()),
        _ => None,
    };
    few(channels.count()).or(positioned)
}

/// The speakers of one channel or of two, whose places everybody knows.
fn few(channels: usize) -> Option<Vec<Speaker>> {
    match channels {
        1 => Some(vec![Center]),
        2 => Some(vec![Left, Right]),
        _ => None,
    }
}

/// The speakers of a WAV, which names them by the bits of a mask, from the lowest on, or not at all.
pub(super) fn of_mask(channels: usize, mask: Option<u32>) -> Option<Vec<Speaker>> {
    let mask = mask.filter(|mask| mask.count_ones() as usize == channels);
    few(channels).or_else(|| Some(Position::from_wave_channel_mask(mask?)?.iter().map(speaker).collect()))
}

/// The speakers of a CAF by its chunk `chan`: a mask, a description of each channel, or a layout that has a number.
pub(super) fn of_caf(channels: usize, layout: Option<&[u8]>) -> Option<Vec<Speaker>> {
    const BY_DESCRIPTIONS: u32 = 0;
    const BY_MASK: u32 = 1 << 16;
    few(channels).or_else(|| {
        let layout = layout?;
        let found = match u32_at(layout, 0)? {
            BY_MASK => of_mask(channels, u32_at(layout, 4)),
            BY_DESCRIPTIONS => {
                let rows = layout.get(12..)?.as_chunks::<20>().0.iter().take(u32_at(layout, 8)? as usize);
                Some(rows.map(|row| labelled(u32_at(row, 0).unwrap_or_default())).collect())
            }
            number => LAYOUTS.iter().find(|(known, _)| *known == number >> 16).map(|(_, speakers)| speakers.to_vec()),
        };
        found.filter(|speakers| speakers.len() == channels)
    })
}

/// The speakers of a QOA, whose format has one order for each number of channels.
pub(super) fn of_qoa(channels: usize) -> Option<Vec<Speaker>> {
    let surround = [LeftSurround, RightSurround];
    Some(match channels {
        3 => vec![Left, Right, Center],
        4 => [&[Left, Right], &surround[..]].concat(),
        5 => [&[Left, Right, Center], &surround[..]].concat(),
        6 => [&[Left, Right, Center, LowFrequency], &surround[..]].concat(),
        7 => [&[Left, Right, Center, LowFrequency, BackCenter], &surround[..]].concat(),
        8 => [&[Left, Right, Center, LowFrequency], &surround[..], &surround].concat(),
        _ => return few(channels),
    })
}

fn speaker(position: Position) -> Speaker {
    match position {
        Position::FRONT_LEFT => Left,
        Position::FRONT_RIGHT => Right,
        Position::FRONT_CENTER => Center,
        Position::SIDE_LEFT | Position::REAR_LEFT => LeftSurround,
        Position::SIDE_RIGHT | Position::REAR_RIGHT => RightSurround,
        Position::REAR_CENTER => BackCenter,
        Position::LFE1 | Position::LFE2 => LowFrequency,
        _ => Elsewhere,
    }
}

/// The place that the label of a channel in a CAF means.
fn labelled(label: u32) -> Speaker {
    match label {
        1 => Left,
        2 => Right,
        3 => Center,
        4 | 37 => LowFrequency,
        5 | 10 | 33 => LeftSurround,
        6 | 11 | 34 => RightSurround,
        9 => BackCenter,
        _ => Elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wav_names_its_speakers_or_they_are_unknown() {
        let quad = Some(vec![Left, Right, LeftSurround, RightSurround]);
        assert_eq!(of_mask(4, Some(0x33)), quad);
        assert_eq!(of_mask(2, Some(0)), Some(vec![Left, Right]));
        for mask in [None, Some(0), Some(0x7), Some(0x3f)] {
            assert_eq!(of_mask(4, mask), None, "{mask:?}");
        }
    }

    #[test]
    fn a_caf_names_its_speakers_in_three_ways() {
        let layout = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<u8>>();
        let of = |channels, numbers: &[u32]| of_caf(channels, Some(&layout(numbers)));
        let quad = Some(vec![Left, Right, LeftSurround, RightSurround]);
        assert_eq!(of(4, &[1 << 16, 0x33, 0]), quad);
        assert_eq!(of(4, &[108 << 16 | 4, 0, 0]), quad);
        let described = [1, 2, 5, 6].map(|label| [label, 0, 0, 0, 0]).concat();
        assert_eq!(of(4, &[&[0, 0, 4], &described[..]].concat()), quad);
        // Too few descriptions, another number of channels, an unknown layout, no layout.
        assert_eq!(of(4, &[&[0, 0, 4], &described[..15]].concat()), None);
        assert_eq!(of(5, &[108 << 16 | 4, 0, 0]), None);
        assert_eq!(of(4, &[999 << 16 | 4, 0, 0]), None);
        assert_eq!((of(4, &[]), of_caf(4, None), of_caf(1, None)), (None, None, Some(vec![Center])));
        for (number, speakers) in LAYOUTS {
            assert_eq!(of(speakers.len(), &[number << 16 | speakers.len() as u32, 0, 0]).as_deref(), Some(speakers));
        }
    }
}
