//! BDF: fonts of pixels as text, as terminals have them. Each glyph has its bitmap as rows of hexadecimal digits.

use rres_format::AssetKind;
use rres_format::chunk::glyphs::{FontStyle, Glyph};
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::kerning::Kerning;
use rres_import::{Asset, Description, FontBuilder, ImportError, Importer, Setting, Source};

use super::number;

/// The widest glyph, and the most of them: a page is below 16 MiB.
const MAX_EDGE: u32 = 256;
const MAX_GLYPHS: usize = 4096;

/// The importer of BDF fonts. Its setting `columns` is the number of glyphs in a row of the picture.
#[derive(Clone, Copy, Debug)]
pub struct BdfImporter;

/// What is known about a glyph so far.
#[derive(Default)]
struct Bitmap {
    glyph: Glyph,
    rows: Vec<Vec<bool>>,
}

impl Importer for BdfImporter {
    fn describe(&self) -> Description {
        Description::new("bdf", 1)
            .reads(["bdf"])
            .makes(AssetKind::Font)
            .with_setting(Setting::integer("columns", 1..=64).with_default(16))
            .without_path()
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let (mut size, mut ascent, mut descent) = (0, 0, 0);
        let (mut bitmaps, mut current, mut in_bitmap) = (Vec::new(), Bitmap::default(), false);
        for (line, text) in (1..).zip(source.text()?.lines()) {
            let mut words = text.split_whitespace();
            match words.next() {
                Some("PIXEL_SIZE") => size = number(&mut words, line)?,
                Some("FONT_ASCENT") => ascent = number(&mut words, line)?,
                Some("FONT_DESCENT") => descent = number(&mut words, line)?,
                Some("ENCODING") => current.glyph.codepoint = number(&mut words, line)?,
                Some("DWIDTH") => current.glyph.advance_x = number(&mut words, line)?,
                Some("BBX") => {
                    let (width, height): (u32, u32) = (number(&mut words, line)?, number(&mut words, line)?);
                    if width.max(height) > MAX_EDGE {
                        let found = format!("has a glyph of {width}×{height} pixels, expected at most {MAX_EDGE}");
                        return Err(ImportError::new(found).at(line, 1));
                    }
                    let below: i32;
                    (current.glyph.offset_x, below) = (number(&mut words, line)?, number(&mut words, line)?);
                    (current.glyph.width, current.glyph.height) = (width as i32, height as i32);
                    current.glyph.offset_y = i32::saturating_sub(ascent, below).saturating_sub(height as i32);
                }
                Some("BITMAP") => in_bitmap = true,
                Some("ENDCHAR") => {
                    let bitmap = std::mem::take(&mut current);
                    in_bitmap = false;
                    if bitmap.rows.len() != bitmap.glyph.height as usize {
                        let (found, expected) = (bitmap.rows.len(), bitmap.glyph.height);
                        return Err(
                            ImportError::damaged(format!("has {found} rows of a glyph of {expected}")).at(line, 1)
                        );
                    }
                    // -1 is a glyph without a character.
                    if bitmap.glyph.codepoint >= 0 {
                        bitmaps.push(bitmap);
                    }
                }
                Some(digits) if in_bitmap => current.rows.push(row(digits, current.glyph.width as usize, line)?),
                _ => {}
            }
        }
        if bitmaps.is_empty() || bitmaps.len() > MAX_GLYPHS {
            return Err(ImportError::new(format!("has {} glyphs, expected 1 to {MAX_GLYPHS}", bitmaps.len())));
        }
        let columns = source.settings().integer("columns").unwrap_or(16) as usize;
        let font = font(bitmaps, columns, size, ascent as f32, (ascent + descent) as f32)?;
        Ok(vec![font])
    }
}

/// Reads a row: hexadecimal digits, whose highest bit is the leftmost pixel.
fn row(digits: &str, width: usize, line: u32) -> Result<Vec<bool>, ImportError> {
    let wrong =
        || ImportError::new(format!("expected hexadecimal digits for {width} pixels, found \"{digits}\"")).at(line, 1);
    let values: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
    let values = values.ok_or_else(wrong)?;
    let pixels: Vec<bool> =
        values.iter().flat_map(|value| (0..4).map(move |bit| value >> (3 - bit) & 1 == 1)).collect();
    pixels.get(..width).map(<[bool]>::to_vec).ok_or_else(wrong)
}

/// Places the glyphs in rows of `columns` on one page.
fn font(bitmaps: Vec<Bitmap>, columns: usize, size: u32, ascent: f32, line_height: f32) -> Result<Asset, ImportError> {
    let edge =
        |of: fn(&Glyph) -> i32| bitmaps.iter().map(|bitmap| of(&bitmap.glyph)).max().unwrap_or(0).max(1) as usize;
    let (cell_width, cell_height) = (edge(|glyph| glyph.width) + 1, edge(|glyph| glyph.height) + 1);
    let (width, height) = (columns * cell_width, bitmaps.len().div_ceil(columns) * cell_height);
    let mut pixels = [255, 0].repeat(width * height);
    let mut glyphs = Vec::new();
    for (number, Bitmap { glyph, rows }) in bitmaps.into_iter().enumerate() {
        let (left, top) = (number % columns * cell_width, number / columns * cell_height);
        for (y, row) in rows.iter().enumerate() {
            for x in (0..row.len()).filter(|x| row[*x]) {
                pixels[((top + y) * width + left + x) * 2 + 1] = 255;
            }
        }
        glyphs.push(Glyph { x: left as i32, y: top as i32, ..glyph });
    }
    let advances = glyphs
        .iter()
        .enumerate()
        .map(|(number, glyph)| (glyph.codepoint as u32, number as u16, glyph.advance_x as f32));
    let kerning = Kerning::new(size as f32, advances, []);
    let mut font = FontBuilder::new(FontStyle::REGULAR).with_line(ascent, line_height).with_kerning(kerning);
    font.add_page(size, 0, &glyphs, (width as u32, height as u32), PixelFormat::GRAY_ALPHA8, &pixels)?;
    let noun = if glyphs.len() == 1 { "glyph" } else { "glyphs" };
    font.into_asset(format!("{} {noun} at {size} px", glyphs.len()))
}

#[cfg(test)]
mod tests {
    use rres_import::MemoryFiles;

    use super::*;

    const FONT: &str = "STARTFONT 2.1\nPIXEL_SIZE 8\nFONT_ASCENT 7\nFONT_DESCENT 1\nCHARS 1\nSTARTCHAR A\nENCODING 65\nDWIDTH 5 0\n\
        BBX 4 2 0 0\nBITMAP\n60\n90\nENDCHAR\nENDFONT\n";

    #[test]
    fn mistakes_have_their_line() {
        let import = |text: &str| MemoryFiles::new([("a.bdf", text)]).import(&BdfImporter, "a.bdf");
        assert_eq!(import(FONT).unwrap()[0].summary, "1 glyph at 8 px");
        for (from, to, expected) in [
            ("60", "6x", "expected hexadecimal digits for 4 pixels, found \"6x\""),
            ("90\n", "", "has 1 rows of a glyph of 2"),
            ("ENCODING 65", "ENCODING A", "expected a number, found \"A\""),
            ("BBX 4 2", "BBX 900 2", "has a glyph of 900×2 pixels, expected at most 256"),
            ("ENCODING 65", "ENCODING 55296", "has a glyph of 0xd800, which is not a character"),
        ] {
            let error = import(&FONT.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
