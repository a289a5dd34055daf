//! A font as a picture: a specimen set in the font's own glyphs.

use rres_runtime::asset::Glyph;
use rres_runtime::{Font, Image};

use super::Picture;

/// The size that is shown, if the font has it.
const SIZE: u32 = 24;

/// The widest specimen, in pixels, and the most lines.
const MAX_WIDTH: i32 = 320;
const MAX_LINES: i32 = 6;

/// What is set if the font has the characters. Other characters of the font follow.
const TEXT: &str = "Quartz 0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz !?&@";

/// Sets a specimen of a font, light on dark.
pub(super) fn specimen(font: &Font) -> Picture {
    let strike = font.strike(SIZE);
    // Sizes in a damaged pack can be anything.
    let line = (strike.line_height().clamp(1.0, 512.0)) as i32;
    let size = (strike.size() as i32).clamp(1, 512);
    let width = MAX_WIDTH.max(size * 8);
    let (mut pen, mut top) = (0, 0);
    let mut placed = Vec::new();
    let others = strike.glyphs().iter().filter_map(|glyph| char::from_u32(u32::try_from(glyph.codepoint).ok()?));
    let others = others.filter(|character| !TEXT.contains(*character)).take(200);
    for character in TEXT.chars().chain([' ']).chain(others) {
        let Some(glyph) = strike.glyph(character) else {
            pen += if character == ' ' { size / 3 } else { 0 };
            continue;
        };
        let advance = glyph.advance_x.clamp(0, 1024);
        if pen + advance > width {
            (pen, top) = (0, top + line);
        }
        if top >= line * MAX_LINES {
            break;
        }
        placed.push((glyph, pen, top));
        pen += advance;
    }
    let height = top.min(line * (MAX_LINES - 1)) + line;
    let mut pixels = [24, 24, 24, 255].repeat((width * height) as usize);
    // Alpha is the coverage.
    let coverage: Vec<_> = strike.pages().iter().map(|page| rres_export::rgba8(page, 0).unwrap_or_default()).collect();
    for (glyph, x, y) in placed {
        let character = u32::try_from(glyph.codepoint).ok().and_then(char::from_u32);
        let Some(page) = character.and_then(|character| strike.page(character)) else { continue };
        draw((&strike.pages()[page], &coverage[page]), glyph, (x, y), (width, height), &mut pixels);
    }
    Picture::new(width as u32, height as u32, pixels)
}

/// Draws a glyph; parts outside of the atlas and of the picture are left out.
fn draw((atlas, coverage): (&Image, &[u8]), glyph: &Glyph, (x, y): (i32, i32), size: (i32, i32), pixels: &mut [u8]) {
    let (atlas_width, atlas_height) = (atlas.width() as i32, atlas.height() as i32);
    for row in 0..glyph.height.clamp(0, 1024) {
        for column in 0..glyph.width.clamp(0, 1024) {
            let from = (glyph.x.saturating_add(column), glyph.y.saturating_add(row));
            let to = (
                x.saturating_add(glyph.offset_x).saturating_add(column),
                y.saturating_add(glyph.offset_y).saturating_add(row),
            );
            let is_inside =
                |(x, y): (i32, i32), (width, height): (i32, i32)| (0..width).contains(&x) && (0..height).contains(&y);
            if !is_inside(from, (atlas_width, atlas_height)) || !is_inside(to, size) {
                continue;
            }
            let alpha = coverage.get((from.1 as usize * atlas_width as usize + from.0 as usize) * 4 + 3);
            let at = (to.1 as usize * size.0 as usize + to.0 as usize) * 4;
            for value in &mut pixels[at..at + 3] {
                *value = (*value).max(24 + (u32::from(alpha.copied().unwrap_or(0)) * 216 / 255) as u8);
            }
        }
    }
}
