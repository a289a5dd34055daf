//! Packed tracks of a SCNE chunk ↔ the keys of channels.
//!
//! A channel without keys has its keys in a track: whole numbers, times a step that the track states, above or below a base. A rotation has
//! three of its four numbers; the fourth follows from them, since it is positive and the quaternion has length 1.

mod coding;
#[cfg(test)]
mod tests;

use self::coding::{Keys, MAX_CODE, MAX_PREDICTOR};
use super::tables::Tables;
use super::{ChannelRecord, Interpolation, Property, SceneBlock, SceneView, Span, TrackRecord, part};
use crate::error::{Error, Result};
use crate::wire::Wire as _;

/// The most steps that a number is above or below the base: a float holds all of them.
pub const MAX_STEPS: i32 = 1 << 24;

/// [`TrackRecord::left_out`] if each key says which number is left out.
pub const OF_KEY: u8 = 4;

/// [`TrackRecord::left_out`] if no number is.
pub const NOTHING: u8 = 5;

/// The most numbers that the tracks of a model have when they are unpacked: 256 MiB.
pub(super) const MAX_NUMBERS: u64 = 1 << 26;

/// A key of a track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrackKey {
    /// Which of the times of the track is its time.
    pub time: u32,
    /// Which number of a rotation is left out, 0 to 3. Of no meaning for other properties.
    pub left_out: u8,
    /// How many steps each number is above the base, negative if it is below; the one that is left out has no meaning.
    pub steps: [i32; 4],
}

impl TrackRecord {
    /// Returns the value of a key. Rotations have four numbers, others three and 0.
    pub fn value(&self, key: &TrackKey) -> [f32; 4] {
        let mut value: [f32; 4] = core::array::from_fn(|i| self.base[i] + key.steps[i] as f32 * self.step);
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

    /// Returns how many bytes a track of these keys takes, with its record. [`u64::MAX`] if [`SceneBlock::push_track`] refuses the keys.
    pub fn packed_size(&self, keys: &[TrackKey]) -> u64 {
        if find_wrong(keys).is_some() {
            return u64::MAX;
        }
        Self::SIZE as u64 + self.with_codes(keys).1.div_ceil(8)
    }
}

/// Returns a key that no track can have.
fn find_wrong(keys: &[TrackKey]) -> Option<&TrackKey> {
    let mut next = 0;
    keys.iter().find(|key| {
        let is_right = key.time >= next && key.time < u32::MAX;
        next = key.time.saturating_add(1);
        !is_right || key.steps.iter().any(|steps| steps.unsigned_abs() > MAX_STEPS.unsigned_abs())
    })
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
        let time = |at: u64| {
            let one = u32::try_from(at).ok().and_then(|first| part(self.sections[21], Span { first, count: 1 }));
            one.map(f32::get).unwrap_or_default()
        };
        unpack(self.tracks(), self.channels(), time, self.sections[22])
    }

    /// The bytes of the numbers that [`Self::unpack_tracks`] returns.
    pub fn unpacked_tracks_size(&self) -> u64 {
        let packed = self.channels().filter(ChannelRecord::is_packed);
        self.tracks().zip(packed).map(|(track, channel)| 4 * numbers(&track, &channel)).sum()
    }
}

fn unpack(
    tracks: impl Iterator<Item = TrackRecord>,
    channels: impl Iterator<Item = ChannelRecord>,
    time: impl Fn(u64) -> f32,
    mut bytes: &[u8],
) -> UnpackedTracks {
    let mut unpacked = UnpackedTracks::default();
    let packed = (0..).zip(channels).filter(|(_, channel)| channel.is_packed());
    // That there is a track for each of these channels was checked.
    for (record, (number, channel)) in tracks.zip(packed) {
        let mut keys = Keys::new(record, bytes);
        let first = unpacked.numbers.len();
        let mut values = Vec::new();
        for key in keys.by_ref().flatten() {
            unpacked.numbers.push(time(u64::from(record.times.first) + u64::from(key.time)));
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
    /// Adds the track of a channel that has no keys. Tracks are added in the order of their channels; `record.channel` is the number of it.
    /// The number of keys, the predictors and the codes of the record are set here, so that the keys take few bytes.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if there are more than 2³² − 1 keys; [`Error::Inconsistent`] if times do not ascend or a number is more than
    /// [`MAX_STEPS`] from the base.
    pub fn push_track(&mut self, record: TrackRecord, keys: &[TrackKey]) -> Result<()> {
        if let Some(key) = find_wrong(keys) {
            return Err(Error::inconsistent("track of a model", format!("{key:?} does not fit")));
        }
        let (record, _) = TrackRecord { keys: super::count(keys.len())?, ..record }.with_codes(keys);
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
        let time = |at: u64| usize::try_from(at).ok().and_then(|at| all.get(at)).copied().unwrap_or_default();
        let tracks = self.tracks.iter().copied();
        let UnpackedTracks { channels, numbers } =
            unpack(tracks, self.channels.iter().copied(), time, &self.track_bytes);
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
    let mut sum = 0u64;
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
        sum += numbers(&record, &channel);
        if sum > MAX_NUMBERS {
            return Err(Error::LimitExceeded {
                what: "numbers in tracks of a model",
                value: sum,
                limit: MAX_NUMBERS,
                help: "split the model",
            });
        }
        let mut keys = Keys::new(record, bytes);
        for (at, key) in keys.by_ref().enumerate() {
            let Some(key) = key else {
                return Err(wrong(
                    i,
                    format!("ends in key {at} of {}, or has it too far from the last one", record.keys),
                ));
            };
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

/// How many times and values the keys of a track have.
fn numbers(record: &TrackRecord, channel: &ChannelRecord) -> u64 {
    u64::from(record.keys) * (1 + u64::from(channel.components))
}

fn check_record(i: usize, record: &TrackRecord, channel: &ChannelRecord) -> Result<()> {
    let TrackRecord { keys, step, base, codes, time_code, left_out, predictors, reserved, .. } = *record;
    let ChannelRecord { property, interpolation, .. } = *channel;
    let is_known = matches!(property, Property::TRANSLATION | Property::ROTATION | Property::SCALE)
        && matches!(interpolation, Interpolation::STEP | Interpolation::LINEAR);
    if !is_known {
        return Err(wrong(i, format!("is of a channel of {property}, {interpolation}")));
    }
    let is_rotation = property == Property::ROTATION;
    let has_codes = codes.into_iter().chain([time_code]).all(|code| code <= MAX_CODE);
    if keys == 0 || !has_codes || predictors.iter().any(|predictor| *predictor > MAX_PREDICTOR) || reserved != [0; 2] {
        let coding = format!("codes {codes:?} and {time_code}, predictors {predictors:?} and {reserved:?}");
        return Err(wrong(i, format!("has {keys} keys in {coding}")));
    }
    if (left_out <= OF_KEY) != is_rotation || left_out > NOTHING {
        return Err(wrong(i, format!("leaves out number {left_out} of its {property}")));
    }
    let is_finite = |base: &f32| (base.abs() + MAX_STEPS as f32 * step).is_finite();
    if !base.iter().all(is_finite) || step < 0.0 {
        return Err(wrong(i, format!("has numbers around {base:?} in steps of {step}")));
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
