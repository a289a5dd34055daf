//! Undoes the median predictor of pixels of 1 to 4 bytes, several rows at once.
//!
//! A pixel needs the one to its left, so a row alone is a chain without end. But rows can be decoded together if each lags a
//! pixel behind the one above it: what a row needs of the row above was decoded in the two steps before. The pixels of one step
//! are a vector of 16 bytes.

use crate::element::median;

/// The bytes of a vector.
const LANES: usize = 16;

type Vector = [u8; LANES];

/// Undoes the median of rows of `row` bytes with pixels of `pixel` bytes.
pub(crate) fn undo(data: &mut [u8], row: usize, pixel: usize) {
    match pixel {
        1 => undo_rows::<1, 16>(data, row),
        2 => undo_padded::<2>(data, row),
        3 => undo_padded::<3>(data, row),
        _ => undo_rows::<4, 4>(data, row),
    }
}

/// [`undo`] for pixels of less than 4 bytes, which are made 4 meanwhile: vectors of others take twice as long to put together.
fn undo_padded<const N: usize>(data: &mut [u8], row: usize) {
    let mut padded = vec![[0; 4]; data.len() / N];
    for (padded, pixel) in padded.iter_mut().zip(data.as_chunks::<N>().0) {
        padded[..N].copy_from_slice(pixel);
    }
    undo_rows::<4, 4>(padded.as_flattened_mut(), row / N * 4);
    for (pixel, padded) in data.as_chunks_mut::<N>().0.iter_mut().zip(&padded) {
        pixel.copy_from_slice(&padded[..N]);
    }
}

/// [`undo`] for pixels of `N` bytes, `R` rows at once.
fn undo_rows<const N: usize, const R: usize>(data: &mut [u8], row: usize) {
    let width = row / N;
    let zeros = vec![0; row];
    let mut above = zeros.as_slice();
    // Rows that are shorter than the lag, and those that are left at the end, go pixel by pixel.
    let together = if width < R { 0 } else { data.len() / row / R * R };
    let (groups, rest) = data.split_at_mut(together * row);
    for group in groups.chunks_exact_mut(R * row) {
        for r in 0..R {
            for x in 0..R - 1 - r {
                undo_pixel::<N>(above, group, row, r, x);
            }
        }
        undo_steps::<N, R>(above, group, row);
        for r in 0..R {
            for x in width - r..width {
                undo_pixel::<N>(above, group, row, r, x);
            }
        }
        above = &group[(R - 1) * row..];
    }
    for r in 0..rest.len() / row {
        for x in 0..width {
            undo_pixel::<N>(above, rest, row, r, x);
        }
    }
}

/// Undoes the pixels of `R` rows for which there is a whole vector: in row `r`, from pixel `R - 1 - r` to `r` before its end.
fn undo_steps<const N: usize, const R: usize>(above: &[u8], group: &mut [u8], row: usize) {
    let lag = R - 1;
    // The vectors of the last two steps, as far as they matter: lane r is row r.
    let (mut last, mut before) = ([0; LANES], [0; LANES]);
    for r in 0..R {
        for (vector, back) in [(&mut last, 1), (&mut before, 2)] {
            if let Some(x) = lag.checked_sub(back + r) {
                vector[r * N..][..N].copy_from_slice(&group[r * row + x * N..][..N]);
            }
        }
    }
    let mut above_left = [0; N];
    if lag > 0 {
        above_left.copy_from_slice(&above[(lag - 1) * N..][..N]);
    }
    let steps = row / N - lag;
    let mut rows = group.chunks_exact_mut(row).enumerate();
    let lanes: [&mut [[u8; N]]; R] = core::array::from_fn(|_| {
        let (r, row) = rows.next().unwrap_or_default();
        &mut row[(lag - r) * N..].as_chunks_mut().0[..steps]
    });
    let above = &above[lag * N..].as_chunks::<N>().0[..steps];
    for step in 0..steps {
        let mut residual = [0; LANES];
        for r in 0..R {
            residual[r * N..][..N].copy_from_slice(&lanes[r][step]);
        }
        let (mut up, mut up_left) = ([0; LANES], [0; LANES]);
        up[..N].copy_from_slice(&above[step]);
        up[N..].copy_from_slice(&last[..LANES - N]);
        up_left[..N].copy_from_slice(&above_left);
        up_left[N..].copy_from_slice(&before[..LANES - N]);
        above_left = above[step];
        before = last;
        last = plus_median(&residual, &last, &up, &up_left);
        for r in 0..R {
            lanes[r][step].copy_from_slice(&last[r * N..][..N]);
        }
    }
}

/// `residual` plus the median of each lane ([`median`]). One loop for each operation, which compilers turn into
/// one instruction.
#[inline(always)]
fn plus_median(residual: &Vector, left: &Vector, up: &Vector, up_left: &Vector) -> Vector {
    let (mut low, mut high, mut middle, mut sum) = ([0; LANES], [0; LANES], [0; LANES], [0; LANES]);
    for i in 0..LANES {
        low[i] = left[i].min(up[i]);
    }
    for i in 0..LANES {
        high[i] = left[i].max(up[i]);
    }
    for i in 0..LANES {
        middle[i] = up_left[i].max(low[i]);
    }
    for i in 0..LANES {
        middle[i] = middle[i].min(high[i]);
    }
    for i in 0..LANES {
        sum[i] = residual[i].wrapping_add(low[i]);
    }
    for i in 0..LANES {
        sum[i] = sum[i].wrapping_add(high[i]);
    }
    for i in 0..LANES {
        sum[i] = sum[i].wrapping_sub(middle[i]);
    }
    sum
}

/// Undoes pixel `x` of row `r`.
fn undo_pixel<const N: usize>(above: &[u8], data: &mut [u8], row: usize, r: usize, x: usize) {
    let at = r * row + x * N;
    for i in 0..N {
        let left = if x == 0 { 0 } else { data[at + i - N] };
        let (up, up_left) = match r {
            0 => (above[x * N + i], if x == 0 { 0 } else { above[x * N + i - N] }),
            _ => (data[at + i - row], if x == 0 { 0 } else { data[at + i - row - N] }),
        };
        data[at + i] = data[at + i].wrapping_add(median(left, up, up_left));
    }
}
