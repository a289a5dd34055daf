//! Links to files outside the pack.

use rres_format::chunk::link::LinkView;
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::error::Result;
use crate::resource::LoadedResource;

/// The path of a file that is shipped beside the pack. [`crate::Store::follow`] finds the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    path: Box<str>,
}

impl Link {
    /// Returns the path as stored: separated by `/`, relative to [`crate::Store::base_dir`].
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Asset for Link {
    const KIND: AssetKind = AssetKind::Link;
}

impl FromResource for Link {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let view = resource.chunk(FourCc::LINK)?.payload()?;
        Ok(Self { path: LinkView::parse(view)?.path().into() })
    }
}
