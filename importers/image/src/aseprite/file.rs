//! The bytes of an Aseprite file → its layers, cels, palettes, tilesets and tags. Pixels stay as they are stored.

use std::cell::OnceCell;

use rres_format::chunk::frames::Direction;

use super::super::ImportError;
use super::blend::Mode;
use super::{damaged, unsupported};

const HEADER: usize = 128;
const FRAME_HEADER: usize = 16;

/// The most layers: cels have room for such numbers only.
const MAX_LAYERS: usize = 1 << 16;

/// Flags of the header.
const HAS_LAYER_OPACITY: u32 = 1;
const BLENDS_GROUPS: u32 = 2;

/// Flags of a layer.
const IS_VISIBLE: u16 = 1;
const IS_BACKGROUND: u16 = 8;
const IS_REFERENCE: u16 = 64;

/// An Aseprite file.
pub(in super::super) struct File<'a> {
    pub(in super::super) size: (u32, u32),
    pub(super) depth: Depth,
    /// The index that is transparent in other layers than the background.
    pub(super) transparent: u8,
    /// Whether groups are drawn by themselves and then blended as a whole.
    pub(super) blends_groups: bool,
    pub(super) layers: Vec<Layer>,
    /// The last layer and those around it: the level of each, and whether it is shown.
    around: Vec<(u16, bool)>,
    pub(super) tilesets: Vec<Tileset<'a>>,
    pub(super) palettes: Vec<Palette>,
    pub(in super::super) frames: Vec<Frame<'a>>,
    pub(in super::super) tags: Vec<Tag>,
    pub(super) profile: Option<&'a [u8]>,
}

/// The colours of the indices.
pub(super) type Palette = [[u8; 4]; 256];

/// What a stored pixel is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Rgba,
    Gray,
    Indexed,
}

impl Depth {
    /// Bytes of a pixel.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Rgba => 4,
            Self::Gray => 2,
            Self::Indexed => 1,
        }
    }
}

/// A layer, in the order of the file: from the back to the front, groups before their members.
pub(super) struct Layer {
    /// Whether it and all groups around it are shown.
    pub(super) is_visible: bool,
    pub(super) is_background: bool,
    pub(super) is_group: bool,
    pub(super) level: u16,
    pub(super) mode: Mode,
    pub(super) opacity: u8,
    /// The id of the tileset that the numbers of its cels refer to.
    pub(super) tileset: Option<u32>,
}

/// The tiles of tilemaps.
pub(super) struct Tileset<'a> {
    pub(super) id: u32,
    pub(super) count: u32,
    /// Width and height of a tile.
    pub(super) size: (u32, u32),
    /// Whether tile 0 is empty; otherwise the one with all bits set is.
    pub(super) is_zero_empty: bool,
    /// Compressed pixels of all tiles below each other; `None` if they are in another file.
    pub(super) packed: Option<&'a [u8]>,
    /// The same, once they were used.
    pub(super) pixels: OnceCell<Vec<u8>>,
}

/// What a frame shows.
pub(in super::super) struct Frame<'a> {
    pub(in super::super) milliseconds: u32,
    pub(super) palette: usize,
    pub(super) cels: Vec<Cel<'a>>,
}

/// A picture in a layer of a frame.
#[derive(Clone, Copy)]
pub(super) struct Cel<'a> {
    pub(super) layer: usize,
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) opacity: u8,
    /// How many layers nearer to the front it is drawn.
    pub(super) z: i32,
    /// Width and height, in pixels or tiles.
    pub(super) size: (u32, u32),
    pub(super) content: Content<'a>,
}

/// The pixels or tiles of a cel.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    Raw(&'a [u8]),
    Zlib(&'a [u8]),
    /// Numbers of tiles, 32 bits each: the bits of the number, and those that flip X, flip Y, and swap both.
    Tiles {
        masks: [u32; 4],
        data: &'a [u8],
    },
}

/// A run of frames with a name.
pub(in super::super) struct Tag {
    pub(in super::super) name: String,
    pub(in super::super) first: u32,
    pub(in super::super) count: u32,
    pub(in super::super) direction: Direction,
}

