//! FRMS: the frames of an image that shows several pictures, and the animations that they form. It follows the IMGE chunk.
//!
//! Properties: layout version 1, frames, animations, width and height of a whole picture. Data: 28 bytes per frame, 20 per animation, then
//! the names of the animations.

use super::{PayloadView, block};
use crate::bytes::{slice, u32_at};
use crate::error::{Error, Result};

/// The layout that this module reads and writes.
const VERSION: u32 = 1;
const FRAME: usize = 28;
const ANIMATION: usize = 20;

/// One picture of an image, in pixels from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameProps {
    /// Left edge in the image.
    pub x: u32,
    /// Top edge in the image.
    pub y: u32,
    /// Width in the image.
    pub width: u32,
    /// Height in the image.
    pub height: u32,
    /// Columns of the whole picture that are left out on its left.
    pub left: u32,
    /// Rows of the whole picture that are left out at its top.
    pub top: u32,
    /// How long it is shown, in milliseconds.
    pub milliseconds: u32,
}

/// The order of the frames of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the first frame to the last.
    #[default]
    Forward,
    /// From the last frame to the first.
    Reverse,
    /// To the last frame and back, which shows neither end twice.
    PingPong,
}

/// A run of frames with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnimationProps<'a> {
    /// Its name.
    pub name: &'a str,
    /// The number of its first frame.
    pub first: u32,
    /// The number of its frames, at least 1.
    pub count: u32,
    /// Their order.
    pub direction: Direction,
}

/// A borrowed FRMS payload.
#[derive(Clone, Copy, Debug)]
pub struct FramesView<'a> {
    size: (u32, u32),
    frames: &'a [u8],
    animations: &'a [u8],
    names: &'a [u8],
}

impl<'a> FramesView<'a> {
    /// Reads and checks a payload for an image of this width and height.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the data is too short, [`Error::Inconsistent`] if the layout is not known, a frame is empty or not
    /// inside the image, or an animation has other frames or no name.
    pub fn parse(payload: PayloadView<'a>, image: (u32, u32)) -> Result<Self> {
        let [version, frames, animations, width, height] = payload.first_props()?;
        if version != VERSION {
            let detail = format!("layout version {version}, expected {VERSION}: it was written by a newer version");
            return Err(Error::inconsistent("frames", detail));
        }
        let data = payload.data();
        let frames = slice(data, "frames", 0, u64::from(frames) * FRAME as u64)?;
        let start = frames.len();
        let animations = slice(data, "animations", start as u64, u64::from(animations) * ANIMATION as u64)?;
        let names = &data[start + animations.len()..];
        let view = Self { size: (width, height), frames, animations, names };
        let is_inside = |at: u32, len: u32, of: u32| len > 0 && at.checked_add(len).is_some_and(|end| end <= of);
        for (number, frame) in view.frames().enumerate() {
            let FrameProps { x, y, width, height, left, top, .. } = frame;
            let fits = is_inside(x, width, image.0) && is_inside(y, height, image.1);
            if !fits || !is_inside(left, width, view.size.0) || !is_inside(top, height, view.size.1) {
                let detail =
                    format!("frame {number} has {width}×{height} pixels at {x},{y} of {}×{}", image.0, image.1);
                return Err(Error::inconsistent("frames", detail));
            }
        }
        for number in 0..view.animations.len() / ANIMATION {
            view.animation(number)?;
        }
        Ok(view)
    }

    /// Returns the width and height of a whole picture.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns the frames in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = FrameProps> + use<'a> {
        self.frames.chunks_exact(FRAME).map(|frame| {
            let [x, y, width, height, left, top, milliseconds] = std::array::from_fn(|i| u32_at(frame, i * 4));
            FrameProps { x, y, width, height, left, top, milliseconds }
        })
    }

    /// Returns the animations in order.
    pub fn animations(&self) -> impl Iterator<Item = AnimationProps<'a>> + use<'a, '_> {
        // They were checked.
        (0..self.animations.len() / ANIMATION).filter_map(|number| self.animation(number).ok())
    }

    fn animation(&self, number: usize) -> Result<AnimationProps<'a>> {
        let [name, len, first, count, direction] =
            std::array::from_fn(|i| u32_at(self.animations, number * ANIMATION + i * 4));
        let name = slice(self.names, "name of an animation", name.into(), len.into())?;
        let direction = match direction {
            0 => Some(Direction::Forward),
            1 => Some(Direction::Reverse),
            2 => Some(Direction::PingPong),
            _ => None,
        };
        let frames = self.frames.len() / FRAME;
        let fits = count > 0 && u64::from(first) + u64::from(count) <= frames as u64;
        match (core::str::from_utf8(name), direction) {
            (Ok(name), Some(direction)) if fits => Ok(AnimationProps { name, first, count, direction }),
            _ => {
                let detail = format!("animation {number} has {count} frames from {first} on, of {frames}");
                Err(Error::inconsistent("frames", detail))
            }
        }
    }
}

