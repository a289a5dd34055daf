//! Angles in turns, with the same bits on every machine.
//!
//! The functions of the system's math library can differ in the last bit. The functions of `libm` use additions, multiplications, divisions and
//! square roots only, so the stored bytes are the same.

use std::f64::consts::TAU;

/// Sine and cosine of `turns` whole turns. Quarters of a turn are exact, so that the ends of a circle meet.
pub fn sin_cos(turns: f64) -> (f64, f64) {
    // An eighth of a turn around the nearest quarter.
    let quarter = (turns * 4.0).round();
    let (sin, cos) = libm::sincos((turns - quarter / 4.0) * TAU);
    match quarter.rem_euclid(4.0) as u32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle of the point `x`, `y` in turns, from -0.5 to 0.5. The angle of the origin is 0.
pub fn angle(y: f64, x: f64) -> f64 {
    libm::atan2(y, x) / TAU
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_are_those_of_the_standard_library() {
        for i in -1000..1000 {
            let turns = f64::from(i) / 400.0;
            let (sin, cos) = sin_cos(turns);
            let expected = (turns * std::f64::consts::TAU).sin_cos();
            assert!((sin - expected.0).abs() < 1e-14 && (cos - expected.1).abs() < 1e-14, "{turns}");
        }
        assert_eq!(
            [0.0, 0.25, 0.5, 0.75, 1.0].map(sin_cos).map(|(sin, cos)| (sin + 0.0, cos + 0.0)),
            [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)]
        );
    }

    #[test]
    fn angles_are_those_of_the_standard_library() {
        for i in 0..1000 {
            let (sin, cos) = (f64::from(i) / 1000.0 * std::f64::consts::TAU).sin_cos();
            let expected = sin.atan2(cos) / std::f64::consts::TAU;
            assert!((angle(sin * 3.0, cos * 3.0) - expected).abs() < 1e-15, "{i}");
        }
        assert_eq!([angle(0.0, 0.0), angle(0.0, -1.0), angle(1.0, 0.0), angle(-1.0, 0.0)], [0.0, 0.5, 0.25, -0.25]);
    }
}
