//! What an MP4 states about the ends of its sound: an edit list, or the comment `iTunSMPB` of iTunes.
//!
//! Encoders of AAC add frames at both ends. Without the statement, they stay.

use super::aiff::u32_at;

/// The part of the decoded frames that is the sound.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Edit {
    /// Frames to leave out at the start.
    pub(super) skip: u64,
    /// The frames that follow; `None` for all of them.
    pub(super) frames: Option<u64>,
    /// The most frames that follow, by an edit list, whose unit may be longer than a frame.
    pub(super) most: Option<u64>,
}

impl Edit {
    /// Reads the edit of the only sound in a file at `rate`.
    pub(super) fn read(bytes: &[u8], rate: u32) -> Self {
        let comment = || Some(bytes.windows(8).position(|name| name == b"iTunSMPB")? + 8);
        if let Some(edit) = comment().and_then(|at| Self::of_comment(&bytes[at..])) {
            return edit;
        }
        let movie = child(bytes, b"moov").unwrap_or_default();
        let movie_ticks = child(movie, b"mvhd").and_then(ticks_per_second).filter(|ticks| *ticks > 0);
        let edit_of = |track: &[u8]| -> Option<Self> {
            let media = child(track, b"mdia")?;
            let is_sound = child(media, b"hdlr")?.get(8..12)? == b"soun";
            let ticks = ticks_per_second(child(media, b"mdhd")?)?;
            let (start, ticks_long) = edit(child(child(track, b"edts")?, b"elst")?)?;
            let most = ticks_long.zip(movie_ticks).map(|(long, ticks)| {
                // Programs round the length to ticks, which may be longer than a frame: down, too.
                let long = u128::from(long) + u128::from(ticks < rate);
                u64::try_from((long * u128::from(rate)).div_ceil(ticks.into())).unwrap_or(u64::MAX)
            });
            let skip = u128::from(start) * u128::from(rate) / u128::from(ticks.max(1));
            is_sound.then(|| Self { skip: u64::try_from(skip).unwrap_or(u64::MAX), frames: None, most })
        };
        boxes(movie).filter(|(name, _)| *name == b"trak").find_map(|(_, track)| edit_of(track)).unwrap_or_default()
    }

    /// Reads the text: a zero, the frames added at the start and at the end, and the frames of the sound, in hexadecimal digits.
    fn of_comment(text: &[u8]) -> Option<Self> {
        // A box with the value follows: its size, `data`, a type and a language.
        let value = text.get(..16)?.windows(4).position(|name| name == b"data")? + 12;
        let value = text.get(value..)?;
        let end = value.iter().position(|byte| *byte != b' ' && !byte.is_ascii_hexdigit()).unwrap_or(value.len());
        let text = str::from_utf8(&value[..end]).ok()?;
        let mut numbers = text.split_ascii_whitespace().skip(1).map(|digits| u64::from_str_radix(digits, 16).ok());
        let (skip, _, frames) = (numbers.next()??, numbers.next()??, numbers.next()??);
        (frames > 0).then_some(Self { skip, frames: Some(frames), most: None })
    }
}

/// Whether the configuration of AAC says that it is HE-AAC, by the mark of this statement and the bit after it; `None` if it says nothing.
pub(super) fn says_he_aac(config: &[u8]) -> Option<bool> {
    let at = config.windows(2).position(|mark| mark == [0x56, 0xe5])?;
    Some(config.get(at + 2)? & 0x80 != 0)
}

/// The names and bodies of boxes in a row.
fn boxes(mut rest: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let name = rest.get(4..)?.first_chunk()?;
        let (head, size) = match u32_at(rest, 0)? {
            // The size has 64 bits, or the box is the last.
            1 => (16, usize::try_from(u64::from_be_bytes(*rest.get(8..)?.first_chunk()?)).ok()?),
            0 => (8, rest.len()),
            size => (8, size as usize),
        };
        let body = rest.get(head..size)?;
        rest = &rest[size..];
        Some((name, body))
    })
}

fn child<'a>(body: &'a [u8], wanted: &[u8; 4]) -> Option<&'a [u8]> {
    boxes(body).find_map(|(name, body)| (name == wanted).then_some(body))
}

/// The unit of times of a track, from its `mdhd`, whose first times have 32 or 64 bits.
fn ticks_per_second(header: &[u8]) -> Option<u32> {
    u32_at(header, if *header.first()? == 1 { 20 } else { 12 })
}

