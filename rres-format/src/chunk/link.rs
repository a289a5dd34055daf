//! LINK: the path of a file outside the pack.
//!
//! Property: size of the path in bytes, including its terminating NUL. `rres-raylib.h` appends the path to the
//! application's directory as a C string and so requires the NUL; this crate writes it and also reads paths without it.

use super::{PayloadView, block};
use crate::error::{Error, Result};

/// A borrowed LINK payload.
#[derive(Clone, Copy, Debug)]
pub struct LinkView<'a> {
    path: &'a str,
}

impl<'a> LinkView<'a> {
    /// Checks that the data contains the path. The caller decides whether to open the file; the path may be absolute or
    /// contain `..`, which [`crate::normalize_path`] rejects.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the data is too short, and [`Error::Inconsistent`] if the path is not UTF-8.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let bytes = payload.data_of("link path", payload.prop(0)?.into())?;
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        let path = core::str::from_utf8(&bytes[..end]).map_err(|_| {
            Error::inconsistent("link path", format!("\"{}\" is not UTF-8", bytes[..end].escape_ascii()))
        })?;
        Ok(Self { path })
    }

    /// Returns the path, without its terminator.
    pub fn path(&self) -> &'a str {
        self.path
    }
}

/// Returns the block of a link to `path`.
pub fn link_block(path: &str) -> Vec<u8> {
    let mut data = path.as_bytes().to_vec();
    data.push(0);
    block(&[data.len() as u32], &data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_with_and_without_a_terminator() {
        let written = link_block("data/credits.txt");
        assert_eq!(&written[..8], &[1, 0, 0, 0, 17, 0, 0, 0]);
        for block in [written, super::block(&[16], b"data/credits.txt")] {
            let view = LinkView::parse(PayloadView::parse(&block).unwrap()).unwrap();
            assert_eq!(view.path(), "data/credits.txt");
        }
    }
}
