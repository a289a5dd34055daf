//! Animations: keys over time, and the values between them.

use rres_format::chunk::scene::{Interpolation, Property};

use super::numbers::Numbers;

/// An animation: how properties of nodes change over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    pub(super) name: Box<str>,
    pub(super) channels: Vec<Channel>,
}

/// How one property of one node changes over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    pub(super) node: u32,
    pub(super) property: Property,
    pub(super) interpolation: Interpolation,
    pub(super) components: usize,
    pub(super) times: Numbers,
    pub(super) values: Numbers,
}

/// The value of a property at some time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Sample {
    /// Translation.
    Translation([f32; 3]),
    /// Rotation: a unit quaternion x, y, z, w.
    Rotation([f32; 4]),
    /// Scale.
    Scale([f32; 3]),
    /// The weight of each morph target.
    Weights(Vec<f32>),
}

impl Animation {
    /// Returns its name; empty if the source file has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Returns the time of the last key in seconds.
    pub fn duration(&self) -> f32 {
        self.channels.iter().filter_map(|channel| channel.times.last().copied()).fold(0.0, f32::max)
    }
}

impl Channel {
    /// Returns the index of the node in [`Model::all_nodes`](super::Model::all_nodes).
    pub fn node(&self) -> u32 {
        self.node
    }

    /// Returns the property that changes.
    pub fn property(&self) -> Property {
        self.property
    }

    /// Returns what is between two keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Returns how many numbers a value has: 3, 4 for rotations, the number of morph targets for weights.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Returns the times of the keys in seconds, ascending. There is at least one.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Returns the values of the keys. With [`Interpolation::CUBIC`] each key has three: the tangent before it, the value,
    /// the tangent after it.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Returns the value at a time in seconds. Before the first key it is the value of the first key, after the last key the value of the last.
    ///
    /// ```
    /// use rres_runtime::asset::model::{Animation, Sample};
    ///
    /// fn heights(jump: &Animation, time: f32) -> Vec<f32> {
    ///     let samples = jump.channels().iter().map(|channel| channel.sample(time));
    ///     samples.filter_map(|sample| if let Sample::Translation([_, y, _]) = sample { Some(y) } else { None }).collect()
    /// }
    /// ```
    pub fn sample(&self, time: f32) -> Sample {
        let mut value = vec![0.0; self.components];
        self.sample_into(time, &mut value);
        match (self.property, &value[..]) {
            (Property::TRANSLATION, &[x, y, z]) => Sample::Translation([x, y, z]),
            (Property::SCALE, &[x, y, z]) => Sample::Scale([x, y, z]),
            (Property::ROTATION, &[x, y, z, w]) => Sample::Rotation([x, y, z, w]),
            _ => Sample::Weights(value),
        }
    }

    /// Writes the value at a time into `out`, which has [`Self::components`] numbers. It allocates nothing.
    pub fn sample_into(&self, time: f32, out: &mut [f32]) {
        let last = self.times.len().saturating_sub(1);
        let after = self.times.partition_point(|key| *key <= time);
        let key = after.saturating_sub(1).min(last);
        out.iter_mut().zip(self.value(key)).for_each(|(slot, number)| *slot = *number);
        if after == 0 || after > last || self.interpolation == Interpolation::STEP {
            return;
        }
        let length = self.times[after] - self.times[key];
        let at = (time - self.times[key]) / length;
        match self.interpolation {
            Interpolation::CUBIC => self.cubic(key, at, length, out),
            _ if self.property == Property::ROTATION => slerp(out, self.value(after), at),
            _ => out.iter_mut().zip(self.value(after)).for_each(|(from, to)| *from += (to - *from) * at),
        }
        if self.property == Property::ROTATION {
            normalize(out);
        }
    }

    /// One of the three parts of a key with tangents, or the value of a key without.
    fn part(&self, key: usize, part: usize) -> &[f32] {
        let of_key = if self.interpolation == Interpolation::CUBIC { 3 } else { 1 };
        self.values.chunks_exact(self.components.max(1)).nth(key * of_key + part).unwrap_or_default()
    }

    fn value(&self, key: usize) -> &[f32] {
        self.part(key, usize::from(self.interpolation == Interpolation::CUBIC))
    }

    /// The Hermite spline of glTF: `out` has the value of the key.
    fn cubic(&self, key: usize, t: f32, length: f32, out: &mut [f32]) {
        let (t2, t3) = (t * t, t * t * t);
        let (leave, to, arrive) = (self.part(key, 2), self.part(key + 1, 1), self.part(key + 1, 0));
        for (((out, leave), to), arrive) in out.iter_mut().zip(leave).zip(to).zip(arrive) {
            *out = (2.0 * t3 - 3.0 * t2 + 1.0) * *out
                + length * (t3 - 2.0 * t2 + t) * leave
                + (3.0 * t2 - 2.0 * t3) * to
                + length * (t3 - t2) * arrive;
        }
    }
}

/// Turns `from` towards `to` on the shortest arc.
fn slerp(from: &mut [f32], to: &[f32], at: f32) {
    let dot: f32 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    // A quaternion and its negative are the same rotation.
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = dot.abs().min(1.0).acos();
    let sine = angle.sin();
    // Almost equal rotations: the straight line is as good, and needs no division by almost nothing.
    let (a, b) = match sine > 1e-4 {
        true => (((1.0 - at) * angle).sin() / sine, (at * angle).sin() / sine),
        false => (1.0 - at, at),
    };
    from.iter_mut().zip(to).for_each(|(from, to)| *from = *from * a + to * b * sign);
}

fn normalize(quaternion: &mut [f32]) {
    let length = quaternion.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        quaternion.iter_mut().for_each(|x| *x /= length);
    }
}

#[cfg(test)]
mod tests;
