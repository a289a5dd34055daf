//! Textures, as far as they are known before their pixels are read: their levels, what they refer to, and how transparent they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::KnownLevels;
use crate::{Checks, Databases, Error, Location, Record, RecordKey, RecordType, Ref, Texture, TextureFlags};

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
    pub(super) frame_rate: u8,
    pub(super) alpha: Alpha,
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
