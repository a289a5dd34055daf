//! Chunks of kinds that importers of a build script choose: data of a type of the game.
//!
//! Properties: size of the data in bytes, 0, 0, 0.

use super::{PayloadView, block};
use crate::error::{Error, Result};

/// A borrowed payload of such a kind.
#[derive(Clone, Copy, Debug)]
pub struct CustomView<'a> {
    data: &'a [u8],
}

impl<'a> CustomView<'a> {
    /// Checks that the payload contains the data.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the data is too short, and [`Error::Inconsistent`] if the size is missing.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        Ok(Self { data: payload.data_of("custom data", payload.prop(0)?.into())? })
    }

    /// Returns the data.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }
}

/// Returns a block with this data.
///
/// # Errors
/// [`Error::Inconsistent`] if it has 4 GiB or more.
pub fn custom_block(data: &[u8]) -> Result<Vec<u8>> {
    let size = u32::try_from(data.len())
        .map_err(|_| Error::inconsistent("custom data", format!("{} bytes, expected less than 4 GiB", data.len())))?;
    Ok(block(&[size, 0, 0, 0], data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_read_without_what_follows_it() {
        let mut written = custom_block(b"abc").unwrap();
        assert_eq!(written, [&[4, 0, 0, 0, 3, 0, 0, 0][..], &[0; 12], b"abc"].concat());
        for _ in 0..2 {
            let view = CustomView::parse(PayloadView::parse(&written).unwrap()).unwrap();
            assert_eq!(view.data(), b"abc");
            written.push(0);
        }
        assert!(CustomView::parse(PayloadView::parse(&written[..22]).unwrap()).is_err());
    }
}
