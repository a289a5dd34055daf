//! Payloads of chunks: a typed view and a builder for each kind.
//!
//! Before compression, a payload is a **block**: a `u32` property count, that many `u32` properties, then data. Views
//! borrow a block and check every size against it; builders return a block. Each module contains both for one kind.

pub mod collision;
pub mod custom;
pub mod directory;
pub mod frames;
pub mod glyphs;
pub mod image;
pub mod kerning;
pub mod link;
pub mod markers;
pub mod model;
pub mod raw;
pub mod scene;
pub mod seek;
pub mod shader;
pub mod sprite;
pub mod text;
pub mod vertex;
pub mod wave;

use crate::bytes::{slice, u32_at};
use crate::error::{Error, Result};
use crate::limits::MAX_PROPS;

/// A borrowed block, split into its properties and its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayloadView<'a> {
    props: &'a [u8],
    data: &'a [u8],
}

impl<'a> PayloadView<'a> {
    /// Splits a decoded block.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the properties do not fit the block, and [`Error::LimitExceeded`] if there are more than
    /// [`MAX_PROPS`].
    pub fn parse(block: &'a [u8]) -> Result<Self> {
        let count = u32_at(slice(block, "property count", 0, 4)?, 0);
        if count > MAX_PROPS {
            return Err(Error::LimitExceeded {
                what: "the property count of a chunk",
                value: count.into(),
                limit: MAX_PROPS.into(),
                help: "the chunk is damaged or has another format",
            });
        }
        let props = slice(block, "properties", 4, u64::from(count) * 4)?;
        Ok(Self { props, data: &block[4 + props.len()..] })
    }

    /// Returns the number of properties.
    pub fn prop_count(&self) -> usize {
        self.props.len() / 4
    }

    /// Returns property `i`, counted from 0.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if the block has fewer properties.
    pub fn prop(&self, i: usize) -> Result<u32> {
        if i < self.prop_count() {
            return Ok(u32_at(self.props, i * 4));
        }
        Err(Error::inconsistent("properties", format!("expected at least {}, found {}", i + 1, self.prop_count())))
    }

    /// Returns the first `N` properties.
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

    /// Returns all properties in order.
    pub fn props(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.props.chunks_exact(4).map(|p| u32_at(p, 0))
    }

    /// Returns everything after the properties. It may be longer than the properties require.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Returns the offset of the data in the block.
    pub fn data_offset(&self) -> usize {
        4 + self.props.len()
    }

    /// Returns the first `len` bytes of the data, the length that a view computed from the properties.
    fn data_of(&self, what: &'static str, len: u64) -> Result<&'a [u8]> {
        slice(self.data, what, 0, len)
    }
}

/// Returns the block with these properties and data.
pub fn block(props: &[u32], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 + props.len() * 4 + data.len());
    out.extend_from_slice(&(props.len() as u32).to_le_bytes());
    for prop in props {
        out.extend_from_slice(&prop.to_le_bytes());
    }
    out.extend_from_slice(data);
    out
}

/// Checks that a block that was cut off is an error, and that no other byte of it makes a reader panic.
#[cfg(test)]
fn assert_damage_never_panics<T>(good: &[u8], parse: impl Fn(&[u8]) -> Result<T>) {
    use rres_test_data::damage::{cuts, replaced};
    cuts(good).for_each(|cut| assert!(parse(cut).is_err(), "{}", cut.len()));
    replaced(good, 0..good.len(), &[0, 1, 0x7f, 0xff]).for_each(|bad| drop(parse(&bad)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_split_into_its_properties_and_data() {
        let block = block(&[1, 2, 0xffff_ffff], b"data");
        let view = PayloadView::parse(&block).unwrap();
        assert_eq!(view.props().collect::<Vec<_>>(), [1, 2, 0xffff_ffff]);
        assert_eq!(view.data(), b"data");
        assert_eq!(view.data_offset(), 16);
        assert!(view.prop(3).is_err());
    }

    #[test]
    fn property_counts_are_checked_against_the_block() {
        assert!(matches!(PayloadView::parse(&[1, 0, 0]), Err(Error::Truncated { .. })));
        assert!(matches!(PayloadView::parse(&[2, 0, 0, 0, 9, 9, 9, 9]), Err(Error::Truncated { .. })));
        assert!(matches!(PayloadView::parse(&[255; 64]), Err(Error::LimitExceeded { .. })));
    }
}
