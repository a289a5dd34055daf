//! Textures → images: pixels with their smaller levels, and metadata that says what they are linked with.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{MetaKey, Playback};

use super::texture_links::TextureLinks;
use super::textures::{Alpha, Textures};
use super::{Asset, Fault, Source};
use crate::{ByteOrder, Checks, Databases, Location};

/// Makes the image of a texture.
pub(super) fn import(
    textures: &Textures,
    source: &Source<'_>,
    databases: &Databases,
    links: &mut TextureLinks,
    at: Location,
    checks: &mut Checks,
) -> Result<Asset, Fault> {
    let Some(head) = textures.head(at.key.id) else {
        return Err(super::ImportError::new("has a texture that was not there before").into());
    };
    let order = source.settings().text("order_32").map(|order| match order {
        "rgba" => ByteOrder::Rgba,
        _ => ByteOrder::Bgra,
    });
    let picture = databases.picture(at, order, checks)?;
    let (mut width, mut height, mut rgba) = (picture.width, picture.height, picture.rgba);
    let mut props = ImageProps { width, height, format: PixelFormat::RGBA8, mipmaps: 1 };
    let own = head.levels.iter().map(|level| (None, *level));
    let others = links.get(at.key.id).map_or(Vec::new(), |linked| linked.levels.clone());
    for (found, level) in own.chain(others.into_iter().map(|(found, level)| (Some(found), level))) {
        let next = match &found {
            None => databases.picture(level, order, checks)?,
            // What is wrong with it is an error of its own archive.
            Some(found) => match found.databases.picture(level, order, checks) {
                Ok(picture) => picture,
                Err(_) => {
                    links.add_unread_level(at.key.id, &found.path);
                    break;
                }
            },
        };
        let half = ((width / 2).max(1), (height / 2).max(1));
        // The reader has warned of other sizes.
        if (width, height) == (1, 1) || (next.width, next.height) != half {
            break;
        }
        (width, height) = half;
        rgba.extend(next.rgba);
        props.mipmaps += 1;
    }
    if head.alpha == Alpha::Opaque {
        props.format = PixelFormat::RGB8;
        rgba = rgba.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    }
    let mut image = source.image_levels(props, &rgba).map_err(|error| Fault::Record(at.key, error))?;
    let Some(linked) = links.get(at.key.id) else { return Ok(image) };
    for (key, target) in
        [(MetaKey::BUMP, &linked.bump), (MetaKey::ALTERNATE, &linked.alternate), (MetaKey::MATERIAL, &linked.material)]
    {
        let Some(target) = target else { continue };
        image.meta.set(key, image.dependencies.len() as u32);
        image = target.add_to(image, source);
    }
    if !linked.frames.is_empty() {
        image.meta.set(MetaKey::SEQUENCE, image.dependencies.len() as u32);
        image.meta.set(MetaKey::SEQUENCE_LENGTH, linked.frames.len() as u32 + 1);
        // Milliseconds are rounded, and the rate is not.
        let rate = u32::from(head.frame_rate);
        image.meta.set(MetaKey::FRAME_TIME, (1000 + rate / 2).checked_div(rate).unwrap_or(100));
        if rate > 0 {
            image.meta.set(MetaKey::FRAME_RATE, rate);
        }
        image.meta.set(MetaKey::PLAYBACK, Playback::Loop as u32);
        image = linked.frames.iter().fold(image, |image, frame| image.with_sub_asset(frame.to_string()));
    }
    Ok(image)
}
