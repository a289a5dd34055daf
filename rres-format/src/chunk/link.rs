//! LINK: the path of a file that stays outside the pack.
//!
//! Property: size of the path, its terminator counted. `rres-raylib.h` appends the path to the application's
//! directory as a C string, so the terminator must be there; readers here accept paths without it.

use super::{PayloadView, block};
use crate::error::{Error, Result};

/// A borrowed LINK payload.
#[derive(Clone, Copy, Debug)]
pub struct LinkView<'a> {
    path: &'a str,
}

impl<'a> LinkView<'a> {
    /// Checks the payload; whether the path may be followed is the caller's decision, see
    /// [`crate::normalize_path`].
    ///
    /// # Errors
    /// [`Error::Truncated`] where the data is shorter than its size property, [`Error::Inconsistent`] where the
    /// path is not UTF-8.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let bytes = payload.data_of("link path", payload.prop(0)?.into())?;
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        let path = core::str::from_utf8(&bytes[..end])
            .map_err(|_| Error::inconsistent("link path", format!("not UTF-8: \"{}\"", bytes[..end].escape_ascii())))?;
        Ok(Self { path })
    }

    /// The path, without its terminator.
    pub fn path(&self) -> &'a str {
        self.path
    }
}

/// The block of a link to `path`.
pub fn link_block(path: &str) -> Vec<u8> {
    let mut data = path.as_bytes().to_vec();
    data.push(0);
    block(&[data.len() as u32], &data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_with_and_without_terminator() {
        let written = link_block("data/credits.txt");
        assert_eq!(&written[..8], &[1, 0, 0, 0, 17, 0, 0, 0]);
        for block in [written, super::block(&[16], b"data/credits.txt")] {
            let view = LinkView::parse(PayloadView::parse(&block).unwrap()).unwrap();
            assert_eq!(view.path(), "data/credits.txt");
        }
    }
}
