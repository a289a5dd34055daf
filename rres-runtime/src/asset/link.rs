//! Links to files outside the pack.

use rres_format::chunk::link::LinkView;
use rres_format::{AssetKind, FourCc};

use super::{Asset, Loaded};
use crate::error::Result;

/// The path of a file that is shipped beside the pack; [`crate::Store::follow`] finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    path: Box<str>,
}

impl Link {
    /// The path as stored: `/`-separated, relative to [`crate::Store::base_dir`].
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Asset for Link {
    const KIND: AssetKind = AssetKind::Link;

    fn from_loaded(loaded: Loaded<'_>) -> Result<Self> {
        loaded.make(|loaded| {
            let view = loaded.chunk(FourCc::LINK)?.payload()?;
            Ok(Self { path: LinkView::parse(view)?.path().into() })
        })
    }
}
