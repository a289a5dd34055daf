//! How much work a font may make: a small file can list the same part a million times.

use crate::SubsetError;

/// Steps that are left. A font of 65,535 glyphs with rich features takes a few millions.
#[derive(Debug)]
pub(crate) struct Effort(u64);

impl Default for Effort {
    fn default() -> Self {
        Self(50_000_000)
    }
}

impl Effort {
    /// Takes this many steps.
    ///
    /// # Errors
    /// [`SubsetError::Endless`] if no more are left.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), SubsetError> {
        self.0 = self.0.checked_sub(steps as u64).ok_or(SubsetError::Endless)?;
        Ok(())
    }
}
