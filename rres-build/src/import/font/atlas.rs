//! Glyphs of one size → one image: rasterised, packed into the smallest power-of-two page, with room around each.
//!
//! Characters that share a glyph share its place. Sizes are checked before anything is rasterised.

use std::collections::BTreeMap;
use std::fmt;

use crunch::{Item, Rotation, pack_into_po2};
use fontdue::Font;
use rres_format::chunk::glyphs::Glyph;

/// Longest edge of an atlas, which every GPU of the last ten years takes.
pub(super) const MAX_EDGE: u32 = 8192;

/// The coverage of all glyphs, and where each stands.
pub(super) struct Atlas {
    pub(super) width: u32,
    pub(super) height: u32,
    /// One byte per pixel, rows from the top.
    pub(super) coverage: Vec<u8>,
    /// By the font's number of the glyph.
    placed: BTreeMap<u16, Glyph>,
}

/// What is too large.
#[derive(Debug)]
pub(super) enum Overflow {
    /// A single glyph.
    Glyph { character: char },
    /// All of them together.
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
    /// Rasterises and places the glyphs of `characters`, all of which the font has.
    pub(super) fn new(font: &Font, pixels_per_em: f32, characters: &[char], padding: u32) -> Result<Self, Overflow> {
        let mut placed = BTreeMap::new();
        let mut items = Vec::new();
        let mut area = 0usize;
        let edge = MAX_EDGE as usize;
        for character in characters {
            let number = font.lookup_glyph_index(*character);
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
                return Err(Overflow::Glyph { character: *character });
            }
            let is_empty = metrics.width == 0 || metrics.height == 0;
            let (width, height) = if is_empty { (0, 0) } else { (metrics.width, metrics.height) };
            if !is_empty {
                let room = 2 * padding as usize;
                area += (width + room) * (height + room);
                items.push(Item::new(number, width + room, height + room, Rotation::None));
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
                    // From the baseline, until the line is known.
                    offset_y: if is_empty { 0 } else { -(metrics.ymin + height as i32) },
                    advance_x: metrics.advance_width.round() as i32,
                    ..Glyph::default()
                },
            );
        }
        let page = pack_into_po2(edge, items).map_err(|()| Overflow::Page)?;
        let mut coverage = vec![0; page.w * page.h];
        for item in &page.items {
            let (left, top) = (item.rect.x + padding as usize, item.rect.y + padding as usize);
            let (metrics, pixels) = font.rasterize_indexed(item.data, pixels_per_em);
            for (row, pixels) in pixels.chunks_exact(metrics.width).enumerate() {
                let start = (top + row) * page.w + left;
                coverage[start..start + metrics.width].copy_from_slice(pixels);
            }
            if let Some(glyph) = placed.get_mut(&item.data) {
                (glyph.x, glyph.y) = (left as i32, top as i32);
            }
        }
        Ok(Self { width: page.w as u32, height: page.h as u32, coverage, placed })
    }

    /// The table entry of a character, on a line whose baseline is so many pixels below its top.
    pub(super) fn glyph(&self, font: &Font, character: char, baseline: i32) -> Glyph {
        let glyph = self.placed.get(&font.lookup_glyph_index(character)).copied().unwrap_or_default();
        let offset_y = if glyph.height == 0 { 0 } else { baseline + glyph.offset_y };
        Glyph { codepoint: u32::from(character).cast_signed(), offset_y, ..glyph }
    }
}
