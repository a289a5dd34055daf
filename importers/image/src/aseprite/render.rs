//! The cels of a frame → its pixels. What is not decided by the description of the format follows Aseprite's own renderer.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::super::ImportError;
use super::super::decoded::MAX_PIXELS;
use super::blend::{blend, multiply};
use super::file::{Cel, Content, Depth, File, Layer, Palette, Tileset};
use super::{damaged, unsupported};

/// The most pixels of groups within groups that are drawn by themselves.
const MAX_GROUP_PIXELS: u64 = MAX_PIXELS;

/// The most pixels that are unpacked and drawn for all frames: a hundred layers of 4096 × 4096 pixels take 1.7 × 10⁹.
const MAX_WORK: u64 = 1 << 31;

type Pixel = [u8; 4];

impl File<'_> {
    /// Refuses a file whose first `frames` frames are more work than an artist could have made: a few hundred bytes can ask
    /// for thousands of groups or linked cels of the whole picture.
    pub(in super::super) fn check_work(&self, frames: usize) -> Result<(), ImportError> {
        let canvas = u64::from(self.size.0) * u64::from(self.size.1);
        let groups = self.layers.iter().filter(|layer| layer.is_group && layer.is_visible && self.blends_groups);
        // A group is drawn by itself and then over what is behind it.
        let of_layers = (groups.count() as u64).saturating_mul(2 * canvas) + self.layers.len() as u64;
        let work = self.frames.iter().take(frames).fold(0u64, |work, frame| {
            let cels = frame.cels.iter().map(|cel| self.work_of_cel(cel));
            cels.fold(work.saturating_add(of_layers + canvas), u64::saturating_add)
        });
        let tiles = self.tilesets.iter().map(Tileset::pixels).fold(0, u64::saturating_add);
        if work > MAX_WORK {
            return Err(unsupported(format!("{work} pixels to draw in all layers and frames, more than {MAX_WORK}")));
        }
        if tiles > MAX_PIXELS {
            return Err(unsupported(format!("{tiles} pixels of tiles, more than {MAX_PIXELS}")));
        }
        Ok(())
    }

    /// The pixels of a cel that are unpacked and those that are drawn.
    fn work_of_cel(&self, cel: &Cel<'_>) -> u64 {
        let Some(layer) = self.layers.get(cel.layer).filter(|layer| layer.is_visible) else { return 1 };
        let (width, height) = self.size;
        let tile = match cel.content {
            Content::Tiles { .. } => self.tileset(layer).map_or((1, 1), |tileset| tileset.size),
            Content::Raw(_) | Content::Zlib(_) => (1, 1),
        };
        // Rows above the picture are unpacked, too.
        let rows = (i64::from(height) - i64::from(cel.y)).max(0) as u64;
        let rows = rows.div_ceil(tile.1.max(1).into()).min(cel.size.1.into());
        let shown = |at: i32, len: u32, tile: u32, edge: u32| {
            let end = (i64::from(at) + i64::from(len) * i64::from(tile)).clamp(0, edge.into());
            (end - i64::from(at).clamp(0, end)) as u64
        };
        let drawn = shown(cel.x, cel.size.0, tile.0, width) * shown(cel.y, cel.size.1, tile.1, height);
        1 + rows * u64::from(cel.size.0) + drawn
    }

    fn tileset(&self, layer: &Layer) -> Option<&Tileset<'_>> {
        self.tilesets.iter().rfind(|tileset| Some(tileset.id) == layer.tileset)
    }

    /// An estimate of the memory in bytes that drawing takes besides the picture: tiles, and groups within groups.
    pub(super) fn memory(&self) -> u64 {
        let canvas = u64::from(self.size.0) * u64::from(self.size.1);
        let tiles = self.tilesets.iter().map(Tileset::pixels).fold(0, u64::saturating_add).min(MAX_PIXELS);
        let groups = self.layers.iter().filter(|layer| layer.is_group && layer.is_visible && self.blends_groups);
        let depth = groups.map(|group| u64::from(group.level) + 1).max().unwrap_or(0);
        let groups = canvas.saturating_mul(depth).min(MAX_GROUP_PIXELS);
        (tiles + groups) * 4
    }

    /// Draws a frame. `pixels` are RGBA8, all of them zero.
    pub(in super::super) fn draw(&self, frame: usize, pixels: &mut [u8]) -> Result<(), ImportError> {
        let (canvas, _) = pixels.as_chunks_mut::<4>();
        let frame = &self.frames[frame];
        let palette = &self.palettes[frame.palette];
        let has_background = self.layers.iter().any(|layer| layer.is_background && layer.is_visible);
        if self.depth == Depth::Indexed && has_background {
            canvas.fill(palette[usize::from(self.transparent)]);
        }
        let mut cels = vec![None; self.layers.len()];
        frame.cels.iter().for_each(|cel| cels[cel.layer] = Some(cel));
        let painter = Painter { file: self, palette, cels };
        painter.draw_layers(0..self.layers.len(), canvas, MAX_GROUP_PIXELS)
    }
}

