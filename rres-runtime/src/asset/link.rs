//! Links to files outside the pack.

use std::fmt;

use rres_format::chunk::link::LinkView;
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::error::Result;
use crate::resource::LoadedResource;

/// The path of a file that is shipped beside the pack. [`crate::Store::follow`] finds the file.
///
/// It converts to a `str`, and not to a `Path`: the path is relative to the store's directory and may have been made by a
/// stranger, which [`crate::Store::follow`] considers and `File::open` does not.
///
/// ```
/// use rres_runtime::{Link, Store};
///
/// fn open_movie(store: &Store, link: &Link) -> Result<std::fs::File, Box<dyn std::error::Error>> {
///     println!("opening {link}");
///     Ok(std::fs::File::open(store.follow(link)?)?)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    path: Box<str>,
    /// Whether the pack must be signed, which covers no file beside it.
    pub(crate) must_be_signed: bool,
}

impl Link {
    /// Returns the path as stored: separated by `/`, relative to [`crate::Store::base_dir`].
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl AsRef<str> for Link {
    fn as_ref(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.path)
    }
}

impl Asset for Link {
    const KIND: AssetKind = AssetKind::Link;
}

impl FromResource for Link {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let view = resource.chunk(FourCc::LINK)?.payload()?;
        Ok(Self { path: LinkView::parse(view)?.path().into(), must_be_signed: resource.must_be_signed })
    }
}
