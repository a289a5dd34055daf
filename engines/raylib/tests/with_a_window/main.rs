//! What raylib makes of assets, looked at in pictures of a window. Without a display, nothing runs, and the program says so; with
//! `RRES_REQUIRE_TOOLS=1` it fails instead. `xvfb-run` is a display without a screen.

mod changes;
mod fonts;
mod images;
mod models;
mod packs;
mod sounds;

use raylib::prelude::*;

/// The size of the window, in pixels.
const SIZE: i32 = 128;

/// The window, and what raylib wants for it.
struct Stage {
    rl: RaylibHandle,
    thread: RaylibThread,
}

impl Stage {
    /// Draws a frame on black, and returns a picture of the window.
    fn picture(&mut self, draw: impl FnOnce(&mut RaylibDrawHandle<'_>)) -> Picture {
        let mut frame = self.rl.begin_drawing(&self.thread);
        frame.clear_background(Color::BLACK);
        draw(&mut frame);
        drop(frame);
        Picture(self.rl.load_image_from_screen(&self.thread))
    }
}

type Test = fn(&mut Stage);

struct Picture(Image);

impl Picture {
    fn at(&self, x: i32, y: i32) -> [u8; 4] {
        let Color { r, g, b, a } = self.0.get_color(x, y);
        [r, g, b, a]
    }

    /// Compares colours, of which formats keep less than 8 bits.
    #[track_caller]
    fn is_about(&self, x: i32, y: i32, expected: [u8; 4], tolerance: u8, what: &str) {
        let found = self.at(x, y);
        let is_near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= tolerance);
        assert!(is_near, "{what}: {found:?} at {x}, {y}, expected {expected:?}");
    }
}

fn main() {
    let is_required = std::env::var_os("RRES_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    let skip = |why: &str| {
        assert!(!is_required, "{why}, and RRES_REQUIRE_TOOLS=1 forbids skipping tests");
        println!("skipped: {why}");
    };
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if cfg!(target_os = "linux") && !has_display {
        return skip("all tests with a window: no display");
    }
    let (rl, thread) =
        raylib::init().size(SIZE, SIZE).title("rres-raylib").log_level(TraceLogLevel::LOG_WARNING).build();
    let mut stage = Stage { rl, thread };
    let tests: [(&str, Test); 13] = [
        ("pixels on the screen are those of the asset", images::pixels),
        ("every format is drawn, or named by an error", images::formats),
        ("mip levels, filter and wrap are those of the asset", images::sampling),
        ("blocks at the edge are cut", images::edges),
        ("rows of any number of bytes are drawn", images::sizes),
        ("texts are the glyphs of the pack", fonts::texts),
        ("fonts of several pages are refused", fonts::pages),
        ("models have the colours, images and places of their nodes", models::drawn),
        ("models of many vertices have no indices", models::many),
        ("models of nodes that mirror show their front", models::mirrored),
        ("models of lines, and empty ones, are refused", models::refused),
        ("a changed image is drawn in the same frame as the old one", changes::one_frame),
        ("an image that cannot be drawn leaves the previous one", changes::errors),
    ];
    for (name, test) in tests {
        test(&mut stage);
        println!("test {name} ... ok");
    }
    match RaylibAudio::init_audio_device() {
        Ok(audio) => {
            sounds::run(&audio);
            println!("test sounds and music play with the gain and the loop of their assets ... ok");
        }
        Err(error) => skip(&format!("sounds: {error}")),
    }
    let kept = changes::kept(&mut stage);
    let Stage { rl, thread } = stage;
    drop(rl);
    drop(kept);
    changes::closed(&thread);
    println!("test a closed window is an error, and what is drawn may be dropped after it ... ok");
}
