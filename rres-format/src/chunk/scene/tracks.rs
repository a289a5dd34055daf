//! Packed tracks of a SCNE chunk ↔ the keys of channels.
//!
//! A channel without keys has its keys in a track: whole numbers of a few bits, times a step that the track states. A rotation has
//! three of its four numbers; the fourth follows from them, since it is positive and the quaternion has length 1. The bits of a key are, from the
//! lowest on: how many times of the table are between it and the key before, which number of a rotation is left out if the keys
//! differ in that, and the numbers. Each track begins with a byte of its own.

use super::tables::Tables;
use super::{ChannelRecord, Interpolation, Property, SceneBlock, SceneView, Span, TrackRecord, part};
use crate::error::{Error, Result};
use crate::wire::Wire as _;

/// The most bits of a number: a float holds all of them.
pub const MAX_BITS: u8 = 24;

/// [`TrackRecord::left_out`] if each key says which number is left out.
pub const OF_KEY: u8 = 4;

/// [`TrackRecord::left_out`] if no number is.
pub const NOTHING: u8 = 5;

/// The most numbers that the tracks of a model have when they are unpacked: 1 GiB.
pub(super) const MAX_NUMBERS: u64 = 1 << 26;

/// A key of a track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrackKey {
    /// Which of the times of the track is its time.
    pub time: u32,
    /// Which number of a rotation is left out, 0 to 3. Of no meaning for other properties.
    pub left_out: u8,
    /// How many steps each number is above the lowest; the one that is left out has no meaning.
    pub steps: [u32; 4],
}

impl TrackRecord {
    /// Returns the value of a key. Rotations have four numbers, others three and 0.
    pub fn value(&self, key: &TrackKey) -> [f32; 4] {
        let mut value: [f32; 4] = core::array::from_fn(|i| self.lowest[i] + key.steps[i] as f32 * self.step);
        if self.left_out == NOTHING {
            value[3] = 0.0;
            return value;
        }
        let left_out = usize::from(if self.left_out == OF_KEY { key.left_out & 3 } else { self.left_out & 3 });
        value[left_out] = 0.0;
        let rest = 1.0 - value.iter().map(|number| number * number).sum::<f32>();
        value[left_out] = rest.max(0.0).sqrt();
        value
    }

    /// Returns the bits of each number of a key.
    fn widths(&self, left_out: u8) -> [u8; 4] {
        core::array::from_fn(|i| if self.left_out != NOTHING && i == usize::from(left_out) { 0 } else { self.bits[i] })
    }

    /// Which number is left out, and whether a key says so itself.
    fn fixed(&self) -> (u8, bool) {
        (if self.left_out == OF_KEY { 0 } else { self.left_out }, self.left_out == OF_KEY)
    }

    /// Returns the bytes of the keys.
    fn write(&self, keys: &[TrackKey]) -> Vec<u8> {
        let mut bits = BitWriter::default();
        let mut last = 0;
        for key in keys {
            bits.push(key.time - last, self.gap_bits);
            last = key.time;
            let (mut left_out, is_of_key) = self.fixed();
            if is_of_key {
                left_out = key.left_out & 3;
                bits.push(left_out.into(), 2);
            }
            for (number, width) in key.steps.into_iter().zip(self.widths(left_out)) {
                bits.push(number, width);
            }
        }
        bits.bytes
    }
}

/// The keys of a track, read one after another.
pub(super) struct Keys<'a> {
    record: TrackRecord,
    bits: BitReader<'a>,
    left: u32,
    time: u32,
}

impl<'a> Keys<'a> {
    pub(super) fn new(record: TrackRecord, bytes: &'a [u8]) -> Self {
        Self { record, bits: BitReader { bytes, at: 0 }, left: record.keys, time: 0 }
    }

    /// Returns how many bytes the keys had that were read.
    pub(super) fn bytes(&self) -> usize {
        self.bits.at.div_ceil(8)
    }

    /// Reads a key. `None` if the bytes end within it or its time is beyond 32 bits.
    fn key(&mut self) -> Option<TrackKey> {
        self.time = self.time.checked_add(self.bits.read(self.record.gap_bits)?)?;
        let (mut left_out, is_of_key) = self.record.fixed();
        if is_of_key {
            left_out = self.bits.read(2)? as u8;
        }
        let mut steps = [0; 4];
        for (number, width) in steps.iter_mut().zip(self.record.widths(left_out)) {
            *number = self.bits.read(width)?;
        }
        Some(TrackKey { time: self.time, left_out, steps })
    }
}

impl Iterator for Keys<'_> {
    type Item = Option<TrackKey>;

    fn next(&mut self) -> Option<Option<TrackKey>> {
        self.left = self.left.checked_sub(1)?;
        let key = self.key();
        if key.is_none() {
            self.left = 0;
        }
        Some(key)
    }
}

#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that the last byte has no place for.
    rest: u32,
}

