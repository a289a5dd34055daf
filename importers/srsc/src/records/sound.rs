//! Sounds.
//!
//! | field | |
//! |---|---|
//! | string name | |
//! | `u32` flags | 4 flush, 8 loop |
//! | `u16` channels, `u16` bits, `u32` rate | 1 or 2; 8 or 16; in hertz |
//! | `i32` volume | in hundredths of a decibel |
//! | `f32` drop-off, `u32` priority | 0 to 30; 0 to 10 |
//! | `u32` size of the samples, `u32` level | in bytes; 0 to 9 |
//! | `u32` size of the data, data | zlib; with level 0 the samples follow without a size |

use std::borrow::Cow;

use crate::body::Body;
use crate::checks::Notes;
use crate::error::{Fault, Problem};
use crate::inflate;
use crate::limits::Limits;
use crate::text::Text;

/// The flags of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SoundFlags(pub u32);

impl SoundFlags {
    /// The sound is dropped from memory after it was played.
    pub const FLUSH: Self = Self(0x04);
    /// The sound is played in a loop.
    pub const LOOP: Self = Self(0x08);

    /// Whether all flags of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A sound: its head, and its samples as they are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The flags.
    pub flags: SoundFlags,
    /// 1 for mono, 2 for stereo.
    pub channels: u16,
    /// Bits of a sample: 8, without a sign, or 16, with one.
    pub bits: u16,
    /// Frames per second.
    pub rate: u32,
    /// The volume in hundredths of a decibel; 0 is full volume.
    pub volume: i32,
    /// How fast it fades with distance, 0 to 30. The unit is unknown.
    pub drop_off: f32,
    /// How important it is, 0 to 10.
    pub priority: u32,
    /// The size of the samples in bytes.
    pub size: u32,
    /// The level of compression, 0 to 9. The data of level 0 is not compressed.
    pub level: u32,
    /// The samples as they are stored.
    pub data: Cow<'a, [u8]>,
}

impl<'a> Sound<'a> {
    pub(super) fn parse(body: &mut Body<'a>, notes: &mut Notes<'_>) -> Result<Self, Fault> {
        let name = body.text("name", notes)?;
        let flags = SoundFlags(body.u32("flags")?);
        let at = body.at();
        let (channels, bits, rate) = (body.u16("channels")?, body.u16("bits")?, body.u32("rate")?);
        if !matches!(channels, 1 | 2) {
            return Err(Fault::invalid("channels", at, channels, "1 or 2"));
        }
        if !matches!(bits, 8 | 16) {
            return Err(Fault::invalid("bits", at + 2, bits, "8 or 16"));
        }
        if rate == 0 {
            return Err(Fault::invalid("rate", at + 4, rate, "at least 1"));
        }
        let volume = body.i32("volume")?;
        let drop_off = body.f32("drop-off")?;
        let priority = body.u32("priority")?;
        let at = body.at();
        let size = body.u32("size")?;
        let limit = notes.limits.sound_size;
        if u64::from(size) > limit {
            return Err(Fault::new("size", at, Problem::TooLarge { found: size.into(), limit }));
        }
        let frame = u32::from(channels * bits / 8);
        if size % frame != 0 {
            return Err(Fault::invalid("size", at, size, format!("a multiple of {frame}, the bytes of a frame")));
        }
        let level = body.u32("level")?;
        if level > 9 {
            notes.warn(Fault::invalid("level", at + 4, level, "0 to 9"))?;
        }
        let len = if level > 0 { body.u32("data size")? } else { size };
        let data = body.take(len.into(), "data")?.into();
        Ok(Self { name, flags, channels, bits, rate, volume, drop_off, priority, size, level, data })
    }

    /// Returns the samples as PCM: interleaved with the left channel first, 8 bits without a sign or 16 bits with one,
    /// little-endian.
    ///
    /// # Errors
    /// If the data cannot be decompressed, or does not become exactly [`Self::size`] bytes.
    pub fn pcm(&self, limits: &Limits) -> Result<Cow<'_, [u8]>, Fault> {
        // The data starts after the name, the fields, and the size of compressed data.
        let name = self.name.bytes().len().next_multiple_of(2);
        let offset = 2 + name + 32 + if self.level > 0 { 4 } else { 0 };
        let size = u64::from(self.size);
        if size > limits.sound_size {
            return Err(Fault::new("size", offset, Problem::TooLarge { found: size, limit: limits.sound_size }));
        }
        match self.level {
            0 => Ok(Cow::Borrowed(&self.data)),
            _ => inflate::exact(&self.data, size, "data", offset).map(Cow::Owned),
        }
    }

    /// Returns the number of frames: samples of each channel.
    pub fn frames(&self) -> u32 {
        self.size / u32::from(self.channels * self.bits / 8)
    }

    /// Returns the factor that the volume means: 1 for 0, 0.5012 for -600.
    pub fn gain(&self) -> f64 {
        10f64.powf(f64::from(self.volume) / 2000.0)
    }

    /// Returns the volume in decibels.
    pub fn decibels(&self) -> f64 {
        f64::from(self.volume) / 100.0
    }

    /// Whether the sound is played in a loop.
    pub fn is_looped(&self) -> bool {
        self.flags.contains(SoundFlags::LOOP)
    }
}
