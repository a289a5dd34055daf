//! Fonts: the glyphs in rows on one picture, and the table of where they are.

use rres_format::chunk::glyphs::{self, FontStyle};
use rres_format::chunk::image::PixelFormat;
use rres_import::{Asset, FontBuilder, ImportError};

use super::checks::check_finite;
use crate::{Font, Glyph};

/// The height of the line that `nbr` draws glyphs for, in pixels.
const SIZE: u32 = 256;

/// Pixels between glyphs, so that filters do not mix them.
const GAP: u32 = 1;

/// A picture of this many pixels is made whatever the glyphs are; a larger one only if they fill a quarter of it.
const SMALL: u64 = 1 << 20;

/// The place of a glyph on the picture.
struct Placed<'a> {
    glyph: &'a Glyph<'a>,
    x: u32,
    y: u32,
}

/// Makes a font of one size. Metrics are rounded to pixels, and the boxes of glyphs have no place.
pub(super) fn import(font: &Font<'_>) -> Result<Asset, ImportError> {
    check_finite(&[font.ascent, font.descent, font.line_gap], || "the font".to_owned())?;
    let (placed, width, height) = place(font)?;
    let mut pixels = vec![[255, 0]; width as usize * height as usize];
    for Placed { glyph, x, y } in &placed {
        let rows = glyph.pixels.chunks_exact(glyph.width.max(1) as usize);
        for (row, covered) in rows.enumerate() {
            let start = (*y as usize + row) * width as usize + *x as usize;
            for (pixel, cover) in pixels[start..].iter_mut().zip(covered) {
                pixel[1] = *cover;
            }
        }
    }
    let glyphs: Vec<glyphs::Glyph> = placed.iter().map(|placed| metrics(placed, font.ascent)).collect();
    let mut built =
        FontBuilder::new(FontStyle::UNDEFINED).with_line(font.ascent, font.ascent - font.descent + font.line_gap);
    built.add_page(SIZE, 0, &glyphs, (width, height), PixelFormat::GRAY_ALPHA8, pixels.as_flattened())?;
    let noun = if glyphs.len() == 1 { "glyph" } else { "glyphs" };
    built.into_asset(format!("{} {noun} at {SIZE} px", glyphs.len()))
}

fn metrics(Placed { glyph, x, y }: &Placed<'_>, ascent: f32) -> glyphs::Glyph {
    // Sides and places are far below the limit of i32, and casts of floats saturate.
    glyphs::Glyph {
        codepoint: glyph.codepoint as i32,
        x: *x as i32,
        y: *y as i32,
        width: glyph.width as i32,
        height: glyph.height as i32,
        offset_x: glyph.offset_x.round() as i32,
        // From the top of the line, and not from the baseline.
        offset_y: (ascent + glyph.offset_y).round() as i32,
        advance_x: glyph.advance_x.round() as i32,
    }
}

/// Places the glyphs in rows, by their characters, and returns the size of the picture.
fn place<'a>(font: &'a Font<'a>) -> Result<(Vec<Placed<'a>>, u32, u32), ImportError> {
    let mut glyphs: Vec<&Glyph<'_>> = font.glyphs.iter().collect();
    // The file has the order of a hash table.
    glyphs.sort_by_key(|glyph| glyph.codepoint);
    if let Some(pair) = glyphs.windows(2).find(|pair| pair[0].codepoint == pair[1].codepoint) {
        return Err(ImportError::new(format!("has two glyphs of the character {}", pair[0].codepoint)));
    }
    let area: u64 = glyphs.iter().map(|glyph| u64::from(glyph.width + GAP) * u64::from(glyph.height + GAP)).sum();
    let widest = glyphs.iter().map(|glyph| glyph.width).max().unwrap_or(0);
    let width = widest.max(area.isqrt() as u32).max(1).next_power_of_two();
    let (mut x, mut y, mut row) = (0, 0, 0);
    let mut placed = Vec::with_capacity(glyphs.len());
    for glyph in glyphs {
        if x + glyph.width > width {
            (x, y, row) = (0, y + row + GAP, 0);
        }
        placed.push(Placed { glyph, x, y });
        x += glyph.width + GAP;
        row = row.max(glyph.height);
        if u64::from(width) * u64::from(y + row) > SMALL.max(4 * area) {
            return Err(ImportError::new("the sizes of its glyphs differ too much for one picture"));
        }
    }
    Ok((placed, width, (y + row).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(codepoint: u32, width: u32, height: u32) -> Glyph<'static> {
        Glyph {
            codepoint,
            width,
            height,
            left: 0.0,
            right: 0.0,
            top: 0.0,
            bottom: 0.0,
            offset_x: 0.0,
            offset_y: 0.0,
            advance_x: 0.0,
            left_bearing: 0.0,
            pixels: vec![codepoint as u8; (width * height) as usize].into(),
        }
    }

    fn font_of(glyphs: Vec<Glyph<'static>>) -> Font<'static> {
        Font { glyphs, ascent: 200.0, descent: -56.0, line_gap: 0.0 }
    }

    #[test]
    fn glyphs_do_not_overlap_and_are_ordered() {
        let font = font_of((33..127).rev().map(|c| glyph(c, c % 13, c % 7 * 3)).collect());
        let (placed, width, height) = place(&font).unwrap();
        let mut owner = vec![0; (width * height) as usize];
        for Placed { glyph, x, y } in &placed {
            for (at_x, at_y) in (0..glyph.width).flat_map(|x| (0..glyph.height).map(move |y| (x, y))) {
                assert!(x + at_x < width);
                let owner = &mut owner[((y + at_y) * width + x + at_x) as usize];
                assert_eq!(std::mem::replace(owner, glyph.codepoint), 0);
            }
        }
        assert!(placed.is_sorted_by_key(|placed| placed.glyph.codepoint));
    }

    #[test]
    fn glyphs_of_extreme_sizes_make_no_huge_picture() {
        let font = font_of(vec![glyph(65, 65_535, 1), glyph(66, 1, 65_535), glyph(67, 65_535, 0)]);
        assert!(place(&font).is_err());
        let (_, width, height) = place(&font_of(Vec::new())).map(|(_, width, height)| ((), width, height)).unwrap();
        assert_eq!((width, height), (1, 1));
    }
}
