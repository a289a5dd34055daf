//! Sounds: samples without compression.

use std::borrow::Cow;

use crate::error::{Error, WarningKind};
use crate::reader::Reader;
use crate::texture::heap_size;

/// A sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Audio<'a> {
    /// Frames per second; 1 or more.
    pub sample_rate: u32,
    /// Samples in each frame; 1 or more.
    pub channels: u8,
    /// The samples, frame by frame. Their number is a multiple of `channels`.
    pub samples: Samples<'a>,
}

/// Samples, which `nbr` always writes as [`Samples::I16`].
#[derive(Clone, Debug, PartialEq)]
pub enum Samples<'a> {
    /// 0 to 255; 128 is silence.
    U8(Cow<'a, [u8]>),
    /// −32,768 to 32,767.
    I16(Vec<i16>),
    /// −1 to 1.
    F32(Vec<f32>),
}

impl<'a> Audio<'a> {
    pub(crate) fn parse(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let at = reader.position();
        let format = reader.u8("format")?;
        let sample = match format {
            0 => 1,
            1 => 2,
            2 => 4,
            _ => return Err(reader.invalid(at, "format", format, "0 (bytes), 1 (16 bits) or 2 (floats)")),
        };
        let at = reader.position();
        let sample_rate = reader.u32("sample rate")?;
        if sample_rate == 0 {
            return Err(reader.invalid(at, "sample rate", 0, "1 or more"));
        }
        let at = reader.position();
        let channels = reader.u8("channels")?;
        if channels == 0 {
            return Err(reader.invalid(at, "channels", 0, "1 or more"));
        }
        let frame = sample * u64::from(channels);
        let at = reader.position();
        let size = u64::from(reader.u32("size")?);
        let remaining = reader.remaining() as u64;
        // `nbr` writes the number of frames for sounds from .ogg, and then as many bytes. A file with all of them is read, too.
        let bytes = if size != remaining && size * frame == remaining {
            let text = format!("the size {size} counts frames of {frame} bytes; all {size} frames are read");
            reader.warn(WarningKind::AudioSize, at, "size", text);
            reader.take(remaining, "samples")?
        } else {
            let bytes = reader.take(size, "samples")?;
            let more = size % frame;
            if more != 0 {
                let text = format!(
                    "the size {size} is not a multiple of {frame}, the size of a frame; the sound is cut off, as `nbr` does it with .ogg files"
                );
                reader.warn(WarningKind::AudioSize, at, "size", text);
            }
            &bytes[..(size - more) as usize]
        };
        let samples = match format {
            0 => Samples::U8(bytes.into()),
            1 => Samples::I16(bytes.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect()),
            _ => Samples::F32(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()),
        };
        Ok(Self { sample_rate, channels, samples })
    }

    /// The number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.samples.len() / usize::from(self.channels.max(1))
    }
}

impl Samples<'_> {
    /// The number of samples of all channels.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::U8(samples) => samples.len(),
            Self::I16(samples) => samples.len(),
            Self::F32(samples) => samples.len(),
        }
    }

    /// Whether the sound has no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of a sample in bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match self {
            Self::U8(_) => 8,
            Self::I16(_) => 16,
            Self::F32(_) => 32,
        }
    }

    /// The samples as little-endian bytes, as WAV files have them.
    #[must_use]
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::U8(samples) => Cow::Borrowed(samples),
            Self::I16(samples) => samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
            Self::F32(samples) => samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
        }
    }

    pub(crate) fn heap_size(&self) -> usize {
        match self {
            Self::U8(samples) => heap_size(samples),
            Self::I16(samples) => samples.capacity() * 2,
            Self::F32(samples) => samples.capacity() * 4,
        }
    }
}
