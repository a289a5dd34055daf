//! How the number of a channel becomes light.

/// From numbers of 0 to 1 to light of 0 to 1.
pub(super) enum Curve {
    /// The number itself.
    Linear,
    /// A power of the number.
    Power(f64),
    /// Points at equal distances, at least two, with straight lines between them.
    Points(Vec<u16>),
    /// `(a x + b)^g + e` from `d` on, `c x + f` below.
    Parts { g: f64, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64 },
}

impl Curve {
    /// The curve of sRGB.
    pub(super) const SRGB: Self =
        Self::Parts { g: 2.4, a: 1.0 / 1.055, b: 0.055 / 1.055, c: 1.0 / 12.92, d: 0.04045, e: 0.0, f: 0.0 };

    /// The curve of Rec. 709 and Rec. 2020.
    pub(super) const REC_709: Self =
        Self::Parts { g: 1.0 / 0.45, a: 1.0 / 1.099, b: 0.099 / 1.099, c: 1.0 / 4.5, d: 0.081, e: 0.0, f: 0.0 };

    /// The light of a number.
    pub(super) fn light(&self, x: f64) -> f64 {
        // The library is the same on every machine.
        let power = |base: f64, exponent: f64| if base > 0.0 { libm::pow(base, exponent) } else { 0.0 };
        let light = match self {
            Self::Linear => x,
            Self::Power(gamma) => power(x, *gamma),
            Self::Points(points) => between(points, x),
            Self::Parts { g, a, b, d, e, .. } if x >= *d => power(a * x + b, *g) + e,
            Self::Parts { c, f, .. } => c * x + f,
        };
        // A number that is none becomes black.
        if light > 0.0 { light.min(1.0) } else { 0.0 }
    }
}

/// A value between points.
fn between(points: &[u16], x: f64) -> f64 {
    let Some(last) = points.len().checked_sub(1) else { return x };
    let at = x.clamp(0.0, 1.0) * last as f64;
    let first = (at as usize).min(last);
    let point = |at: usize| f64::from(points[at.min(last)]) / 65535.0;
    let part = at - first as f64;
    point(first) * (1.0 - part) + point(first + 1) * part
}
