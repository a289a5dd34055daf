//! Images that are fitted into a budget of video memory, and what became of them.

use std::fmt;

use rres_format::ResourceId;
use rres_format::chunk::image::ImageProps;
use rres_format::index::ColorSpace;
use rres_format::video_memory::of_image;

use crate::mounts::Mounts;

/// What limits depend on of an image.
pub(super) struct Picture {
    pub(super) props: ImageProps,
    pub(super) color_space: ColorSpace,
    /// How many pictures one above the other it is.
    pub(super) layers: u32,
    /// Whether no limit applies to it.
    pub(super) is_whole: bool,
}

impl Picture {
    /// The first level that is loaded within a limit.
    pub(super) fn level_within(&self, edge: Option<u32>) -> u32 {
        match edge {
            Some(edge) if !self.is_whole => self.props.first_level_within(edge, self.layers),
            _ => 0,
        }
    }

    fn bytes_from(&self, level: u32) -> u64 {
        self.props.from_level(level).and_then(|props| of_image(props, self.color_space).ok()).unwrap_or(0)
    }

    /// The longest edge of a level.
    fn edge(&self, level: u32) -> u32 {
        self.props.from_level(level).map_or(1, |props| props.longest_edge(self.layers))
    }

    /// The next level after one that the image can begin with.
    fn next_level(&self, level: u32) -> Option<u32> {
        let below = self.edge(level).checked_sub(1).filter(|edge| *edge > 0)?;
        let next = self.props.first_level_within(below, self.layers);
        (!self.is_whole && next > level).then_some(next)
    }

    fn size(&self, level: u32) -> (u32, u32) {
        self.props.from_level(level).map_or((0, 0), |props| (props.width, props.height))
    }
}

/// An image that is fitted.
pub(super) struct Texture {
    pub(super) id: ResourceId,
    picture: Picture,
    /// The first level by the limits that were set.
    chosen: u32,
    /// The first level that is loaded.
    level: u32,
}

impl Texture {
    pub(super) fn new(id: ResourceId, picture: Picture, limit: Option<u32>) -> Self {
        let level = picture.level_within(limit);
        Self { id, picture, chosen: level, level }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.picture.bytes_from(self.level)
    }

    /// The longest edge of the first level.
    pub(super) fn edge(&self) -> u32 {
        self.picture.edge(self.level)
    }

    /// Leaves out the largest level that is left; returns whether there was one.
    pub(super) fn lower(&mut self) -> bool {
        let next = self.picture.next_level(self.level);
        self.level = next.unwrap_or(self.level);
        next.is_some()
    }

    pub(super) fn is_lowered(&self) -> bool {
        self.level > self.chosen
    }

    pub(super) fn report(&self, mounts: &Mounts) -> LoweredTexture {
        LoweredTexture {
            id: self.id,
            path: mounts.entry(self.id).map(|entry| entry.path.to_string()).unwrap_or_default(),
            size: self.picture.size(self.level),
            full_size: self.picture.size(0),
            before: self.picture.bytes_from(self.chosen),
            after: self.bytes(),
        }
    }
}

/// What [`crate::Store::fit_textures`] has done. Printed as a line, and one for each image that has lost levels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextureFit {
    /// The bytes that the images may take.
    pub budget: u64,
    /// The bytes that they took by the limits alone.
    pub before: u64,
    /// The bytes that they take. More than the budget if no image has a level that it can lose.
    pub after: u64,
    /// The images that have lost levels, those that saved most first.
    pub lowered: Vec<LoweredTexture>,
    /// How many loaded assets have a new value.
    pub renewed: usize,
}

/// An image that a budget has made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoweredTexture {
    /// Its id.
    pub id: ResourceId,
    /// Its path; empty if the pack does not have it.
    pub path: String,
    /// Width and height of the first level that is loaded, in pixels.
    pub size: (u32, u32),
    /// Width and height in the pack.
    pub full_size: (u32, u32),
    /// Bytes that it took by the limits alone.
    pub before: u64,
    /// Bytes that it takes.
    pub after: u64,
}

impl TextureFit {
    /// Returns whether the images are within the budget.
    pub fn is_within(&self) -> bool {
        self.after <= self.budget
    }
}

impl fmt::Display for TextureFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { budget, before, after, lowered, .. } = self;
        write!(f, "{} of {} of video memory", Bytes(*after), Bytes(*budget))?;
        if after < before {
            write!(f, ", {} before", Bytes(*before))?;
        }
        for LoweredTexture { id, path, size, full_size, before, after } in lowered {
            let (width, height) = size;
            match path.as_str() {
                "" => write!(f, "\n{id}")?,
                path => write!(f, "\n{path}")?,
            }
            write!(f, ": {width} × {height} instead of {} × {}, ", full_size.0, full_size.1)?;
            write!(f, "{} instead of {}", Bytes(*after), Bytes(*before))?;
        }
        Ok(())
    }
}

/// A number of bytes, in the unit that suits it.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0..1_000 => write!(f, "{} B", self.0),
            1_000..1_000_000 => write!(f, "{:.1} kB", self.0 as f64 / 1e3),
            _ => write!(f, "{:.1} MB", self.0 as f64 / 1e6),
        }
    }
}
