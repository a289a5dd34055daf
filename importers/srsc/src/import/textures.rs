//! Textures: pixels with their smaller levels, bump, alternate, and the pictures of animations.

use std::collections::{BTreeMap, BTreeSet};

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{MetaKey, Playback};
use rres_import::Note;

use super::{Asset, Fault, Source, first_of};
use crate::{ByteOrder, Checks, Databases, Error, Location, Record, RecordKey, RecordType, Ref, Texture, TextureFlags};

/// What is known of a texture before its pixels are read.
struct Head {
    /// The smaller levels, from the largest on.
    levels: Vec<Location>,
    bump: Option<u16>,
    alternate: Option<u16>,
    /// The pictures of the animation, this texture first.
    frames: Vec<u16>,
    /// How long each picture is shown, in milliseconds.
    frame_time: u32,
    alpha: Alpha,
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
    /// What is not linked.
    left_out: Vec<String>,
}

impl Textures {
    /// Reads what textures refer to, and returns what is wrong with those that are damaged. References to nothing, to other databases and in
    /// circles are left out.
    pub(super) fn read(databases: &Databases, checks: &mut Checks) -> (Self, Vec<Error>) {
        let (mut heads, mut left_out, mut faults) = (BTreeMap::new(), Vec::new(), Vec::new());
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
            let mut link = |field: &str, reference: Ref| {
                let is_here = reference.database == 0 && databases.record(location(reference.id)).is_some();
                if !reference.is_null() && !is_here {
                    left_out.push(format!("{field} of texture {id}"));
                }
                Some(reference.id).filter(|_| !reference.is_null() && is_here)
            };
            let (bump, alternate) = (link("bump", texture.bump), link("alternate", texture.alternate));
            let mip = link("smaller level", texture.mip);
            let levels = if mip.is_some() { databases.texture_levels(location(id), checks) } else { Ok(Vec::new()) };
            let frames = databases.texture_frames(location(id), checks);
            let (levels, frames) = match levels.and_then(|levels| Ok((levels, frames?))) {
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
            let frames = frames.iter().map(|frame| frame.key.id).collect();
            let frame_time = match u32::from(texture.fps) {
                0 => 100,
                fps => (1000 + fps / 2) / fps,
            };
            let alpha = alpha(&texture);
            heads.insert(id, Head { levels, bump, alternate, frames, frame_time, alpha });
        }
        heads.retain(|id, _| !(smaller.contains(id) && levels_of_others.contains(id)));
        let mut textures = Self { heads, left_out };
        textures.leave_out_links();
        (textures, faults)
    }

    /// The ids of the textures that become images.
    pub(super) fn ids(&self) -> impl Iterator<Item = u16> {
        self.heads.keys().copied()
    }

    /// How transparent a texture can be; `None` if it becomes no image.
    pub(super) fn alpha(&self, id: u16) -> Option<Alpha> {
        self.heads.get(&id).map(|head| head.alpha)
    }

    /// Leaves out links to what is not an image, and links that lead in circles: loading them would never end.
    fn leave_out_links(&mut self) {
        let ids: BTreeSet<u16> = self.ids().collect();
        let is_other = |id: u16, target: &u16| *target != id && ids.contains(target);
        for (id, head) in &mut self.heads {
            head.bump = head.bump.filter(|target| is_other(*id, target));
            head.alternate = head.alternate.filter(|target| is_other(*id, target));
            if !head.frames.iter().all(|frame| ids.contains(frame)) {
                head.frames.clear();
            }
        }
        // Textures without links, and those that lead only to such, are dropped again and again. What is left is in a circle, or
        // leads to one.
        let mut left: BTreeMap<u16, usize> = BTreeMap::new();
        let mut sources: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
        for (id, head) in &self.heads {
            let targets = head.targets();
            left.insert(*id, targets.len());
            targets.iter().for_each(|target| sources.entry(*target).or_default().push(*id));
        }
        let mut done: Vec<u16> = left.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
        while let Some(id) = done.pop() {
            for from in sources.get(&id).into_iter().flatten() {
                if let Some(count) = left.get_mut(from) {
                    *count -= 1;
                    if *count == 0 {
                        done.push(*from);
                    }
                }
            }
        }
        for (id, _) in left.into_iter().filter(|(_, count)| *count > 0) {
            if let Some(head) = self.heads.get_mut(&id) {
                (head.bump, head.alternate) = (None, None);
                head.frames.clear();
                self.left_out.push(format!("links of texture {id}, which lead in a circle"));
            }
        }
    }

    /// Makes the image of a texture.
    pub(super) fn import(
        &self,
        source: &Source<'_>,
        databases: &Databases,
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
        for level in &head.levels {
            let next = databases.picture(*level, order, checks)?;
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
        for (key, target) in [(MetaKey::BUMP, head.bump), (MetaKey::ALTERNATE, head.alternate)] {
            let Some(target) = target else { continue };
            image.meta.set(key, image.dependencies.len() as u32);
            image = image.with_sub_asset(target.to_string());
        }
        if let Some(others) = head.frames.get(1..).filter(|others| !others.is_empty()) {
            image.meta.set(MetaKey::SEQUENCE, image.dependencies.len() as u32);
            image.meta.set(MetaKey::SEQUENCE_LENGTH, others.len() as u32 + 1);
            image.meta.set(MetaKey::FRAME_TIME, head.frame_time);
            image.meta.set(MetaKey::PLAYBACK, Playback::Loop as u32);
            image = others.iter().fold(image, |image, frame| image.with_sub_asset(frame.to_string()));
        }
        Ok(image)
    }

    /// Names what is not linked.
    pub(super) fn note(&self) -> Option<Note> {
        let note = || {
            let topic = "textures of SRSC archives are linked with others of the same archive only";
            Note::new(topic).with_detail(first_of(&self.left_out))
        };
        (!self.left_out.is_empty()).then(note)
    }
}

impl Head {
    fn targets(&self) -> Vec<u16> {
        self.bump.into_iter().chain(self.alternate).chain(self.frames.iter().skip(1).copied()).collect()
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
