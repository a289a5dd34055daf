//! The part of a section with which filters are compared.

/// Bytes of a section with which filters are compared.
const SAMPLE: usize = 64 << 10;

/// The rows of a section that filters are compared with, and their width. They are in the middle, because pictures have empty edges.
pub(super) fn sample(section: &[u8], width: usize, pixel: usize) -> (&[u8], usize) {
    let row = width * pixel;
    let rows = section.len() / row;
    if rows == 1 {
        let width = width.min(SAMPLE / pixel).max(1);
        return (&section[(row - width * pixel) / pixel / 2 * pixel..][..width * pixel], width);
    }
    let sampled = (SAMPLE / row).clamp(1, rows);
    (&section[(rows - sampled) / 2 * row..][..sampled * row], width)
}
