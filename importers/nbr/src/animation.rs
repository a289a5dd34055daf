//! Animations: for each joint, keys of its position, rotation and scale.

use crate::error::Error;
use crate::reader::Reader;

/// Three counts, and one key of each sort.
const LEAST_TRACK: usize = 3 * 2 + (4 + 5 + 4) * 4;

/// Movements of the joints of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// The name; may be empty.
    pub name: String,
    /// A track for each joint of the skeleton, in the order of its joints. Which skeleton it is, the file does not say.
    pub tracks: Vec<Track>,
    /// The time of the last key, in seconds.
    pub duration: f32,
}

/// The movement of one joint. There is at least one key of each sort.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Positions relative to the parent. A tenth of the source, as are the positions of models.
    pub positions: Vec<Key<3>>,
    /// Rotations relative to the parent: quaternions x, y, z, w.
    pub rotations: Vec<Key<4>>,
    /// Scales.
    pub scales: Vec<Key<3>>,
}

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<const N: usize> {
    /// The time in seconds.
    pub time: f32,
    /// The value.
    pub value: [f32; N],
}

impl Animation {
    pub(crate) fn parse(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let name = reader.name(|| "name".to_owned())?;
        let count = usize::from(reader.u16("number of tracks")?);
        let mut tracks = Vec::with_capacity(reader.list(count, LEAST_TRACK, "tracks")?);
        for number in 0..count {
            tracks.push(Track::parse(reader).map_err(|error| error.within("tracks", number))?);
        }
        Ok(Self { name, tracks, duration: reader.f32("duration")? })
    }

    pub(crate) fn heap_size(&self) -> usize {
        let keys = self.tracks.iter().map(|track| {
            (track.positions.capacity() + track.scales.capacity()) * size_of::<Key<3>>()
                + track.rotations.capacity() * size_of::<Key<4>>()
        });
        self.name.capacity() + self.tracks.capacity() * size_of::<Track>() + keys.sum::<usize>()
    }
}

impl Track {
    fn parse(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            positions: keys(reader, "positions")?,
            rotations: keys(reader, "rotations")?,
            scales: keys(reader, "scales")?,
        })
    }
}

/// Reads a number of keys, and the keys: their values, then their time.
fn keys<const N: usize>(reader: &mut Reader<'_>, field: &str) -> Result<Vec<Key<N>>, Error> {
    let at = reader.position();
    let count = reader.u16(field)?;
    if count == 0 {
        return Err(reader.invalid(at, field, "0 keys", "1 or more"));
    }
    let key = (N + 1) * 4;
    let bytes = reader.take(u64::from(count) * key as u64, field)?;
    let float = |bytes: &[u8]| bytes.first_chunk().map_or(0.0, |bytes| f32::from_le_bytes(*bytes));
    let keys = bytes.chunks_exact(key).map(|key| Key {
        time: float(&key[N * 4..]),
        value: std::array::from_fn(|component| float(&key[component * 4..])),
    });
    Ok(keys.collect())
}
