//! The window: loads group by group behind a screen that tells how far it is, runs the journey in fixed steps, draws it.

use macroquad::prelude::*;
use rres_runtime::Store;

use crate::assets::groups;
use crate::draw::{self, Stage, View, Waiting};
use crate::error::{Error, Result};
use crate::journey::{Journey, Screen, Wishes};
use crate::library::{self, Rulebook};
use crate::live::Lives;
use crate::loading::Approach;
use crate::notices::Notices;
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
    /// Loading, when half of it is done.
    Loading,
    /// The title where no flight is loaded.
    Rest,
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

/// Seconds that the bar takes at least from end to end: a screen that flashes by cannot be read.
const BAR: f32 = 0.4;

/// What the player is looking at.
enum Now {
    /// The loading screen; what comes after it is the journey, if there is one already, or a new one.
    Waiting { approach: Box<Approach>, waiting: Waiting, screen: Screen, journey: Option<Journey> },
    /// The title without a flight behind it, for so many seconds.
    Resting(f32),
    /// The journey, and where its rules come from.
    Playing(Journey, Rulebook),
}

/// The game with a window.
struct Game {
    store: Store,
    lives: Lives,
    notices: Notices,
    stage: Stage,
    speaker: Option<Speaker>,
    now: Now,
    language: usize,
    autopilot: bool,
    /// Seconds of flight that are still to be made up for.
    owed: f32,
    full_screen: bool,
    steering_by_mouse: bool,
}

/// Runs until the player leaves.
pub(crate) async fn run(store: Store, request: Request) -> Result<()> {
    // What the loading screen needs: nothing to write with yet, so only a bar.
    let mut interface = store.load_group(groups::INTERFACE);
    let interface = loop {
        match interface.poll() {
            Some(interface) => break interface?,
            None => {
                draw::draw_first(interface.progress().fraction());
                next_frame().await;
            }
        }
    };
    let lives = Lives::default();
    let stage = Stage::new(&store, &lives, interface)?;
    let (level, screen) = request.level.map_or((0, Screen::Title), |level| (level, Screen::Story));
    let approach = Approach::with_flight(&store, level);
    let mut game = Game {
        notices: Notices::of(&store),
        now: Now::to(approach, screen, None),
        store,
        lives,
        stage,
        speaker: None,
        language: request.language.unwrap_or_else(|| words::preferred(&library::LANGUAGES)),
        autopilot: request.autopilot || request.screenshot.is_some(),
        owed: 0.0,
        full_screen: false,
        steering_by_mouse: false,
    };
    if let Some(file) = &request.screenshot {
        return game.take_screenshot(&request, file).await;
    }
    show_mouse(false);
    while game.frame().await? {
        next_frame().await;
    }
    Ok(())
}

impl Now {
    fn to(approach: Approach, screen: Screen, journey: Option<Journey>) -> Self {
        let (progress, change) = (approach.progress(), approach.change);
        Self::Waiting {
            waiting: Waiting { progress, change, shown: 0.0, since: 0.0 },
            approach: Box::new(approach),
            screen,
            journey,
        }
    }
}

impl Game {
    /// One frame; `false` where the player leaves.
    async fn frame(&mut self) -> Result<bool> {
        let seconds = get_frame_time();
        if is_key_pressed(KeyCode::L) {
            self.language = (self.language + 1) % library::LANGUAGES.len();
        }
        if is_key_pressed(KeyCode::F) {
            self.full_screen = !self.full_screen;
            set_fullscreen(self.full_screen);
        }
        let wishes = self.wishes();
        let escape = is_key_pressed(KeyCode::Escape);
        match &mut self.now {
            // Dropping the approach cancels what has not begun.
            Now::Waiting { .. } if escape => self.now = Now::Resting(0.0),
            _ if escape => return Ok(false),
            Now::Waiting { .. } => self.wait(seconds).await?,
            Now::Resting(since) => {
                *since += seconds;
                if wishes.confirm {
                    let approach = match self.stage.has_flight() {
                        true => Approach::first(&self.store, 0),
                        false => Approach::with_flight(&self.store, 0),
                    };
                    self.now = Now::to(approach, Screen::Story, None);
                }
            }
            Now::Playing(..) => self.play(seconds, wishes),
        }
        let mut errors = self.lives.follow();
        if let Some(speaker) = &mut self.speaker {
            let screen = if let Now::Playing(journey, _) = &self.now { Some(journey.screen) } else { None };
            errors.extend(speaker.follow(screen, wishes.steer.length() > 0.3).await.err());
        }
        self.notices.follow(seconds, errors);
        self.draw(self.pointer());
        Ok(true)
    }

