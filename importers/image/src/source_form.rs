//! The file of a lossy picture as its stored form, beside its pixels.
//!
//! A JPEG takes a fifth of what a lossless compressor makes of its pixels, which have the noise of the first compression
//! in them. Lossless files have no such form: their pixels compress as well as the files do, and load faster.

use rres_format::FourCc;
use rres_format::chunk::image::{ImageProps, ImageView};
use rres_format::chunk::{PayloadView, raw::raw_block};
use rres_format::index::{Meta, MetaKey};
use rres_import::SourceForm;
use rres_settings::{ImageSettings, ImageStorage};

use super::{Asset, Block, Content, ImportError};

/// Gives an image its file as another form, or as its only form, as the settings ask. `decoded` are the properties of its
/// pixels before settings were applied to them.
pub(super) fn offer(
    mut resource: Asset,
    decoded: ImageProps,
    (bytes, content): (&[u8], Content),
    path: &str,
    settings: &ImageSettings,
) -> Result<Asset, ImportError> {
    let is_lossy = content == Content::Jpeg;
    match settings.store {
        ImageStorage::Source if !is_lossy => {
            let help = format!(
                "remove store = \"source\" for it, for example with image = {{ store = \"auto\" }} under [\"{path}\"] in \
                 assets.toml: its pixels are stored without loss"
            );
            let found = content.name();
            return Err(ImportError::new(format!("is {found}, and only a JPEG can be stored in its source form"))
                .with_help(help)
                .with_fix("image = { store = \"auto\" }"));
        }
        ImageStorage::Auto | ImageStorage::Source if is_lossy && is_as_decoded(&resource, decoded) => {}
        _ => return Ok(resource),
    }
    let mut meta = Meta::default();
    meta.set(MetaKey::WIDTH, decoded.width);
    meta.set(MetaKey::HEIGHT, decoded.height);
    meta.set(MetaKey::PIXEL_FORMAT, decoded.format.0);
    // An image inside a model has no extension of its own.
    let block = Block { compressible: false, ..Block::new(FourCc::RAWD, raw_block(".jpg", bytes)) };
    resource.source_form = Some(SourceForm { block, meta, format: "JPEG" });
    Ok(if settings.store == ImageStorage::Source { resource.in_source_form() } else { resource })
}

/// Whether the stored pixels are the pixels of the file.
fn is_as_decoded(resource: &Asset, decoded: ImageProps) -> bool {
    let stored =
        resource.blocks.first().and_then(|block| ImageView::parse(PayloadView::parse(&block.bytes).ok()?).ok());
    stored.is_some_and(|view| view.props() == decoded)
}
