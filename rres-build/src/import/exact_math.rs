//! Angles, computed with additions, multiplications, divisions and square roots only.
//!
//! The functions of the system's math library can differ in the last bit. These operations are the same everywhere, and so are the stored
//! bytes. Errors are below 1e-15.

/// Sine and cosine of `turns` whole turns. Quarters of a turn are exact.
pub(super) fn sin_cos(turns: f64) -> (f64, f64) {
    // An eighth of a turn around the nearest quarter.
    let quarter = (turns * 4.0).round();
    let angle = (turns - quarter / 4.0) * std::f64::consts::TAU;
    let square = angle * angle;
    // Taylor series; the angle is at most π/4, so the term after the last one is below 1e-17.
    let (mut sin, mut cos) = (0.0, 0.0);
    let (mut sin_term, mut cos_term) = (angle, 1.0);
    for n in 0..10 {
        sin += sin_term;
        cos += cos_term;
        let n = f64::from(2 * n);
        cos_term *= -square / ((n + 1.0) * (n + 2.0));
        sin_term *= -square / ((n + 2.0) * (n + 3.0));
    }
    match quarter.rem_euclid(4.0) as u32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle of the point `x`, `y` in turns, from -0.5 to 0.5. The angle of the origin is 0.
pub(super) fn angle(y: f64, x: f64) -> f64 {
    let (small, large) = if y.abs() < x.abs() { (y.abs(), x.abs()) } else { (x.abs(), y.abs()) };
    if large == 0.0 {
        return 0.0;
    }
    let part = arc_tangent(small / large) / std::f64::consts::TAU;
    let eighth = if y.abs() < x.abs() { part } else { 0.25 - part };
    let half = if x < 0.0 { 0.5 - eighth } else { eighth };
    if y < 0.0 { -half } else { half }
}

/// The arc tangent of a number from 0 to 1.
fn arc_tangent(t: f64) -> f64 {
    // Half of an angle twice: t / (1 + √(1 + t²)) is the tangent of the half.
    let half = |t: f64| t / (1.0 + (1.0 + t * t).sqrt());
    let t = half(half(t));
    let square = t * t;
    // t is below 0.2, so the term after the last one is below 1e-17.
    let (mut sum, mut power) = (0.0, t);
    for n in 0..12 {
        let term = power / f64::from(2 * n + 1);
        sum += if n % 2 == 0 { term } else { -term };
        power *= square;
    }
    4.0 * sum
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
