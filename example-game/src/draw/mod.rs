//! The journey as a picture: everything goes into one canvas of the window's resolution, which a last shader lays over
//! the window; writing comes on top of that.
//!
//! One struct per group of assets: [`Interface`], [`Flight`], [`Night`]. Each is made of its loaded group and keeps it.

mod flight;
mod hud;
mod interface;
mod loading;
mod notices;
mod sky;

use macroquad::prelude::*;
use rres_runtime::{LoadedGroup, Store};

use crate::assets::groups::INTERFACE;
use crate::error::Result;
use crate::journey::{Journey, Screen};
use crate::live::{Live, Lives};
use crate::loading::Arrived;
use crate::world::VIEW;
use flight::Flight;
use interface::Interface;
pub(crate) use loading::{Waiting, draw_first};
use sky::Night;

/// Everything that is drawn with, on the graphics card, as far as its group is loaded.
pub(crate) struct Stage {
    interface: Interface,
    flight: Option<Flight>,
    night: Option<Night>,
    canvas: Option<Canvas>,
}

/// How things are to be seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Which of the languages.
    pub(crate) language: usize,
    /// Where the pointer is, in the game's pixels; `None` hides it.
    pub(crate) pointer: Option<Vec2>,
}

/// All that a flight is drawn with.
struct Scene<'a> {
    with: &'a Interface,
    flight: &'a Flight,
    night: &'a Night,
}

impl Stage {
    pub(crate) fn new(store: &Store, lives: &Lives, interface: LoadedGroup<INTERFACE>) -> Result<Self> {
        Ok(Self { interface: Interface::new(store, lives, interface)?, flight: None, night: None, canvas: None })
    }

    /// Whether what every flight needs is there.
    pub(crate) fn has_flight(&self) -> bool {
        self.flight.is_some()
    }

    /// Makes pictures of what was loaded.
    pub(crate) fn take(&mut self, store: &Store, lives: &Lives, arrived: Arrived) -> Result<()> {
        if let Some(group) = arrived.flight {
            self.flight = Some(Flight::new(store, lives, group)?);
        }
        self.night = Some(Night::new(lives, arrived.number, arrived.level)?);
        Ok(())
    }

    /// Lets go of what was made of the level, and gives its group to whoever goes on from there.
    pub(crate) fn leave(&mut self) -> Option<LoadedGroup> {
        self.night.take().map(Night::into_group)
    }

    /// Draws the journey; the title too, where a flight is there to be seen behind it.
    pub(crate) fn draw(&mut self, journey: &Journey, view: &View) {
        self.draw_picture(journey.hurt, |stage, canvas| match (&stage.flight, &stage.night) {
            (Some(flight), Some(night)) => {
                let scene = Scene { with: &stage.interface, flight, night };
                scene.draw_sky(&journey.world);
                scene.draw_flight(journey, &canvas.whole);
            }
            _ => stage.interface.draw_quiet_night(journey.since),
        });
        match journey.screen {
            Screen::Title => self.interface.draw_title(journey.since, view),
            Screen::Story => self.interface.draw_story(journey, view),
            Screen::Flight | Screen::Paused | Screen::Won | Screen::Lost => self.interface.draw_hud(journey, view),
        }
        self.draw_pointer(view);
    }

    /// Draws the title with no flight behind it.
    pub(crate) fn draw_rest(&mut self, since: f32, view: &View) {
        self.draw_picture(0.0, |stage, _| stage.interface.draw_quiet_night(since));
        self.interface.draw_title(since, view);
        self.draw_pointer(view);
    }

    /// Draws the loading screen.
    pub(crate) fn draw_waiting(&mut self, waiting: &Waiting, view: &View) {
        self.draw_picture(0.0, |stage, _| stage.interface.draw_quiet_night(waiting.since));
        self.interface.draw_loading(waiting, view);
    }

