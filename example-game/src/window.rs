//! The window: loads group by group while a screen shows the progress, runs the game in fixed steps, and draws it.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use macroquad::prelude::*;
use rres_runtime::Store;

use crate::Options;
use crate::assets::groups;
use crate::audio::Audio;
use crate::data::{self, RuleAssets};
use crate::draw::{self, LoadingView, Painter};
use crate::game::{Game, Input, Screen};
use crate::live::Errors;
use crate::loading::LevelLoading;
use crate::notices::Notices;
use crate::world::STEP;

/// What a screenshot shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Scene {
    #[default]
    Flight,
    Title,
    /// Who made the assets
    Credits,
    Story,
    /// Loading, half done
    Loading,
    /// The end of the level, won or lost
    End,
}

/// The window's settings.
pub(crate) fn config() -> Conf {
    let window_title = "Lantern Drift".to_owned();
    // Pictures that are drawn with several samples a pixel need WebGL 2 in a browser.
    let platform =
        miniquad::conf::Platform { webgl_version: miniquad::conf::WebGLVersion::WebGL2, ..Default::default() };
    Conf { window_title, window_width: 1280, window_height: 720, high_dpi: true, platform, ..Default::default() }
}

struct App {
    store: Store,
    notices: Notices,
    painter: Painter,
    audio: Option<Audio>,
    /// The level that is being loaded, what its screen shows, and the screen of the game that comes after it.
    loading: Option<(LevelLoading, LoadingView, Screen)>,
    game: Option<Game>,
    /// The rules of the level that is loaded.
    rules: Option<RuleAssets>,
    autopilot: bool,
    /// Seconds of flight that have passed and were not simulated yet.
    behind: f32,
    full_screen: bool,
    /// The longest edge of textures, in pixels.
    texture_limit: Option<u32>,
    steers_by_mouse: bool,
    /// `false` for screenshots.
    shows_pointer: bool,
}

/// Runs until the player quits.
pub(crate) async fn run(store: Store, options: &Options) -> Result<()> {
    let mut loading = store.load_group(groups::INTERFACE);
    let interface = loop {
        if let Some(interface) = loading.poll() {
            break interface?;
        }
        draw::draw_first(loading.progress().fraction());
        next_frame().await;
    };
    let errors = Errors::default();
    let mut app = App {
        notices: Notices::new(&store, &errors),
        painter: Painter::new(&store, &errors, interface)?,
        audio: None,
        loading: None,
        game: None,
        rules: None,
        autopilot: options.autopilot || options.screenshot.is_some(),
        behind: 0.0,
        full_screen: false,
        texture_limit: options.texture_limit,
        steers_by_mouse: false,
        shows_pointer: options.screenshot.is_none(),
        store,
    };
    app.painter.language = data::language(options.language.as_deref());
    if let Some(file) = &options.screenshot {
        return app.take_screenshot(options, file).await;
    }
    app.load(LevelLoading::first(&app.store, options.level()), options.level.map_or(Screen::Title, |_| Screen::Story));
    show_mouse(false);
    while app.frame().await? {
        next_frame().await;
    }
    Ok(())
}

