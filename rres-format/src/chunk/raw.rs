//! RAWD: the bytes of a file as they are.
//!
//! Properties: size in bytes, extension part 1, extension part 2, 0. The extension, its dot included, stands
//! left-aligned in the two numbers, first character in the highest byte: `.png` is `0x2e706e67`, 0.

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
    /// Checks the payload.
    ///
    /// # Errors
    /// [`crate::Error::Truncated`] where the data is shorter than its size property.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [size, ext1, ext2] = payload.first_props()?;
        let mut extension = [0; 8];
        extension[..4].copy_from_slice(&ext1.to_be_bytes());
        extension[4..].copy_from_slice(&ext2.to_be_bytes());
        Ok(Self { bytes: payload.data_of("raw data", size.into())?, extension })
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The extension with its dot, empty where none is stored; not checked to be text.
    pub fn extension(&self) -> &[u8] {
        let len = self.extension.iter().position(|b| *b == 0).unwrap_or(8);
        &self.extension[..len]
    }
}

/// The two properties that hold `extension` (with its dot), or zeros where it is too long to be stored.
pub fn extension_props(extension: &str) -> [u32; 2] {
    let bytes = extension.as_bytes();
    let mut field = [0; 8];
    if bytes.len() <= MAX_EXTENSION_LEN {
        field[..bytes.len()].copy_from_slice(bytes);
    }
    let [a, b, c, d, e, f, g, h] = field;
    [u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])]
}

/// The block of a raw file; `extension` with its dot.
pub fn raw_block(extension: &str, bytes: &[u8]) -> Vec<u8> {
    let [ext1, ext2] = extension_props(extension);
    block(&[bytes.len() as u32, ext1, ext2, 0], bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_stand_as_the_c_tools_write_them() {
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
    }
}
