//! The samples of a sound in each form that packs can store, and as `f32`.

use std::borrow::Cow;

/// The samples of a sound, interleaved: one for each channel, then the next frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Samples<'a> {
    /// Unsigned; silence is 128.
    U8(&'a [u8]),
    /// Signed.
    I16(&'a [i16]),
    /// From -1 to 1.
    F32(&'a [f32]),
    /// An audio file that is not decoded.
    Encoded {
        /// Its extension with the dot, as written: `.ogg`.
        extension: &'a str,
        /// The contents of the file.
        bytes: &'a [u8],
    },
}

impl<'a> Samples<'a> {
    /// Returns the samples as floats from -1 to 1, without a copy if they are stored so; `None` for an encoded file.
    ///
    /// ```
    /// use rres_runtime::asset::Samples;
    ///
    /// assert_eq!(Samples::I16(&[0, i16::MIN, 16_384]).to_f32().as_deref(), Some(&[0.0, -1.0, 0.5][..]));
    /// assert_eq!(Samples::Encoded { extension: ".ogg", bytes: b"OggS" }.to_f32(), None);
    /// ```
    pub fn to_f32(self) -> Option<Cow<'a, [f32]>> {
        Some(match self {
            Self::U8(samples) => samples.iter().map(|sample| of_u8(*sample)).collect(),
            Self::I16(samples) => samples.iter().map(|sample| of_i16(*sample)).collect(),
            Self::F32(samples) => Cow::Borrowed(samples),
            Self::Encoded { .. } => return None,
        })
    }

    /// Returns the number of samples, in all channels; 0 for an encoded file.
    pub(super) fn len(self) -> usize {
        match self {
            Self::U8(samples) => samples.len(),
            Self::I16(samples) => samples.len(),
            Self::F32(samples) => samples.len(),
            Self::Encoded { .. } => 0,
        }
    }

    /// Converts the samples from `start` on into `out`, and returns how many there were.
    pub(super) fn read_f32(self, start: usize, out: &mut [f32]) -> usize {
        match self {
            Self::U8(samples) => convert(samples, start, out, of_u8),
            Self::I16(samples) => convert(samples, start, out, of_i16),
            Self::F32(samples) => convert(samples, start, out, |sample| sample),
            Self::Encoded { .. } => 0,
        }
    }
}

fn convert<T: Copy>(samples: &[T], start: usize, out: &mut [f32], to_f32: impl Fn(T) -> f32) -> usize {
    let samples = samples.get(start..).unwrap_or_default();
    out.iter_mut().zip(samples).for_each(|(out, sample)| *out = to_f32(*sample));
    samples.len().min(out.len())
}

pub(super) fn of_u8(sample: u8) -> f32 {
    (f32::from(sample) - 128.0) / 128.0
}

pub(super) fn of_i16(sample: i16) -> f32 {
    f32::from(sample) / 32_768.0
}
