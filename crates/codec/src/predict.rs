//! Residuals → values, in place, row by row: what PNG calls reconstruction.
//!
//! A row of zeros stands above the first row and a pixel of zeros left of each row. The functions are shaped for the vector
//! units of processors: rows of constant pixel size, one operation a loop, no branches.

use crate::element::{Element, median};
use crate::{Predictor, median_rows};

/// Undoes `predictor` on rows of `row` bytes with pixels of `pixel` bytes and elements of `element` bytes.
pub(crate) fn undo(predictor: Predictor, data: &mut [u8], row: usize, pixel: usize, element: usize) {
    match (predictor, element, pixel) {
        (Predictor::None, ..) => {}
        (Predictor::Median, 1, 1..=4) => median_rows::undo(data, row, pixel),
        (_, 1, 1) => undo_pixels::<u8, 1>(predictor, data, row),
        (_, 1, 2) => undo_pixels::<u8, 2>(predictor, data, row),
        (_, 1, 3) => undo_pixels::<u8, 3>(predictor, data, row),
        (_, 1, 4) => undo_pixels::<u8, 4>(predictor, data, row),
        (_, 2, 2) => undo_pixels::<u16, 1>(predictor, data, row),
        (_, 2, 4) => undo_pixels::<u16, 2>(predictor, data, row),
        (_, 2, 6) => undo_pixels::<u16, 3>(predictor, data, row),
        (_, 2, 8) => undo_pixels::<u16, 4>(predictor, data, row),
        (_, 4, 4) => undo_pixels::<u32, 1>(predictor, data, row),
        (_, 4, 8) => undo_pixels::<u32, 2>(predictor, data, row),
        (_, 4, 12) => undo_pixels::<u32, 3>(predictor, data, row),
        (_, 4, 16) => undo_pixels::<u32, 4>(predictor, data, row),
        (_, 1, _) => undo_any::<u8>(predictor, data, row, pixel),
        (_, 2, _) => undo_any::<u16>(predictor, data, row, pixel),
        _ => undo_any::<u32>(predictor, data, row, pixel),
    }
}

/// [`undo`] for pixels of `N` elements.
fn undo_pixels<E: Element, const N: usize>(predictor: Predictor, data: &mut [u8], row: usize) {
    match predictor {
        Predictor::Left => data.chunks_exact_mut(row).for_each(left::<E, N>),
        Predictor::Linear => data.chunks_exact_mut(row).for_each(linear::<E, N>),
        Predictor::Up => up::<E>(data, row),
        Predictor::Average => with_rows_above(data, row, average::<E, N>),
        Predictor::Median => with_rows_above(data, row, median_row::<E, N>),
        Predictor::None => {}
    }
}

/// A pixel of `N` elements.
#[inline(always)]
fn load<E: Element, const N: usize>(bytes: &[u8]) -> [E; N] {
    let bytes = &bytes[..N * E::SIZE];
    core::array::from_fn(|i| E::get(&bytes[i * E::SIZE..]))
}

#[inline(always)]
fn store<E: Element, const N: usize>(pixel: [E; N], bytes: &mut [u8]) {
    let bytes = &mut bytes[..N * E::SIZE];
    for (i, element) in pixel.into_iter().enumerate() {
        element.set(&mut bytes[i * E::SIZE..]);
    }
}

fn left<E: Element, const N: usize>(row: &mut [u8]) {
    let mut left = [E::default(); N];
    for bytes in row.chunks_exact_mut(N * E::SIZE) {
        let residual = load::<E, N>(bytes);
        left = core::array::from_fn(|i| residual[i].plus(left[i]));
        store(left, bytes);
    }
}

/// The line through the two values to the left.
fn linear<E: Element, const N: usize>(row: &mut [u8]) {
    let (mut left, mut step) = ([E::default(); N], [E::default(); N]);
    for bytes in row.chunks_exact_mut(N * E::SIZE) {
        let residual = load::<E, N>(bytes);
        step = core::array::from_fn(|i| residual[i].plus(step[i]));
        left = core::array::from_fn(|i| left[i].plus(step[i]));
        store(left, bytes);
    }
}

fn up<E: Element>(data: &mut [u8], row: usize) {
    with_rows_above(data, row, |above, row| {
        for (bytes, above) in row.chunks_exact_mut(E::SIZE).zip(above.chunks_exact(E::SIZE)) {
            E::get(bytes).plus(E::get(above)).set(bytes);
        }
    });
}

fn average<E: Element, const N: usize>(above: &[u8], row: &mut [u8]) {
    let mut left = [E::default(); N];
    for (bytes, above) in row.chunks_exact_mut(N * E::SIZE).zip(above.chunks_exact(N * E::SIZE)) {
        let (residual, up) = (load::<E, N>(bytes), load::<E, N>(above));
        left = core::array::from_fn(|i| residual[i].plus(left[i].middle(up[i])));
        store(left, bytes);
    }
}

fn median_row<E: Element, const N: usize>(above: &[u8], row: &mut [u8]) {
    let (mut left, mut up_left) = ([E::default(); N], [E::default(); N]);
    for (bytes, above) in row.chunks_exact_mut(N * E::SIZE).zip(above.chunks_exact(N * E::SIZE)) {
        let (residual, up) = (load::<E, N>(bytes), load::<E, N>(above));
        left = core::array::from_fn(|i| residual[i].plus(median(left[i], up[i], up_left[i])));
        up_left = up;
        store(left, bytes);
    }
}

/// Calls `undo` with every row and the row above it, from the top.
fn with_rows_above(data: &mut [u8], row: usize, mut undo: impl FnMut(&[u8], &mut [u8])) {
    let zeros = vec![0; row];
    let mut above = zeros.as_slice();
    for row in data.chunks_exact_mut(row) {
        undo(above, row);
        above = row;
    }
}

/// [`undo`] for pixels of any size, an element at a time.
fn undo_any<E: Element>(predictor: Predictor, data: &mut [u8], row: usize, pixel: usize) {
    for at in (0..data.len()).step_by(E::SIZE) {
        let x = at % row;
        let value = |back: Option<usize>| back.map_or(E::default(), |at| E::get(&data[at..]));
        let left = |steps: usize| value((x >= pixel * steps).then(|| at - pixel * steps));
        let up = || value(at.checked_sub(row));
        let up_left = || value((x >= pixel && at >= row).then(|| at - row - pixel));
        let predicted = match predictor {
            Predictor::None => return,
            Predictor::Left => left(1),
            Predictor::Linear => left(1).plus(left(1)).minus(left(2)),
            Predictor::Up => up(),
            Predictor::Average => left(1).middle(up()),
            Predictor::Median => median(left(1), up(), up_left()),
        };
        let sum = E::get(&data[at..]).plus(predicted);
        sum.set(&mut data[at..]);
    }
}
