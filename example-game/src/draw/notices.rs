//! Lines for the developer at the lower edge: news in gold, errors in red.

use macroquad::prelude::*;

use super::{CREAM, GOLD, Painter, Style};
use crate::font::{Align, Font};
use crate::notices::Notice;
use crate::world::VIEW;

const EDGE: f32 = 24.0;
const RED: Color = Color::new(1.0, 0.36, 0.32, 1.0);
const ROSE: Color = Color::new(1.0, 0.74, 0.68, 1.0);

impl Painter {
    pub(crate) fn draw_notices(&mut self, notices: &[Notice]) {
        let font = self.font(Style::Small);
        let wrapped = |notice: &Notice| {
            let lines = wrap(&font, &notice.text, VIEW.x - 4.0 * EDGE);
            lines.into_iter().map(|line| (notice.is_error, line)).collect::<Vec<_>>()
        };
        let lines: Vec<(bool, String)> = notices.iter().flat_map(wrapped).collect();
        let step = font.line_height();
        let mut y = VIEW.y - EDGE - step * lines.len() as f32;
        for (is_error, line) in lines {
            let (mark, text) = if is_error { (RED, ROSE) } else { (GOLD, CREAM) };
            let back = if is_error { Color::new(0.22, 0.02, 0.06, 0.90) } else { Color::new(0.04, 0.03, 0.12, 0.86) };
            draw_rectangle(EDGE, y, VIEW.x - 2.0 * EDGE, step, back);
            draw_rectangle(EDGE, y, if is_error { 6.0 } else { 3.0 }, step, mark);
            font.write(&line, vec2(2.0 * EDGE, y), Align::Left, text);
            y += step;
        }
    }
}

/// Splits a text into lines that are at most `width` wide.
fn wrap(font: &Font, text: &str, width: f32) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = format!("{line} {word}");
            if !line.is_empty() && font.width(&longer) > width {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            } else {
                line = longer.trim_start().to_owned();
            }
        }
        lines.push(line);
    }
    lines
}
