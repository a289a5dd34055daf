//! The loading screen: a night sky made of the assets of the interface.

use macroquad::prelude::*;
use rres_runtime::Progress;

use super::{CREAM, GOLD, LAMPLIGHT, PALE, Painter, Style, ease, faded};
use crate::assets::world;
use crate::font::Align;
use crate::loading::Change;
use crate::world::VIEW;

/// Left end, height and width of the line that the lantern flies along while assets are loaded.
const WAY: (f32, f32, f32) = (290.0, 430.0, 700.0);

/// The least number of seconds for the whole bar, because nobody can read a screen that flashes by.
const SWEEP: f32 = 0.4;

/// What the loading screen shows.
pub(crate) struct LoadingView {
    pub(crate) progress: Progress,
    /// How far the bar is, from 0 to 1. It follows the bytes, but not faster than the eye can.
    pub(crate) shown: f32,
    /// What happens to the previous level.
    change: Option<Change>,
    /// How long the screen has been shown, in seconds.
    since: f32,
}

impl LoadingView {
    pub(crate) fn new(progress: Progress, change: Option<Change>) -> Self {
        Self { progress, shown: 0.0, change, since: 0.0 }
    }

    /// Follows the progress of the loading; `seconds` have passed.
    pub(crate) fn follow(&mut self, progress: Progress, seconds: f32) {
        self.since += seconds;
        self.shown = progress.fraction().min(self.shown + seconds / SWEEP);
        self.progress = progress;
    }

    /// Returns the bytes and the assets that the screen says are loaded: as many as the bar shows, which may be fewer than there are.
    pub(crate) fn loaded(&self) -> (u64, usize) {
        let Progress { bytes, bytes_total, assets, assets_total, .. } = self.progress;
        let part = |total: f64| (total * f64::from(self.shown)).round();
        (bytes.min(part(bytes_total as f64) as u64), assets.min(part(assets_total as f64) as usize))
    }
}

/// Shows the progress of the interface, before any font is loaded.
pub(crate) fn draw_first(progress: f32) {
    set_default_camera();
    clear_background(Color::new(0.03, 0.03, 0.11, 1.0));
    let (left, y, width) = (screen_width() * 0.4, screen_height() * 0.5, screen_width() * 0.2);
    draw_rectangle(left, y, width, 3.0, faded(GOLD, 0.15));
    draw_rectangle(left, y, width * progress, 3.0, GOLD);
}

impl Painter {
    /// Draws the bar, a lantern that flies along it, and what is being loaded.
    pub(crate) fn draw_loading(&mut self, view: &LoadingView) {
        let (LoadingView { progress, since, .. }, (left, y, width)) = (view, WAY);
        let (words, rise, right) = (self.words(), ease(since / 0.25), left + width);
        self.draw_picture(0.0, |painter, _| painter.draw_quiet_night(*since));
        self.shade(vec2(VIEW.x / 2.0, 420.0), vec2(1500.0, 560.0), 0.62 * rise);
        let heading = words.get(if view.change.is_some() { "loading_next" } else { "loading" });
        self.write_shaded(Style::Heading, heading, 250.0, faded(CREAM, rise));

        draw_rectangle(left, y - 1.5, width, 3.0, faded(WHITE, 0.20 * rise));
        draw_rectangle(left, y - 1.5, width * view.shown, 3.0, faded(GOLD, rise));
        // The lamp at the end of the bar, which is not lit yet.
        draw_circle(right, y, 6.0, faded(GOLD, rise * (0.35 + 0.65 * view.shown)));
        let lantern = vec2(left + width * view.shown, y - 52.0 + (since * 2.1).sin() * 4.0);
        self.lit(|p| {
            p.shine(lantern, 130.0, LAMPLIGHT, 0.45 * rise);
            p.shine(vec2(right, y), 20.0 + 40.0 * view.shown, LAMPLIGHT, 0.5 * view.shown * rise);
        });
        self.sprite(world::LANTERN_PNG, lantern, 62.0, (since * 1.3).sin() * 0.04, faded(WHITE, rise));

        let megabytes = |bytes: u64| format!("{:.1} {}", bytes as f64 / 1e6, words.get("megabytes"));
        let of = words.get("of");
        let (bytes, assets) = view.loaded();
        let bytes = format!("{} {of} {}", megabytes(bytes), megabytes(progress.bytes_total));
        let assets = format!("{assets} {of} {} {}", progress.assets_total, words.get("assets"));
        let (normal, small) = (self.font(Style::Normal), self.font(Style::Small));
        normal.write_shaded(&bytes, vec2(left, y + 22.0), Align::Left, faded(CREAM, rise));
        normal.write_shaded(&assets, vec2(right, y + 22.0), Align::Right, faded(CREAM, rise));
        let path = progress.current.as_deref().unwrap_or_default();
        small.write_shaded(path, vec2(left, y + 62.0), Align::Left, faded(PALE, rise));
        if let Some(Change { freed, kept }) = view.change {
            let (freed, kept) = (megabytes(freed), megabytes(kept));
            let line = format!("{freed} {}, {kept} {}", words.get("freed"), words.get("stays"));
            small.write_shaded(&line, vec2(left, y + 90.0), Align::Left, faded(PALE, rise * 0.8));
        }
        self.write_shaded(Style::Small, words.get("cancel"), VIEW.y - 54.0, faded(CREAM, rise * 0.9));
    }

    /// Draws sky, stars and mountains. `seconds` moves them.
    fn draw_quiet_night(&mut self, seconds: f32) {
        let palette = self.palette.get();
        let color = |role| palette.color("waiting", role);
        gradient(0.0, VIEW.y * 0.62, color("top"), color("middle"));
        gradient(VIEW.y * 0.62, VIEW.y, color("middle"), color("horizon"));
        let twinkle = 0.88 + 0.12 * (seconds * 1.7).sin();
        self.lit(|p| p.tile(world::STARS_QOI, -20.0, seconds * 3.0, faded(WHITE, 0.9 * twinkle)));
        self.tile(world::MOUNTAINS_FAR_PNG, 330.0, seconds * 9.0, color("far"));
        self.tile(world::MOUNTAINS_FAR_PNG, 452.0, 500.0 + seconds * 20.0, color("near"));
        for (i, (x, y)) in [(210.0, 210.0), (520.0, 130.0), (905.0, 240.0), (1130.0, 150.0)].into_iter().enumerate() {
            let seed = i as f32;
            let x = (x - seconds * (4.0 + seed)).rem_euclid(VIEW.x + 120.0) - 60.0;
            let at = vec2(x, y + (seconds * 0.4 + seed * 2.4).sin() * 9.0);
            self.draw_far_lantern(at, 15.0 + 3.0 * seed, 0.7);
        }
    }
}

/// Draws a rectangle over the whole width with a gradient from one colour to another.
fn gradient(top: f32, bottom: f32, from: Color, to: Color) {
    let corner = |x: f32, y: f32, color| Vertex::new2(vec3(x, y, 0.0), Vec2::ZERO, color);
    let vertices =
        vec![corner(0.0, top, from), corner(VIEW.x, top, from), corner(VIEW.x, bottom, to), corner(0.0, bottom, to)];
    draw_mesh(&Mesh { vertices, indices: vec![0, 1, 2, 0, 2, 3], texture: None });
}
