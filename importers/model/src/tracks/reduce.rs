//! One channel within a tolerance of its own: which keys are kept, and how many bits their numbers have.

use std::borrow::Cow;

use rres_format::chunk::scene::{Interpolation, MAX_STEPS, NOTHING, OF_KEY, Property, TrackKey, TrackRecord};

use super::curve::{Curve, Value, between, difference, normalized};

/// The parts of the tolerance that the bits of numbers may take. The rest is for keys that are left out. The smallest result is taken.
const SHARES: [f64; 4] = [0.15, 0.3, 0.5, 0.9];

/// A number of a rotation is left out of all keys if it is nowhere smaller than this. It follows from the others less exactly, the smaller it is.
const LEAST_LEFT_OUT: f64 = 0.25;

/// A channel that differs from the one of the file.
pub(super) struct Reduced {
    /// What a program reads.
    pub(super) curve: Curve<'static>,
    /// How it is packed, except for the number of the channel; times are keys of the file. `None` for a value that does not change.
    pub(super) track: Option<(TrackRecord, Vec<TrackKey>)>,
}

/// Makes a channel that differs by at most `tolerance` at each key: a distance, or an angle in radians. `None` if that takes more bits than a
/// track has.
pub(super) fn reduce(curve: &Curve<'_>, tolerance: f64) -> Option<Reduced> {
    let keys: Vec<Value> = (0..curve.times.len()).map(|key| curve.key(key)).collect();
    let first = *keys.first()?;
    if keys.iter().all(|value| difference(curve.property, first, *value) <= tolerance) {
        let values = curve.values.iter().take(curve.components).copied().collect();
        return Some(Reduced { curve: of_keys(curve, vec![curve.times[0]], values), track: None });
    }
    let candidates = SHARES.into_iter().filter_map(|share| {
        let (record, numbers) = quantize(curve.property, &keys, tolerance * share)?;
        let stored: Vec<Value> = numbers.iter().map(|key| record.value(key).map(f64::from)).collect();
        let kept = match curve.interpolation {
            Interpolation::STEP => of_steps(curve.property, &keys, &stored, tolerance),
            _ => of_lines(curve, &keys, &stored, tolerance),
        }?;
        let keys: Vec<TrackKey> = kept.iter().map(|key| numbers[*key]).collect();
        Some((record.packed_size(&keys), record, keys))
    });
    let (_, record, keys) = candidates.min_by_key(|(size, ..)| *size)?;
    let times = keys.iter().map(|key| curve.times[key.time as usize]).collect();
    let values = keys.iter().flat_map(|key| record.value(key).into_iter().take(curve.components)).collect();
    Some(Reduced { curve: of_keys(curve, times, values), track: Some((record, keys)) })
}

