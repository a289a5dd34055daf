//! Draws texts and signs: title, story, hearts and crystals, the end of a flight. All words come from the language
//! files.

use macroquad::prelude::*;

use super::{CREAM, GOLD, PALE, Painter, Style, ease, faded};
use crate::assets::{ui, world};
use crate::data::LANGUAGES;
use crate::font::Align;
use crate::game::{Game, Screen};
use crate::world::{Phase, VIEW};

const MIDDLE: f32 = VIEW.x / 2.0;
const INK: Color = Color::new(0.25, 0.07, 0.10, 1.0);

/// The letters of the title screen, which nothing shines through.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Letters(Option<Rect>);

impl Letters {
    /// Centred lines that are so wide.
    pub(crate) fn of_width(width: f32) -> Self {
        Self(Some(Rect::new(MIDDLE - width / 2.0, 100.0, width, 180.0)))
    }

    /// Returns how much of a thing is shown, from 0 behind the letters to 1 beside them.
    pub(crate) fn beside(self, at: Vec2) -> f32 {
        self.0
            .map_or(1.0, |Rect { x, y, w, h }| (at.distance(at.clamp(vec2(x, y), vec2(x + w, y + h))) / 60.0).min(1.0))
    }
}

impl Painter {
    /// Returns the letters of the screen that things behind them must not shine through.
    pub(super) fn letters(&mut self, screen: Screen) -> Letters {
        if screen != Screen::Title {
            return Letters::default();
        }
        let words = self.words();
        let title = self.font(Style::Title).width(words.get("title"));
        Letters::of_width(title.max(self.font(Style::Heading).width(words.get("subtitle"))))
    }

    pub(super) fn draw_title(&mut self, since: f32) {
        let (words, rise) = (self.words(), ease(since / 1.4));
        self.shade(vec2(MIDDLE, 210.0), vec2(1150.0, 420.0), 0.50 * rise);
        self.write_shaded(Style::Title, words.get("title"), 130.0 - 14.0 * rise, faded(CREAM, rise));
        self.write_shaded(Style::Heading, words.get("subtitle"), 236.0, faded(GOLD, rise));
        self.draw_button(words.get("play"), vec2(MIDDLE, 392.0), since, rise);
        (0..2).for_each(|_| self.shade(vec2(MIDDLE, 662.0), vec2(1500.0, 240.0), 0.55 * rise));
        self.write_shaded(Style::Small, words.get("hint_keys"), 610.0, faded(CREAM, rise));
        self.write_shaded(Style::Small, words.get("hint_more"), 638.0, faded(CREAM, rise * 0.9));
        // The second line of the credits names the authors.
        if let Some(line) = self.credits.clone().as_deref().and_then(|credits| credits.lines().nth(1)) {
            self.write_shaded(Style::Small, line, 678.0, faded(CREAM, rise));
        }
        let flags =
            [ui::FLAG_EN_PNG, ui::FLAG_DE_PNG, ui::FLAG_FR_PNG, ui::FLAG_ES_PNG, ui::FLAG_EL_PNG, ui::FLAG_JA_PNG];
        for (i, flag) in flags.into_iter().enumerate() {
            let at = vec2(VIEW.x - 46.0 - 58.0 * (LANGUAGES.len() - 1 - i) as f32, 40.0);
            let (width, light) = if i == self.language { (48.0, 1.0) } else { (38.0, 0.45) };
            self.sprite(flag, at, width, 0.0, Color::new(light, light, light, rise));
        }
        let (small, name) = (self.font(Style::Small), words.get("language"));
        small.write_shaded(name, vec2(VIEW.x - 24.0, 62.0), Align::Right, faded(PALE, rise));
    }

