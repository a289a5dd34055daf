//! Lines for the developer at the lower edge: what became of an edited asset.

use macroquad::prelude::*;

use super::Interface;
use super::hud::{CREAM, GOLD};
use crate::lettering::{Align, Lettering};
use crate::world::VIEW;

const EDGE: f32 = 24.0;

impl Interface {
    pub(super) fn draw_notices<'a>(&self, lines: impl IntoIterator<Item = &'a str>) {
        let lettering = self.small.get();
        let wrapped = lines.into_iter().flat_map(|line| wrap(&lettering, line, VIEW.x - 4.0 * EDGE));
        let lines: Vec<(bool, String)> = wrapped.collect();
        if lines.is_empty() {
            return;
        }
        let step = lettering.line_height();
        let height = step * lines.len() as f32 + EDGE;
        let top = VIEW.y - height - EDGE;
        draw_rectangle(EDGE, top, VIEW.x - 2.0 * EDGE, height, Color::new(0.04, 0.03, 0.12, 0.86));
        draw_rectangle(EDGE, top, 3.0, height, GOLD);
        for (i, (first, line)) in lines.iter().enumerate() {
            let at = vec2(2.0 * EDGE, top + EDGE / 2.0 + step * i as f32);
            let alpha = if *first { 1.0 } else { 0.8 };
            lettering.write(line, at, Align::Left, Color { a: alpha, ..CREAM });
        }
    }
}

/// Lines that are not wider than `width`, and whether each is the first of its text.
fn wrap(lettering: &Lettering, text: &str, width: f32) -> Vec<(bool, String)> {
    let mut lines = vec![(true, String::new())];
    for (number, paragraph) in text.lines().enumerate() {
        if number > 0 {
            lines.push((false, String::new()));
        }
        for word in paragraph.split_whitespace() {
            let fits = |line: &str| lettering.width(line) + lettering.width(" ") + lettering.width(word) <= width;
            match lines.last_mut() {
                Some((_, line)) if line.is_empty() => line.push_str(word),
                Some((_, line)) if fits(line) => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push((false, word.to_owned())),
            }
        }
    }
    lines
}
