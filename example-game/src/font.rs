//! Lines of text: where they start, and their shadows.

use anyhow::Result;
use macroquad::prelude::*;
use rres_macroquad::TextFont;

/// A font at one size, ready to draw text with.
#[derive(Clone, Debug)]
pub(crate) struct Font(TextFont);

/// Which part of a line is at the given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

impl Font {
    /// Uses the strike nearest to `pixels`.
    pub(crate) fn new(font: &rres_runtime::Font, pixels: u32) -> Result<Self> {
        Ok(Self(TextFont::new(font, pixels)?))
    }

    pub(crate) fn line_height(&self) -> f32 {
        self.0.line_height()
    }

    /// Returns the width of a line in pixels.
    pub(crate) fn width(&self, line: &str) -> f32 {
        self.0.width(line)
    }

    /// Writes one line with its top at `at.y`.
    pub(crate) fn write(&self, line: &str, at: Vec2, align: Align, color: Color) {
        // Whole pixels: the glyphs were rasterised for them.
        let x = match align {
            Align::Left => at.x,
            Align::Centre => (at.x - self.width(line) / 2.0).round(),
            Align::Right => at.x - self.width(line),
        };
        self.0.draw(line, x, at.y, color);
    }

    /// Writes with a soft shadow, for lines on the open sky.
    pub(crate) fn write_shaded(&self, line: &str, at: Vec2, align: Align, color: Color) {
        let shade = Color::new(0.03, 0.02, 0.10, color.a * 0.28);
        for away in [vec2(0.0, 2.0), vec2(1.5, 3.0), vec2(-1.5, 3.0)] {
            self.write(line, at + away, align, shade);
        }
        self.write(line, at, align, color);
    }
}
