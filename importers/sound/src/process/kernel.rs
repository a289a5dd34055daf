//! Functions that are the same on every machine, because they consist of the operations that IEEE 754 defines.

/// sin(πx).
pub(super) fn sin_pi(x: f64) -> f64 {
    // To -1..=1, then to -1/2..=1/2: both steps are exact.
    let x = x - 2.0 * (x / 2.0).round();
    let x = if x.abs() > 0.5 { x.signum() - x } else { x };
    let angle = x * std::f64::consts::PI;
    let square = angle * angle;
    let series = (1..=11).rev().fold(1.0, |rest, k| 1.0 - square / f64::from(2 * k * (2 * k + 1)) * rest);
    angle * series
}

/// tan(πx), between -1/2 and 1/2.
pub(super) fn tan_pi(x: f64) -> f64 {
    sin_pi(x) / sin_pi(x + 0.5)
}

/// sin(πx) / πx.
pub(super) fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { sin_pi(x) / (x * std::f64::consts::PI) }
}

/// Kaiser's window at `x`, which is 0 outside -1..=1.
pub(super) fn kaiser(x: f64, beta: f64) -> f64 {
    if x.abs() > 1.0 { 0.0 } else { bessel(beta * (1.0 - x * x).sqrt()) / bessel(beta) }
}

/// The modified Bessel function I₀, up to about 20.
fn bessel(x: f64) -> f64 {
    let square = x * x / 4.0;
    let (sum, _) = (1..40).fold((1.0, 1.0), |(sum, term), k| {
        let term = term * square / f64::from(k * k);
        (sum + term, term)
    });
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_agree_with_the_mathematical_library() {
        for i in -4000..4000 {
            let x = f64::from(i) / 512.0;
            assert!((sin_pi(x) - (x * std::f64::consts::PI).sin()).abs() < 3e-15, "{x}");
            let x = x / 20.0;
            let tan = (x * std::f64::consts::PI).tan();
            assert!((tan_pi(x) - tan).abs() <= 1e-14 * tan.abs().max(1.0), "{x}");
        }
        assert_eq!((sin_pi(1.0), sinc(0.0), sinc(3.0)), (0.0, 1.0, 0.0));
        // Abramowitz and Stegun, table 9.8: e^-10 I₀(10) = 0.1278333372.
        assert!((bessel(10.0) * (-10f64).exp() - 0.127_833_337_2).abs() < 1e-10);
        assert_eq!((kaiser(0.0, 10.0), kaiser(1.01, 10.0)), (1.0, 0.0));
    }
}
