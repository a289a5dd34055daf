//! Floats of a model: views of the pack, or of the decoded chunk.

use std::fmt;
use std::ops::Deref;

use crate::bytes::{AssetBytes, Backing};

/// Shared floats.
#[derive(Clone)]
pub(super) struct Numbers(AssetBytes);

impl Numbers {
    /// Takes bytes of little-endian floats, which are copied if their address is not a multiple of 4.
    pub(super) fn new(bytes: AssetBytes) -> Self {
        Self(bytes.aligned(4))
    }

    /// Shares `count` floats from `first` on; fewer if there are fewer.
    pub(super) fn part(&self, first: usize, count: usize) -> Self {
        let end = first.saturating_add(count).saturating_mul(4).min(self.0.len());
        Self(self.0.share(&self.0[first.saturating_mul(4).min(end)..end]))
    }

    /// Returns the floats in groups.
    pub(super) fn groups<T: bytemuck::AnyBitPattern>(&self) -> &[T] {
        bytemuck::try_cast_slice(&self.0).unwrap_or_default()
    }
}

impl Deref for Numbers {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        self.groups()
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self(AssetBytes::new(Backing::Static(&[])))
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers", self.len())
    }
}
