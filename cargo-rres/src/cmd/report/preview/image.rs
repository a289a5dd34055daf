//! Images: each mip level as a picture. Blocks of textures are decoded.

use rres_runtime::Image;
use rres_runtime::asset::{ColorSpace, Filter, Wrap};
use serde_json::json;

use super::pixels::Pixels;
use super::{Preview, base64};

/// The longest edge of a thumbnail: two pixels for each of the page, for screens with narrow ones.
const THUMBNAIL: u32 = 64;

/// The longest edge of a picture that the page shows.
const LONGEST: u32 = 2048;

pub(super) fn preview(image: &Image, share: usize) -> Preview {
    let format = image.format();
    let blocks = blocks(image, share);
    let share = share - blocks.iter().flatten().map(String::len).sum::<usize>();
    let mut levels = Vec::new();
    let mut thumbnail = None;
    for (number, level) in (0..).zip(image.levels()) {
        let Some(pixels) = pixels(image, number) else {
            return Preview::nothing(match format.pixel_block() {
                Some(_) => format!(
                    "the blocks of {format} are not decoded, so neither the picture nor colours and modes of blocks are shown"
                ),
                None => format!("pixels of format {format} cannot be shown here"),
            });
        };
        // Each level has a quarter of the pixels of the one before it.
        let Some((uri, width, height)) = pixels.fitting((share * 3 / 4) >> (2 * number.min(16)), LONGEST) else {
            return Preview::nothing("it has no pixels");
        };
        if number == 0 {
            thumbnail = match uri.len() {
                0..4000 => Some(uri.clone()),
                _ => pixels.fitting(4000, THUMBNAIL).map(|(uri, ..)| uri),
            };
        }
        let [size, stored_width, stored_height] = [level.pixels.len() as u64, level.width.into(), level.height.into()];
        levels.push(json!({
            "uri": uri, "width": stored_width, "height": stored_height, "size": size,
            "shown_width": width, "shown_height": height, "blocks": blocks[number as usize],
        }));
    }
    let value = json!({
        "type": "image",
        "format": format.to_string(),
        "block": format.pixel_block().map(|block| json!({ "edge": block.width, "size": block.size })),
        "levels": levels,
        "color_space": match image.color_space() { ColorSpace::Srgb => "sRGB", ColorSpace::Linear => "linear" },
        "filter": match image.filter() { Filter::Linear => "linear", Filter::Nearest => "nearest" },
        "wrap": match image.wrap() { Wrap::Clamp => "clamp", Wrap::Repeat => "repeat", Wrap::Mirror => "mirror" },
        "premultiplied": image.is_premultiplied(),
    });
    Preview { value, thumbnail }
}

/// Returns the bytes of the blocks of each level in base 64, or `None` for levels whose blocks take too much of the share.
/// From them the page shows the colours of single blocks.
fn blocks(image: &Image, share: usize) -> Vec<Option<String>> {
    // Each level takes a quarter of the one before it, so all of them take at most half of the share.
    let most = share * 3 / 8;
    let fits = |bytes: &[u8]| image.format().pixel_block().is_some() && bytes.len().div_ceil(3) * 4 <= most;
    image.levels().map(|level| fits(level.pixels).then(|| base64(level.pixels))).collect()
}

/// Returns the pixels of a level as a browser shows them, or `None` for formats that nothing here decodes.
pub(super) fn pixels(image: &Image, number: u32) -> Option<Pixels<'_>> {
    let level = image.level(number)?;
    let mut pixels = Pixels { width: level.width, height: level.height, rgba: rres_export::rgba8(image, number)? };
    if image.is_premultiplied() {
        for pixel in pixels.rgba.to_mut().chunks_exact_mut(4) {
            let alpha = u16::from(pixel[3]);
            let straight =
                |value: u8| (u16::from(value) * 255).checked_div(alpha).map_or(0, |value| value.min(255) as u8);
            (0..3).for_each(|channel| pixel[channel] = straight(pixel[channel]));
        }
    }
    Some(pixels)
}
