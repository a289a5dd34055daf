//! Glyphs of one size → one image: glyphs are rasterised and packed into a page with power-of-two edges, with padding
//! around each.
//!
//! Characters that share a glyph share its place. Sizes are checked before anything is rasterised. Glyphs are placed in
//! rows, the highest first. The glyphs of a font have few different heights, so rows are as dense as more complex
//! packing, and placing the 20,000 glyphs of a Chinese font takes no longer than sorting them.

use std::collections::BTreeMap;
use std::fmt;

use fontdue::Font;

use crate::chunk::glyphs::Glyph;

/// The longest edge of an atlas. Every GPU of the last ten years supports it.
pub(super) const MAX_EDGE: u32 = 8192;

/// The coverage of all glyphs, and the position of each.
pub(super) struct Atlas {
    pub(super) width: u32,
    pub(super) height: u32,
    /// One byte per pixel, rows from the top.
    pub(super) coverage: Vec<u8>,
    /// By glyph index.
    placed: BTreeMap<u16, Glyph>,
}

/// The reason why glyphs do not fit.
#[derive(Debug)]
pub(super) enum Overflow {
    /// A single glyph is too large.
    Glyph { character: char },
    /// All glyphs together are too large.
    Page,
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Glyph { character } => {
                write!(f, "U+{:04X} alone is more than {MAX_EDGE} pixels wide or high", u32::from(*character))
            }
            Self::Page => write!(f, "the atlas would be larger than {MAX_EDGE}×{MAX_EDGE} pixels"),
        }
    }
}

impl Atlas {
    /// Rasterises and places the glyphs of `characters`, which are paired with their glyph indices.
    pub(super) fn new(
        font: &Font,
        pixels_per_em: f32,
        characters: &[(char, u16)],
        padding: u32,
    ) -> Result<Self, Overflow> {
        let mut placed = BTreeMap::new();
        let mut items = Vec::new();
        let mut area = 0usize;
        let edge = MAX_EDGE as usize;
        for &(character, number) in characters {
            if placed.contains_key(&number) {
                continue;
            }
            let metrics = font.metrics_indexed(number, pixels_per_em);
            let far = |offset: i32| offset.unsigned_abs() > 4 * MAX_EDGE;
            let is_sane = metrics.width <= edge
                && metrics.height <= edge
                && !far(metrics.xmin)
                && !far(metrics.ymin)
                && metrics.advance_width.abs() <= 4.0 * MAX_EDGE as f32;
            if !is_sane {
                return Err(Overflow::Glyph { character });
            }
            let is_empty = metrics.width == 0 || metrics.height == 0;
            let (width, height) = if is_empty { (0, 0) } else { (metrics.width, metrics.height) };
            if !is_empty {
                let room = 2 * padding as usize;
                area += (width + room) * (height + room);
                items.push(Item { number, width: width + room, height: height + room, x: 0, y: 0 });
            }
            if area > edge * edge {
                return Err(Overflow::Page);
            }
            placed.insert(
                number,
                Glyph {
                    width: width as i32,
                    height: height as i32,
                    offset_x: if is_empty { 0 } else { metrics.xmin },
                    // Relative to the baseline, until the line is known.
                    offset_y: if is_empty { 0 } else { -(metrics.ymin + height as i32) },
                    advance_x: metrics.advance_width.round() as i32,
                    ..Glyph::default()
                },
            );
        }
        let (page_width, page_height) = pack(&mut items).ok_or(Overflow::Page)?;
        let mut coverage = vec![0; page_width * page_height];
        for item in &items {
            let (left, top) = (item.x + padding as usize, item.y + padding as usize);
            let (metrics, pixels) = font.rasterize_indexed(item.number, pixels_per_em);
            for (row, pixels) in pixels.chunks_exact(metrics.width).enumerate() {
                let start = (top + row) * page_width + left;
                coverage[start..start + metrics.width].copy_from_slice(pixels);
            }
            if let Some(glyph) = placed.get_mut(&item.number) {
                (glyph.x, glyph.y) = (left as i32, top as i32);
            }
        }
        Ok(Self { width: page_width as u32, height: page_height as u32, coverage, placed })
    }

    /// The table entry of a character, on a line whose baseline is `baseline` pixels below its top.
    pub(super) fn glyph(&self, (character, number): (char, u16), baseline: i32) -> Glyph {
        let glyph = self.placed.get(&number).copied().unwrap_or_default();
        let offset_y = if glyph.height == 0 { 0 } else { baseline + glyph.offset_y };
        Glyph { codepoint: u32::from(character).cast_signed(), offset_y, ..glyph }
    }
}

/// A glyph with its padding.
struct Item {
    number: u16,
    width: usize,
    height: usize,
    x: usize,
    y: usize,
}

/// Places the items in rows on the smallest page that fits them, and returns its size; `None` if no page does.
fn pack(items: &mut [Item]) -> Option<(usize, usize)> {
    items.sort_by_key(|item| (usize::MAX - item.height, usize::MAX - item.width, item.number));
    let edges = || (0..=MAX_EDGE.ilog2()).map(|power| 1usize << power);
    let pages = edges().filter_map(|width| {
        let height = rows(items, width, |_, _, _| {})?.next_power_of_two();
        (height <= MAX_EDGE as usize).then_some((width, height))
    });
    // Of equally large pages, choose the squarest, and of these the wider one.
    let (width, height) = pages.min_by_key(|(width, height)| (width * height, *width.max(height), *height))?;
    rows(items, width, |item, x, y| (item.x, item.y) = (x, y));
    Some((width, height))
}

/// Places the items in rows of this width, and returns the total height; `None` if an item is wider.
fn rows(items: &mut [Item], width: usize, place: impl Fn(&mut Item, usize, usize)) -> Option<usize> {
    let (mut x, mut y, mut row) = (0, 0, 0);
    for item in items {
        if item.width > width {
            return None;
        }
        if x + item.width > width {
            (x, y, row) = (0, y + row, 0);
        }
        place(item, x, y);
        x += item.width;
        row = row.max(item.height);
    }
    Some(y + row)
}