    pub(super) fn draw_story(&mut self, game: &Game) {
        let (words, rise, number) = (self.words(), ease(game.since / 0.8), game.level + 1);
        let level = &game.world.rules.level;
        self.draw_sheet(vec2(MIDDLE, 330.0), vec2(820.0, 350.0), rise);
        let heading = format!("{} {number}", words.get("level"));
        self.write(Style::Normal, &heading, vec2(MIDDLE, 186.0), faded(PALE, rise));
        self.write(Style::Heading, words.get(&level.title), vec2(MIDDLE, 224.0), faded(GOLD, rise));
        let story = format!("story{number}");
        self.write(Style::Heading, words.get(&story), vec2(MIDDLE, 290.0), faded(CREAM, rise));
        self.sprite(ui::CRYSTAL_PNG, vec2(MIDDLE - 44.0, 400.0), 36.0, 0.0, faded(WHITE, rise));
        let need = format!("× {}", level.need);
        self.number_font().write(&need, vec2(MIDDLE - 16.0, 382.0), Align::Left, faded(CREAM, rise));
        self.draw_button(words.get("ready"), vec2(MIDDLE, 506.0), game.since, rise);
    }

    pub(super) fn draw_hud(&mut self, game: &Game) {
        let (world, words) = (&game.world, self.words());
        let hearts = world.rules.tuning.hearts;
        self.draw_panel(vec2(20.0, 18.0), vec2(64.0 + 46.0 * hearts as f32, 64.0), 1.0);
        for i in 0..hearts {
            let full = i < world.hearts;
            let beat = if full && world.hearts == 1 { 1.0 + 0.10 * (world.time * 7.0).sin() } else { 1.0 };
            let id = if full { ui::HEART_PNG } else { ui::HEART_EMPTY_PNG };
            self.sprite(id, vec2(76.0 + 46.0 * i as f32, 50.0), 40.0 * beat, 0.0, WHITE);
        }
        self.draw_panel(vec2(VIEW.x - 232.0, 18.0), vec2(212.0, 64.0), 1.0);
        self.sprite(ui::CRYSTAL_PNG, vec2(VIEW.x - 192.0, 50.0), 40.0, 0.0, WHITE);
        // Once the player has enough, only the sum matters.
        let (count, color) = match (world.gathered, world.rules.level.need) {
            (gathered, need) if gathered >= need => (format!("× {gathered}"), GOLD),
            (gathered, need) => (format!("{gathered} / {need}"), CREAM),
        };
        let font = self.number_font();
        font.write(&count, vec2(VIEW.x - 158.0, 50.0 - font.line_height() / 2.0), Align::Left, color);
        self.draw_way(world.progress());
        let missing = world.rules.level.need.saturating_sub(world.gathered);
        let missing = format!("{}: {missing} {}", words.get("light"), words.get("needed"));
        let score = format!("{}: {}", words.get("score"), game.total + world.gathered);
        match (game.screen, world.phase) {
            (Screen::Paused, _) => {
                self.draw_card(MIDDLE, [words.get("paused"), words.get("home"), words.get("play")], game)
            }
            (Screen::Won, _) => {
                // Left of the middle, so that the lighthouse stays visible.
                let end = if game.is_last_level() {
                    [words.get("won_all"), words.get("home")]
                } else {
                    [&score, words.get("next")]
                };
                self.draw_card(430.0, [words.get("won"), end[0], end[1]], game);
            }
            (Screen::Lost, Phase::Lost { short: true }) => {
                self.draw_card(430.0, [words.get("lost_light"), &missing, words.get("again")], game);
            }
            (Screen::Lost, _) => self.draw_card(MIDDLE, [words.get("lost"), "", words.get("again")], game),
            _ => {
                let show = ease(game.since / 0.8) * ease((5.0 - game.since) / 1.2);
                self.write_shaded(Style::Heading, words.get(&world.rules.level.title), 92.0, faded(CREAM, show));
            }
        }
    }

