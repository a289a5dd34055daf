//! RAWD: the unchanged bytes of a file.
//!
//! Properties: size in bytes, extension 1, extension 2, 0. The two extension properties contain the extension including
//! its dot, left-aligned, with the first character in the highest byte: `.png` is `0x2e706e67`, 0.

use super::{PayloadView, block};
use crate::error::Result;
use crate::limits::MAX_EXTENSION_LEN;

/// A borrowed RAWD payload.
#[derive(Clone, Copy, Debug)]
pub struct RawView<'a> {
    bytes: &'a [u8],
    extension: [u8; 8],
}

impl<'a> RawView<'a> {
    /// Checks that the data has the size in the properties.
    ///
    /// # Errors
    /// [`crate::Error::Truncated`] if the data is too short.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [size, ext1, ext2] = payload.first_props()?;
        let mut extension = [0; 8];
        extension[..4].copy_from_slice(&ext1.to_be_bytes());
        extension[4..].copy_from_slice(&ext2.to_be_bytes());
        Ok(Self { bytes: payload.data_of("raw data", size.into())?, extension })
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the extension with its dot, or nothing if none is stored; not checked to be UTF-8.
    pub fn extension(&self) -> &[u8] {
        let len = self.extension.iter().position(|b| *b == 0).unwrap_or(8);
        &self.extension[..len]
    }
}

/// Returns the two properties that store `extension`, which includes its dot; zeros if it is longer than
/// [`MAX_EXTENSION_LEN`] bytes.
pub fn extension_props(extension: &str) -> [u32; 2] {
    let bytes = extension.as_bytes();
    let mut field = [0; 8];
    if bytes.len() <= MAX_EXTENSION_LEN {
        field[..bytes.len()].copy_from_slice(bytes);
    }
    let [a, b, c, d, e, f, g, h] = field;
    [u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])]
}

/// Returns the block of a file with these bytes; `extension` includes its dot.
pub fn raw_block(extension: &str, bytes: &[u8]) -> Vec<u8> {
    block(&props(extension, bytes.len() as u32), bytes)
}

/// Returns the start of the block of a file with `len` bytes: all that precedes them.
pub fn raw_block_head(extension: &str, len: u32) -> Vec<u8> {
    block(&props(extension, len), &[])
}

fn props(extension: &str, len: u32) -> [u32; 4] {
    let [ext1, ext2] = extension_props(extension);
    [len, ext1, ext2, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_stored_as_the_c_tools_store_them() {
        assert_eq!(extension_props(".png"), [0x2e70_6e67, 0]);
        assert_eq!(extension_props(".xm"), [0x2e78_6d00, 0]);
        assert_eq!(extension_props(".config"), [0x2e63_6f6e, 0x6669_6700]);
        assert_eq!(extension_props(".toolong"), [0, 0]);
        assert_eq!(extension_props(""), [0, 0]);
    }

    #[test]
    fn round_trip() {
        let block = raw_block(".config", b"abc");
        let view = RawView::parse(PayloadView::parse(&block).unwrap()).unwrap();
        assert_eq!((view.bytes(), view.extension()), (&b"abc"[..], &b".config"[..]));
        assert_eq!([&raw_block_head(".config", 3)[..], b"abc"].concat(), block);
    }
}
