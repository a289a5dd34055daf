//! What a game wants to know of an asset and rres has no field for.

use crate::open_enum::open_enum;
use crate::wire::{u16_at, u32_at};

open_enum! {
    /// What a record says. Each value is little-endian.
    pub struct MetaKey(u16);
    /// How an image is sampled between pixels: `u32`, 0 linear, 1 nearest.
    FILTER = 1, "filter";
    /// How an image is sampled beyond its edges: `u32`, 0 clamp, 1 repeat, 2 mirror.
    WRAP = 2, "wrap";
    /// What an image's numbers mean: `u32`, 0 sRGB, 1 linear.
    COLOR_SPACE = 3, "color space";
    /// Whether colours are multiplied with alpha: `u32`, 0 or 1.
    PREMULTIPLIED = 4, "premultiplied";
    /// How much louder a sound is played: `f32`, decibels.
    GAIN = 10, "gain";
    /// Whether a sound repeats: `u32`, 0 or 1.
    LOOP = 11, "loop";
    /// Frames per second of a sound kept in its source form: `u32`.
    SAMPLE_RATE = 12, "sample rate";
    /// Channels of a sound kept in its source form: `u32`.
    CHANNELS = 13, "channels";
    /// Frames of a sound kept in its source form: `u32`, low and high half.
    FRAMES_LOW = 14, "frames, low half";
    /// See [`Self::FRAMES_LOW`].
    FRAMES_HIGH = 15, "frames, high half";
    /// Pixels from the top of a line of text to its baseline, first strike: `f32`.
    ASCENT = 20, "ascent";
    /// Pixels from one baseline to the next, first strike: `f32`.
    LINE_HEIGHT = 21, "line height";
}

/// Records of one resource, to be written: `u16` key, `u16` 4, value. Keys ascend, each occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta(Vec<(MetaKey, u32)>);

impl Meta {
    /// Adds or replaces a record.
    pub fn set(&mut self, key: MetaKey, value: u32) {
        match self.0.binary_search_by_key(&key, |record| record.0) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => self.0.insert(i, (key, value)),
        }
    }

    /// Adds or replaces a record that holds an `f32`.
    pub fn set_f32(&mut self, key: MetaKey, value: f32) {
        self.set(key, value.to_bits());
    }

    /// The value of `key`.
    pub fn get(&self, key: MetaKey) -> Option<u32> {
        self.0.iter().find(|record| record.0 == key).map(|record| record.1)
    }

    /// The records, ascending by key.
    pub fn records(&self) -> &[(MetaKey, u32)] {
        &self.0
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for (key, value) in &self.0 {
            out.extend_from_slice(&key.0.to_le_bytes());
            out.extend_from_slice(&4u16.to_le_bytes());
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// Borrowed records of one resource. Records that do not fit, or of another size than 4, are passed over: a later
/// version may write them.
#[derive(Clone, Copy, Debug)]
pub struct MetaView<'a>(&'a [u8]);

impl<'a> MetaView<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The records.
    pub fn records(&self) -> impl Iterator<Item = (MetaKey, u32)> + use<'a> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            loop {
                let head = rest.get(..4)?;
                let len = usize::from(u16_at(head, 2));
                let value = rest.get(4..4 + len)?;
                rest = &rest[4 + len..];
                if len == 4 {
                    return Some((MetaKey(u16_at(head, 0)), u32_at(value, 0)));
                }
            }
        })
    }

    /// The value of `key`.
    pub fn get(&self, key: MetaKey) -> Option<u32> {
        self.records().find(|record| record.0 == key).map(|record| record.1)
    }

    /// The value of `key`, as an `f32`.
    pub fn get_f32(&self, key: MetaKey) -> Option<f32> {
        self.get(key).map(f32::from_bits)
    }

    /// An owned copy.
    pub fn to_meta(&self) -> Meta {
        let mut meta = Meta::default();
        for (key, value) in self.records() {
            meta.set(key, value);
        }
        meta
    }
}