/// Returns the block of frames and animations. `size` is the size of a whole picture.
pub fn frames_block(size: (u32, u32), frames: &[FrameProps], animations: &[AnimationProps<'_>]) -> Vec<u8> {
    let mut data = Vec::with_capacity(frames.len() * FRAME + animations.len() * ANIMATION);
    let mut push = |numbers: &[u32]| numbers.iter().for_each(|number| data.extend(number.to_le_bytes()));
    for FrameProps { x, y, width, height, left, top, milliseconds } in frames {
        push(&[*x, *y, *width, *height, *left, *top, *milliseconds]);
    }
    let mut names = String::new();
    for AnimationProps { name, first, count, direction } in animations {
        push(&[names.len() as u32, name.len() as u32, *first, *count, *direction as u32]);
        names.push_str(name);
    }
    data.extend(names.as_bytes());
    block(&[VERSION, frames.len() as u32, animations.len() as u32, size.0, size.1], &data)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: [FrameProps; 2] = [
        FrameProps { x: 0, y: 0, width: 4, height: 3, left: 1, top: 0, milliseconds: 100 },
        FrameProps { x: 4, y: 1, width: 2, height: 2, left: 0, top: 2, milliseconds: 40 },
    ];
    const WALK: AnimationProps<'_> =
        AnimationProps { name: "walk", first: 0, count: 2, direction: Direction::PingPong };
    const STAND: AnimationProps<'_> =
        AnimationProps { name: "stånd", first: 1, count: 1, direction: Direction::Reverse };

    fn parse(block: &[u8]) -> Result<FramesView<'_>> {
        FramesView::parse(PayloadView::parse(block)?, (6, 3))
    }

    #[test]
    fn what_is_written_is_read() {
        let block = frames_block((5, 4), &FRAMES, &[WALK, STAND]);
        let view = parse(&block).unwrap();
        assert_eq!((view.size(), view.frames().collect::<Vec<_>>()), ((5, 4), FRAMES.to_vec()));
        assert_eq!(view.animations().collect::<Vec<_>>(), [WALK, STAND]);
        for len in 0..block.len() {
            assert!(parse(&block[..len]).is_err(), "{len}");
        }
    }

    #[test]
    fn what_is_not_inside_the_image_is_refused() {
        let frame = FRAMES[0];
        for bad in [
            FrameProps { width: 0, ..frame },
            FrameProps { x: 3, ..frame },
            FrameProps { y: u32::MAX, ..frame },
            FrameProps { left: 2, ..frame },
            FrameProps { top: u32::MAX, ..frame },
        ] {
            assert!(parse(&frames_block((5, 4), &[bad], &[])).is_err(), "{bad:?}");
        }
        for bad in [
            AnimationProps { count: 0, ..WALK },
            AnimationProps { first: 1, ..WALK },
            AnimationProps { first: u32::MAX, ..WALK },
        ] {
            assert!(parse(&frames_block((5, 4), &FRAMES, &[bad])).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn any_change_of_a_byte_is_an_error_or_frames_inside_the_image() {
        let block = frames_block((5, 4), &FRAMES, &[WALK, STAND]);
        for at in 0..block.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = block.clone();
                changed[at] = value;
                let Ok(view) = parse(&changed) else { continue };
                assert!(view.frames().all(|frame| frame.x + frame.width <= 6 && frame.y + frame.height <= 3));
                let frames = view.frames().len() as u32;
                assert!(view.animations().all(|animation| animation.first + animation.count <= frames));
            }
        }
    }
}
