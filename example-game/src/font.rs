//! Draws text with rasterised fonts: each glyph is a rectangle of the strike's atlas.

use std::sync::Arc;

use anyhow::Result;
use macroquad::prelude::*;
use rres_runtime::Font as Baked;
use rres_runtime::asset::{Glyph, Strike};

use crate::engine;

/// A font at one size, ready to draw text with.
#[derive(Clone, Debug)]
pub(crate) struct Font {
    baked: Arc<Baked>,
    size: u32,
    atlas: Texture2D,
}

/// Which part of a line is at the given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

impl Font {
    /// Uses the strike nearest to `pixels`.
    pub(crate) fn new(baked: Arc<Baked>, pixels: u32) -> Result<Self> {
        let strike = baked.strike(pixels);
        let (size, atlas) = (strike.size(), engine::texture(strike.atlas())?);
        Ok(Self { baked, size, atlas })
    }

    fn strike(&self) -> &Strike {
        self.baked.strike(self.size)
    }

    pub(crate) fn line_height(&self) -> f32 {
        self.strike().line_height()
    }

    /// Returns the width of a line in pixels.
    pub(crate) fn width(&self, line: &str) -> f32 {
        self.glyphs(line).map(|glyph| glyph.advance_x as f32).sum()
    }

    /// Writes one line with its top at `at.y`.
    pub(crate) fn write(&self, line: &str, at: Vec2, align: Align, color: Color) {
        // Whole pixels: the glyphs were rasterised for them.
        let mut pen = match align {
            Align::Left => at.x,
            Align::Centre => (at.x - self.width(line) / 2.0).round(),
            Align::Right => at.x - self.width(line),
        };
        for glyph in self.glyphs(line) {
            let source = Rect::new(glyph.x as f32, glyph.y as f32, glyph.width as f32, glyph.height as f32);
            let params = DrawTextureParams { source: Some(source), ..Default::default() };
            let (x, y) = (pen + glyph.offset_x as f32, at.y + glyph.offset_y as f32);
            draw_texture_ex(&self.atlas, x, y, color, params);
            pen += glyph.advance_x as f32;
        }
    }

    /// Writes with a soft shadow, for lines on the open sky.
    pub(crate) fn write_shaded(&self, line: &str, at: Vec2, align: Align, color: Color) {
        let shade = Color::new(0.03, 0.02, 0.10, color.a * 0.28);
        for away in [vec2(0.0, 2.0), vec2(1.5, 3.0), vec2(-1.5, 3.0)] {
            self.write(line, at + away, align, shade);
        }
        self.write(line, at, align, color);
    }

    /// Returns the glyphs of a line. Characters that the font lacks become question marks.
    fn glyphs<'a>(&'a self, line: &'a str) -> impl Iterator<Item = &'a Glyph> {
        let strike = self.strike();
        let plain = |c| if matches!(c, '\u{a0}' | '\u{202f}') { ' ' } else { c };
        line.chars().filter_map(move |c| strike.glyph(plain(c)).or_else(|| strike.glyph('?')))
    }
}
