//! Draws who made the assets, which the generated module knows from the rules of `assets.toml`.

use macroquad::prelude::*;

use super::{CREAM, GOLD, PALE, Painter, Style, ease, faded};
use crate::assets;
use crate::world::VIEW;

const MIDDLE: f32 = VIEW.x / 2.0;

impl Painter {
    /// Draws a sheet with each work: who made it, under which licence, and how many assets come from it.
    pub(super) fn draw_credits(&mut self, since: f32) {
        let (words, rise) = (self.words(), ease(since / 0.6));
        let works = assets::credits();
        let height = 130.0 + 78.0 * works.len() as f32;
        let top = (VIEW.y - height) / 2.0;
        self.draw_sheet(vec2(MIDDLE, VIEW.y / 2.0), vec2(980.0, height), rise);
        self.write(Style::Heading, words.get("credits"), vec2(MIDDLE, top + 30.0), faded(GOLD, rise));
        for (row, work) in works.iter().enumerate() {
            let y = top + 96.0 + 78.0 * row as f32;
            let who = format!("{} ({})", work.authors.join(", "), work.license.unwrap_or_default());
            self.write(Style::Normal, &who, vec2(MIDDLE, y), faded(CREAM, rise));
            let files = format!("{} {}", work.assets.len(), words.get("assets"));
            let more = work.source.map_or(files.clone(), |source| format!("{files}   {source}"));
            self.write(Style::Small, &more, vec2(MIDDLE, y + 36.0), faded(PALE, rise));
        }
    }
}
