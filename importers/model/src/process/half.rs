//! Numbers of 16 bits (IEEE 754 binary16): a sign, 5 bits of exponent, 10 bits of fraction. The crate `half` has these two
//! functions as well, and brings six crates for them.

/// The largest number.
pub(super) const MAX: f32 = 65504.0;

/// The exponent of `f32` that is 0 in 16 bits.
const BIAS: u32 = 127 - 15;

/// Returns the nearest number of 16 bits; of two the one whose last bit is 0.
pub(super) fn from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x007f_ffff);
    // How many bits of the fraction, with its leading 1, are dropped. Small numbers have no leading 1 in 16 bits.
    let (mantissa, dropped) = match exponent {
        0xff => return sign | 0x7c00 | if fraction == 0 { 0 } else { 0x0200 | (fraction >> 13) as u16 },
        0..=BIAS => match BIAS + 14 - exponent {
            dropped @ ..=24 => (fraction | 0x0080_0000, dropped),
            _ => return sign,
        },
        _ => ((exponent - BIAS) << 23 | fraction, 13),
    };
    let kept = mantissa >> dropped;
    let (rest, half) = (mantissa & ((1 << dropped) - 1), 1 << (dropped - 1));
    let rounded = kept + u32::from(rest > half || (rest == half && kept & 1 == 1));
    // What is too large becomes infinite, which is the number after the largest one.
    sign | rounded.min(0x7c00) as u16
}

/// Returns the same number in 32 bits.
pub(super) fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x03ff));
    match exponent {
        0 => f32::from_bits(sign | 0x3f80_0000) * (fraction as f32 / 16_777_216.0),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + BIAS) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_becomes_what_the_crate_half_makes_of_it() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (to_f32(bits), half::f16::from_bits(bits).to_f32());
            assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(), "{bits:04x}");
        }
        // Each number of 16 bits, what lies between it and the next, and the numbers beside that.
        let mut tried = vec![0.0, -0.0, 1e-30, f32::MIN_POSITIVE, f32::INFINITY, 65519.9, 65520.0, 1e9];
        for bits in 0..0x7c00 {
            let (low, high) = (to_f32(bits), to_f32(bits + 1).min(65536.0));
            let middle = f32::midpoint(low, high);
            tried.extend([low, middle, middle.next_down(), middle.next_up()]);
        }
        for value in tried.into_iter().flat_map(|value| [value, -value]) {
            assert_eq!(from_f32(value), half::f16::from_f32(value).to_bits(), "{value:e}");
        }
        assert!(to_f32(from_f32(f32::NAN)).is_nan());
    }
}