    /// Goes on with loading, and to what comes after it.
    async fn wait(&mut self, seconds: f32) -> Result<()> {
        let Now::Waiting { approach, waiting, .. } = &mut self.now else { return Ok(()) };
        let there = approach.poll()?;
        waiting.progress = approach.progress();
        // The first frame may have taken long: it made pictures.
        waiting.since += seconds.min(0.05);
        waiting.shown = waiting.progress.fraction().min(waiting.shown + seconds.min(0.05) / BAR);
        if there && waiting.shown >= 1.0 {
            self.arrive().await?;
        }
        Ok(())
    }

    /// Everything is loaded: pictures are made of it, and the journey begins or goes on.
    async fn arrive(&mut self) -> Result<()> {
        let Now::Waiting { approach, screen, journey, .. } = std::mem::replace(&mut self.now, Now::Resting(0.0)) else {
            return Ok(());
        };
        let arrived = approach.wait()?;
        let number = arrived.number;
        self.stage.take(&self.store, &self.lives, arrived)?;
        if self.speaker.is_none() {
            self.speaker = Some(Speaker::new(&self.store).await?);
        }
        let rulebook = Rulebook::load(&self.store, number)?;
        let journey = match journey {
            Some(mut journey) => {
                journey.enter(number, rulebook.rules(), screen);
                journey
            }
            None => Journey { autopilot: self.autopilot, ..Journey::new(number, rulebook.rules(), screen) },
        };
        self.owed = 0.0;
        self.now = Now::Playing(journey, rulebook);
        Ok(())
    }

    fn play(&mut self, seconds: f32, mut wishes: Wishes) {
        let Now::Playing(journey, rulebook) = &mut self.now else { return };
        journey.world.follow(rulebook.rules());
        // At most a quarter of a second is made up for: a stopped program must not fly blindly.
        self.owed = (self.owed + seconds).min(0.25);
        while self.owed >= STEP {
            self.owed -= STEP;
            if self.steering_by_mouse {
                let lantern = journey.world.at - vec2(journey.world.scroll, 0.0);
                wishes.steer = ((draw::pointer() - lantern) / 90.0).clamp_length_max(1.0);
            }
            for cue in journey.step(wishes) {
                self.speaker.iter_mut().for_each(|speaker| speaker.play(cue));
            }
            // Pressed keys count once.
            wishes = Wishes { steer: wishes.steer, ..Wishes::default() };
        }
        let Some((level, screen)) = journey.wants else { return };
        // What holds assets of the old level goes first: then the store can free them.
        if let (Now::Playing(journey, _), Some(group)) =
            (std::mem::replace(&mut self.now, Now::Resting(0.0)), self.stage.leave())
        {
            self.now = Now::to(Approach::next(group, level), screen, Some(journey));
        }
    }

    /// Where the pointer is to be seen, if at all.
    fn pointer(&self) -> Option<Vec2> {
        let at_title = match &self.now {
            Now::Resting(_) => true,
            Now::Playing(journey, _) => journey.screen == Screen::Title,
            Now::Waiting { .. } => false,
        };
        (self.steering_by_mouse || at_title).then(draw::pointer)
    }

