//! Texts, drawn with the glyphs that a build has rasterised: each is a rectangle of the strike's atlas.

use macroquad::color::Color;
use macroquad::math::Rect;
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};
use rres_runtime::Font;
use rres_runtime::asset::{Glyph, Strike};

use crate::error::Error;
use crate::texture::texture;

/// A font in one size, ready to draw texts with.
///
/// macroquad's own fonts take font files, and rasterise glyphs while the game runs. To use those, keep the file with `kind = "raw"` in its rule
/// and pass its bytes to `load_ttf_font_from_bytes`.
#[derive(Clone, Debug)]
pub struct TextFont {
    font: Font,
    size: u32,
    atlas: Texture2D,
}

impl TextFont {
    /// Uses the size of the font that is nearest to `pixels`.
    ///
    /// # Errors
    /// If the atlas cannot be drawn.
    pub fn new(font: &Font, pixels: u32) -> Result<Self, Error> {
        let strike = font.strike(pixels);
        Ok(Self { size: strike.size(), atlas: texture(strike.atlas())?, font: font.clone() })
    }

    /// Returns the distance from one line to the next, in pixels.
    pub fn line_height(&self) -> f32 {
        self.strike().line_height()
    }

    /// Returns the width of a line, in pixels.
    pub fn width(&self, line: &str) -> f32 {
        self.glyphs(line).map(|glyph| glyph.advance_x as f32).sum()
    }

    /// Draws one line with its top left corner at the given position, in pixels. Whole numbers keep it sharp: the glyphs were rasterised
    /// for them.
    pub fn draw(&self, line: &str, x: f32, y: f32, color: Color) {
        let mut pen = x;
        for glyph in self.glyphs(line) {
            let source = Rect::new(glyph.x as f32, glyph.y as f32, glyph.width as f32, glyph.height as f32);
            let params = DrawTextureParams { source: Some(source), ..Default::default() };
            draw_texture_ex(&self.atlas, pen + glyph.offset_x as f32, y + glyph.offset_y as f32, color, params);
            pen += glyph.advance_x as f32;
        }
    }

    fn strike(&self) -> &Strike {
        self.font.strike(self.size)
    }

    /// Returns the glyphs of a line. Characters that the font lacks become question marks, and spaces that may not break become spaces.
    fn glyphs<'a>(&'a self, line: &'a str) -> impl Iterator<Item = &'a Glyph> {
        let strike = self.strike();
        let plain = |c| if matches!(c, '\u{a0}' | '\u{202f}') { ' ' } else { c };
        line.chars().filter_map(move |c| strike.glyph(plain(c)).or_else(|| strike.glyph('?')))
    }
}
