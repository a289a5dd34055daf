//! Half floats, which textures have and packs have not.

/// IEEE 754 half precision.
pub(super) fn half_float(word: u16) -> f32 {
    let sign = if word & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = ((word >> 10) & 31, f32::from(word & 0x3ff));
    match exponent {
        // 2^-24 per step.
        0 => sign * fraction * 5.960_464_5e-8,
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        // The exponent bias of f32 is 127; of half floats, 15.
        _ => sign * f32::from_bits((u32::from(exponent) + 112) << 23) * (1.0 + fraction / 1024.0),
    }
}
