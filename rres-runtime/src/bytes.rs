//! The bytes of an asset: a part of a mapped pack, or an allocation of their own.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use rres_format::zeroed;

use crate::map::{Map, Piece, large_pages};

/// The memory that [`AssetBytes`] are a part of.
pub(crate) enum Backing {
    Map(Map),
    Owned(Box<[u8]>),
    /// As [`Self::Owned`], a part of a pack that is read in parts. It should not stay for the sake of a small part of it.
    Segment(Box<[u8]>),
    /// As [`Self::Owned`], for large blocks.
    Pages(memmap2::MmapMut),
    /// As [`Self::Owned`], a part of large pages.
    Piece(Piece),
    Static(&'static [u8]),
}

/// Blocks of this size or larger get pages of their own, which costs a small part of the time that it saves.
pub(crate) const LARGE: usize = 4 << 20;

impl Backing {
    /// Allocates `len` bytes and lets `fill` write all of them. What they are before is unspecified.
    pub(crate) fn filled<E: From<rres_format::Error>>(
        len: usize,
        fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, E> {
        if let Some(mut piece) = Piece::allocate(len) {
            return fill(&mut piece).map(|()| Self::Piece(piece));
        }
        match Some(len).filter(|len| *len >= LARGE).and_then(large_pages) {
            Some(mut pages) => fill(&mut pages).map(|()| Self::Pages(pages)),
            None => {
                let mut block = zeroed(len)?.into_boxed_slice();
                fill(&mut block).map(|()| Self::Owned(block))
            }
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Map(map) => map.bytes(),
            Self::Owned(bytes) | Self::Segment(bytes) => bytes,
            Self::Pages(pages) => pages,
            Self::Piece(piece) => piece,
            Self::Static(bytes) => bytes,
        }
    }
}

/// Shared, immutable bytes. They dereference to `[u8]`; cloning copies a pointer.
///
/// The bytes of an uncompressed chunk are a part of the pack, without a copy, and keep the pack alive.
#[derive(Clone)]
pub struct AssetBytes {
    backing: Arc<Backing>,
    range: Range<usize>,
}

impl AssetBytes {
    /// Creates bytes that are all of `backing`.
    pub(crate) fn new(backing: Backing) -> Self {
        let range = 0..backing.bytes().len();
        Self { backing: Arc::new(backing), range }
    }

    /// Shares `part`, which a view borrowed from these bytes, or copies it if that is small and they are a segment.
    pub(crate) fn share(&self, part: &[u8]) -> Self {
        let (whole, part_start) = (self.as_ptr() as usize, part.as_ptr() as usize);
        let start = self.range.start + part_start.wrapping_sub(whole);
        let range = start..start.wrapping_add(part.len());
        // A slice of other memory would be a bug in this crate; a copy of it is still right.
        let is_elsewhere = part_start < whole || range.end > self.range.end;
        let is_small = matches!(&*self.backing, Backing::Segment(bytes) if part.len() < bytes.len() / 2);
        if is_elsewhere || is_small {
            return Self::new(Backing::Owned(part.into()));
        }
        Self { backing: Arc::clone(&self.backing), range }
    }

    /// Returns the same bytes at an address that is a multiple of `alignment`, a power of two up to 8: in place if they
    /// are aligned already, otherwise copied.
    ///
    /// The data of uncompressed chunks is aligned in packs of `rres-build`, but not always in packs of other programs.
    pub(crate) fn aligned(self, alignment: usize) -> Self {
        if (self.as_ptr() as usize).is_multiple_of(alignment) {
            return self;
        }
        // A boxed slice of bytes may start anywhere, so leave room to move the start.
        let mut copy = vec![0; self.len() + 8].into_boxed_slice();
        let start = (copy.as_ptr() as usize).next_multiple_of(alignment) - copy.as_ptr() as usize;
        copy[start..start + self.len()].copy_from_slice(&self);
        Self { range: start..start + self.len(), backing: Arc::new(Backing::Owned(copy)) }
    }

    /// Tells the system that a part of the bytes is read soon. Does nothing if they are not in a mapped file.
    pub(crate) fn will_need(&self, part: Range<u64>) {
        if let Backing::Map(map) = &*self.backing {
            let at = |offset: u64| {
                self.range.end.min(self.range.start.saturating_add(usize::try_from(offset).unwrap_or(usize::MAX)))
            };
            map.will_need(at(part.start)..at(part.end));
        }
    }

    /// Returns whether the bytes are a part of the pack, and not a decoded copy.
    pub fn is_borrowed(&self) -> bool {
        !matches!(*self.backing, Backing::Owned(_) | Backing::Segment(_) | Backing::Pages(_) | Backing::Piece(_))
    }
}

impl Deref for AssetBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.backing.bytes()[self.range.clone()]
    }
}

impl AsRef<[u8]> for AssetBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// Compares contents, with anything that is a slice of bytes.
impl<T: AsRef<[u8]> + ?Sized> PartialEq<T> for AssetBytes {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

impl Eq for AssetBytes {}

impl fmt::Debug for AssetBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AssetBytes({} bytes)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_part_of_a_segment_is_a_copy_and_a_large_one_keeps_it() {
        let segment = AssetBytes::new(Backing::Segment(vec![7; 1000].into()));
        for (len, is_copy) in [(100, true), (499, true), (500, false), (1000, false)] {
            let part = segment.share(&segment[..len]);
            assert_eq!((part.len(), part.as_ptr() != segment.as_ptr()), (len, is_copy), "{len}");
        }
        let pack = AssetBytes::new(Backing::Owned(vec![7; 1000].into()));
        assert_eq!(pack.share(&pack[..100]).as_ptr(), pack.as_ptr(), "a pack in memory stays anyway");
    }
}