impl<'a> File<'a> {
    /// Reads the chunks of a file.
    pub(in super::super) fn parse(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let mut at = Bytes(bytes);
        let mut header = Bytes(at.take(HEADER)?);
        header.take(6)?;
        let [count, width, height, depth] = [header.u16()?, header.u16()?, header.u16()?, header.u16()?];
        let flags = header.u32()?;
        let speed = header.u16()?;
        header.take(8)?;
        let transparent = header.u8()?;
        let depth = match depth {
            32 => Depth::Rgba,
            16 => Depth::Gray,
            8 => Depth::Indexed,
            other => return Err(unsupported(format!("pixels of {other} bits"))),
        };
        let mut file = Self {
            size: (width.into(), height.into()),
            depth,
            transparent,
            blends_groups: flags & BLENDS_GROUPS != 0,
            layers: Vec::new(),
            around: Vec::new(),
            tilesets: Vec::new(),
            palettes: vec![[[0; 4]; 256]],
            frames: Vec::new(),
            tags: Vec::new(),
            profile: None,
        };
        let mut has_new_palette = false;
        for number in 0..count {
            let mut frame = at;
            let len = frame.u32()? as usize;
            let mut frame = Bytes(at.take(len.max(FRAME_HEADER))?);
            frame.take(4)?;
            if frame.u16()? != 0xf1fa {
                return Err(damaged(format!("frame {number} does not begin where it should")));
            }
            let (old_count, milliseconds) = (frame.u16()?, frame.u16()?);
            frame.take(2)?;
            let chunks = match frame.u32()? {
                0 => u32::from(old_count),
                new_count => new_count,
            };
            let milliseconds = u32::from(if milliseconds == 0 { speed } else { milliseconds });
            file.frames.push(Frame { milliseconds, palette: file.palettes.len() - 1, cels: Vec::new() });
            for _ in 0..chunks {
                let len = frame.u32()? as usize;
                let kind = frame.u16()?;
                let len = len.checked_sub(6).ok_or_else(|| damaged("a chunk is shorter than its head"))?;
                let chunk = Bytes(frame.take(len)?);
                match kind {
                    0x0004 if !has_new_palette => file.read_old_palette(chunk, 1)?,
                    0x0011 if !has_new_palette => file.read_old_palette(chunk, 4)?,
                    0x2004 => file.read_layer(chunk, flags & HAS_LAYER_OPACITY != 0)?,
                    0x2005 => file.read_cel(chunk)?,
                    0x2007 => file.read_profile(chunk)?,
                    0x2018 => file.read_tags(chunk, count)?,
                    0x2019 => {
                        has_new_palette = true;
                        file.read_palette(chunk)?;
                    }
                    0x2023 => file.read_tileset(chunk)?,
                    _ => {}
                }
            }
        }
        if file.frames.is_empty() {
            return Err(damaged("it has no frame"));
        }
        Ok(file)
    }

    fn read_layer(&mut self, mut chunk: Bytes<'_>, has_opacity: bool) -> Result<(), ImportError> {
        let [flags, kind, level] = [chunk.u16()?, chunk.u16()?, chunk.u16()?];
        chunk.take(4)?;
        let (mode, opacity) = (chunk.u16()?, chunk.u8()?);
        chunk.take(3)?;
        let _name = chunk.string()?;
        let is_background = flags & IS_BACKGROUND != 0;
        let tileset = match kind {
            0 | 1 => None,
            2 => Some(chunk.u32()?),
            other => return Err(unsupported(format!("a layer of kind {other}"))),
        };
        if self.layers.len() >= MAX_LAYERS {
            return Err(unsupported(format!("more than {MAX_LAYERS} layers")));
        }
        // The group around it is the last layer that is one level up.
        while self.around.last().is_some_and(|(other, _)| *other >= level) {
            self.around.pop();
        }
        let is_visible = flags & IS_VISIBLE != 0 && flags & IS_REFERENCE == 0;
        let is_visible = is_visible && self.around.last().is_none_or(|(_, is_visible)| *is_visible);
        self.around.push((level, is_visible));
        self.layers.push(Layer {
            is_visible,
            is_background,
            is_group: kind == 1,
            level,
            mode: match mode {
                _ if is_background => Mode::Normal,
                mode => Mode::of_number(mode).ok_or_else(|| unsupported(format!("blend mode {mode}")))?,
            },
            opacity: if has_opacity && !is_background { opacity } else { 255 },
            tileset,
        });
        Ok(())
    }

    fn read_cel(&mut self, mut chunk: Bytes<'a>) -> Result<(), ImportError> {
        let layer = usize::from(chunk.u16()?);
        if layer >= self.layers.len() {
            return Err(damaged(format!("a cel is in layer {layer} of {}", self.layers.len())));
        }
        let (x, y) = (chunk.i16()?.into(), chunk.i16()?.into());
        let (opacity, kind, z) = (chunk.u8()?, chunk.u16()?, chunk.i16()?.into());
        chunk.take(5)?;
        let (size, content) = if kind == 1 {
            let linked = self.frames.get(usize::from(chunk.u16()?));
            // Aseprite shows nothing, too, if the link leads nowhere.
            let Some(cel) = linked.and_then(|frame| frame.cels.iter().find(|cel| cel.layer == layer)) else {
                return Ok(());
            };
            (cel.size, cel.content)
        } else {
            let size = (u32::from(chunk.u16()?), u32::from(chunk.u16()?));
            let content = match kind {
                0 => Content::Raw(chunk.0),
                2 => Content::Zlib(chunk.0),
                3 => {
                    let bits = chunk.u16()?;
                    let masks = [chunk.u32()?, chunk.u32()?, chunk.u32()?, chunk.u32()?];
                    chunk.take(10)?;
                    if bits != 32 {
                        return Err(unsupported(format!("tiles of {bits} bits")));
                    }
                    Content::Tiles { masks, data: chunk.0 }
                }
                other => return Err(unsupported(format!("a cel of kind {other}"))),
            };
            (size, content)
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.cels.push(Cel { layer, x, y, opacity, z, size, content });
        }
        Ok(())
    }

