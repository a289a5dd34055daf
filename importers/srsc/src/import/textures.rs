//! Textures: pixels with their smaller levels, and metadata that says what they are linked with.

use std::collections::{BTreeMap, BTreeSet};

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{MetaKey, Playback};

use super::texture_links::TextureLinks;
use super::{Asset, Fault, Source};
use crate::database::KnownLevels;
use crate::{ByteOrder, Checks, Databases, Error, Location, Record, RecordKey, RecordType, Ref, Texture, TextureFlags};

/// What is known of a texture before its pixels are read.
pub(super) struct Head {
    /// The smaller levels in the same archive, from the largest on.
    pub(super) levels: Vec<Location>,
    /// The level after these, which is in another archive, or nowhere.
    pub(super) rest: Option<Ref>,
    pub(super) bump: Ref,
    pub(super) alternate: Ref,
    /// A class.
    pub(super) material: Ref,
    /// The pictures of the animation, this texture first; empty if it is not animated.
    pub(super) frames: Vec<u16>,
    /// How many of them are shown in a second; 0 if the archive does not say so.
    frame_rate: u8,
    alpha: Alpha,
}

impl Head {
    /// Whether it refers to anything but smaller levels in its archive.
    pub(super) fn has_links(&self) -> bool {
        let has_reference = [self.bump, self.alternate, self.material].iter().any(|target| !target.is_null());
        has_reference || self.rest.is_some() || self.frames.len() > 1
    }
}

/// How transparent the pixels of a texture can be. Materials have the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alpha {
    Opaque = 0,
    /// Each pixel is transparent or not.
    Mask = 1,
    Blend = 2,
}

/// The textures of an archive that become images, by id: all but those that are only smaller levels of others.
pub(super) struct Textures {
    heads: BTreeMap<u16, Head>,
}

impl Textures {
    /// Reads the heads of textures, and returns what is wrong with those that are damaged.
    pub(super) fn read(databases: &Databases, checks: &mut Checks) -> (Self, Vec<Error>) {
        let (mut heads, mut faults) = (BTreeMap::new(), Vec::new());
        let (mut smaller, mut levels_of_others) = (BTreeSet::new(), BTreeSet::new());
        let location = |id| Location { database: 0, key: RecordKey { kind: RecordType::TEXTURE, id } };
        for view in databases.root().records().filter(|view| view.key().kind == RecordType::TEXTURE) {
            let id = view.key().id;
            let texture = match view.parse(checks) {
                Ok(Record::Texture(texture)) if !heads.contains_key(&id) => texture,
                Ok(_) => continue,
                Err(fault) => {
                    faults.push(fault);
                    continue;
                }
            };
            let levels = databases.known_levels(location(id), checks);
            let frames = databases.texture_frames(location(id), checks);
            let (KnownLevels { levels, unknown }, frames) = match levels.and_then(|levels| Ok((levels, frames?))) {
                Ok(lists) => lists,
                Err(fault) => {
                    faults.push(fault);
                    continue;
                }
            };
            levels_of_others.extend(levels.iter().map(|level| level.key.id));
            if texture.flags.contains(TextureFlags::MIP) {
                smaller.insert(id);
            }
            let Texture { bump, alternate, material, fps, .. } = texture;
            let head = Head {
                levels,
                rest: unknown.map(|(target, _)| target),
                bump,
                alternate,
                material,
                frames: frames.iter().map(|frame| frame.key.id).collect(),
                frame_rate: fps,
                alpha: alpha(&texture),
            };
            heads.insert(id, head);
        }
        heads.retain(|id, _| !(smaller.contains(id) && levels_of_others.contains(id)));
        (Self { heads }, faults)
    }

    /// The ids of the textures that become images.
    pub(super) fn ids(&self) -> impl Iterator<Item = u16> {
        self.heads.keys().copied()
    }

    /// The textures that become images.
    pub(super) fn heads(&self) -> impl Iterator<Item = (u16, &Head)> {
        self.heads.iter().map(|(id, head)| (*id, head))
    }

    /// What is known of a texture; `None` if it becomes no image.
    pub(super) fn head(&self, id: u16) -> Option<&Head> {
        self.heads.get(&id)
    }

    /// How transparent a texture can be; `None` if it becomes no image.
    pub(super) fn alpha(&self, id: u16) -> Option<Alpha> {
        self.heads.get(&id).map(|head| head.alpha)
    }

    /// Makes the image of a texture.
    pub(super) fn import(
        &self,
        source: &Source<'_>,
        databases: &Databases,
        links: &mut TextureLinks,
        at: Location,
        checks: &mut Checks,
    ) -> Result<Asset, Fault> {
        let Some(head) = self.heads.get(&at.key.id) else {
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
        for (key, target) in [
            (MetaKey::BUMP, &linked.bump),
            (MetaKey::ALTERNATE, &linked.alternate),
            (MetaKey::MATERIAL, &linked.material),
        ] {
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
}

/// How transparent the pixels of a texture can be.
fn alpha(texture: &Texture<'_>) -> Alpha {
    match (texture.bits, texture.alpha_bits) {
        (16, bits) if !texture.flags.contains(TextureFlags::ALPHA) || bits == 0 => Alpha::Opaque,
        (16, 1) => Alpha::Mask,
        (16, _) | (32, 8) => Alpha::Blend,
        (8 | 24, _) if texture.color_key != Texture::NO_KEY => Alpha::Mask,
        _ => Alpha::Opaque,
    }
}
