//! Fonts: the pixels of some glyphs and how to set them, so that the page can show what one types.

use rres_runtime::asset::{Glyph, Strike};
use rres_runtime::{Font, Image};
use serde_json::{Value, json};

use super::pixels::Pixels;
use super::{Preview, data_uri};

/// The most pixels of a picture of glyphs, per strike.
const MOST_PIXELS: u64 = 1 << 22;

/// The width of the picture.
const WIDTH: u32 = 1024;

/// The characters of the thumbnail.
const SAMPLE: &str = "Aa";

pub(super) fn preview(font: &Font, share: usize) -> Preview {
    // The largest one that fits, and then what room is left for the others.
    let mut strikes: Vec<&Strike> = font.strikes().iter().collect();
    strikes.sort_by_key(|strike| std::cmp::Reverse(strike.size()));
    let mut left = share;
    let mut shown = Vec::new();
    let mut thumbnail = None;
    for strike in strikes {
        let Some(sheet) = Sheet::new(strike, left) else { continue };
        left = left.saturating_sub(sheet.cost());
        thumbnail = thumbnail.or_else(|| sample(strike));
        shown.push(sheet.value);
    }
    if shown.is_empty() {
        return Preview::nothing("its glyphs are too large for this page; make the page with --previews full");
    }
    shown.reverse();
    let value = json!({
        "type": "font",
        "sizes": font.strikes().iter().map(Strike::size).collect::<Vec<_>>(),
        "strikes": shown,
    });
    Preview { value, thumbnail }
}

/// The glyphs of a strike in a picture of their own.
struct Sheet {
    value: Value,
}

impl Sheet {
    /// Takes as many glyphs as fit `limit` bytes, those with small codepoints first.
    fn new(strike: &Strike, limit: usize) -> Option<Self> {
        // Antialiased glyphs take about 6 bits for each of their pixels, in base 64.
        let mut room = (limit as u64).saturating_mul(4) / 3;
        for _ in 0..4 {
            let (value, uri) = Self::of_pixels(strike, room.min(MOST_PIXELS))?;
            let sheet = Self { value };
            if uri <= limit {
                return Some(sheet);
            }
            room /= 2;
        }
        None
    }

    fn of_pixels(strike: &Strike, room: u64) -> Option<(Value, usize)> {
        let area = |glyph: &Glyph| u64::from(edge(glyph.width) + 1) * u64::from(edge(glyph.height) + 1);
        let mut used = 0;
        let chosen: Vec<&Glyph> = strike
            .glyphs()
            .iter()
            .take_while(|glyph| {
                used += area(glyph);
                used <= room
            })
            .collect();
        if chosen.is_empty() || !strike.glyphs().is_empty() && chosen.len() < 32.min(strike.glyphs().len()) {
            return None;
        }
        // In rows from the top, each as high as its highest glyph.
        let (mut x, mut y, mut row) = (0, 0, 0);
        let mut places = Vec::with_capacity(chosen.len());
        for glyph in &chosen {
            let (width, height) = (edge(glyph.width), edge(glyph.height));
            if x + width > WIDTH {
                (x, y, row) = (0, y + row + 1, 0);
            }
            places.push((x, y));
            x += width + 1;
            row = row.max(height);
        }
        let height = (y + row).max(1);
        let mut coverage = vec![0; WIDTH as usize * height as usize];
        for (glyph, (x, y)) in chosen.iter().zip(&places) {
            draw(strike, glyph, &mut coverage, WIDTH, (*x).cast_signed(), (*y).cast_signed());
        }
        let rgba = coverage.iter().flat_map(|value| [*value, *value, *value, 255]).collect();
        let (uri, ..) = Pixels { width: WIDTH, height, rgba }.exact()?;
        // One list of numbers for all glyphs is shorter than an object for each.
        let numbers = chosen.iter().zip(&places).flat_map(|(glyph, (x, y))| {
            let Glyph { width, height, codepoint, offset_x, offset_y, advance_x, .. } = **glyph;
            [codepoint, x.cast_signed(), y.cast_signed(), width, height, offset_x, offset_y, advance_x]
        });
        let value = json!({
            "size": strike.size(),
            "ascent": strike.ascent(),
            "line_height": strike.line_height(),
            "glyph_count": strike.glyphs().len(),
            "atlas_width": strike.atlas().width(),
            "atlas_height": strike.atlas().height(),
            "glyphs": numbers.collect::<Vec<_>>(),
            "uri": uri,
        });
        let size = value.to_string().len();
        Some((value, size))
    }

