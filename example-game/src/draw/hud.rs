//! Writing: title, story, hearts and crystals, what came of it. All words come from the language files.

use macroquad::prelude::*;

use super::{Interface, View};
use crate::journey::{Journey, Screen};
use crate::lettering::Align;
use crate::world::{Course, VIEW};

pub(super) const CREAM: Color = Color::new(1.0, 0.95, 0.86, 1.0);
pub(super) const GOLD: Color = Color::new(1.0, 0.80, 0.50, 1.0);
pub(super) const PALE: Color = Color::new(0.86, 0.80, 0.95, 0.92);

impl Interface {
    pub(super) fn draw_title(&self, since: f32, view: &View) {
        let words = self.words(view);
        let rise = ease(since / 1.4);
        self.shade(vec2(VIEW.x / 2.0, 210.0), vec2(1150.0, 420.0), 0.50 * rise);
        let at = vec2(VIEW.x / 2.0, 116.0 + 14.0 * (1.0 - rise));
        self.title.get().write_shaded(words.get("title"), at, Align::Centre, faded(CREAM, rise));
        let under = vec2(VIEW.x / 2.0, 236.0);
        self.heading.get().write_shaded(words.get("subtitle"), under, Align::Centre, faded(GOLD, rise));
        self.draw_button(words.get("play"), vec2(VIEW.x / 2.0, 392.0), since, rise);
        self.shade(vec2(VIEW.x / 2.0, 648.0), vec2(1500.0, 200.0), 0.62 * rise);
        let foot = vec2(VIEW.x / 2.0, 610.0);
        self.small.get().write_shaded(words.get("hint_keys"), foot, Align::Centre, faded(CREAM, rise));
        self.small.get().write_shaded(
            words.get("hint_more"),
            foot + vec2(0.0, 28.0),
            Align::Centre,
            faded(CREAM, rise * 0.9),
        );
        // The second line of the credits says who made what.
        if let Some(line) = self.credits.as_deref().and_then(|credits| credits.lines().nth(1)) {
            self.small.get().write_shaded(line, foot + vec2(0.0, 68.0), Align::Centre, faded(PALE, rise * 0.7));
        }
        self.draw_flags(view, rise);
    }

    fn draw_flags(&self, view: &View, alpha: f32) {
        for (i, flag) in self.flags.iter().enumerate() {
            let here = i == view.language;
            let at = vec2(VIEW.x - 46.0 - 58.0 * (self.flags.len() - 1 - i) as f32, 40.0);
            let light = if here { 1.0 } else { 0.45 };
            self.stamp(flag, at, if here { 48.0 } else { 38.0 }, 0.0, Color::new(light, light, light, alpha));
        }
        let words = self.words(view);
        let name = words.get("language");
        self.small.get().write_shaded(name, vec2(VIEW.x - 24.0, 62.0), Align::Right, faded(PALE, alpha));
    }

    pub(super) fn draw_story(&self, journey: &Journey, view: &View) {
        let words = self.words(view);
        let rise = ease(journey.since / 0.8);
        let (centre, number) = (VIEW.x / 2.0, journey.level + 1);
        self.draw_sheet(vec2(centre, 330.0), vec2(820.0, 350.0), rise);
        let level = format!("{} {number}", words.get("level"));
        self.normal.get().write(&level, vec2(centre, 186.0), Align::Centre, faded(PALE, rise));
        let title = words.get(&journey.world.level.title);
        self.heading.get().write(title, vec2(centre, 224.0), Align::Centre, faded(GOLD, rise));
        let story = format!("story{number}");
        self.heading.get().write_lines(words.get(&story), vec2(centre, 290.0), Align::Centre, faded(CREAM, rise));
        self.stamp(&self.crystal_sign, vec2(centre - 44.0, 400.0), 36.0, 0.0, faded(WHITE, rise));
        let need = format!("× {}", journey.world.level.need);
        self.normal.get().write(&need, vec2(centre - 16.0, 382.0), Align::Left, faded(CREAM, rise));
        self.draw_button(words.get("ready"), vec2(centre, 506.0), journey.since, rise);
    }

    pub(super) fn draw_hud(&self, journey: &Journey, view: &View) {
        let (world, words) = (&journey.world, self.words(view));
        self.draw_panel(vec2(20.0, 18.0), vec2(64.0 + 46.0 * world.hearts_at_start() as f32, 64.0), 1.0);
        for i in 0..world.hearts_at_start() {
            let full = i < world.hearts;
            let beat = if full && world.hearts == 1 { 1.0 + 0.10 * (world.time * 7.0).sin() } else { 1.0 };
            self.stamp(&self.hearts[usize::from(full)], vec2(76.0 + 46.0 * i as f32, 50.0), 40.0 * beat, 0.0, WHITE);
        }
        let enough = world.gathered >= world.level.need;
        self.draw_panel(vec2(VIEW.x - 232.0, 18.0), vec2(212.0, 64.0), 1.0);
        self.stamp(&self.crystal_sign, vec2(VIEW.x - 192.0, 50.0), 40.0, 0.0, WHITE);
        let count = format!("{} / {}", world.gathered, world.level.need);
        let top = 50.0 - self.normal.get().line_height() / 2.0;
        self.normal.get().write(&count, vec2(VIEW.x - 158.0, top), Align::Left, if enough { GOLD } else { CREAM });
        self.draw_way(journey);
        let title = words.get(&world.level.title);
        let show = ease(journey.since / 0.8) * ease((5.0 - journey.since) / 1.2);
        match journey.screen {
            Screen::Flight => {
                self.heading.get().write_shaded(title, vec2(VIEW.x / 2.0, 92.0), Align::Centre, faded(CREAM, show))
            }
            Screen::Paused => {
                self.draw_card(words.get("paused"), words.get("home"), words.get("play"), journey.since);
            }
            Screen::Won if journey.is_last() => {
                self.draw_card(words.get("won"), words.get("won_all"), words.get("home"), journey.since);
            }
            Screen::Won => {
                let sum = format!("{}: {}", words.get("score"), journey.total + world.gathered);
                self.draw_card(words.get("won"), &sum, words.get("next"), journey.since);
            }
            Screen::Lost => {
                let short = world.course == Course::Lost { short: true };
                let heading = words.get(if short { "lost_light" } else { "lost" });
                let missing = world.level.need.saturating_sub(world.gathered);
                let sum = format!("{}: {missing} {}", words.get("light"), words.get("needed"));
                self.draw_card(heading, if missing > 0 { &sum } else { "" }, words.get("again"), journey.since);
            }
            Screen::Title | Screen::Story => {}
        }
    }

