//! The loading screen, and the title where no flight is loaded: a night made of what the interface has.

use macroquad::prelude::*;
use rres_runtime::Progress;

use super::hud::{CREAM, GOLD, PALE, ease, faded};
use super::{Interface, View, rgb, use_material};
use crate::lettering::Align;
use crate::loading::Change;
use crate::words::Words;
use crate::world::VIEW;

/// Left end, height and width of the way that the lantern goes while assets are loaded.
const WAY: (f32, f32, f32) = (290.0, 430.0, 700.0);

/// A loading as it is to be seen.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) progress: Progress,
    /// How far the bar is, 0 to 1: it follows the bytes, not faster than the eye.
    pub(crate) shown: f32,
    /// What became of the level before.
    pub(crate) change: Option<Change>,
    /// Seconds that the screen has been on.
    pub(crate) since: f32,
}

/// Shows how far the interface is, before there is anything to write with.
pub(crate) fn draw_first(progress: f32) {
    set_default_camera();
    clear_background(Color::new(0.03, 0.03, 0.11, 1.0));
    let (width, y) = (screen_width() * 0.2, screen_height() * 0.5);
    let left = (screen_width() - width) / 2.0;
    draw_rectangle(left, y, width, 3.0, Color::new(1.0, 0.85, 0.6, 0.15));
    draw_rectangle(left, y, width * progress, 3.0, Color::new(1.0, 0.76, 0.42, 1.0));
}

impl Interface {
    /// Sky, stars and mountains before the flight is there. `seconds` moves them.
    pub(super) fn draw_quiet_night(&self, seconds: f32) {
        let palette = self.palette.get();
        let colour = |role| palette.color("waiting", role);
        gradient(0.0, VIEW.y * 0.62, colour("top"), colour("middle"));
        gradient(VIEW.y * 0.62, VIEW.y, colour("middle"), colour("horizon"));
        use_material(&self.light);
        let twinkle = 0.88 + 0.12 * (seconds * 1.7).sin();
        self.tile(&self.stars, -20.0, 1.0, seconds * 3.0, rgb([1.0; 3], 0.9 * twinkle));
        gl_use_default_material();
        self.tile(&self.mountains_far, 330.0, 1.0, seconds * 9.0, rgb(colour("far"), 1.0));
        self.tile(&self.mountains_far, 452.0, 1.0, 500.0 + seconds * 20.0, rgb(colour("near"), 1.0));
        for (i, (x, y)) in [(210.0, 210.0), (520.0, 130.0), (905.0, 240.0), (1130.0, 150.0)].into_iter().enumerate() {
            let seed = i as f32;
            let x = (x - seconds * (4.0 + seed)).rem_euclid(VIEW.x + 120.0) - 60.0;
            let at = vec2(x, y + (seconds * 0.4 + seed * 2.4).sin() * 9.0);
            use_material(&self.light);
            self.shine(at, 34.0 + 4.0 * seed, [1.0, 0.55, 0.22], 0.42);
            gl_use_default_material();
            self.stamp(&self.lantern_far, at, 15.0 + 3.0 * seed, 0.0, Color::new(0.95, 0.86, 0.92, 0.7));
        }
    }

    /// The bar, which a lantern flies along, and what is being loaded.
    pub(super) fn draw_loading(&self, waiting: &Waiting, view: &View) {
        let (words, rise) = (self.words(view), ease(waiting.since / 0.25));
        let (centre, (left, y, width)) = (VIEW.x / 2.0, WAY);
        let heading = words.get(if waiting.change.is_some() { "loading_next" } else { "loading" });
        self.shade(vec2(centre, 420.0), vec2(1500.0, 560.0), 0.62 * rise);
        self.heading.get().write_shaded(heading, vec2(centre, 250.0), Align::Centre, faded(CREAM, rise));

        let tip = left + width * waiting.shown;
        draw_rectangle(left, y - 1.5, width, 3.0, Color::new(1.0, 1.0, 1.0, 0.20 * rise));
        draw_rectangle(left, y - 1.5, tip - left, 3.0, faded(GOLD, rise));
        // The lamp at the end of the way waits to be lit.
        draw_circle(left + width, y, 6.0, faded(GOLD, rise * (0.35 + 0.65 * waiting.shown)));
        let lantern = vec2(tip, y - 52.0 + (waiting.since * 2.1).sin() * 4.0);
        use_material(&self.light);
        self.shine(lantern, 130.0, [1.0, 0.69, 0.38], 0.45 * rise);
        self.shine(vec2(left + width, y), 20.0 + 40.0 * waiting.shown, [1.0, 0.69, 0.38], 0.5 * waiting.shown * rise);
        gl_use_default_material();
        self.stamp(&self.lantern, lantern, 62.0, (waiting.since * 1.3).sin() * 0.04, faded(WHITE, rise));

        let progress = &waiting.progress;
        let of = words.get("of");
        let (bytes, total) = (megabytes(progress.bytes), megabytes(progress.bytes_total));
        let bytes = format!("{bytes} {of} {total} {}", words.get("megabytes"));
        let assets = format!("{} {of} {} {}", progress.assets, progress.assets_total, words.get("assets"));
        let (normal, small) = (self.normal.get(), self.small.get());
        normal.write_shaded(&bytes, vec2(left, y + 22.0), Align::Left, faded(CREAM, rise));
        normal.write_shaded(&assets, vec2(left + width, y + 22.0), Align::Right, faded(CREAM, rise));
        if let Some(path) = &progress.current {
            small.write_shaded(path, vec2(left, y + 62.0), Align::Left, faded(PALE, rise));
        }
        if let Some(change) = waiting.change {
            small.write_shaded(&describe(change, &words), vec2(left, y + 90.0), Align::Left, faded(PALE, rise * 0.8));
        }
        small.write_shaded(words.get("cancel"), vec2(centre, VIEW.y - 54.0), Align::Centre, faded(CREAM, rise * 0.9));
    }
}

fn describe(change: Change, words: &Words) -> String {
    let unit = words.get("megabytes");
    let (freed, kept) = (megabytes(change.freed), megabytes(change.kept));
    format!("{freed} {unit} {}, {kept} {unit} {}", words.get("freed"), words.get("stays"))
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}

/// A rectangle over the whole width that goes from one colour to another.
fn gradient(top: f32, bottom: f32, from: [f32; 3], to: [f32; 3]) {
    let corner = |x: f32, y: f32, colour| Vertex::new2(vec3(x, y, 0.0), Vec2::ZERO, rgb(colour, 1.0));
    let vertices =
        vec![corner(0.0, top, from), corner(VIEW.x, top, from), corner(VIEW.x, bottom, to), corner(0.0, bottom, to)];
    draw_mesh(&Mesh { vertices, indices: vec![0, 1, 2, 0, 2, 3], texture: None });
}
