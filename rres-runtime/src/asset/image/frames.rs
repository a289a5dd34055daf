//! The pictures of an image that shows several, and the animations that they form.

use std::time::Duration;

pub use rres_format::chunk::frames::Direction;
use rres_format::chunk::frames::FramesView;

use crate::error::Result;
use crate::resource::Chunk;

/// The pictures of an image, and the animations that they form.
///
/// ```
/// use rres_runtime::asset::Frame;
/// use rres_runtime::{Image, Sprite};
/// use std::time::Duration;
///
/// /// The part of a sheet to draw `elapsed` after the animation began.
/// fn frame_to_draw<'i>(sheet: &'i Image, name: &str, elapsed: Duration) -> Option<&'i Frame> {
///     let frames = sheet.frames()?;
///     frames.at(frames.animation(name)?, elapsed)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    size: (u32, u32),
    frames: Box<[Frame]>,
    animations: Box<[FrameAnimation]>,
}

/// One picture of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// Left edge in the image, in pixels.
    pub x: u32,
    /// Top edge in the image, in pixels.
    pub y: u32,
    /// Width in the image, in pixels.
    pub width: u32,
    /// Height in the image, in pixels.
    pub height: u32,
    /// Columns and rows of the whole picture that are left out on its left and at its top: the place to draw the rectangle.
    pub offset: (u32, u32),
    /// How long it is shown.
    pub duration: Duration,
}

/// A run of frames with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameAnimation {
    /// Its name, such as the name of a tag in Aseprite.
    pub name: Box<str>,
    /// The number of its first frame.
    pub first: usize,
    /// The number of its frames, at least 1.
    pub count: usize,
    /// The order that they are shown in.
    pub direction: Direction,
}

impl Frames {
    /// Returns every frame in the order of the file.
    pub fn all(&self) -> &[Frame] {
        &self.frames
    }

    /// Returns the width and height of a whole picture, with edges that frames leave out.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns every animation in the order of the file. Files without names have none: all frames are one animation.
    pub fn animations(&self) -> &[FrameAnimation] {
        &self.animations
    }

    /// Returns the animation called `name`.
    pub fn animation(&self, name: &str) -> Option<&FrameAnimation> {
        self.animations.iter().find(|animation| &*animation.name == name)
    }

    /// Returns the frame of an animation that is shown `elapsed` after its beginning. It repeats for ever.
    pub fn at(&self, animation: &FrameAnimation, elapsed: Duration) -> Option<&Frame> {
        let FrameAnimation { first, count, direction, .. } = *animation;
        let frames = self.frames.get(first..first.checked_add(count)?)?;
        // There and back leaves out both ends on the way back.
        let back = if direction == Direction::PingPong { count.saturating_sub(2) } else { 0 };
        let number = |i: usize| match direction {
            Direction::Reverse => count - 1 - i,
            _ if i < count => i,
            _ => 2 * count - 2 - i,
        };
        show(move || (0..count + back).map(move |i| &frames[number(i)]), elapsed)
    }

    /// Returns the frame that is shown `elapsed` after the beginning, of all frames.
    pub fn at_of_all(&self, elapsed: Duration) -> Option<&Frame> {
        show(|| self.frames.iter(), elapsed)
    }

    pub(super) fn from_chunk(chunk: &Chunk, image: (u32, u32)) -> Result<Self> {
        let view = FramesView::parse(chunk.payload()?, image)?;
        let frame = |frame: rres_format::chunk::frames::FrameProps| Frame {
            x: frame.x,
            y: frame.y,
            width: frame.width,
            height: frame.height,
            offset: (frame.left, frame.top),
            duration: Duration::from_millis(frame.milliseconds.into()),
        };
        let animation = |animation: rres_format::chunk::frames::AnimationProps<'_>| FrameAnimation {
            name: animation.name.into(),
            first: animation.first as usize,
            count: animation.count as usize,
            direction: animation.direction,
        };
        Ok(Self {
            size: view.size(),
            frames: view.frames().map(frame).collect(),
            animations: view.animations().map(animation).collect(),
        })
    }
}

/// The frame of a round that is shown at a time.
fn show<'f, R: Iterator<Item = &'f Frame>>(round: impl Fn() -> R, elapsed: Duration) -> Option<&'f Frame> {
    let total: u128 = round().map(|frame| frame.duration.as_nanos()).sum();
    let Some(mut left) = elapsed.as_nanos().checked_rem(total) else { return round().next() };
    round().find(|frame| {
        let is_it = left < frame.duration.as_nanos();
        left = left.saturating_sub(frame.duration.as_nanos());
        is_it
    })
}