    fn read_profile(&mut self, mut chunk: Bytes<'a>) -> Result<(), ImportError> {
        if chunk.u16()? == 2 {
            chunk.take(14)?;
            let len = chunk.u32()? as usize;
            self.profile = Some(chunk.take(len)?);
        }
        Ok(())
    }

    fn read_tags(&mut self, mut chunk: Bytes<'_>, frames: u16) -> Result<(), ImportError> {
        let count = chunk.u16()?;
        chunk.take(8)?;
        for _ in 0..count {
            let (from, to, direction) = (chunk.u16()?, chunk.u16()?, chunk.u8()?);
            chunk.take(12)?;
            let name = chunk.string()?;
            if from > to || to >= frames {
                return Err(damaged(format!("tag \"{name}\" is from frame {from} to {to} of {frames}")));
            }
            let direction = match direction {
                0 => Direction::Forward,
                1 => Direction::Reverse,
                // The one in reverse shows the same round from its other end.
                2 | 3 => Direction::PingPong,
                other => return Err(unsupported(format!("a tag of direction {other}"))),
            };
            self.tags.push(Tag { name, first: from.into(), count: u32::from(to - from) + 1, direction });
        }
        Ok(())
    }

    /// The palette of this frame and those after it.
    fn palette_to_change(&mut self) -> &mut Palette {
        let last = self.palettes.len() - 1;
        let is_of_earlier_frame = self.frames.iter().rev().skip(1).any(|frame| frame.palette == last);
        if is_of_earlier_frame {
            self.palettes.push(self.palettes[last]);
        }
        let last = self.palettes.len() - 1;
        if let Some(frame) = self.frames.last_mut() {
            frame.palette = last;
        }
        &mut self.palettes[last]
    }

    fn read_palette(&mut self, mut chunk: Bytes<'_>) -> Result<(), ImportError> {
        chunk.take(4)?;
        let (first, last) = (chunk.u32()?, chunk.u32()?);
        chunk.take(8)?;
        let palette = self.palette_to_change();
        for index in first..=last {
            let flags = chunk.u16()?;
            let color = [chunk.u8()?, chunk.u8()?, chunk.u8()?, chunk.u8()?];
            // No pixel can have a higher index.
            if let Some(entry) = palette.get_mut(index as usize) {
                *entry = color;
            }
            if flags & 1 != 0 {
                chunk.string()?;
            }
        }
        Ok(())
    }

    /// Reads a palette of old versions, whose numbers are multiplied by `scale`.
    fn read_old_palette(&mut self, mut chunk: Bytes<'_>, scale: u8) -> Result<(), ImportError> {
        let palette = self.palette_to_change();
        let mut index = 0;
        for _ in 0..chunk.u16()? {
            index += usize::from(chunk.u8()?);
            let count = match chunk.u8()? {
                0 => 256,
                count => usize::from(count),
            };
            for _ in 0..count {
                // Six bits become eight: the highest number becomes 255.
                let scaled = |v: u8| if scale == 4 { (v & 63) << 2 | (v & 63) >> 4 } else { v };
                let color = [scaled(chunk.u8()?), scaled(chunk.u8()?), scaled(chunk.u8()?), 255];
                if let Some(entry) = palette.get_mut(index) {
                    *entry = color;
                }
                index += 1;
            }
        }
        Ok(())
    }

    fn read_tileset(&mut self, mut chunk: Bytes<'a>) -> Result<(), ImportError> {
        let (id, flags, count) = (chunk.u32()?, chunk.u32()?, chunk.u32()?);
        let size = (u32::from(chunk.u16()?), u32::from(chunk.u16()?));
        chunk.take(16)?;
        chunk.string()?;
        if flags & 1 != 0 {
            chunk.take(8)?;
        }
        let packed = if flags & 2 == 0 {
            None
        } else {
            let len = chunk.u32()? as usize;
            Some(chunk.take(len)?)
        };
        let is_zero_empty = flags & 4 != 0;
        self.tilesets.push(Tileset { id, count, size, is_zero_empty, packed, pixels: OnceCell::new() });
        Ok(())
    }
}

/// What is left of the bytes of a file or a chunk.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], ImportError> {
        let ends_early = || ImportError::damaged("is an Aseprite file that ends early");
        let (taken, rest) = self.0.split_at_checked(len).ok_or_else(ends_early)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ImportError> {
        let taken = self.take(N)?;
        Ok(std::array::from_fn(|i| taken[i]))
    }

    fn u8(&mut self) -> Result<u8, ImportError> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16, ImportError> {
        self.array().map(u16::from_le_bytes)
    }

    fn i16(&mut self) -> Result<i16, ImportError> {
        self.array().map(i16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, ImportError> {
        self.array().map(u32::from_le_bytes)
    }

    fn string(&mut self) -> Result<String, ImportError> {
        let len = usize::from(self.u16()?);
        Ok(String::from_utf8_lossy(self.take(len)?).into_owned())
    }
}