    fn draw(&mut self, pointer: Option<Vec2>) {
        let view = View { language: self.language, pointer };
        match &self.now {
            Now::Waiting { waiting, .. } => self.stage.draw_waiting(waiting, &view),
            Now::Resting(since) => self.stage.draw_rest(*since, &view),
            Now::Playing(journey, _) => self.stage.draw(journey, &view),
        }
        self.stage.draw_notices(self.notices.lines());
    }

    /// What the player wants, of keys and mouse.
    fn wishes(&mut self) -> Wishes {
        if is_mouse_button_pressed(MouseButton::Left) || mouse_delta_position().length() > 0.02 {
            self.steering_by_mouse = true;
        }
        let keys = steering_by_keys();
        if keys != Vec2::ZERO {
            self.steering_by_mouse = false;
        }
        let flying = matches!(&self.now, Now::Playing(journey, _) if journey.screen == Screen::Flight);
        Wishes {
            steer: keys,
            confirm: is_key_pressed(KeyCode::Enter)
                || is_key_pressed(KeyCode::Space)
                || is_mouse_button_pressed(MouseButton::Left) && !flying,
            pause: is_key_pressed(KeyCode::P),
            home: is_key_pressed(KeyCode::Backspace) || is_key_pressed(KeyCode::H),
        }
    }

    /// Brings about what the picture shows, and writes it.
    async fn take_screenshot(&mut self, request: &Request, file: &str) -> Result<()> {
        match request.scene {
            Scene::Loading => self.load_half(request.level.unwrap_or(0))?,
            Scene::Rest => self.now = Now::Resting(request.after.unwrap_or(9.0)),
            _ => {
                self.arrive().await?;
                if let Now::Playing(journey, _) = &mut self.now {
                    advance(journey, request);
                }
            }
        }
        // The third frame: the first one may still have the window's first size.
        for _ in 0..2 {
            self.draw(None);
            next_frame().await;
        }
        self.draw(None);
        save(get_screen_data(), file)
    }

    /// Loads half of what leads to a level, from the one before where there is one.
    fn load_half(&mut self, level: usize) -> Result<()> {
        if let Some(before) = level.checked_sub(1) {
            let group = Approach::first(&self.store, before).wait()?.level;
            self.now = Now::to(Approach::next(group, level), Screen::Story, None);
        }
        let Now::Waiting { approach, waiting, .. } = &mut self.now else { return Ok(()) };
        while !approach.poll()? && waiting.progress.fraction() < 0.5 {
            waiting.progress = approach.progress();
            std::thread::yield_now();
        }
        (waiting.shown, waiting.since) = (waiting.progress.fraction(), 1.0);
        Ok(())
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
fn advance(journey: &mut Journey, request: &Request) {
    journey.screen = if request.scene == Scene::Title { Screen::Title } else { Screen::Story };
    let mut steps = (request.after.unwrap_or(9.0) / STEP) as u32;
    match request.scene {
        Scene::Story => journey.autopilot = false,
        Scene::End => {
            while !matches!(journey.screen, Screen::Won | Screen::Lost) {
                journey.step(Wishes::default());
            }
            steps = (request.after.unwrap_or(2.0) / STEP) as u32;
        }
        _ => {}
    }
    for _ in 0..steps {
        journey.step(Wishes::default());
    }
}

fn save(mut picture: Image, file: &str) -> Result<()> {
    // The library's own export panics where it cannot write: find that out first.
    std::fs::write(file, []).map_err(|e| Error::Output(format!("cannot write the screenshot to \"{file}\": {e}")))?;
    if !file.to_ascii_lowercase().ends_with(".png") {
        return Err(Error::Usage(format!("the screenshot \"{file}\" must be a .png file")));
    }
    // A window shows no transparency, whatever was drawn into it.
    picture.bytes.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
    picture.export_png(file);
    Ok(())
}
