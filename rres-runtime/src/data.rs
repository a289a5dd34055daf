//! Bytes that an asset holds: a piece of a mapped pack, or an allocation of its own.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::map::Map;

/// Where bytes live.
pub(crate) enum Backing {
    Map(Map),
    Owned(Box<[u8]>),
    /// As [`Self::Owned`], for large blocks.
    Pages(memmap2::MmapMut),
    Static(&'static [u8]),
}

impl Backing {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Map(map) => map.bytes(),
            Self::Owned(bytes) => bytes,
            Self::Pages(pages) => pages,
            Self::Static(bytes) => bytes,
        }
    }
}

/// Shared, immutable bytes; cloning copies a pointer. Those of a plain chunk are the pack's own.
#[derive(Clone)]
pub struct Data {
    backing: Arc<Backing>,
    range: Range<usize>,
}

impl Data {
    /// All bytes of `backing`.
    pub(crate) fn new(backing: Backing) -> Self {
        let range = 0..backing.bytes().len();
        Self { backing: Arc::new(backing), range }
    }

    /// A piece of these bytes, where `part` borrows from them; used to keep what a view found.
    pub(crate) fn keep(&self, part: &[u8]) -> Self {
        let (whole, piece) = (self.as_ptr() as usize, part.as_ptr() as usize);
        let start = self.range.start + piece.wrapping_sub(whole);
        let range = start..start.wrapping_add(part.len());
        // A slice of something else would be a bug here; keeping its bytes by copy is right all the same.
        if piece < whole || range.end > self.range.end {
            return Self::new(Backing::Owned(part.into()));
        }
        Self { backing: Arc::clone(&self.backing), range }
    }

    /// The same bytes at a multiple of `alignment` (a power of two up to 8): in place where they stand so already.
    /// Data of plain chunks of our packs do; packs of other programs promise nothing.
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

    /// Whether the bytes are those of the pack, in place.
    pub fn is_borrowed(&self) -> bool {
        !matches!(*self.backing, Backing::Owned(_) | Backing::Pages(_))
    }
}

impl Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.backing.bytes()[self.range.clone()]
    }
}

impl AsRef<[u8]> for Data {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Data({} bytes)", self.len())
    }
}