    /// Draws how far the flight is: a thin line with a small lantern on it.
    fn draw_way(&mut self, done: f32) {
        let (left, width, y) = (MIDDLE - 190.0, 380.0, 50.0);
        draw_rectangle(left, y - 1.5, width, 3.0, faded(WHITE, 0.22));
        draw_rectangle(left, y - 1.5, width * done, 3.0, faded(GOLD, 0.9));
        draw_circle(left + width, y, 6.0, faded(GOLD, 0.9));
        self.sprite(world::LANTERN_FAR_PNG, vec2(left + width * done, y - 2.0), 24.0, 0.0, WHITE);
    }

    /// Draws a heading, a text and a button.
    fn draw_card(&mut self, centre: f32, [heading, text, button]: [&str; 3], game: &Game) {
        let rise = ease((game.since - 0.2) / 0.7);
        let (height, y) = if text.is_empty() { (200.0, 268.0) } else { (290.0, 222.0) };
        self.draw_sheet(vec2(centre, 320.0), vec2(700.0, height), rise);
        self.write(Style::Heading, heading, vec2(centre, y), faded(GOLD, rise));
        self.write(Style::Normal, text, vec2(centre, 296.0), faded(CREAM, rise));
        self.draw_button(button, vec2(centre, 320.0 + height / 2.0), game.since, rise);
    }

    fn draw_button(&mut self, label: &str, at: Vec2, since: f32, alpha: f32) {
        let normal = self.font(Style::Normal);
        let size = vec2((normal.width(label) + 96.0).max(220.0), 64.0);
        // Now and then the button is shown pressed for a moment.
        let id = if (since * 0.8).fract() > 0.94 { ui::BUTTON_PRESSED_PNG } else { ui::BUTTON_PNG };
        self.stretch(id, at - size / 2.0, size, faded(WHITE, alpha));
        let top = at.y - normal.line_height() / 2.0 - 1.0;
        normal.write(label, vec2(at.x, top), Align::Centre, faded(INK, alpha));
    }

    /// Draws a dark sheet with a border, for text that must be read.
    pub(super) fn draw_sheet(&mut self, centre: Vec2, size: Vec2, alpha: f32) {
        let (corner, edge) = (centre - size / 2.0, Vec2::splat(14.0));
        self.stretch(ui::SCROLL_BMP, corner + edge, size - 2.0 * edge, faded(WHITE, alpha * 0.80));
        self.draw_panel(corner, size, alpha);
    }

    /// Draws the panel picture with its corners kept and its middle stretched.
    fn draw_panel(&mut self, at: Vec2, size: Vec2, alpha: f32) {
        let Some(texture) = self.texture(ui::PANEL_PNG) else { return };
        let (edge, whole) = (32.0f32, texture.width());
        let corner = edge.min(size.y / 2.0);
        let from = [0.0, edge, whole - edge, whole];
        let to = |length: f32| [0.0, corner, length - corner, length];
        let (xs, ys) = (to(size.x), to(size.y));
        for (row, column) in (0..9).map(|cell| (cell / 3, cell % 3)) {
            let (x, y) = (from[column], from[row]);
            let source = Some(Rect::new(x, y, from[column + 1] - x, from[row + 1] - y));
            let dest_size = Some(vec2(xs[column + 1] - xs[column], ys[row + 1] - ys[row]));
            let params = DrawTextureParams { source, dest_size, ..Default::default() };
            draw_texture_ex(&texture, at.x + xs[column], at.y + ys[row], faded(WHITE, alpha), params);
        }
    }

    /// Writes centred lines, which `|` separates.
    pub(super) fn write(&mut self, style: Style, text: &str, mut at: Vec2, color: Color) {
        let font = self.font(style);
        for line in text.split('|') {
            font.write(line.trim(), at, Align::Centre, color);
            at.y += font.line_height() * 1.06;
        }
    }

    /// Writes a centred line on the open sky.
    pub(super) fn write_shaded(&mut self, style: Style, line: &str, y: f32, color: Color) {
        self.font(style).write_shaded(line, vec2(MIDDLE, y), Align::Centre, color);
    }
}
