//! Structural similarity (Wang et al., 2004) over windows of 8 × 8 pixels, one every 4 pixels in both directions.
//!
//! A window consists of 2 × 2 blocks, so it sees the edges between them. A picture of one row or column of blocks has
//! windows of one block.

/// The sums of the pixels of a block that one channel needs.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: u64,
    a: u64,
    b: u64,
    aa: u64,
    bb: u64,
    ab: u64,
}

impl Sums {
    fn of(pairs: &[Option<[[u16; 4]; 2]>; 16], channel: usize) -> Self {
        pairs.iter().flatten().fold(Self::default(), |sums, [a, b]| {
            let (a, b) = (u64::from(a[channel]), u64::from(b[channel]));
            sums + Self { count: 1, a, b, aa: a * a, bb: b * b, ab: a * b }
        })
    }

    /// The similarity of the two windows with these sums.
    fn similarity(self, peak: f64) -> f64 {
        let count = self.count as f64;
        let [a, b, aa, bb, ab] = [self.a, self.b, self.aa, self.bb, self.ab].map(|sum| sum as f64 / count);
        let (c1, c2) = ((0.01 * peak).powi(2), (0.03 * peak).powi(2));
        // Rounding may leave a variance just below 0.
        let (var_a, var_b, covariance) = ((aa - a * a).max(0.0), (bb - b * b).max(0.0), ab - a * b);
        (2.0 * a * b + c1) * (2.0 * covariance + c2) / ((a * a + b * b + c1) * (var_a + var_b + c2))
    }
}

impl std::ops::Add for Sums {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            a: self.a + other.a,
            b: self.b + other.b,
            aa: self.aa + other.aa,
            bb: self.bb + other.bb,
            ab: self.ab + other.ab,
        }
    }
}

/// The windows of a level, which is given block by block.
pub(super) struct Windows {
    /// Blocks in a row.
    across: usize,
    channels: &'static [usize],
    peak: f64,
    /// Rows of blocks: the one before, if any, and the current one. Each block has sums for each channel.
    above: Vec<Sums>,
    row: Vec<Sums>,
    /// Whether a row of windows is done.
    has_rows: bool,
    total: f64,
    count: u64,
}

impl Windows {
    pub(super) fn new(across: usize, channels: &'static [usize], peak: u16) -> Self {
        let peak = f64::from(peak);
        Self { across, channels, peak, above: Vec::new(), row: Vec::new(), has_rows: false, total: 0.0, count: 0 }
    }

    /// Adds the next block: pairs of pixels that are compared, `None` beyond the edges.
    pub(super) fn add(&mut self, pairs: &[Option<[[u16; 4]; 2]>; 16]) {
        self.row.extend(self.channels.iter().map(|channel| Sums::of(pairs, *channel)));
        if self.row.len() == self.across * self.channels.len() {
            let above = std::mem::take(&mut self.above);
            if !above.is_empty() {
                let both: Vec<_> = above.iter().zip(&self.row).map(|(above, below)| *above + *below).collect();
                self.add_windows(&both);
                self.has_rows = true;
            }
            self.above = std::mem::take(&mut self.row);
        }
    }

    /// Adds the windows of a row of blocks, or of two that were added up.
    fn add_windows(&mut self, blocks: &[Sums]) {
        let step = self.channels.len();
        let first = blocks.iter();
        if self.across == 1 {
            first.for_each(|block| self.add_window(*block));
        } else {
            first.zip(&blocks[step..]).for_each(|(left, right)| self.add_window(*left + *right));
        }
    }

    fn add_window(&mut self, sums: Sums) {
        self.total += sums.similarity(self.peak);
        self.count += 1;
    }

    /// The mean over all windows and channels.
    pub(super) fn mean(mut self) -> f64 {
        if !self.has_rows {
            let row = std::mem::take(&mut self.above);
            self.add_windows(&row);
        }
        if self.count == 0 { 1.0 } else { self.total / self.count as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(across: usize, down: usize, pixel: impl Fn(usize, usize) -> [u16; 2]) -> f64 {
        let mut windows = Windows::new(across, &[0], 255);
        for number in 0..across * down {
            let (left, top) = (number % across * 4, number / across * 4);
            windows.add(&std::array::from_fn(|i| Some(pixel(left + i % 4, top + i / 4).map(|value| [value, 0, 0, 0]))));
        }
        windows.mean()
    }

    #[test]
    fn equal_pictures_have_one_and_unlike_ones_less() {
        let wave = |x: usize, y: usize| (x * 31 + y * 17) as u16 % 200;
        assert!((mean(4, 3, |x, y| [wave(x, y); 2]) - 1.0).abs() < 1e-12);
        let noisy = mean(4, 3, |x, y| [wave(x, y), wave(x, y) + (x ^ y) as u16 % 7]);
        let flat = mean(4, 3, |x, y| [wave(x, y), 100]);
        assert!(flat < 0.1 && noisy > 0.95 && noisy < 1.0, "{flat} {noisy}");
    }

    #[test]
    fn it_is_the_formula_of_the_paper() {
        // Two constants: only the means differ, and all windows agree, whatever their number.
        let (c1, a, b) = (6.5025, 100.0, 120.0);
        let expected = (2.0 * a * b + c1) / (a * a + b * b + c1);
        for (across, down) in [(1, 1), (1, 3), (5, 1), (3, 4)] {
            let found = mean(across, down, |_, _| [100, 120]);
            assert!((found - expected).abs() < 1e-12, "{across} × {down}: {found}");
        }
        // Black and white pixels, inverted: the covariance is minus the variance of 127.5².
        let (c2, variance) = (58.5225, 16256.25);
        let expected = (-2.0 * variance + c2) / (2.0 * variance + c2);
        let found = mean(2, 2, |x, y| if (x + y).is_multiple_of(2) { [0, 255] } else { [255, 0] });
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}
