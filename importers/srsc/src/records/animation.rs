//! Animations: a head, frames, and the range of the frames of each node.
//!
//! | record | body |
//! |---|---|
//! | head | string name, `f32` duration in seconds, `u32` frames of the source, `u32` frames, `u32` flags (1 does not loop), `u32` nodes, `u32` channels, `u32` unknown, `u32` reference count, `f32` thresholds of rotation, scale and translation |
//! | frames | `u16` count, each `f32` time, `f32[9]` rows of a matrix, `f32[3]` translation |
//! | ranges | `u16` count, each `u32` first frame, `u32` number of frames |

use crate::body::{Body, Element};
use crate::checks::Notes;
use crate::error::Fault;
use crate::text::Text;

/// The head of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimationInfo<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The duration in seconds.
    pub duration: f32,
    /// The number of frames before those were removed that differ little.
    pub source_frames: u32,
    /// The number of frames.
    pub frames: u32,
    /// The flags; 1 means that it does not loop.
    pub flags: u32,
    /// The number of nodes of the model.
    pub nodes: u32,
    /// The number of channels of the model.
    pub channels: u32,
    /// A number of unknown meaning.
    pub unknown: u32,
    /// How many things refer to it, as the editor counted them.
    pub reference_count: u32,
    /// The differences of rotation, scale and translation below which frames were removed.
    pub thresholds: [f32; 3],
}

impl<'a> AnimationInfo<'a> {
    pub(super) fn parse(body: &mut Body<'a>, notes: &mut Notes<'_>) -> Result<Self, Fault> {
        Ok(Self {
            name: body.text("name", notes)?,
            duration: body.f32("duration")?,
            source_frames: body.u32("source frames")?,
            frames: body.u32("frames")?,
            flags: body.u32("flags")?,
            nodes: body.u32("nodes")?,
            channels: body.u32("channels")?,
            unknown: body.u32("unknown")?,
            reference_count: body.u32("reference count")?,
            thresholds: body.f32s("thresholds")?,
        })
    }

    /// Whether the animation starts again after its end.
    pub fn is_looped(&self) -> bool {
        self.flags & 1 == 0
    }
}

/// The position of a node at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Seconds from the start.
    pub time: f32,
    /// Nine numbers of a matrix, row by row, and three of a translation; probably relative to the parent.
    pub transform: [f32; 12],
}

impl Element for Frame {
    const SIZE: usize = 52;
    const FLOATS: bool = true;
    fn read(bytes: &[u8]) -> Self {
        let [time] = <[f32; 1]>::read(bytes);
        Self { time, transform: <[f32; 12]>::read(&bytes[4..]) }
    }
    fn put(self, out: &mut Vec<u8>) {
        [self.time].put(out);
        self.transform.put(out);
    }
    fn is_finite(self) -> bool {
        self.time.is_finite() && self.transform.is_finite()
    }
}