    /// Draws lines for the developer over whatever is there.
    pub(crate) fn draw_notices<'a>(&self, lines: impl IntoIterator<Item = &'a str>) {
        self.interface.draw_notices(lines);
    }

    fn draw_pointer(&self, view: &View) {
        if let Some(at) = view.pointer {
            draw_texture(&self.interface.pointer.get(), at.x - 3.0, at.y - 2.0, WHITE);
        }
    }

    /// Has a picture painted and lays it over the window.
    fn draw_picture(&mut self, hurt: f32, paint: impl FnOnce(&Self, &Canvas)) {
        let window = Frame::of_window();
        let canvas = self.canvas(&window);
        set_camera(&picture_camera(Some(canvas.whole.clone())));
        clear_background(BLACK);
        paint(self, &canvas);
        self.draw_halo(&canvas);

        set_camera(&window.camera());
        clear_background(BLACK);
        let evening = self.interface.evening.get();
        evening.set_uniform("Bloom", 0.85f32);
        evening.set_uniform("Hurt", hurt);
        evening.set_texture("Halo", canvas.halo[0].texture.clone());
        evening.set_texture("Vignette", self.interface.vignette.get());
        evening.set_texture("Grain", self.interface.grain.get());
        gl_use_material(&evening);
        draw_canvas(&canvas.whole);
        gl_use_default_material();
    }

    /// What shines in the whole picture, blurred along one axis and then along the other.
    fn draw_halo(&self, canvas: &Canvas) {
        let (halo, bright, blur) = (&canvas.halo[0].texture, self.interface.bright.get(), self.interface.blur.get());
        set_camera(&picture_camera(Some(canvas.halo[0].clone())));
        bright.set_uniform("Pixel", 1.0 / canvas.whole.texture.width());
        gl_use_material(&bright);
        draw_canvas(&canvas.whole);
        let steps = [(1.5 / halo.width(), 0.0), (0.0, 1.5 / halo.height())];
        for (i, (x, y)) in steps.into_iter().enumerate() {
            set_camera(&picture_camera(Some(canvas.halo[1 - i].clone())));
            blur.set_uniform("StepX", x);
            blur.set_uniform("StepY", y);
            gl_use_material(&blur);
            draw_canvas(&canvas.halo[i]);
        }
        gl_use_default_material();
    }

    /// The canvas, made anew when the window's size changed.
    fn canvas(&mut self, window: &Frame) -> Canvas {
        let (width, height) = (window.width.max(1.0) as u32, window.height.max(1.0) as u32);
        let size = |c: &Canvas| (c.whole.texture.width() as u32, c.whole.texture.height() as u32);
        if let Some(canvas) = self.canvas.as_ref().filter(|canvas| size(canvas) == (width, height)) {
            return canvas.clone();
        }
        let target = |width, height, depth| {
            let target = render_target_ex(width, height, RenderTargetParams { sample_count: 1, depth });
            target.texture.set_filter(FilterMode::Linear);
            target
        };
        let (small_width, small_height) = (width.div_ceil(4), height.div_ceil(4));
        let halo = [target(small_width, small_height, false), target(small_width, small_height, false)];
        self.canvas.insert(Canvas { whole: target(width, height, true), halo }).clone()
    }
}

/// Where the picture is put together before it goes to the window.
#[derive(Clone)]
struct Canvas {
    whole: RenderTarget,
    /// Two small ones that what shines is blurred in.
    halo: [RenderTarget; 2],
}

/// Draws a canvas over all of the current one. What was drawn into a texture stands on its head.
fn draw_canvas(canvas: &RenderTarget) {
    let params = DrawTextureParams { dest_size: Some(VIEW), flip_y: true, ..Default::default() };
    draw_texture_ex(&canvas.texture, 0.0, 0.0, WHITE, params);
}

/// The part of the window that shows the picture, undistorted.
struct Frame {
    left: f32,
    bottom: f32,
    width: f32,
    height: f32,
}

impl Frame {
    fn of_window() -> Self {
        let scale = screen_dpi_scale();
        let (outer_width, outer_height) = (screen_width() * scale, screen_height() * scale);
        let zoom = (outer_width / VIEW.x).min(outer_height / VIEW.y);
        let (width, height) = ((VIEW.x * zoom).floor(), (VIEW.y * zoom).floor());
        Self { left: (outer_width - width) / 2.0, bottom: (outer_height - height) / 2.0, width, height }
    }

    fn camera(&self) -> Camera2D {
        let mut camera = picture_camera(None);
        camera.viewport = Some((self.left as i32, self.bottom as i32, self.width as i32, self.height as i32));
        camera
    }
}

/// Where the mouse is in the game's pixels.
pub(crate) fn pointer() -> Vec2 {
    let (frame, scale) = (Frame::of_window(), screen_dpi_scale());
    let (x, y) = mouse_position();
    vec2((x * scale - frame.left) / frame.width, (y * scale - frame.bottom) / frame.height) * VIEW
}

/// Shows the game's pixels, y downwards, on the window or in a canvas.
fn picture_camera(canvas: Option<RenderTarget>) -> Camera2D {
    let up = if canvas.is_some() { -1.0 } else { 1.0 };
    Camera2D {
        target: VIEW / 2.0,
        zoom: vec2(2.0 / VIEW.x, 2.0 / VIEW.y * up),
        render_target: canvas,
        ..Default::default()
    }
}

fn rgb(colour: [f32; 3], alpha: f32) -> Color {
    Color::new(colour[0], colour[1], colour[2], alpha)
}

fn use_material(material: &Live<Material>) {
    gl_use_material(&material.get());
}