impl BitWriter {
    fn push(&mut self, number: u32, width: u8) {
        for bit in 0..width {
            if self.rest == 0 {
                self.bytes.push(0);
                self.rest = 8;
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> bit & 1) as u8) << (8 - self.rest);
            }
            self.rest -= 1;
        }
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn read(&mut self, width: u8) -> Option<u32> {
        let mut number = 0u64;
        let (mut have, width) = (0, usize::from(width));
        while have < width {
            let byte = *self.bytes.get(self.at / 8)?;
            let used = self.at % 8;
            let take = (8 - used).min(width - have);
            number |= (u64::from(byte) >> used & ((1 << take) - 1)) << have;
            have += take;
            self.at += take;
        }
        Some(number as u32)
    }
}

/// The keys of the channels that tracks have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnpackedTracks {
    /// Each channel, with its times and its values in the numbers.
    pub channels: Vec<(u32, Span, Span)>,
    /// Times and values as [`ChannelRecord`] has them.
    pub numbers: Vec<f32>,
}

impl ChannelRecord {
    /// Whether its keys are in a track.
    pub fn is_packed(&self) -> bool {
        self.times.count == 0 && self.values.count == 0
    }
}

impl SceneView<'_> {
    /// Unpacks all tracks. Without tracks this is empty.
    ///
    /// ```
    /// use rres_format::chunk::PayloadView;
    /// use rres_format::chunk::scene::{SceneBlock, SceneView};
    ///
    /// let block = SceneBlock::default().block()?;
    /// let scene = SceneView::parse(PayloadView::parse(&block)?)?;
    /// assert!(scene.unpack_tracks().channels.is_empty());
    /// # Ok::<(), rres_format::Error>(())
    /// ```
    pub fn unpack_tracks(&self) -> UnpackedTracks {
        let times = |span| part(self.sections[21], span).unwrap_or_default().chunks_exact(4).map(f32::get).collect();
        unpack(self.tracks(), self.channels(), times, self.sections[22])
    }
}

fn unpack(
    tracks: impl Iterator<Item = TrackRecord>,
    channels: impl Iterator<Item = ChannelRecord>,
    times_of: impl Fn(Span) -> Vec<f32>,
    mut bytes: &[u8],
) -> UnpackedTracks {
    let mut unpacked = UnpackedTracks::default();
    let packed = (0..).zip(channels).filter(|(_, channel)| channel.is_packed());
    // That there is a track for each of these channels was checked.
    // Tracks of a clip share their times.
    let (mut of, mut times) = (None, Vec::new());
    for (record, (number, channel)) in tracks.zip(packed) {
        if of != Some(record.times) {
            times = times_of(record.times);
            of = Some(record.times);
        }
        let mut keys = Keys::new(record, bytes);
        let first = unpacked.numbers.len();
        let mut values = Vec::new();
        for key in keys.by_ref().flatten() {
            unpacked.numbers.push(times.get(key.time as usize).copied().unwrap_or_default());
            values.extend(record.value(&key).into_iter().take(channel.components as usize));
        }
        bytes = bytes.get(keys.bytes()..).unwrap_or_default();
        let span = |first: usize, count: usize| Span { first: first as u32, count: count as u32 };
        let count = unpacked.numbers.len() - first;
        unpacked.channels.push((number, span(first, count), span(first + count, values.len())));
        unpacked.numbers.append(&mut values);
    }
    unpacked
}

impl SceneBlock {
    /// Adds the track of a channel that has no keys. Tracks are added in the order of their channels; `record.channel` is the number of it, and
    /// `record.keys` is set here.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if there are more than 2³² − 1 keys; [`Error::Inconsistent`] if times descend or a number has more bits than
    /// the record says.
    pub fn push_track(&mut self, record: TrackRecord, keys: &[TrackKey]) -> Result<()> {
        let fits = |number: u32, width: u8| u64::from(number) < 1u64 << width;
        let mut last = 0;
        for key in keys {
            let gap = key.time.checked_sub(last).filter(|gap| fits(*gap, record.gap_bits));
            let widths = record.widths(if record.left_out == OF_KEY { key.left_out & 3 } else { record.left_out });
            let is_left_out = |i: usize| record.left_out != NOTHING && widths[i] == 0;
            let has_room = (0..4).all(|i| is_left_out(i) || fits(key.steps[i], widths[i]));
            if gap.is_none() || !has_room {
                return Err(Error::inconsistent("track of a model", format!("{key:?} does not fit {record:?}")));
            }
            last = key.time;
        }
        let record = TrackRecord { keys: super::count(keys.len())?, ..record };
        self.track_bytes.append(&mut record.write(keys));
        self.tracks.push(record);
        Ok(())
    }

