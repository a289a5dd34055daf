//! The window: loads behind a progress bar, then runs the journey in fixed steps and draws it.

use macroquad::prelude::*;
use rres_runtime::Store;

use crate::draw::{self, Stage, View};
use crate::error::{Error, Result};
use crate::journey::{Screen, Wishes};
use crate::loading::{self, Library, Loading};
use crate::sound::Speaker;
use crate::words;
use crate::world::STEP;

/// What the command line asks of the window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// Write a picture here and leave.
    pub(crate) screenshot: Option<String>,
    /// Which screen the picture is of; `None` is flight.
    pub(crate) scene: Scene,
    /// Level to start with, from 0.
    pub(crate) level: Option<usize>,
    /// Seconds into the scene at which the picture is taken.
    pub(crate) after: Option<f32>,
    pub(crate) language: Option<usize>,
    pub(crate) autopilot: bool,
}

/// What a screenshot shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scene {
    #[default]
    Flight,
    Title,
    Story,
    /// The end of the level, whatever came of it.
    End,
}

/// The window's settings.
pub(crate) fn config() -> Conf {
    Conf {
        window_title: "Lantern Drift".to_owned(),
        window_width: 1280,
        window_height: 720,
        high_dpi: true,
        ..Default::default()
    }
}

/// Runs until the player leaves.
pub(crate) async fn run(store: Store, request: Request) -> Result<()> {
    let mut loading = Loading::new(&store);
    let mut shown = 0.0;
    while loading.step()? {
        // A frame now and then: waiting for the screen after every small asset would take longer than loading it.
        if loading.progress() - shown > 0.1 && request.screenshot.is_none() {
            shown = loading.progress();
            draw::loading_screen(shown);
            next_frame().await;
        }
    }
    let library = Library::load(&store)?;
    let mut stage = Stage::new(&store, &library)?;
    let mut speaker = Speaker::new(&store).await?;
    drop(loading);
    let credits = loading::credits(&store)?;
    let mut language = request.language.unwrap_or_else(|| words::preferred(&loading::LANGUAGES));
    let mut journey = library.journey.clone();
    journey.autopilot = request.autopilot || request.screenshot.is_some();
    if let Some(level) = request.level {
        journey.enter(level);
    }
    let view = |language: usize, pointer| View {
        language: &library.languages[language],
        language_index: language,
        credits: credits.as_deref(),
        pointer,
    };

    if let Some(file) = &request.screenshot {
        advance(&mut journey, &request);
        // The second frame: the first one may still have the window's first size.
        for _ in 0..2 {
            stage.draw(&journey, &view(language, None));
            next_frame().await;
        }
        stage.draw(&journey, &view(language, None));
        return save(&get_screen_data(), file);
    }

    show_mouse(false);
    let (mut owed, mut full_screen, mut steering_by_mouse) = (0.0f32, false, false);
    loop {
        if is_key_pressed(KeyCode::Escape) {
            return Ok(());
        }
        if is_key_pressed(KeyCode::L) {
            language = (language + 1) % library.languages.len();
        }
        if is_key_pressed(KeyCode::F) {
            full_screen = !full_screen;
            set_fullscreen(full_screen);
        }
        if is_mouse_button_pressed(MouseButton::Left) || mouse_delta_position().length() > 0.02 {
            steering_by_mouse = true;
        }
        let keys = steering_by_keys();
        if keys != Vec2::ZERO {
            steering_by_mouse = false;
        }
        let mut wishes = Wishes {
            steer: keys,
            confirm: is_key_pressed(KeyCode::Enter)
                || is_key_pressed(KeyCode::Space)
                || is_mouse_button_pressed(MouseButton::Left) && journey.screen != Screen::Flight,
            pause: is_key_pressed(KeyCode::P),
            home: is_key_pressed(KeyCode::Backspace) || is_key_pressed(KeyCode::H),
        };
        // At most a quarter of a second is made up for: a stopped program must not fly blindly.
        owed = (owed + get_frame_time()).min(0.25);
        while owed >= STEP {
            owed -= STEP;
            if steering_by_mouse {
                let lantern = journey.world.at - vec2(journey.world.scroll, 0.0);
                wishes.steer = ((draw::pointer() - lantern) / 90.0).clamp_length_max(1.0);
            }
            for cue in journey.step(wishes) {
                speaker.play(cue);
            }
            // Pressed keys count once.
            wishes = Wishes { steer: wishes.steer, ..Wishes::default() };
        }
        speaker.follow(journey.screen, wishes.steer.length() > 0.3);
        let pointer = (steering_by_mouse || journey.screen == Screen::Title).then(draw::pointer);
        stage.draw(&journey, &view(language, pointer));
        next_frame().await;
    }
}

fn steering_by_keys() -> Vec2 {
    let down = |keys: [KeyCode; 2]| keys.into_iter().any(is_key_down);
    let axis = |less, more| f32::from(u8::from(down(more))) - f32::from(u8::from(down(less)));
    vec2(
        axis([KeyCode::Left, KeyCode::A], [KeyCode::Right, KeyCode::D]),
        axis([KeyCode::Up, KeyCode::W], [KeyCode::Down, KeyCode::S]),
    )
}

/// Plays by autopilot up to the moment that the screenshot shows.
fn advance(journey: &mut crate::journey::Journey, request: &Request) {
    let level = request.level.unwrap_or(0);
    if request.scene != Scene::Title {
        journey.enter(level);
    }
    let mut steps = (request.after.unwrap_or(9.0) / STEP) as u32;
    match request.scene {
        Scene::Story => journey.autopilot = false,
        Scene::End => {
            while !matches!(journey.screen, Screen::Won | Screen::Lost) {
                journey.step(Wishes::default());
            }
            steps = (request.after.unwrap_or(2.0) / STEP) as u32;
        }
        Scene::Flight | Scene::Title => {}
    }
    for _ in 0..steps {
        journey.step(Wishes::default());
    }
}

fn save(picture: &Image, file: &str) -> Result<()> {
    // The library's own export panics where it cannot write: find that out first.
    std::fs::write(file, []).map_err(|e| Error::Output(format!("cannot write the screenshot to \"{file}\": {e}")))?;
    if !file.to_ascii_lowercase().ends_with(".png") {
        return Err(Error::Usage(format!("the screenshot \"{file}\" must be a .png file")));
    }
    picture.export_png(file);
    Ok(())
}
