//! The values of a channel over time, as the runtime computes them, in 64 bits.

use std::borrow::Cow;

use rres_format::chunk::scene::{Interpolation, Property};

/// The keys of a channel that moves a node.
#[derive(Clone)]
pub(super) struct Curve<'n> {
    pub(super) property: Property,
    pub(super) interpolation: Interpolation,
    /// Seconds, ascending; at least one.
    pub(super) times: Cow<'n, [f32]>,
    /// As many numbers a key as `components` says, three times as many with cubic interpolation.
    pub(super) values: Cow<'n, [f32]>,
    pub(super) components: usize,
}

/// A value: three numbers and 0, or a quaternion.
pub(super) type Value = [f64; 4];

impl Curve<'_> {
    /// The value of a key.
    pub(super) fn key(&self, key: usize) -> Value {
        self.part(key, usize::from(self.interpolation == Interpolation::CUBIC))
    }

    fn part(&self, key: usize, part: usize) -> Value {
        let of_key = if self.interpolation == Interpolation::CUBIC { 3 } else { 1 };
        let numbers = self.values.iter().skip((key * of_key + part) * self.components).take(self.components);
        let mut value = [0.0; 4];
        value.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = f64::from(*number));
        value
    }

    /// The value at a time.
    pub(super) fn at(&self, time: f64) -> Value {
        let last = self.times.len() - 1;
        let after = self.times.partition_point(|key| f64::from(*key) <= time);
        let key = after.saturating_sub(1).min(last);
        let value = self.key(key);
        if after == 0 || after > last || self.interpolation == Interpolation::STEP {
            return value;
        }
        let (from, to) = (f64::from(self.times[key]), f64::from(self.times[after]));
        let at = (time - from) / (to - from);
        if self.interpolation == Interpolation::CUBIC {
            return self.cubic(key, at, to - from);
        }
        between(self.property, value, self.key(after), at)
    }

    /// The Hermite spline of glTF.
    fn cubic(&self, key: usize, t: f64, length: f64) -> Value {
        let (t2, t3) = (t * t, t * t * t);
        let parts = [(key, 1), (key, 2), (key + 1, 1), (key + 1, 0)].map(|(key, part)| self.part(key, part));
        let value = std::array::from_fn(|i| {
            (2.0 * t3 - 3.0 * t2 + 1.0) * parts[0][i]
                + length * (t3 - 2.0 * t2 + t) * parts[1][i]
                + (3.0 * t2 - 2.0 * t3) * parts[2][i]
                + length * (t3 - t2) * parts[3][i]
        });
        if self.property == Property::ROTATION { normalized(value) } else { value }
    }
}

/// The value between two keys of a line, or of the shortest arc.
pub(super) fn between(property: Property, from: Value, to: Value, at: f64) -> Value {
    if property != Property::ROTATION {
        return std::array::from_fn(|i| from[i] + (to[i] - from[i]) * at);
    }
    let dot: f64 = (0..4).map(|i| from[i] * to[i]).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = libm::acos(dot.abs().min(1.0));
    let sine = libm::sin(angle);
    let (a, b) = match sine > 1e-4 {
        true => (libm::sin((1.0 - at) * angle) / sine, libm::sin(at * angle) / sine),
        false => (1.0 - at, at),
    };
    normalized(std::array::from_fn(|i| from[i] * a + to[i] * b * sign))
}

pub(super) fn normalized(quaternion: Value) -> Value {
    let length = super::transform::length(&quaternion);
    if length > 0.0 { quaternion.map(|number| number / length) } else { quaternion }
}

/// How far two values are from each other: a distance, or an angle in radians.
pub(super) fn difference(property: Property, a: Value, b: Value) -> f64 {
    if property != Property::ROTATION {
        return super::transform::length(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]]);
    }
    // A quaternion and its negative are the same rotation.
    let sign = if (0..4).map(|i| a[i] * b[i]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    2.0 * super::transform::length(&[a[0] - b[0] * sign, a[1] - b[1] * sign, a[2] - b[2] * sign, a[3] - b[3] * sign])
}
