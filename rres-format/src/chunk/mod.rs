//! The payload of a chunk: properties and data, one typed view and one builder per kind.
//!
//! Before compression every payload is one **block**: `u32` property count, that many `u32` properties, data.
//! Views borrow the block and check every size against it; builders make the block. Both sides of one kind stand in
//! one file.

pub mod directory;
pub mod glyphs;
pub mod image;
pub mod link;
pub mod model;
pub mod raw;
pub mod text;
pub mod vertex;
pub mod wave;

use crate::error::{Error, Result};
use crate::limits::MAX_PROPS;
use crate::wire::{slice, u32_at};

/// A borrowed block, split into properties and data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayloadView<'a> {
    props: &'a [u8],
    data: &'a [u8],
}

impl<'a> PayloadView<'a> {
    /// Splits a decoded block.
    ///
    /// # Errors
    /// [`Error::Truncated`] where the block is shorter than its property count says, [`Error::LimitExceeded`] for
    /// more than [`MAX_PROPS`] properties.
    pub fn parse(block: &'a [u8]) -> Result<Self> {
        let count = u32_at(slice(block, "property count", 0, 4)?, 0);
        if count > MAX_PROPS {
            return Err(Error::LimitExceeded {
                what: "the property count of a chunk",
                value: count.into(),
                limit: MAX_PROPS.into(),
                help: "the chunk is damaged or of another format",
            });
        }
        let props = slice(block, "properties", 4, u64::from(count) * 4)?;
        Ok(Self { props, data: &block[4 + props.len()..] })
    }

    /// Number of properties.
    pub fn prop_count(&self) -> usize {
        self.props.len() / 4
    }

    /// Property `i`.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] where the chunk has fewer.
    pub fn prop(&self, i: usize) -> Result<u32> {
        if i < self.prop_count() {
            return Ok(u32_at(self.props, i * 4));
        }
        Err(Error::inconsistent("properties", format!("property {i} is needed, {} are there", self.prop_count())))
    }

    /// The first `N` properties.
    ///
    /// # Errors
    /// As [`Self::prop`].
    pub fn first_props<const N: usize>(&self) -> Result<[u32; N]> {
        let mut out = [0; N];
        for (i, slot) in out.iter_mut().enumerate() {
            *slot = self.prop(i)?;
        }
        Ok(out)
    }

    /// All properties in order.
    pub fn props(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.props.chunks_exact(4).map(|p| u32_at(p, 0))
    }

    /// What follows the properties; trailing padding of the writer included.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Where the data starts in the block.
    pub fn data_offset(&self) -> usize {
        4 + self.props.len()
    }

    /// The first `len` bytes of the data, for views whose properties say how much there must be.
    fn data_of(&self, what: &'static str, len: u64) -> Result<&'a [u8]> {
        slice(self.data, what, 0, len)
    }
}

/// The block of `props` and `data`.
pub fn block(props: &[u32], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 + props.len() * 4 + data.len());
    out.extend_from_slice(&(props.len() as u32).to_le_bytes());
    for prop in props {
        out.extend_from_slice(&prop.to_le_bytes());
    }
    out.extend_from_slice(data);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_splits_into_what_it_was_made_of() {
        let made = block(&[1, 2, 0xffff_ffff], b"data");
        let view = PayloadView::parse(&made).unwrap();
        assert_eq!(view.props().collect::<Vec<_>>(), [1, 2, 0xffff_ffff]);
        assert_eq!(view.data(), b"data");
        assert_eq!(view.data_offset(), 16);
        assert!(view.prop(3).is_err());
    }

    #[test]
    fn property_counts_are_bounded_by_the_block_before_anything_is_allocated() {
        assert!(matches!(PayloadView::parse(&[1, 0, 0]), Err(Error::Truncated { .. })));
        assert!(matches!(PayloadView::parse(&[2, 0, 0, 0, 9, 9, 9, 9]), Err(Error::Truncated { .. })));
        assert!(matches!(PayloadView::parse(&[255; 64]), Err(Error::LimitExceeded { .. })));
    }
}
