//! Images that show several pictures → a FRMS chunk beside the pixels: the place of each picture, how long it is shown, and which form an
//! animation.
//!
//! The frames come from the file itself ([`animation`]), from a JSON file beside it ([`sheet`]), or from the size of a cell.

pub(super) mod animation;
pub(super) mod sheet;

use rres_format::FourCc;
use rres_format::chunk::frames::{AnimationProps, Direction, FrameProps, frames_block};
use rres_settings::ImageSettings;

use super::{Asset, Block, ImportError};

/// How long a frame is shown if its file does not say.
const DEFAULT_MILLISECONDS: u32 = 100;

/// The most frames of an image.
const MAX_FRAMES: usize = 1 << 16;

/// The pictures of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Frames {
    /// Width and height of a whole picture.
    pub(super) size: (u32, u32),
    pub(super) frames: Vec<FrameProps>,
    pub(super) animations: Vec<Named>,
}

/// A run of frames with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) direction: Direction,
}

impl Frames {
    /// The cells of a picture, from left to right and from top to bottom. What is left at the right and at the bottom belongs to no cell.
    pub(super) fn of_grid(
        (width, height): (u32, u32),
        cell: (u32, u32),
        settings: &ImageSettings,
    ) -> Result<Self, ImportError> {
        let (columns, rows) = (width / cell.0, height / cell.1);
        if columns == 0 || rows == 0 {
            let message = format!(
                "has {width}×{height} pixels, which is less than a cell of `image.grid` = [{}, {}]",
                cell.0, cell.1
            );
            return Err(ImportError::new(message).with_help("correct the rule, or save the whole sheet"));
        }
        check_count(u64::from(columns) * u64::from(rows))?;
        let frame = |i: u32| FrameProps {
            x: i % columns * cell.0,
            y: i / columns * cell.1,
            width: cell.0,
            height: cell.1,
            milliseconds: milliseconds(i, settings),
            ..FrameProps::default()
        };
        Ok(Self { size: cell, frames: (0..columns * rows).map(frame).collect(), animations: Vec::new() })
    }

    /// Adds the chunk to an image.
    pub(super) fn attach(&self, image: &mut Asset) {
        let animations = self.animations.iter().map(|Named { name, first, count, direction }| AnimationProps {
            name,
            first: *first,
            count: *count,
            direction: *direction,
        });
        let block = frames_block(self.size, &self.frames, &animations.collect::<Vec<_>>());
        // C readers would take a linked chunk for a part of the picture.
        image.blocks.iter_mut().for_each(|block| block.linked = false);
        image.blocks.push(Block { linked: false, ..Block::new(FourCc::FRMS, block) });
        let (width, height) = self.size;
        image.summary += &format!(", {} frames of {width}×{height}", self.frames.len());
        if !self.animations.is_empty() {
            let names: Vec<&str> = self.animations.iter().map(|animation| animation.name.as_str()).collect();
            image.summary += &format!(": {}", names.join(", "));
        }
    }
}

/// Refuses more frames than a game could want.
fn check_count(count: u64) -> Result<(), ImportError> {
    if count <= MAX_FRAMES as u64 {
        return Ok(());
    }
    Err(ImportError::new(format!("has {count} frames, and an image can have at most {MAX_FRAMES}"))
        .with_help("split it, or use larger cells"))
}

/// How long a frame of a grid is shown. Frames of a rate begin at the nearest whole milliseconds, so that rounding does not add up.
fn milliseconds(frame: u32, settings: &ImageSettings) -> u32 {
    let Some(rate) = settings.frame_rate.map(|rate| u64::from(rate.max(1))) else { return settings.frame_time };
    let start = |frame: u64| (frame * 1000 + rate / 2) / rate;
    let milliseconds = start(u64::from(frame) + 1) - start(u64::from(frame));
    u32::try_from(milliseconds).unwrap_or(u32::MAX)
}
