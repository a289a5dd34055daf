//! The forms of decoded samples, and single samples as bytes of a form.

/// The form of a decoded sample, as WAVE chunks store it; its number is the size in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u32)]
pub enum SampleForm {
    /// Unsigned; silence is 128.
    U8 = 8,
    /// Signed, little-endian.
    I16 = 16,
    /// From -1 to 1, little-endian.
    F32 = 32,
}

impl SampleForm {
    /// Returns the form of samples of this many bits, or `None` if no decoder makes them.
    pub const fn from_number(bits: u32) -> Option<Self> {
        match bits {
            8 => Some(Self::U8),
            16 => Some(Self::I16),
            32 => Some(Self::F32),
            _ => None,
        }
    }

    /// Returns the name that settings use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::F32 => "f32",
        }
    }

    /// Returns the number of bytes.
    pub const fn size(self) -> usize {
        self as usize / 8
    }

    /// Appends a sample in this form, rounded to the nearest and clamped. A float stays as it is.
    pub fn push(self, sample: f32, out: &mut Vec<u8>) {
        match self {
            Self::U8 => out.push(unsigned(sample.into())),
            Self::I16 => out.extend(signed(sample).to_le_bytes()),
            Self::F32 => out.extend(sample.to_le_bytes()),
        }
    }
}

/// Appends samples of 16 bits in a form.
#[cfg(any(feature = "opus", feature = "qoa"))]
pub(crate) fn append_i16(samples: &[i16], form: SampleForm, out: &mut Vec<u8>) {
    match form {
        SampleForm::U8 => out.extend(samples.iter().map(|v| (((i32::from(*v) + 128) >> 8) + 128).min(255) as u8)),
        SampleForm::I16 => out.extend(samples.iter().flat_map(|v| v.to_le_bytes())),
        SampleForm::F32 => out.extend(samples.iter().flat_map(|v| (f32::from(*v) / 32_768.0).to_le_bytes())),
    }
}

// The casts clamp, and convert NaN to 0.

pub(crate) fn unsigned(v: f64) -> u8 {
    ((v * 128.0).round_ties_even() + 128.0) as u8
}

/// Rounds half to even, without `round_ties_even`: that is a call for each sample on processors of 2003, and a loop over this is compiled to
/// vectors.
#[inline]
pub(crate) fn signed(v: f32) -> i16 {
    /// From here to twice as much, neighbouring floats are 1 apart, so adding this rounds, half to even, and the bits count.
    const UNIT: f32 = 12_582_912.0;
    // Exact: a power of two.
    let scaled = v * 32768.0;
    let number = if scaled.is_nan() { 0.0 } else { scaled };
    let rounded = number.clamp(-32768.0, 32767.0) + UNIT;
    (rounded.to_bits() as i32 - UNIT.to_bits() as i32) as i16
}
