//! Stored images and their places → the pages of an atlas.

use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat};
use rres_format::index::{ColorSpace, Meta, MetaKey};
use rres_format::{AssetKind, FourCc};

use super::super::convert::Conversion;
use super::super::mips::{self, Meaning};
use super::super::normals;
use super::super::{Asset, Block, Decoded, HEAD, ImportError, checked_size};
use super::{AtlasOptions, Member, Page, Place};

/// Makes the images of the pages. All members and the pages have the same `meta`.
///
/// # Errors
/// [`ImportError`] if a member is not an image with plain pixels, or a page is too large.
pub(crate) fn compose(
    members: &[Member],
    pages: &[Page],
    options: &AtlasOptions,
    meta: &Meta,
) -> Result<Vec<Asset>, ImportError> {
    let views = members.iter().map(|member| view(&member.block)).collect::<Result<Vec<_>, _>>()?;
    let format = page_format(views.iter().map(|view| view.props().format));
    let mut images = Vec::with_capacity(pages.len());
    for (number, page) in pages.iter().enumerate() {
        let props = ImageProps { width: page.width, height: page.height, format, mipmaps: 1 };
        checked_size(&props)?;
        let mut image = Decoded::zeroed(props)?;
        for (member, view) in members.iter().zip(&views).filter(|(member, _)| member.place.page == number) {
            draw(view, member.place, options, &mut image);
        }
        image.premultiplied = meta.get(MetaKey::PREMULTIPLIED) == Some(1);
        images.push(finish(image, number, options, meta)?);
    }
    Ok(images)
}

fn view(block: &[u8]) -> Result<ImageView<'_>, ImportError> {
    let view = PayloadView::parse(block).and_then(ImageView::parse);
    let view = view.map_err(|e| ImportError::new(format!("cannot go into an atlas: {e}")))?;
    if view.props().format.bytes_per_pixel().is_none() {
        let message = format!("is block-compressed ({}) and cannot go into an atlas", view.props().format);
        return Err(ImportError::new(message).with_help("remove `image.atlas` for it, or use an uncompressed source"));
    }
    Ok(view)
}

/// The format of pages: the format of all members, or the smallest one that preserves the pixels of each.
fn page_format(mut formats: impl Iterator<Item = PixelFormat> + Clone) -> PixelFormat {
    let is_float = |format| matches!(format, PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F);
    let first = formats.clone().next().unwrap_or(PixelFormat::RGBA8);
    if formats.clone().all(|format| format == first) {
        first
    } else if formats.any(is_float) {
        PixelFormat::RGBA32F
    } else {
        PixelFormat::RGBA8
    }
}

/// Draws a picture at its place, with its edges repeated.
fn draw(view: &ImageView<'_>, place: Place, options: &AtlasOptions, page: &mut Decoded) {
    let ImageProps { width, height, format: source, .. } = view.props();
    let (extrude, target) = (options.extrude, page.props.format);
    let conversion = Conversion { source, target, premultiply: false };
    let size = |format: PixelFormat, pixels: u32| format.level_size(pixels, 1).unwrap_or(0) as usize;
    let (page_row, source_row, pixel) = (size(target, page.props.width), size(source, width), size(target, 1));
    let inner = size(target, extrude)..size(target, extrude + width);
    let mut row = vec![0; size(target, options.drawn(width))];
    for y in 0..options.drawn(height) {
        let from = y.saturating_sub(extrude).min(height - 1) as usize;
        conversion.convert(&view.data()[from * source_row..][..source_row], &mut row[inner.clone()]);
        let (left, rest) = row.split_at_mut(inner.start);
        let (middle, right) = rest.split_at_mut(inner.len());
        left.chunks_exact_mut(pixel).for_each(|to| to.copy_from_slice(&middle[..pixel]));
        right.chunks_exact_mut(pixel).for_each(|to| to.copy_from_slice(&middle[inner.len() - pixel..]));
        let at = (place.y - extrude + y) as usize * page_row + size(target, place.x - extrude);
        page.data_mut()[at..at + row.len()].copy_from_slice(&row);
    }
}

/// Adds the mip levels that are free of neighbours, and makes the resource.
fn finish(mut image: Decoded, number: usize, options: &AtlasOptions, meta: &Meta) -> Result<Asset, ImportError> {
    let ImageProps { width, height, format, .. } = image.props;
    let levels = (1 + options.smaller_levels()).min(1 + width.max(height).ilog2());
    if levels > 1 {
        let is_linear = meta.get(MetaKey::COLOR_SPACE) == Some(ColorSpace::Linear as u32);
        let meaning = match options.are_normals && normals::fit(format) {
            true => Meaning::Normals,
            false if is_linear => Meaning::Linear,
            false => Meaning::Srgb,
        };
        let conversion = Conversion { source: format, target: format, premultiply: false };
        image = mips::with_all_levels(&image, conversion, meaning)?;
        image.props.mipmaps = levels;
        image.block.truncate(HEAD + checked_size(&image.props)?);
    }
    let Decoded { props, mut block, .. } = image;
    block[..HEAD].copy_from_slice(&props.block(&[]));
    let mut summary = format!("{width}×{height} {format} atlas");
    if levels > 1 {
        summary += &format!(" {levels} mips");
    }
    Ok(Asset {
        name: if number == 0 { String::new() } else { format!("page/{number}") },
        meta: meta.clone(),
        ..Asset::new(AssetKind::Image, vec![Block::new(FourCc::IMGE, block)], summary)
    })
}