impl App {
    /// Runs one frame, and returns whether the game goes on.
    async fn frame(&mut self) -> Result<bool> {
        let seconds = get_frame_time();
        if is_key_pressed(KeyCode::L) {
            self.painter.language = (self.painter.language + 1) % data::LANGUAGES.len();
        }
        if is_key_pressed(KeyCode::T) {
            let limit = self.texture_limit.is_none().then_some(data::SMALL_TEXTURES);
            self.limit_textures(limit)?;
        }
        if is_key_pressed(KeyCode::F) {
            self.full_screen = !self.full_screen;
            set_fullscreen(self.full_screen);
        }
        let (mut input, mut escape) = (self.input(), is_key_pressed(KeyCode::Escape));
        let is_title = self.loading.is_none() && self.game.as_ref().is_some_and(|game| game.screen == Screen::Title);
        if is_title && (is_key_pressed(KeyCode::C) || self.painter.shows_credits && (escape || input.confirm)) {
            self.painter.shows_credits = !self.painter.shows_credits;
            (input.confirm, escape) = (false, false);
        }
        match &mut self.loading {
            Some(_) if escape => {
                // Replacing the loading drops it, which cancels the rest of it.
                self.game = None;
                self.load(LevelLoading::first(&self.store, 0), Screen::Title);
            }
            Some((loading, view, _)) => {
                // The first frame may have taken long, because it made textures.
                view.follow(loading.progress(), seconds.min(0.05));
                if view.shown >= 1.0 {
                    self.enter().await?;
                }
            }
            None if escape => return Ok(false),
            None => self.play(seconds, input),
        }
        if let Some(audio) = &mut self.audio {
            let screen = self.game.as_ref().filter(|_| self.loading.is_none()).map(|game| game.screen);
            audio.follow(screen, input.steer.length() > 0.3).await?;
        }
        self.notices.follow(seconds);
        self.draw();
        Ok(true)
    }

    /// Loads pictures with smaller copies of themselves at most this large. Those that are loaded change at once.
    fn limit_textures(&mut self, limit: Option<u32>) -> Result<()> {
        self.store.set_texture_limit(limit)?;
        self.texture_limit = limit;
        Ok(())
    }

    fn load(&mut self, loading: LevelLoading, screen: Screen) {
        let view = LoadingView::new(loading.progress(), loading.change);
        self.loading = Some((loading, view, screen));
    }

    /// Begins or continues the game in the level that was loaded.
    async fn enter(&mut self) -> Result<()> {
        let Some((loading, _, screen)) = self.loading.take() else { return Ok(()) };
        let loaded = loading.wait()?;
        let number = loaded.number;
        #[cfg(target_family = "wasm")]
        macroquad::logging::info!("loaded {}", loaded.level.name());
        self.painter.enter(loaded);
        if self.audio.is_none() {
            self.audio = Some(Audio::new(&self.store).await?);
        }
        let rules = self.rules.insert(RuleAssets::load(&self.store, number)?).rules();
        let game = self.game.get_or_insert_with(|| Game::new(number, rules.clone(), screen));
        game.enter(number, rules, screen);
        game.autopilot = self.autopilot;
        self.behind = 0.0;
        Ok(())
    }

    fn play(&mut self, seconds: f32, mut input: Input) {
        let (Some(game), Some(rules)) = (&mut self.game, &self.rules) else { return };
        game.world.follow(rules.rules());
        // At most a quarter of a second is simulated at once, so that a program that was stopped does not fly blindly.
        self.behind = (self.behind + seconds).min(0.25);
        while self.behind >= STEP {
            self.behind -= STEP;
            if self.steers_by_mouse {
                let lantern = game.world.at - vec2(game.world.scroll, 0.0);
                input.steer = ((draw::pointer() - lantern) / 90.0).clamp_length_max(1.0);
            }
            for effect in game.step(input) {
                self.audio.iter().for_each(|audio| audio.play(effect));
            }
            // Pressed keys count once.
            input = Input { steer: input.steer, ..Input::default() };
        }
        if let Some((level, screen)) = game.next {
            // Everything that holds assets of the old level is dropped first, so that the store can free them.
            self.rules = None;
            if let Some(group) = self.painter.leave() {
                self.load(LevelLoading::next(group, level), screen);
            }
        }
    }

    fn draw(&mut self) {
        match (&self.loading, &self.game) {
            (Some((_, view, _)), _) => self.painter.draw_loading(view),
            (None, Some(game)) => {
                let shown = self.shows_pointer && (self.steers_by_mouse || game.screen == Screen::Title);
                self.painter.draw(game, shown.then(draw::pointer));
            }
            (None, None) => {}
        }
        self.painter.draw_notices(&self.notices.lines);
    }

