//! Fonts → fonts of raylib, with the glyphs that a build has rasterised.

use raylib::RaylibThread;
use raylib::ffi::Rectangle;
use raylib::text::Font as Drawable;
use rres_runtime::Font;
use rres_runtime::asset::Glyph;

use crate::error::{Error, ErrorKind};
use crate::ffi;
use crate::texture::texture;

/// Makes a font of the size that the asset has nearest to `pixels`. Texts are sharp if they are drawn in its `base_size` and at whole numbers.
///
/// raylib draws a question mark for characters that the font lacks, and spaces that may not break become spaces. It draws no kerning.
/// `set_text_line_spacing` takes the distance of lines minus the size, `strike.line_height() - strike.size() as f32`.
///
/// raylib's own fonts take font files, and rasterise glyphs when they are loaded. To use those, keep the file with `kind = "raw"` in its rule
/// and pass its bytes to `load_font_from_memory`.
///
/// # Errors
/// If the atlas cannot be drawn, or has more than one page.
pub fn font(thread: &RaylibThread, font: &Font, pixels: u32) -> Result<Drawable, Error> {
    let strike = font.strike(pixels);
    if strike.pages().len() > 1 {
        return Err(Error::new(ErrorKind::Pages(strike.pages().len())));
    }
    let number = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let padding = number(strike.padding());
    let mut glyphs: Vec<ffi::Glyph> = strike.glyphs().iter().map(glyph).collect();
    if let Some(space) = strike.glyph(' ') {
        // raylib draws every glyph but that of a space with its padding: this place is the empty edge of the atlas.
        let place = Rectangle::new(-padding as f32, -padding as f32, 0.0, 0.0);
        let missing = ['\u{a0}', '\u{202f}'].into_iter().filter(|c| strike.glyph(*c).is_none());
        glyphs.extend(missing.map(|c| ffi::Glyph { codepoint: c as i32, place, ..glyph(space) }));
    }
    let atlas = texture(thread, strike.atlas())?;
    ffi::font(number(strike.size()), padding, atlas, &glyphs).map_err(|_| Error::new(ErrorKind::Empty))
}

fn glyph(glyph: &Glyph) -> ffi::Glyph {
    ffi::Glyph {
        codepoint: glyph.codepoint,
        place: Rectangle::new(glyph.x as f32, glyph.y as f32, glyph.width as f32, glyph.height as f32),
        offset: (glyph.offset_x, glyph.offset_y),
        advance: glyph.advance_x,
    }
}
