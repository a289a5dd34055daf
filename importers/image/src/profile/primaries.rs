//! Primaries and curves that files name by a few numbers.

use super::curve::Curve;
use super::{Matrix, Profile};

/// x and y of a colour.
type Point = [f64; 2];

/// D65, the white of sRGB and of most displays.
const D65: Point = [0.3127, 0.3290];

/// The primaries of sRGB.
const SRGB: [Point; 3] = [[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]];

/// X, Y and Z of the white that profiles are relative to.
const D50: [f64; 3] = [0.9642, 1.0, 0.8249];

/// The cone responses of the Bradford transform, by which profiles adapt colours to another white.
const BRADFORD: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

/// The code points of H.273, as PNG has them.
pub(super) fn of_cicp([primaries, transfer, matrix, range]: [u8; 4]) -> Result<Profile, &'static str> {
    if matrix != 0 || range != 1 {
        return Err("is not RGB of the full range");
    }
    let (white, points) = match primaries {
        1 => (D65, SRGB),
        5 => (D65, [[0.64, 0.33], [0.29, 0.60], [0.15, 0.06]]),
        6 | 7 => (D65, [[0.630, 0.340], [0.310, 0.595], [0.155, 0.070]]),
        9 => (D65, [[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]]),
        11 => ([0.314, 0.351], [[0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]),
        12 => (D65, [[0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]),
        _ => return Err("has primaries that are not known"),
    };
    let curve = || {
        Some(match transfer {
            1 | 6 | 14 | 15 => Curve::REC_709,
            4 => Curve::Power(2.2),
            5 => Curve::Power(2.8),
            8 => Curve::Linear,
            13 => Curve::SRGB,
            _ => return None,
        })
    };
    let (Some(r), Some(g), Some(b)) = (curve(), curve(), curve()) else {
        return Err(if matches!(transfer, 16 | 18) { "is HDR" } else { "has a curve that is not known" });
    };
    let matrix = to_d50(white, points).and_then(from_d50).ok_or("has primaries that make no colours")?;
    Ok(Profile { curves: [r, g, b], matrix: Some(matrix) })
}

/// A gamma as PNG stores it, or the curve of sRGB; and the primaries, if the file has any.
pub(super) fn of_gamma(gamma: Option<u32>, chromaticities: Option<[u32; 8]>) -> Result<Profile, &'static str> {
    if gamma.is_some_and(|gamma| !(1_000..=1_000_000).contains(&gamma)) {
        return Err("is not between 0.1 and 100");
    }
    let curve = || gamma.map_or(Curve::SRGB, |gamma| Curve::Power(100_000.0 / f64::from(gamma)));
    let number = |at: usize| chromaticities.map_or(0.0, |numbers| f64::from(numbers[at]) / 100_000.0);
    let point = |at: usize| [number(at), number(at + 1)];
    let (white, points) =
        if chromaticities.is_some() { (point(0), [point(2), point(4), point(6)]) } else { (D65, SRGB) };
    let matrix = to_d50(white, points).and_then(from_d50).ok_or("has primaries that make no colours")?;
    Ok(Profile { curves: [curve(), curve(), curve()], matrix: Some(matrix) })
}

/// From light that is relative to D50, as profiles have it, to the light of sRGB, for colorants in columns.
pub(super) fn from_d50(colorants: Matrix) -> Option<Matrix> {
    let matrix = product(inverse(to_d50(D65, SRGB)?)?, colorants);
    // Numbers of this size are not colours, and their products may be infinite.
    matrix.iter().flatten().all(|number| number.abs() < 100.0).then_some(matrix)
}

/// The primaries as X, Y and Z relative to D50, in columns.
fn to_d50(white: Point, points: [Point; 3]) -> Option<Matrix> {
    let xyz = |[x, y]: Point| [x / y, 1.0, (1.0 - x - y) / y];
    let is_point = |[x, y]: &Point| x.is_finite() && *x >= 0.0 && *x <= 1.0 && *y > 0.001 && *y <= 1.0;
    if !points.iter().chain([&white]).all(is_point) {
        return None;
    }
    let primaries = transposed(points.map(xyz));
    let light = times(inverse(primaries)?, xyz(white));
    let colorants = primaries.map(|row| std::array::from_fn(|column| row[column] * light[column]));
    let (from, to) = (times(BRADFORD, xyz(white)), times(BRADFORD, D50));
    let cones = std::array::from_fn(|i| std::array::from_fn(|j| BRADFORD[i][j] * (to[i] / from[i])));
    Some(product(inverse(BRADFORD)?, product(cones, colorants)))
}

fn transposed(matrix: Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| matrix[column][row]))
}

fn times(matrix: Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|[a, b, c]| a * vector[0] + b * vector[1] + c * vector[2])
}

fn product(left: Matrix, right: Matrix) -> Matrix {
    let columns = transposed(right).map(|column| times(left, column));
    transposed(columns)
}

/// `None` if it has none: the rows are in one plane.
fn inverse(m: Matrix) -> Option<Matrix> {
    let minor = |row: usize, column: usize| {
        let [r0, r1] = [(row + 1) % 3, (row + 2) % 3];
        let [c0, c1] = [(column + 1) % 3, (column + 2) % 3];
        m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
    };
    let determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    if !determinant.is_finite() || determinant.abs() < 1e-9 {
        return None;
    }
    Some(std::array::from_fn(|row| std::array::from_fn(|column| minor(column, row) / determinant)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colorants of the profile that the ICC publishes for sRGB.
    #[test]
    fn the_primaries_of_srgb_are_those_of_its_profile() {
        let published = [[0.4361, 0.3851, 0.1431], [0.2225, 0.7169, 0.0606], [0.0139, 0.0971, 0.7141]];
        let found = to_d50(D65, SRGB).unwrap();
        for (found, published) in found.iter().flatten().zip(published.iter().flatten()) {
            assert!((found - published).abs() < 3e-4, "{found} {published}");
        }
        let identity = from_d50(found).unwrap();
        for (row, numbers) in identity.iter().enumerate() {
            for (column, number) in numbers.iter().enumerate() {
                assert!((number - f64::from(u8::from(row == column))).abs() < 1e-12, "{identity:?}");
            }
        }
    }

    #[test]
    fn primaries_that_make_no_colours_are_refused() {
        assert!(of_gamma(Some(45_455), Some([0; 8])).is_err());
        assert!(of_gamma(Some(45_455), Some([31_270, 32_900, 1, 50_000, 1, 50_000, 1, 50_000])).is_err());
        assert!(of_gamma(Some(45_455), Some([u32::MAX; 8])).is_err());
        assert!(of_gamma(Some(1), None).is_err());
        assert!(of_cicp([12, 13, 0, 1]).is_ok());
        assert_eq!(of_cicp([9, 16, 0, 1]).err(), Some("is HDR"));
        assert_eq!(of_cicp([12, 13, 0, 0]).err(), Some("is not RGB of the full range"));
    }
}