    /// How far the way is: a thin line with a small lantern on it.
    fn draw_way(&self, journey: &Journey) {
        let (left, width, y) = (VIEW.x / 2.0 - 190.0, 380.0, 50.0);
        let done = journey.world.progress();
        draw_rectangle(left, y - 1.5, width, 3.0, Color::new(1.0, 1.0, 1.0, 0.22));
        draw_rectangle(left, y - 1.5, width * done, 3.0, Color::new(1.0, 0.82, 0.52, 0.9));
        draw_circle(left + width, y, 6.0, Color::new(1.0, 0.86, 0.6, 0.9));
        self.stamp(&self.lantern_far, vec2(left + width * done, y - 2.0), 24.0, 0.0, WHITE);
    }

    /// A heading, a line and a button left of the middle, so that the lighthouse stays in sight.
    fn draw_card(&self, heading: &str, line: &str, button: &str, since: f32) {
        let (rise, centre) = (ease((since - 0.2) / 0.7), 430.0);
        self.draw_sheet(vec2(centre, 320.0), vec2(700.0, 290.0), rise);
        self.heading.get().write(heading, vec2(centre, 222.0), Align::Centre, faded(GOLD, rise));
        self.normal.get().write_lines(line, vec2(centre, 296.0), Align::Centre, faded(CREAM, rise));
        self.draw_button(button, vec2(centre, 465.0), since, rise);
    }

    pub(super) fn draw_button(&self, label: &str, at: Vec2, since: f32, alpha: f32) {
        let width = (self.normal.get().width(label) + 96.0).max(220.0);
        // Breathes slowly between its two pictures.
        let pressed = usize::from((since * 0.8).fract() > 0.94);
        let params = DrawTextureParams { dest_size: Some(vec2(width, 64.0)), ..Default::default() };
        draw_texture_ex(&self.buttons[pressed].get(), at.x - width / 2.0, at.y - 32.0, faded(WHITE, alpha), params);
        let top = at.y - self.normal.get().line_height() / 2.0 - 1.0;
        self.normal.get().write(label, vec2(at.x, top), Align::Centre, Color::new(0.25, 0.07, 0.10, alpha));
    }

    /// A dark sheet with a border, for text that must be read.
    pub(super) fn draw_sheet(&self, centre: Vec2, size: Vec2, alpha: f32) {
        let corner = centre - size / 2.0;
        let params = DrawTextureParams { dest_size: Some(size - Vec2::splat(28.0)), ..Default::default() };
        draw_texture_ex(&self.scroll.get(), corner.x + 14.0, corner.y + 14.0, faded(WHITE, alpha * 0.80), params);
        self.draw_panel(corner, size, alpha);
    }

    /// The panel picture with its corners kept and its middle stretched.
    pub(super) fn draw_panel(&self, at: Vec2, size: Vec2, alpha: f32) {
        let (edge, whole) = (32.0f32, self.panel.get().width());
        let corner = edge.min(size.y / 2.0);
        let from = [0.0, edge, whole - edge, whole];
        let to = |length: f32| [0.0, corner, length - corner, length];
        let (xs, ys) = (to(size.x), to(size.y));
        for row in 0..3 {
            for column in 0..3 {
                let source =
                    Rect::new(from[column], from[row], from[column + 1] - from[column], from[row + 1] - from[row]);
                let dest = vec2(xs[column + 1] - xs[column], ys[row + 1] - ys[row]);
                if dest.x > 0.0 && dest.y > 0.0 {
                    let params =
                        DrawTextureParams { source: Some(source), dest_size: Some(dest), ..Default::default() };
                    draw_texture_ex(&self.panel.get(), at.x + xs[column], at.y + ys[row], faded(WHITE, alpha), params);
                }
            }
        }
    }

    /// A soft dark place behind writing on the open sky.
    pub(super) fn shade(&self, centre: Vec2, size: Vec2, strength: f32) {
        let params = DrawTextureParams { dest_size: Some(size), ..Default::default() };
        let colour = Color::new(0.04, 0.02, 0.12, strength);
        draw_texture_ex(&self.glow.get(), centre.x - size.x / 2.0, centre.y - size.y / 2.0, colour, params);
    }
}

pub(super) fn faded(colour: Color, alpha: f32) -> Color {
    Color { a: colour.a * alpha.clamp(0.0, 1.0), ..colour }
}

/// 0 to 1, slow at both ends.
pub(super) fn ease(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