    /// Replaces tracks by the keys that they stand for, for programs that read channels alone. Without tracks this does nothing.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if there are more than 2³² − 1 numbers.
    pub fn unpack_tracks(&mut self) -> Result<()> {
        let all = &self.track_times;
        let times = |span: Span| {
            let all = all.iter().skip(span.first as usize).take(span.count as usize);
            all.copied().collect()
        };
        let tracks = self.tracks.iter().copied();
        let UnpackedTracks { channels, numbers } =
            unpack(tracks, self.channels.iter().copied(), times, &self.track_bytes);
        let first = self.push_numbers(numbers)?.first;
        for (number, times, values) in channels {
            let moved = |span: Span| Span { first: span.first + first, ..span };
            if let Some(channel) = self.channels.get_mut(number as usize) {
                (channel.times, channel.values) = (moved(times), moved(values));
            }
        }
        self.tracks.clear();
        self.track_times.clear();
        self.track_bytes.clear();
        Ok(())
    }
}

/// Checks that there is exactly one track for each channel without keys, and every key.
pub(super) fn check(view: &SceneView<'_>) -> Result<()> {
    let mut packed = (0u32..).zip(view.channels()).filter(|(_, channel)| channel.is_packed());
    let mut bytes = view.sections[22];
    let mut tables = Tables::new(view.track_times().len());
    let mut numbers = 0u64;
    for (i, record) in view.tracks().enumerate() {
        let Some((_, channel)) = packed.next().filter(|(number, _)| *number == record.channel) else {
            return Err(wrong(i, format!("is of channel {}, which is not the next one without keys", record.channel)));
        };
        check_record(i, &record, &channel)?;
        let Some(times) = part(view.sections[21], record.times) else {
            let Span { first, count } = record.times;
            return Err(wrong(i, format!("has {count} times from {first} on, of {}", view.track_times().len())));
        };
        if tables.is_new(record.times).map_err(|()| wrong(i, "shares a part of the times of another one".to_owned()))? {
            check_times(i, times)?;
        }
        // Before anything of that size is allocated.
        numbers += u64::from(record.keys) * (1 + u64::from(channel.components));
        if numbers > MAX_NUMBERS {
            return Err(Error::LimitExceeded {
                what: "numbers in tracks of a model",
                value: numbers,
                limit: MAX_NUMBERS,
                help: "split the model",
            });
        }
        let mut keys = Keys::new(record, bytes);
        for (at, key) in keys.by_ref().enumerate() {
            let Some(key) = key else { return Err(wrong(i, format!("ends within key {at}, of {}", record.keys))) };
            if key.time >= record.times.count {
                let detail = format!("has key {at} at time {}, but only {} times", key.time, record.times.count);
                return Err(wrong(i, detail));
            }
        }
        bytes = bytes.get(keys.bytes()..).unwrap_or_default();
    }
    if let Some((number, _)) = packed.next() {
        return Err(Error::inconsistent("scenes of a model", format!("channel {number} has no keys and no track")));
    }
    match bytes.len() {
        0 => Ok(()),
        left => Err(Error::inconsistent("scenes of a model", format!("{left} bytes after the last track"))),
    }
}

fn check_record(i: usize, record: &TrackRecord, channel: &ChannelRecord) -> Result<()> {
    let TrackRecord { keys, step, lowest, bits, gap_bits, left_out, reserved, .. } = *record;
    let ChannelRecord { property, interpolation, .. } = *channel;
    let is_known = matches!(property, Property::TRANSLATION | Property::ROTATION | Property::SCALE)
        && matches!(interpolation, Interpolation::STEP | Interpolation::LINEAR);
    if !is_known {
        return Err(wrong(i, format!("is of a channel of {property}, {interpolation}")));
    }
    let is_rotation = property == Property::ROTATION;
    if keys == 0 || !(1..=32).contains(&gap_bits) || bits.iter().any(|bits| *bits > MAX_BITS) || reserved != [0; 2] {
        return Err(wrong(i, format!("has {keys} keys of {bits:?} bits, {gap_bits} for the time, and {reserved:?}")));
    }
    if (left_out <= OF_KEY) != is_rotation || left_out > NOTHING {
        return Err(wrong(i, format!("leaves out number {left_out} of its {property}")));
    }
    let highest = |i: usize| lowest[i] + ((1u32 << bits[i]) - 1) as f32 * step;
    let is_finite = (0..4).all(|i| lowest[i].is_finite() && highest(i).is_finite());
    if !is_finite || !step.is_finite() || step < 0.0 {
        return Err(wrong(i, format!("has numbers from {lowest:?} on in steps of {step}")));
    }
    Ok(())
}

fn check_times(i: usize, times: &[u8]) -> Result<()> {
    let mut last = f32::NEG_INFINITY;
    for (at, time) in times.chunks_exact(4).map(f32::get).enumerate() {
        if !time.is_finite() || time < last {
            return Err(wrong(i, format!("has time {at} at {time} s, after {last} s")));
        }
        last = time;
    }
    Ok(())
}

fn wrong(number: usize, why: String) -> Error {
    Error::inconsistent("scenes of a model", format!("track {number} {why}"))
}

#[cfg(test)]
mod tests;
