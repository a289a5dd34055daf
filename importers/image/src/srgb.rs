//! The sRGB curve in both directions, computed with additions, multiplications, divisions and square roots only.
//!
//! `powf` comes from the system's math library and can differ in the last bit. These operations are the same
//! everywhere, and so are the stored bytes.

use std::sync::LazyLock;

/// The linear light of a stored number.
pub(super) fn to_linear(v: f32) -> f32 {
    let v = f64::from(v);
    if v <= 0.04045 {
        return (v / 12.92) as f32;
    }
    let t = (v + 0.055) / 1.055;
    // t^2.4 = t² × ⁵√(t²)
    (t * t * root(t * t, 5)) as f32
}

/// The stored number for linear light.
pub(super) fn from_linear(v: f32) -> f32 {
    if v <= 0.003_130_8 {
        return v * 12.92;
    }
    if v < 1.0 {
        // As a function of the square root the curve is nearly straight: interpolating between two points is off by
        // 1e-6 at most.
        let at = v.sqrt() * STEPS as f32;
        let i = at as usize;
        let part = at - i as f32;
        return POINTS[i] * (1.0 - part) + POINTS[i + 1] * part;
    }
    curved(f64::from(v).sqrt()) as f32
}

const STEPS: usize = 1024;

/// The non-linear part of the curve, sampled at the squares of `i / STEPS`.
static POINTS: LazyLock<Box<[f32; STEPS + 2]>> =
    LazyLock::new(|| Box::new(std::array::from_fn(|i| curved(i as f64 / STEPS as f64) as f32)));

/// The stored number for the light `half²`, above the linear part.
fn curved(half: f64) -> f64 {
    if half == 0.0 {
        return -0.055;
    }
    // v^(1/2.4) = ⁴√v × ⁶√v
    1.055 * (half.sqrt() * root(half, 3)) - 0.055
}

/// The `n`th root of a positive number, by Newton's method from a guess that divides the exponent by `n`.
fn root(x: f64, n: u32) -> f64 {
    if !x.is_finite() {
        return x;
    }
    let one = 1.0f64.to_bits();
    let mut y = f64::from_bits((one - one / u64::from(n)) + x.to_bits() / u64::from(n));
    // The guess is off by less than a quarter; each step squares that.
    for _ in 0..5 {
        let power = if n == 3 { y * y } else { y * y * y * y };
        y += (x / power - y) / f64::from(n);
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_follows_the_standard() {
        for i in 0..=65535u16 {
            let v = f32::from(i) / 65535.0;
            let x = f64::from(v);
            let linear = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
            let stored = if x <= 0.003_130_8 { x * 12.92 } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
            assert!((f64::from(to_linear(v)) - linear).abs() < 1e-7, "{v}");
            assert!((f64::from(from_linear(v)) - stored).abs() < 1.5e-6, "{v}");
        }
    }

    #[test]
    fn every_number_has_a_result() {
        for v in [-1.0, 1e30, f32::MAX, f32::INFINITY, f32::MIN_POSITIVE] {
            assert!(!to_linear(v).is_nan() && !from_linear(v).is_nan(), "{v}");
        }
        assert!(to_linear(f32::NAN).is_nan());
    }
}
