//! The bytes of pixels: apart, the first byte of each pixel, then the second of each; or together.

/// Puts the bytes of pixels together. `apart` and `out` have the same length, a multiple of `pixel`.
pub(crate) fn join(apart: &[u8], out: &mut [u8], pixel: usize) {
    match pixel {
        2 => join_pixels::<2>(apart, out),
        3 => join_pixels::<3>(apart, out),
        4 => join_pixels::<4>(apart, out),
        6 => join_pixels::<6>(apart, out),
        8 => join_pixels::<8>(apart, out),
        12 => join_pixels::<12>(apart, out),
        _ => {
            for (i, plane) in apart.chunks_exact(out.len() / pixel).enumerate() {
                for (bytes, byte) in out.chunks_exact_mut(pixel).zip(plane) {
                    bytes[i] = *byte;
                }
            }
        }
    }
}

/// [`join`] for pixels of `N` bytes.
fn join_pixels<const N: usize>(apart: &[u8], out: &mut [u8]) {
    let count = out.len() / N;
    let (pixels, _) = out.as_chunks_mut::<N>();
    let mut planes = apart.chunks_exact(count);
    let planes: [&[u8]; N] = core::array::from_fn(|_| planes.next().unwrap_or_default());
    let planes = planes.map(|plane| &plane[..pixels.len()]);
    for (i, pixel) in pixels.iter_mut().enumerate() {
        *pixel = core::array::from_fn(|n| planes[n][i]);
    }
}

/// Puts the bytes of pixels apart: the opposite of [`join`].
pub(crate) fn split(pixels: &[u8], pixel: usize) -> Vec<u8> {
    match pixel {
        2 => split_pixels::<2>(pixels),
        3 => split_pixels::<3>(pixels),
        4 => split_pixels::<4>(pixels),
        _ => (0..pixel).flat_map(|i| pixels.iter().copied().skip(i).step_by(pixel)).collect(),
    }
}

/// [`split`] for pixels of `N` bytes.
fn split_pixels<const N: usize>(pixels: &[u8]) -> Vec<u8> {
    let mut apart = Vec::with_capacity(pixels.len());
    for i in 0..N {
        apart.extend(pixels.as_chunks::<N>().0.iter().map(|pixel| pixel[i]));
    }
    apart
}
