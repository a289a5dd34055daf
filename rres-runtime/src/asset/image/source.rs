//! A picture file that a pack keeps → its pixels, in their final allocation.

use rres_decode::PictureFile;
use rres_format::Limits;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::raw::RawView;
use rres_format::index::{Meta, MetaKey};

use super::{Image, inconsistent};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, Result};
use crate::resource::{Chunk, LoadedResource};

impl Image {
    /// Decodes the picture file in a RAWD chunk.
    pub(super) fn from_source(chunk: &Chunk, resource: &LoadedResource<'_>) -> Result<Self> {
        let picture = PictureFile::open(RawView::parse(chunk.payload()?)?.bytes())?;
        let props = picture.props();
        let size = checked_size(props, &resource.meta, resource.limits)?;
        let pixels = Backing::filled(size, |out| picture.decode_into(out).map_err(Error::from))?;
        Ok(Self::new(props, AssetBytes::new(pixels), &resource.meta))
    }
}

/// The bytes of the decoded pixels, if the head of the file and the index agree on them, and they are within the limit of
/// the pack.
fn checked_size(props: ImageProps, meta: &Meta, limits: Limits) -> Result<usize> {
    let ImageProps { width, height, format, .. } = props;
    let recorded = [MetaKey::WIDTH, MetaKey::HEIGHT, MetaKey::PIXEL_FORMAT].map(|key| meta.get(key));
    // Packs of other programs record nothing.
    if let [Some(w), Some(h), Some(f)] = recorded
        && [w, h, f] != [width, height, format.0]
    {
        let recorded = PixelFormat(f);
        let detail =
            format!("its source has {width}×{height} {format}, expected {w}×{h} {recorded} as the index records");
        return Err(inconsistent(detail));
    }
    let size = props.data_size()?;
    limits.check_decoded("the size of the decoded image in bytes", size)?;
    usize::try_from(size).map_err(|_| inconsistent(format!("{size} bytes are more than this machine can address")))
}
