//! Baked fonts to writing on the screen: each glyph is a rectangle of the strike's atlas.

use std::sync::Arc;

use macroquad::prelude::*;
use rres_runtime::Font;
use rres_runtime::asset::Strike;

use crate::engine;
use crate::error::Result;

/// A font at one size, ready to write with.
#[derive(Clone, Debug)]
pub(crate) struct Lettering {
    font: Arc<Font>,
    size: u32,
    atlas: Texture2D,
}

/// Which end of a line stands at the given place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

impl Lettering {
    /// Takes the strike nearest to `pixels`.
    pub(crate) fn new(font: &Arc<Font>, path: &str, pixels: u32) -> Result<Self> {
        let strike = font.strike(pixels);
        let atlas = engine::texture(strike.atlas(), path)?;
        Ok(Self { font: Arc::clone(font), size: strike.size(), atlas })
    }

    fn strike(&self) -> &Strike {
        self.font.strike(self.size)
    }

    pub(crate) fn line_height(&self) -> f32 {
        self.strike().line_height()
    }

    /// Width of a line in pixels.
    pub(crate) fn width(&self, line: &str) -> f32 {
        let strike = self.strike();
        line.chars().filter_map(|c| glyph(strike, c)).map(|g| g.advance_x as f32).sum()
    }

    /// Writes one line with its top at `at.y`.
    pub(crate) fn write(&self, line: &str, at: Vec2, align: Align, colour: Color) {
        let strike = self.strike();
        // Whole pixels: the glyphs were baked for them.
        let mut pen = match align {
            Align::Left => at.x,
            Align::Centre => (at.x - self.width(line) / 2.0).round(),
            Align::Right => at.x - self.width(line),
        };
        for glyph in line.chars().filter_map(|c| glyph(strike, c)) {
            if glyph.width > 0 && glyph.height > 0 {
                let source = Rect::new(glyph.x as f32, glyph.y as f32, glyph.width as f32, glyph.height as f32);
                let params = DrawTextureParams { source: Some(source), ..Default::default() };
                let (x, y) = (pen + glyph.offset_x as f32, at.y + glyph.offset_y as f32);
                draw_texture_ex(&self.atlas, x, y, colour, params);
            }
            pen += glyph.advance_x as f32;
        }
    }

    /// Writes lines that `|` separates, and tells where the next one would start.
    pub(crate) fn write_lines(&self, text: &str, at: Vec2, align: Align, colour: Color) -> f32 {
        let mut y = at.y;
        for line in text.split('|') {
            self.write(line.trim(), vec2(at.x, y), align, colour);
            y += self.line_height() * 1.06;
        }
        y
    }

    /// Writes with a soft shadow beneath, for lines on the open sky.
    pub(crate) fn write_shaded(&self, line: &str, at: Vec2, align: Align, colour: Color) {
        let shade = Color::new(0.03, 0.02, 0.10, colour.a * 0.55);
        for away in [vec2(0.0, 2.0), vec2(1.5, 3.0), vec2(-1.5, 3.0)] {
            self.write(line, at + away, align, Color { a: shade.a * 0.5, ..shade });
        }
        self.write(line, at, align, colour);
    }
}

/// The glyph of a character, or the one that stands for characters the font lacks.
fn glyph(strike: &Strike, character: char) -> Option<&rres_runtime::asset::Glyph> {
    let plain = match character {
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    };
    strike.glyph(plain).or_else(|| strike.glyph('?'))
}