/// What a frame is drawn from.
struct Painter<'f> {
    file: &'f File<'f>,
    palette: &'f Palette,
    /// The cel of each layer.
    cels: Vec<Option<&'f Cel<'f>>>,
}

impl Painter<'_> {
    /// Draws these layers. Groups by themselves may take `budget` pixels.
    fn draw_layers(
        &self,
        layers: std::ops::Range<usize>,
        canvas: &mut [Pixel],
        budget: u64,
    ) -> Result<(), ImportError> {
        let mut order = Vec::new();
        let (mut number, mut place) = (layers.start, 0);
        while number < layers.end {
            let z = self.cels[number].map_or(0, |cel| cel.z);
            order.push((place + z, z, number));
            place += 1;
            number = if self.file.blends_groups { self.end_of_group(number, layers.end) } else { number + 1 };
        }
        order.sort_unstable();
        for (_, _, number) in order {
            let layer = &self.file.layers[number];
            if !layer.is_visible {
                continue;
            }
            if layer.is_group {
                if self.file.blends_groups {
                    let members = number + 1..self.end_of_group(number, layers.end);
                    self.draw_group(layer, members, canvas, budget)?;
                }
            } else if let Some(cel) = self.cels[number] {
                self.draw_cel(cel, layer, canvas)?;
            }
        }
        Ok(())
    }

    /// The first layer after this one that is not in it.
    fn end_of_group(&self, number: usize, end: usize) -> usize {
        let level = self.file.layers[number].level;
        (number + 1..end).find(|after| self.file.layers[*after].level <= level).unwrap_or(end)
    }

    fn draw_group(
        &self,
        layer: &Layer,
        members: std::ops::Range<usize>,
        canvas: &mut [Pixel],
        budget: u64,
    ) -> Result<(), ImportError> {
        let left = budget.checked_sub(canvas.len().max(1 << 18) as u64);
        let left = left.ok_or_else(|| unsupported("very many groups within groups"))?;
        let mut group = vec![[0; 4]; canvas.len()];
        self.draw_layers(members, &mut group, left)?;
        for (back, front) in canvas.iter_mut().zip(&group) {
            self.put(back, *front, layer, layer.opacity);
        }
        Ok(())
    }

    fn draw_cel(&self, cel: &Cel<'_>, layer: &Layer, canvas: &mut [Pixel]) -> Result<(), ImportError> {
        let opacity = multiply(cel.opacity, layer.opacity);
        let (mut raw, mut zlib);
        let source: &mut dyn Read = match cel.content {
            Content::Raw(bytes) => {
                raw = bytes;
                &mut raw
            }
            Content::Zlib(bytes) => {
                zlib = ZlibDecoder::new(bytes);
                &mut zlib
            }
            Content::Tiles { masks, data } => return self.draw_tiles(cel, layer, masks, data, canvas),
        };
        let (width, height) = self.file.size;
        let size = self.file.depth.size();
        let mut row = vec![0; cel.size.0 as usize * size];
        let visible = inside(cel.x, cel.size.0, width);
        for y in (cel.y..).take(cel.size.1 as usize) {
            if visible.is_empty() || y >= height as i32 {
                break;
            }
            source
                .read_exact(&mut row)
                .map_err(|e| damaged(format!("the pixels of a cel cannot be unpacked ({e})")))?;
            let Ok(y) = usize::try_from(y) else { continue };
            let line = &mut canvas[y * width as usize..][..width as usize];
            for x in visible.clone() {
                let at = (i64::from(x) - i64::from(cel.x)) as usize * size;
                if let Some(front) = self.color(&row[at..at + size]) {
                    self.put(&mut line[x as usize], front, layer, opacity);
                }
            }
        }
        Ok(())
    }

    fn draw_tiles(
        &self,
        cel: &Cel<'_>,
        layer: &Layer,
        masks: [u32; 4],
        data: &[u8],
        canvas: &mut [Pixel],
    ) -> Result<(), ImportError> {
        let tileset = self.file.tileset(layer);
        let tileset = tileset.ok_or_else(|| damaged("a layer of tiles has no tileset"))?;
        let pixels = match tileset.pixels.get() {
            Some(pixels) => pixels,
            None => {
                let pixels = self.unpack(tileset)?;
                tileset.pixels.get_or_init(|| pixels)
            }
        };
        let opacity = multiply(cel.opacity, layer.opacity);
        let (width, height) = self.file.size;
        let (tile_width, tile_height) = (tileset.size.0 as usize, tileset.size.1 as usize);
        let size = self.file.depth.size();
        let mut source = ZlibDecoder::new(data);
        let mut row = vec![0; cel.size.0 as usize * 4];
        for v in 0..cel.size.1 {
            let top = i64::from(cel.y) + i64::from(v) * tile_height as i64;
            if top >= i64::from(height) {
                break;
            }
            source.read_exact(&mut row).map_err(|e| damaged(format!("the tiles of a cel cannot be unpacked ({e})")))?;
            for (u, tile) in row.as_chunks().0.iter().enumerate() {
                let tile = u32::from_le_bytes(*tile);
                let left = i64::from(cel.x) + u as i64 * tile_width as i64;
                let number = (tile & masks[0]) >> masks[0].trailing_zeros().min(31);
                let is_empty = if tileset.is_zero_empty { number == 0 } else { tile == u32::MAX };
                if is_empty || number >= tileset.count || left >= i64::from(width) {
                    continue;
                }
                let [flip_x, flip_y, swap] = [1, 2, 3].map(|i: usize| masks[i] != 0 && tile & masks[i] == masks[i]);
                let first = number as usize * tile_width * tile_height;
                for y in inside(top as i32, tileset.size.1, height) {
                    for x in inside(left as i32, tileset.size.0, width) {
                        let (mut from_x, mut from_y) = ((i64::from(x) - left) as usize, (i64::from(y) - top) as usize);
                        from_x = if flip_x { tile_width - 1 - from_x } else { from_x };
                        from_y = if flip_y { tile_height - 1 - from_y } else { from_y };
                        if swap {
                            (from_x, from_y) = (from_y, from_x);
                        }
                        if from_x >= tile_width || from_y >= tile_height {
                            continue;
                        }
                        let at = (first + from_y * tile_width + from_x) * size;
                        if let Some(front) = self.color(&pixels[at..at + size]) {
                            let back = &mut canvas[y as usize * width as usize + x as usize];
                            self.put(back, front, layer, opacity);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The pixels of all tiles.
    fn unpack(&self, tileset: &Tileset<'_>) -> Result<Vec<u8>, ImportError> {
        let packed = tileset.packed.ok_or_else(|| unsupported("tiles that are in another file"))?;
        let pixels = tileset.pixels();
        if pixels > MAX_PIXELS || tileset.size.0 == 0 || tileset.size.1 == 0 {
            let (width, height) = tileset.size;
            return Err(unsupported(format!("{} tiles of {width}×{height} pixels", tileset.count)));
        }
        let len = pixels * self.file.depth.size() as u64;
        let mut out = Vec::new();
        let read = ZlibDecoder::new(packed).take(len).read_to_end(&mut out);
        match read {
            Ok(read) if read as u64 == len => Ok(out),
            Ok(_) => Err(damaged("the pixels of tiles end early")),
            Err(e) => Err(damaged(format!("the pixels of tiles cannot be unpacked ({e})"))),
        }
    }

    /// The colour of a stored pixel; `None` if it is empty.
    fn color(&self, stored: &[u8]) -> Option<Pixel> {
        match *stored {
            [r, g, b, a] => Some([r, g, b, a]).filter(|color| *color != [0; 4]),
            [0, 0] => None,
            [gray, a] => Some([gray, gray, gray, a]),
            [index] if index == self.file.transparent => None,
            [index] => Some(self.palette[usize::from(index)]),
            _ => None,
        }
    }

    fn put(&self, back: &mut Pixel, front: Pixel, layer: &Layer, opacity: u8) {
        let mode = if self.file.depth == Depth::Gray { layer.mode.of_gray() } else { layer.mode };
        *back = blend(mode, *back, front, opacity);
    }
}

impl Tileset<'_> {
    /// The number of pixels of all tiles.
    fn pixels(&self) -> u64 {
        (u64::from(self.size.0) * u64::from(self.size.1)).saturating_mul(self.count.into())
    }
}

/// The pixels from `at` on that are inside of an edge of `edge` pixels.
fn inside(at: i32, len: u32, edge: u32) -> std::ops::Range<u32> {
    let end = (i64::from(at) + i64::from(len)).clamp(0, edge.into());
    let start = i64::from(at).clamp(0, end);
    start as u32..end as u32
}
