//! Residuals → values, in place, row by row: what PNG calls reconstruction.
//!
//! A row of zeros stands above the first row and a pixel of zeros left of each row. The pixels that most images, sounds and meshes have
//! stay in registers where that is several times as fast. Each such function takes time to compile, in the first build of every game.

use crate::element::{Element, median};
use crate::{Predictor, median_rows};

/// Undoes `predictor` on rows of `row` bytes with pixels of `pixel` bytes and elements of `element` bytes.
pub(crate) fn undo(predictor: Predictor, data: &mut [u8], row: usize, pixel: usize, element: usize) {
    match (predictor, element, pixel) {
        (Predictor::Median, 1, 1..=4) => median_rows::undo(data, row, pixel),
        (Predictor::Average, 1, 1) => with_rows_above(data, row, average::<u8, 1>),
        (Predictor::Average, 1, 2) => with_rows_above(data, row, average::<u8, 2>),
        (Predictor::Average, 1, 3) => with_rows_above(data, row, average::<u8, 3>),
        (Predictor::Average, 1, 4) => with_rows_above(data, row, average::<u8, 4>),
        (Predictor::Average, 2, 2) => with_rows_above(data, row, average::<u16, 1>),
        (Predictor::Average, 2, 8) => with_rows_above(data, row, average::<u16, 4>),
        (Predictor::Left | Predictor::Linear, 1, 1) => along_rows::<u8, 1>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 1, 2) => along_rows::<u8, 2>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 1, 3) => along_rows::<u8, 3>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 1, 4) => along_rows::<u8, 4>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 2, 2) => along_rows::<u16, 1>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 2, 4) => along_rows::<u16, 2>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 2, 6) => along_rows::<u16, 3>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 2, 8) => along_rows::<u16, 4>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 4, 4) => along_rows::<u32, 1>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 4, 8) => along_rows::<u32, 2>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 4, 12) => along_rows::<u32, 3>(predictor, data, row),
        (Predictor::Left | Predictor::Linear, 4, 16) => along_rows::<u32, 4>(predictor, data, row),
        (_, 1, _) => undo_elements::<u8>(predictor, data, row, pixel),
        (_, 2, _) => undo_elements::<u16>(predictor, data, row, pixel),
        _ => undo_elements::<u32>(predictor, data, row, pixel),
    }
}

/// Undoes a prediction from the left, of pixels of `N` elements.
fn along_rows<E: Element, const N: usize>(predictor: Predictor, data: &mut [u8], row: usize) {
    for row in data.chunks_exact_mut(row) {
        let (mut left, mut step) = ([E::default(); N], [E::default(); N]);
        if predictor == Predictor::Left {
            for bytes in row.chunks_exact_mut(N * E::SIZE) {
                let residual = load::<E, N>(bytes);
                left = core::array::from_fn(|i| residual[i].plus(left[i]));
                store(left, bytes);
            }
        } else {
            // The line through the two values to the left.
            for bytes in row.chunks_exact_mut(N * E::SIZE) {
                let residual = load::<E, N>(bytes);
                step = core::array::from_fn(|i| residual[i].plus(step[i]));
                left = core::array::from_fn(|i| left[i].plus(step[i]));
                store(left, bytes);
            }
        }
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

/// Undoes the average in a row of pixels of `N` elements.
fn average<E: Element, const N: usize>(above: &[u8], row: &mut [u8]) {
    let mut left = [E::default(); N];
    for (bytes, above) in row.chunks_exact_mut(N * E::SIZE).zip(above.chunks_exact(N * E::SIZE)) {
        let (residual, up) = (load::<E, N>(bytes), load::<E, N>(above));
        left = core::array::from_fn(|i| residual[i].plus(left[i].middle(up[i])));
        store(left, bytes);
    }
}

/// [`undo`] for pixels of any size.
fn undo_elements<E: Element>(predictor: Predictor, data: &mut [u8], row: usize, pixel: usize) {
    match predictor {
        Predictor::None => {}
        Predictor::Left => undo_by::<E>(data, row, pixel, |left, _, _| left),
        // A sum of sums.
        Predictor::Linear => {
            undo_elements::<E>(Predictor::Left, data, row, pixel);
            undo_elements::<E>(Predictor::Left, data, row, pixel);
        }
        Predictor::Up => with_rows_above(data, row, up::<E>),
        Predictor::Average => undo_by::<E>(data, row, pixel, |left, up, _| left.middle(up)),
        Predictor::Median => undo_by::<E>(data, row, pixel, median),
    }
}

fn up<E: Element>(above: &[u8], row: &mut [u8]) {
    for (bytes, above) in row.chunks_exact_mut(E::SIZE).zip(above.chunks_exact(E::SIZE)) {
        E::get(bytes).plus(E::get(above)).set(bytes);
    }
}

/// Adds what is predicted from the values to the left, above, and above to the left.
#[inline(always)]
fn undo_by<E: Element>(data: &mut [u8], row: usize, pixel: usize, predict: impl Fn(E, E, E) -> E) {
    with_rows_above(data, row, |above, row| {
        for at in (0..row.len()).step_by(E::SIZE) {
            let (left, up_left) = match at.checked_sub(pixel) {
                Some(back) => (E::get(&row[back..]), E::get(&above[back..])),
                None => (E::default(), E::default()),
            };
            let sum = E::get(&row[at..]).plus(predict(left, E::get(&above[at..]), up_left));
            sum.set(&mut row[at..]);
        }
    });
}

/// Calls `undo` with every row and the row above it, from the top.
#[inline(always)]
fn with_rows_above(data: &mut [u8], row: usize, mut undo: impl FnMut(&[u8], &mut [u8])) {
    let zeros = vec![0; row];
    let mut above = zeros.as_slice();
    for row in data.chunks_exact_mut(row) {
        undo(above, row);
        above = row;
    }
}
