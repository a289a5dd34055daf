//! Textures.
//!
//! | offset | field | |
//! |---|---|---|
//! | 0 | `u32` width, `u32` height, `u32` pitch | in pixels; the bytes of a row |
//! | 12 | `u16` bits per pixel, `u32` alpha bits per pixel | 8, 16, 24, 32; 0, 1, 4, 8 |
//! | 18 | `u32` colour key | `0x00RRGGBB`, or all ones |
//! | 22 | ref mip, ref alternate, ref bump | |
//! | 34 | `u8` frames per second, `u8` flags, `u16` mip number | |
//! | 38 | ref material | a class |
//! | 42 | `u32` reference count, `u32` level, `u32` size of the data | |
//! | 54 | data | zlib, unless the level is 0 |
//! | | `u32` size, alpha map | only with [`TextureFlags::ALPHA_MAP`] |

use std::borrow::Cow;

use crate::body::{Body, Ref};
use crate::checks::Notes;
use crate::error::{Fault, Problem};
use crate::inflate;
use crate::limits::Limits;

/// The offset of the data of a texture.
const DATA_OFFSET: usize = 54;

/// The flags of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TextureFlags(pub u8);

impl TextureFlags {
    /// An alpha map follows the pixels. How it is read is unknown.
    pub const ALPHA_MAP: Self = Self(0x01);
    /// The pixels of 16 bits contain alpha.
    pub const ALPHA: Self = Self(0x02);
    /// It is the alternate of another texture.
    pub const ALTERNATE: Self = Self(0x04);
    /// It is a smaller level of another texture.
    pub const MIP: Self = Self(0x08);
    /// It is the next picture of the animation that the texture with the id before it belongs to.
    pub const NEXT_FRAME: Self = Self(0x20);
    /// It changes while the game runs.
    pub const DYNAMIC: Self = Self(0x40);
    /// It keeps its quality where others are reduced.
    pub const KEEP_QUALITY: Self = Self(0x80);

    /// Whether all flags of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A texture: its head, and its pixels as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture<'a> {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Bytes of a row.
    pub pitch: u32,
    /// Bits of a pixel: 8, 16, 24 or 32.
    pub bits: u16,
    /// Bits of alpha: 0, 1, 4 or 8.
    pub alpha_bits: u32,
    /// The colour that is transparent, as `0x00RRGGBB`; [`Self::NO_KEY`] for none.
    pub color_key: u32,
    /// The next smaller level.
    pub mip: Ref,
    /// Another texture that the game may show instead.
    pub alternate: Ref,
    /// The bumps of the surface.
    pub bump: Ref,
    /// Pictures per second, if it is the first picture of an animation.
    pub fps: u8,
    /// The flags.
    pub flags: TextureFlags,
    /// The number of the level; 0x10 for bumps, 0x02 for bumps with luminance.
    pub mip_number: u16,
    /// The class of the material.
    pub material: Ref,
    /// How many things refer to it, as the editor counted them.
    pub reference_count: u32,
    /// The level of compression, 0 to 9. The data of level 0 is not compressed.
    pub level: u32,
    /// The pixels as they are stored.
    pub data: Cow<'a, [u8]>,
    /// The separate alpha map, whose format is unknown.
    pub alpha_map: Option<Cow<'a, [u8]>>,
}

impl<'a> Texture<'a> {
    /// The colour key of a texture without one.
    pub const NO_KEY: u32 = u32::MAX;

    pub(super) fn parse(body: &mut Body<'a>, notes: &mut Notes<'_>) -> Result<Self, Fault> {
        let width = edge("width", body, notes)?;
        let height = edge("height", body, notes)?;
        let pitch = body.u32("pitch")?;
        let bits = body.u16("bits per pixel")?;
        if !matches!(bits, 8 | 16 | 24 | 32) {
            return Err(Fault::invalid("bits per pixel", 12, bits, "8, 16, 24 or 32"));
        }
        let row = width * u32::from(bits) / 8;
        if pitch < row {
            return Err(Fault::invalid("pitch", 8, pitch, format!("at least {row} for {width} pixels of {bits} bits")));
        }
        let size = u64::from(pitch) * u64::from(height);
        if size > notes.limits.texture_size {
            let problem = Problem::TooLarge { found: size, limit: notes.limits.texture_size };
            return Err(Fault::new("pitch", 8, problem));
        }
        let alpha_bits = body.u32("alpha bits per pixel")?;
        if !matches!(alpha_bits, 0 | 1 | 4 | 8) {
            notes.warn(Fault::invalid("alpha bits per pixel", 14, alpha_bits, "0, 1, 4 or 8"))?;
        }
        let color_key = body.u32("colour key")?;
        let (mip, alternate, bump) = (body.reference("mip")?, body.reference("alternate")?, body.reference("bump")?);
        let (fps, flags) = (body.u8("frames per second")?, TextureFlags(body.u8("flags")?));
        let mip_number = body.u16("mip number")?;
        let material = body.reference("material")?;
        let reference_count = body.u32("reference count")?;
        let level = body.u32("level")?;
        if level > 9 {
            notes.warn(Fault::invalid("level", 46, level, "0 to 9"))?;
        }
        let len = body.u32("data size")?;
        let data = body.take(len.into(), "data")?;
        if level == 0 && data.len() as u64 != size {
            return Err(Fault::invalid("data", DATA_OFFSET, format!("{len} bytes"), format!("{size} bytes")));
        }
        let mut alpha_map = None;
        if flags.contains(TextureFlags::ALPHA_MAP) {
            let len = body.u32("alpha map size")?;
            let at = body.at();
            alpha_map = Some(body.take(len.into(), "alpha map")?.into());
            notes.warn(Fault::unknown(
                "alpha map",
                at,
                format!("{len} bytes of unknown format are kept as they are"),
            ))?;
        }
        Ok(Self {
            width,
            height,
            pitch,
            bits,
            alpha_bits,
            color_key,
            mip,
            alternate,
            bump,
            fps,
            flags,
            mip_number,
            material,
            reference_count,
            level,
            data: data.into(),
            alpha_map,
        })
    }

    /// Returns the rows as they are stored: from the bottom to the top, each of [`Self::pitch`] bytes.
    ///
    /// # Errors
    /// If the data cannot be decompressed, or does not become exactly the rows.
    pub fn rows(&self, limits: &Limits) -> Result<Cow<'_, [u8]>, Fault> {
        let size = u64::from(self.pitch) * u64::from(self.height);
        if size > limits.texture_size {
            return Err(Fault::new("pitch", 8, Problem::TooLarge { found: size, limit: limits.texture_size }));
        }
        if self.level > 0 {
            return inflate::exact(&self.data, size, "data", DATA_OFFSET).map(Cow::Owned);
        }
        if self.data.len() as u64 != size {
            let found = format!("{} bytes", self.data.len());
            return Err(Fault::invalid("data", DATA_OFFSET, found, format!("{size} bytes")));
        }
        Ok(Cow::Borrowed(&self.data))
    }
}

/// Reads the width or the height.
fn edge(field: &'static str, body: &mut Body<'_>, notes: &Notes<'_>) -> Result<u32, Fault> {
    let at = body.at();
    let edge = body.u32(field)?;
    let limit = notes.limits.texture_edge;
    // A row of pixels of 32 bits fits into 32 bits, whatever the limit.
    match edge {
        0 => Err(Fault::invalid(field, at, 0, "at least 1")),
        _ if edge > limit.min(u32::MAX / 32) => {
            Err(Fault::new(field, at, Problem::TooLarge { found: edge.into(), limit: limit.into() }))
        }
        _ => Ok(edge),
    }
}
