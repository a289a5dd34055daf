//! In the place of `signature.rs` without the feature `signed`: signatures are not looked at.

use rres_format::PackView;
use rres_format::index::StoredRange;

use crate::error::Result;

#[derive(Debug)]
pub(super) struct Signed;

impl Signed {
    pub(super) fn checks(&self) -> bool {
        false
    }

    pub(super) fn is_required(&self) -> bool {
        false
    }

    pub(super) fn replaces_crc(&self) -> bool {
        false
    }

    pub(super) fn check(&self, _: PackView<'_>, _: StoredRange) -> Result<()> {
        Ok(())
    }

    pub(super) fn check_set(&self, _: &Self, _: u32, _: u32) -> Result<()> {
        Ok(())
    }
}