fn of_keys(curve: &Curve<'_>, times: Vec<f32>, values: Vec<f32>) -> Curve<'static> {
    let Curve { property, interpolation, components, .. } = *curve;
    Curve { property, interpolation, components, times: Cow::Owned(times), values: Cow::Owned(values) }
}

/// The numbers of all keys in bits, so that a value differs by about `error` at most.
fn quantize(property: Property, keys: &[Value], error: f64) -> Option<(TrackRecord, Vec<TrackKey>)> {
    let is_rotation = property == Property::ROTATION;
    // Half a step on each of three axes; an angle is twice the difference of the quaternions, to which the number that is left out adds.
    let step = (error / 3f64.sqrt() * if is_rotation { 0.75 } else { 2.0 }) as f32;
    if !(step > 0.0 && step.is_finite()) {
        return None;
    }
    let mut keys = keys.to_vec();
    let mut record = TrackRecord { step, left_out: NOTHING, ..TrackRecord::default() };
    let mut left_out = vec![NOTHING; keys.len()];
    if is_rotation {
        keys.iter_mut().for_each(|key| *key = normalized(*key));
        let least = |i: usize| keys.iter().map(|key| key[i].abs()).fold(f64::INFINITY, f64::min);
        let (best, least) = largest([0, 1, 2, 3].map(least));
        record.left_out = if least >= LEAST_LEFT_OUT { best as u8 } else { OF_KEY };
        for (key, left_out) in keys.iter_mut().zip(&mut left_out) {
            *left_out = if record.left_out == OF_KEY { largest(key.map(f64::abs)).0 as u8 } else { record.left_out };
            if key[usize::from(*left_out)] < 0.0 {
                *key = key.map(|number| -number);
            }
        }
    }
    for i in 0..4 {
        let of_keys = keys.iter().zip(&left_out).filter(|(_, left_out)| usize::from(**left_out) != i);
        let numbers = of_keys.map(|(key, _)| key[i]);
        let first = numbers.clone().next().unwrap_or_default();
        let (low, high) = numbers.fold((first, first), |(low, high), x| (low.min(x), high.max(x)));
        if (high - low) / f64::from(step) > f64::from(MAX_STEPS - 1) {
            return None;
        }
        // In what does not change, the middle is nearest to all. What changes is near the first number at the first key.
        record.base[i] = if high - low < f64::from(step) { (low + high) / 2.0 } else { first } as f32;
    }
    let numbers = (0..).zip(keys).zip(left_out).map(|((time, key), left_out)| {
        let steps = |i: usize| ((key[i] - f64::from(record.base[i])) / f64::from(step)).round() as i32;
        TrackKey {
            time,
            left_out,
            steps: std::array::from_fn(|i| if usize::from(left_out) == i { 0 } else { steps(i) }),
        }
    });
    let numbers = numbers.collect();
    Some((record, numbers))
}

/// The position of the largest number, and the number.
fn largest(numbers: [f64; 4]) -> (usize, f64) {
    let mut best = 0;
    for i in 1..4 {
        if numbers[i] > numbers[best] {
            best = i;
        }
    }
    (best, numbers[best])
}

/// The keys that are kept so that lines between them differ by at most the tolerance at each key. The first and the last one are.
fn of_lines(curve: &Curve<'_>, keys: &[Value], stored: &[Value], tolerance: f64) -> Option<Vec<usize>> {
    let is_near = |at: usize, value: Value| difference(curve.property, keys[at], value) <= tolerance;
    if !(0..keys.len()).all(|key| is_near(key, stored[key])) {
        return None;
    }
    let seconds = |key: usize| f64::from(curve.times[key]);
    let reaches = |from: usize, to: usize| {
        let length = seconds(to) - seconds(from);
        to == from + 1
            || length > 0.0
                && (from + 1..to).all(|key| {
                    let at = (seconds(key) - seconds(from)) / length;
                    is_near(key, between(curve.property, stored[from], stored[to], at))
                })
    };
    let last = keys.len() - 1;
    let mut kept = vec![0];
    let mut from = 0;
    while from < last {
        // Twice as far each time, then the middle of what was reached and what was not.
        let (mut reached, mut length) = (from + 1, 2);
        let mut beyond = last + 1;
        while from + length <= last {
            if !reaches(from, from + length) {
                beyond = from + length;
                break;
            }
            reached = from + length;
            length *= 2;
        }
        while reached + 1 < beyond {
            let middle = reached.midpoint(beyond);
            match reaches(from, middle) {
                true => reached = middle,
                false => beyond = middle,
            }
        }
        kept.push(reached);
        from = reached;
    }
    Some(kept)
}

/// The keys that are kept so that each key is near the one kept before it.
fn of_steps(property: Property, keys: &[Value], stored: &[Value], tolerance: f64) -> Option<Vec<usize>> {
    let is_near = |at: usize, value: Value| difference(property, keys[at], value) <= tolerance;
    let mut kept: Vec<usize> = Vec::new();
    for key in 0..keys.len() {
        let holds = kept.last().is_some_and(|last| is_near(key, stored[*last]));
        if !holds || key + 1 == keys.len() {
            if !is_near(key, stored[key]) {
                return None;
            }
            kept.push(key);
        }
    }
    Some(kept)
}
