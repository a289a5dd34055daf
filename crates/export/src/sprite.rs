//! Sprites → the pictures that they show, cut out of their atlases.

use rres_runtime::asset::PixelFormat;
use rres_runtime::{Image, Pack, ResourceId, Sprite};

use super::{Contents, ExportError, png, rgba8};

/// The most pixels of a picture: 16384².
const MAX_PIXELS: u64 = 1 << 28;

/// Encodes the whole picture of a sprite, with the transparent edges that its atlas leaves out.
pub fn sprite(pack: &Pack, id: ResourceId) -> Result<Contents<'static>, ExportError> {
    let sprite: Sprite = pack.load(id)?;
    let atlas: Image = pack.load(sprite.atlas().resource()).map_err(|error| {
        ExportError::Unsupported(format!("its atlas {} cannot be loaded: {error}", sprite.atlas().resource()))
    })?;
    let Contents { bytes, .. } = png(&cut(&sprite, &atlas)?)?;
    let premultiplied = if atlas.is_premultiplied() { ", colours multiplied by alpha" } else { "" };
    Ok(Contents { bytes, conversion: Some(format!("cut out of its atlas, as .png{premultiplied}")) })
}

/// The picture of a sprite.
pub fn cut(sprite: &Sprite, atlas: &Image) -> Result<Image, ExportError> {
    let is_float = matches!(atlas.format(), PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F);
    let pixels = if is_float { None } else { rgba8(atlas, 0) };
    let pixels = pixels.ok_or_else(|| {
        ExportError::Unsupported(format!(
            "its atlas has pixels of format {}, and no .png is cut out of these",
            atlas.format()
        ))
    })?;
    let (left, top) = sprite.offset();
    let (full_width, full_height) = sprite.full_size();
    let is_inside = |at: u32, len: u32, edge: u32| at.checked_add(len).is_some_and(|end| end <= edge);
    if !is_inside(sprite.x(), sprite.width(), atlas.width()) || !is_inside(sprite.y(), sprite.height(), atlas.height())
    {
        return Err(ExportError::Damaged(format!(
            "its {}×{} pixels at {},{} are not inside its atlas of {}×{}",
            sprite.width(),
            sprite.height(),
            sprite.x(),
            sprite.y(),
            atlas.width(),
            atlas.height()
        )));
    }
    if u64::from(full_width) * u64::from(full_height) > MAX_PIXELS {
        return Err(ExportError::Unsupported(format!("its picture has {full_width}×{full_height} pixels")));
    }
    let mut picture = vec![0; full_width as usize * full_height as usize * 4];
    let len = sprite.width() as usize * 4;
    for row in 0..sprite.height() as usize {
        let from = ((sprite.y() as usize + row) * atlas.width() as usize + sprite.x() as usize) * 4;
        let to = ((top as usize + row) * full_width as usize + left as usize) * 4;
        picture[to..to + len].copy_from_slice(&pixels[from..from + len]);
    }
    Ok(Image::from_rgba8(full_width, full_height, picture)?)
}
