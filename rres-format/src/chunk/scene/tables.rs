//! Which lists of times were checked.

use std::collections::HashSet;

use super::Span;

/// Lists of times that were checked. Channels share them as a whole, so that checking takes no longer than reading.
pub(super) struct Tables {
    known: HashSet<(u32, u32)>,
    left: u64,
}

impl Tables {
    /// `count` is the number of times that there are.
    pub(super) fn new(count: usize) -> Self {
        Self { known: HashSet::new(), left: count as u64 }
    }

    /// Whether a list was not checked yet; an error if it is a part of others.
    pub(super) fn is_new(&mut self, Span { first, count }: Span) -> core::result::Result<bool, ()> {
        if !self.known.insert((first, count)) {
            return Ok(false);
        }
        self.left = self.left.checked_sub(count.into()).ok_or(())?;
        Ok(true)
    }
}
