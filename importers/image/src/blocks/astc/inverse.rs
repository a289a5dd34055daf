//! Weights of pixels → the weights of a grid between which pixels come nearest to them, by least squares.

use super::shape::{Grid, MAX_TEXELS};

/// What is added to the diagonal of the equations, so that weights that hardly a pixel has a part of stay small.
const DAMPING: f64 = 1e-3;

/// For each pixel, what each weight of the grid has of it. Empty for a grid with a weight for each pixel.
pub(super) struct Inverse {
    rows: Vec<[f32; MAX_TEXELS]>,
    len: usize,
}

impl Inverse {
    pub(super) fn of(grid: &Grid) -> Self {
        let (len, texels) = (grid.len(), grid.taps.len());
        if len == texels {
            return Self { rows: Vec::new(), len };
        }
        let mut parts = vec![[0.0f64; MAX_TEXELS]; texels];
        for (parts, taps) in parts.iter_mut().zip(&grid.taps) {
            taps.iter().for_each(|tap| parts[tap.at()] += f64::from(tap.part));
        }
        // The normal equations, with a right side for each pixel.
        let mut rows: Vec<Vec<f64>> = (0..len)
            .map(|row| {
                let product = |column: usize| parts.iter().map(|parts| parts[row] * parts[column]).sum::<f64>();
                (0..len).map(product).chain(parts.iter().map(|parts| parts[row])).collect()
            })
            .collect();
        (0..len).for_each(|row| rows[row][row] += DAMPING);
        // Elimination without a search for pivots: the matrix is positive definite.
        for pivot in 0..len {
            let mut row = std::mem::take(&mut rows[pivot]);
            let scale = row[pivot];
            row[pivot..].iter_mut().for_each(|value| *value /= scale);
            for other in rows.iter_mut().filter(|other| !other.is_empty()) {
                let factor = other[pivot];
                if factor != 0.0 {
                    other[pivot..].iter_mut().zip(&row[pivot..]).for_each(|(value, of_row)| *value -= factor * of_row);
                }
            }
            rows[pivot] = row;
        }
        let of_texel = |texel: usize| {
            let mut parts = [0.0; MAX_TEXELS];
            parts.iter_mut().zip(&rows).for_each(|(part, row)| *part = row[len + texel] as f32);
            parts
        };
        Self { rows: (0..texels).map(of_texel).collect(), len }
    }

    /// The weights of the grid, from 0 to 64.
    pub(super) fn apply(&self, wanted: &[f32; MAX_TEXELS], out: &mut [f32; MAX_TEXELS]) {
        if self.rows.is_empty() {
            *out = *wanted;
            return;
        }
        let out = &mut out[..self.len];
        out.fill(0.0);
        // Four pixels at a time.
        for ([a, b, c, d], [p, q, r, s]) in self.rows.as_chunks().0.iter().zip(wanted.as_chunks().0) {
            let parts = a.iter().zip(b).zip(c.iter().zip(d));
            for (out, ((a, b), (c, d))) in out.iter_mut().zip(parts) {
                *out += (a * p + b * q) + (c * r + d * s);
            }
        }
        out.iter_mut().for_each(|weight| *weight = weight.clamp(0.0, 64.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_a_grid_can_have_come_back() {
        for (edge, width, height) in [(4, 3, 2), (6, 5, 4), (6, 6, 3), (8, 5, 5), (8, 8, 2), (8, 8, 8)] {
            let grid = Grid::new(edge, width, height, 5);
            let of_grid: Vec<u8> = (0..grid.len()).map(|at| (at * 29 % 65) as u8).collect();
            let mut spread = [0; MAX_TEXELS];
            grid.spread(&of_grid, &mut spread);
            let mut found = [0.0; MAX_TEXELS];
            Inverse::of(&grid).apply(&spread.map(f32::from), &mut found);
            for (found, expected) in found.iter().zip(of_grid) {
                assert!((found - f32::from(expected)).abs() < 2.0, "{edge} {width}×{height}: {found} {expected}");
            }
        }
    }
}
