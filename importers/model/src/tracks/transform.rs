//! Transforms of nodes in 64 bits, by operations whose results do not depend on the machine.

/// Translation, rotation and scale of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) translation: [f64; 3],
    pub(super) rotation: [f64; 4],
    pub(super) scale: [f64; 3],
}

/// The upper three rows of a matrix, by columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform([[f64; 3]; 4]);

impl Parts {
    pub(super) const IDENTITY: Self = Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    /// The transform that scales, then rotates, then moves.
    pub(super) fn transform(&self) -> Transform {
        let Self { translation, rotation: [x, y, z, w], scale: [sx, sy, sz] } = *self;
        Transform([
            [(1.0 - 2.0 * (y * y + z * z)) * sx, 2.0 * (x * y + z * w) * sx, 2.0 * (x * z - y * w) * sx],
            [2.0 * (x * y - z * w) * sy, (1.0 - 2.0 * (x * x + z * z)) * sy, 2.0 * (y * z + x * w) * sy],
            [2.0 * (x * z + y * w) * sz, 2.0 * (y * z - x * w) * sz, (1.0 - 2.0 * (x * x + y * y)) * sz],
            translation,
        ])
    }
}

impl Transform {
    /// The transform of a column-major matrix.
    pub(super) fn from_matrix(matrix: &[f32; 16]) -> Self {
        Self(std::array::from_fn(|column| std::array::from_fn(|row| f64::from(matrix[column * 4 + row]))))
    }

    pub(super) fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let Self([a, b, c, d]) = self;
        std::array::from_fn(|row| a[row] * x + b[row] * y + c[row] * z + d[row])
    }

    /// The transform that applies `inner` first.
    pub(super) fn then(&self, inner: &Self) -> Self {
        let turn = |[x, y, z]: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|row| self.0[0][row] * x + self.0[1][row] * y + self.0[2][row] * z)
        };
        let [a, b, c, d] = inner.0;
        Self([turn(a), turn(b), turn(c), self.apply(d)])
    }

    pub(super) fn origin(&self) -> [f64; 3] {
        self.0[3]
    }

    /// The most that it stretches an axis.
    pub(super) fn stretch(&self) -> f64 {
        let [a, b, c, _] = self.0;
        [a, b, c].into_iter().map(|column| length(&column)).fold(0.0, f64::max)
    }
}

pub(super) fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|axis| axis * axis).sum::<f64>().sqrt()
}

pub(super) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    length(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}