/// The start of the first edit that is not a pause, and its length, unless others follow or nobody has set it.
fn edit(list: &[u8]) -> Option<(u64, Option<u64>)> {
    let count = u32_at(list, 4)? as usize;
    let is_long = *list.first()? == 1;
    let edit = |row: &[u8]| -> Option<(u64, u64)> {
        // The start of a pause is -1.
        let (length, start) = match is_long {
            true => (u64::from_be_bytes(*row.first_chunk()?), i64::from_be_bytes(*row.get(8..)?.first_chunk()?)),
            false => (u32_at(row, 0)?.into(), u32_at(row, 4)?.cast_signed().into()),
        };
        Some((u64::try_from(start).ok()?, length))
    };
    let rows = list.get(8..)?.chunks_exact(if is_long { 20 } else { 12 });
    let mut edits = rows.take(count).filter_map(edit);
    let (start, length) = edits.next()?;
    let unset = [0, u64::MAX, u32::MAX.into()];
    Some((start, Some(length).filter(|length| !unset.contains(length) && edits.next().is_none())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_of(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [&(body.len() as u32 + 8).to_be_bytes()[..], name, body].concat()
    }

    /// A track of this kind with a unit of times and an edit list.
    fn track(kind: &[u8; 4], ticks: u32, list: &[u8]) -> Vec<u8> {
        let mdhd = box_of(b"mdhd", &[&[0; 12][..], &ticks.to_be_bytes()].concat());
        let hdlr = box_of(b"hdlr", &[&[0; 8][..], kind].concat());
        let edts = box_of(b"edts", &box_of(b"elst", list));
        box_of(b"trak", &[edts, box_of(b"mdia", &[mdhd, hdlr].concat())].concat())
    }

    fn numbers(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
    }

    #[test]
    fn edit_lists_say_where_the_sound_starts() {
        let read = |tracks: Vec<u8>| Edit::read(&box_of(b"moov", &tracks), 44_100).skip;
        let list = numbers(&[0, 2, 100, u32::MAX, 0x1_0000, 500, 2048, 0x1_0000]);
        assert_eq!(read(track(b"soun", 44_100, &list)), 2048);
        assert_eq!(read(track(b"soun", 22_050, &list)), 4096);
        assert_eq!(
            read([track(b"vide", 90_000, &numbers(&[0, 1, 5, 7, 1])), track(b"soun", 44_100, &list)].concat()),
            2048
        );
        // Numbers of 64 bits.
        assert_eq!(read(track(b"soun", 44_100, &numbers(&[1 << 24, 1, 0, 9, 0, 1024, 1]))), 1024);
        assert_eq!(read(track(b"soun", 44_100, &numbers(&[0, 9]))), 0);
        assert_eq!(read(track(b"soun", 0, &numbers(&[0, 1, 5, 7, 1]))), 7 * 44_100);
    }

    #[test]
    fn an_edit_list_says_where_the_sound_ends() {
        let most = |movie_ticks: u32, list: &[u32]| {
            let mvhd = box_of(b"mvhd", &[&[0; 12][..], &movie_ticks.to_be_bytes(), &[0; 4]].concat());
            let movie = [mvhd, track(b"soun", 44_100, &numbers(list))].concat();
            Edit::read(&box_of(b"moov", &movie), 44_100).most
        };
        // A pause, then the sound.
        let list = [0, 2, 100, u32::MAX, 0x1_0000, 500, 2048, 0x1_0000];
        assert_eq!(most(44_100, &list), Some(500));
        // Milliseconds, to the end of the next one.
        assert_eq!(most(1000, &list), Some(22_095));
        assert_eq!(most(1000, &[1 << 24, 1, 0, 500, 0, 1024, 1]), Some(22_095));
        // Several parts, a length that is not set, no unit.
        assert_eq!(most(1000, &[0, 2, 100, 7, 0x1_0000, 500, 2048, 0x1_0000]), None);
        assert_eq!((most(1000, &[0, 1, 0, 7, 1]), most(0, &list)), (None, None));
        assert_eq!(most(1, &[1 << 24, 1, u32::MAX, 0, 0, 1024, 1]), Some(u64::MAX));
    }

    #[test]
    fn a_comment_of_itunes_says_both_ends() {
        let data = [&[0, 0, 0, 1, 0, 0, 0, 0][..], b" 00000000 00000840 000001CA 00000000003F31F6 00000000"].concat();
        let file = [&b"\0\0\0\x14name\0\0\0\0iTunSMPB"[..], &box_of(b"data", &data)].concat();
        assert_eq!(Edit::read(&file, 44_100), Edit { skip: 0x840, frames: Some(0x3f31f6), most: None });
        for len in 0..file.len() {
            let _ = Edit::read(&file[..len], 44_100);
        }
    }
}