    fn cost(&self) -> usize {
        self.value.to_string().len()
    }
}

/// Returns an edge from a pack, limited to what an atlas can have.
fn edge(value: i32) -> u32 {
    value.clamp(0, WIDTH as i32) as u32
}

/// The page that a glyph is on.
fn page_of<'s>(strike: &'s Strike, glyph: &Glyph) -> Option<&'s Image> {
    let character = u32::try_from(glyph.codepoint).ok().and_then(char::from_u32)?;
    strike.pages().get(strike.page(character)?)
}

/// Draws the coverage of a glyph; if glyphs overlap, the larger value stays.
fn draw(strike: &Strike, glyph: &Glyph, out: &mut [u8], out_width: u32, left: i32, top: i32) {
    let Some(atlas) = page_of(strike, glyph) else { return };
    let Some(level) = atlas.level(0).filter(|level| level.width > 0) else { return };
    let pixel_size = (level.bytes_per_row / level.width) as usize;
    for dy in 0..edge(glyph.height).cast_signed() {
        for dx in 0..edge(glyph.width).cast_signed() {
            let inside =
                |value: i32, end: u32| u32::try_from(value).ok().filter(|value| *value < end).map(|v| v as usize);
            let from =
                (inside(glyph.x.saturating_add(dx), level.width), inside(glyph.y.saturating_add(dy), level.height));
            let to = (inside(left + dx, out_width), usize::try_from(top + dy).ok());
            let ((Some(from_x), Some(from_y)), (Some(to_x), Some(to_y))) = (from, to) else { continue };
            // Alpha is the last channel, and the only one of a gray atlas.
            let alpha = level.pixels.get((from_y * level.width as usize + from_x + 1) * pixel_size - 1);
            if let (Some(alpha), Some(pixel)) = (alpha, out.get_mut(to_y * out_width as usize + to_x)) {
                *pixel = (*pixel).max(*alpha);
            }
        }
    }
}

/// Draws two letters, in black.
fn sample(strike: &Strike) -> Option<String> {
    let size = strike.size().clamp(8, 256);
    let mut coverage = vec![0; (size * 2 * size * 2) as usize];
    let mut pen = 0;
    for letter in SAMPLE.chars() {
        let glyph = strike.glyph(letter)?;
        draw(
            strike,
            glyph,
            &mut coverage,
            size * 2,
            pen + glyph.offset_x.clamp(-512, 512),
            glyph.offset_y.clamp(-512, 512),
        );
        pen += glyph.advance_x.clamp(0, 512);
    }
    // As wide as the letters, and as high as a line.
    let (width, height) = ((pen.cast_unsigned()).clamp(1, size * 2), (strike.line_height() as u32).clamp(1, size * 2));
    let rows = coverage.chunks_exact((size * 2) as usize).take(height as usize);
    let rgba = rows.flat_map(|row| &row[..width as usize]).flat_map(|alpha| [110, 110, 120, *alpha]).collect();
    Pixels { width, height, rgba }.fitting(4000, 64).map(|(uri, ..)| uri)
}

impl Pixels<'_> {
    /// Encodes the pixels without loss.
    fn exact(&self) -> Option<(String, u32, u32)> {
        Some((data_uri("image/png", &self.png()?), self.width, self.height))
    }
}