    /// Returns what the player does with keys and mouse.
    fn input(&mut self) -> Input {
        let axis = |less: [KeyCode; 2], more: [KeyCode; 2]| {
            let down = |keys: [KeyCode; 2]| f32::from(u8::from(keys.into_iter().any(is_key_down)));
            down(more) - down(less)
        };
        let x = axis([KeyCode::Left, KeyCode::A], [KeyCode::Right, KeyCode::D]);
        let y = axis([KeyCode::Up, KeyCode::W], [KeyCode::Down, KeyCode::S]);
        let clicked = is_mouse_button_pressed(MouseButton::Left);
        self.steers_by_mouse |= clicked || mouse_delta_position().length() > 0.02;
        self.steers_by_mouse &= (x, y) == (0.0, 0.0);
        let flying = self.game.as_ref().is_some_and(|game| game.screen == Screen::Flight);
        let pressed = |keys: [KeyCode; 2]| keys.into_iter().any(is_key_pressed);
        Input {
            steer: vec2(x, y),
            confirm: pressed([KeyCode::Enter, KeyCode::Space]) || clicked && !flying,
            pause: is_key_pressed(KeyCode::P),
            home: pressed([KeyCode::Backspace, KeyCode::H]),
        }
    }

    /// Takes the game to the moment of the screenshot, and writes the picture.
    async fn take_screenshot(&mut self, options: &Options, file: &Path) -> Result<()> {
        let level = options.level();
        // Starts with the previous level, if there is one, so that the loading screen can show the change.
        self.load(LevelLoading::first(&self.store, level.saturating_sub(1)), Screen::Story);
        self.enter().await?;
        if let Some(group) = (level > 0).then(|| self.painter.leave()).flatten() {
            self.rules = None;
            self.load(LevelLoading::next(group, level), Screen::Story);
        }
        if options.scene == Scene::Loading {
            self.load_half();
        } else {
            self.enter().await?;
            self.game.iter_mut().for_each(|game| advance(game, options.scene, options.after));
            self.painter.shows_credits = options.scene == Scene::Credits;
        }
        // Takes the third frame, because the first ones may have the initial size of the window.
        for _ in 0..2 {
            self.draw();
            next_frame().await;
        }
        self.draw();
        save(&get_screen_data(), file)
    }

    fn load_half(&mut self) {
        if self.loading.is_none() {
            self.load(LevelLoading::first(&self.store, 0), Screen::Story);
        }
        let Some((loading, view, _)) = &mut self.loading else { return };
        while loading.progress().fraction() < 0.5 {
            std::thread::yield_now();
        }
        view.follow(loading.progress(), 0.2);
    }
}

/// Plays by autopilot up to the moment that the screenshot shows.
fn advance(game: &mut Game, scene: Scene, after: Option<f32>) {
    game.screen = if matches!(scene, Scene::Title | Scene::Credits) { Screen::Title } else { Screen::Story };
    game.autopilot = scene != Scene::Story;
    while scene == Scene::End && !matches!(game.screen, Screen::Won | Screen::Lost) {
        game.step(Input::default());
    }
    let seconds = after.unwrap_or(if scene == Scene::End { 2.0 } else { 9.0 });
    for _ in 0..(seconds / STEP) as u32 {
        game.step(Input::default());
    }
}

fn save(picture: &Image, file: &Path) -> Result<()> {
    ensure!(file.extension().is_some_and(|extension| extension == "png"), "{} is not a .png file", file.display());
    // The library panics if it cannot write.
    std::fs::write(file, []).with_context(|| format!("cannot write {}", file.display()))?;
    let mut picture = picture.clone();
    // A window is opaque, even if transparent pixels were drawn into it.
    picture.bytes.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
    picture.export_png(&file.to_string_lossy());
    Ok(())
}
