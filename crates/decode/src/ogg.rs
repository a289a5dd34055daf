//! Reads the pages of an Ogg file: whether it is complete.

/// Whether every page is complete up to the end of the file. Other data after the pages is skipped, since some programs
/// append tags.
pub fn pages_are_whole(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while rest.starts_with(b"OggS") {
        let Some(segments) = rest.get(26).map(|n| usize::from(*n)) else { return false };
        let Some(sizes) = rest.get(27..27 + segments) else { return false };
        let size = 27 + segments + sizes.iter().map(|n| usize::from(*n)).sum::<usize>();
        match rest.get(size..) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    // The first letters of a page whose header is cut off.
    rest.is_empty() || !b"OggS".starts_with(&rest[..rest.len().min(4)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_page_is_noticed_and_other_data_is_not() {
        let page = |data: &[u8]| [&b"OggS"[..], &[0; 22], &[1, data.len() as u8], data].concat();
        let file = [page(b"first"), page(b"second")].concat();
        assert!(pages_are_whole(&file));
        for len in 0..file.len() {
            let is_between = len == 0 || len == page(b"first").len();
            assert_eq!(pages_are_whole(&file[..len]), is_between, "{len}");
        }
        assert!(pages_are_whole(&[&file[..], b"TAG"].concat()));
    }
}
