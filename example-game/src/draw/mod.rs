//! The journey as a picture: everything goes into one canvas of the window's resolution, which a last shader lays over
//! the window; writing comes on top of that.

mod flight;
mod hud;
mod sky;

use macroquad::prelude::*;
use rres_runtime::{Handle, Store};

use crate::assets;
use crate::engine::{self, Meeting, Solid};
use crate::error::Result;
use crate::journey::{Journey, Screen};
use crate::lettering::Lettering;
use crate::loading::{Language, Library};
use crate::tables::Palette;
use crate::world::VIEW;

/// Pictures, models, writing and materials, on the graphics card.
pub(crate) struct Stage {
    skies: [(&'static str, Texture2D); 3],
    stars: Texture2D,
    moon: Texture2D,
    aurora: Texture2D,
    wisps: Texture2D,
    mountains: [Texture2D; 2],
    cloud_seas: [Texture2D; 2],
    islands: [Texture2D; 2],
    storms: [Texture2D; 2],
    rocks: [Texture2D; 2],
    lantern: Texture2D,
    lantern_far: Texture2D,
    lightning: Texture2D,
    glow: Texture2D,
    spark: Texture2D,
    hearts: [Texture2D; 2],
    crystal_sign: Texture2D,
    panel: Texture2D,
    scroll: Texture2D,
    buttons: [Texture2D; 2],
    pointer: Texture2D,
    flags: Vec<Texture2D>,
    crystal: Vec<Solid>,
    lighthouse: Vec<Solid>,
    light: Material,
    northern: Material,
    ice: Material,
    bright: Material,
    blur: Material,
    evening: Material,
    title: Lettering,
    heading: Lettering,
    normal: Lettering,
    small: Lettering,
    palette: Palette,
    canvas: Option<Canvas>,
}

/// What is to be seen besides the journey itself.
pub(crate) struct View<'a> {
    pub(crate) language: &'a Language,
    pub(crate) language_index: usize,
    /// Credits for the title, where the link leads somewhere.
    pub(crate) credits: Option<&'a str>,
    /// Where the pointer is, in the game's pixels; `None` hides it.
    pub(crate) pointer: Option<Vec2>,
}

impl Stage {
    pub(crate) fn new(store: &Store, library: &Library) -> Result<Self> {
        let texture = |id| -> Result<Texture2D> { engine::texture(&store.load(id)?) };
        let text = |id| -> Result<Handle<rres_runtime::Text>> { Ok(store.load(id)?) };
        use assets::{models, shaders, ui, world};

        let flat = text(shaders::FLAT_VS)?;
        let light = engine::material(&flat, &text(shaders::LIGHT_FS)?, Meeting::Add, &[], &[])?;
        let northern = engine::material(&flat, &text(shaders::AURORA_FS)?, Meeting::Add, &["Strength"], &[])?;
        let (ice_vertex, ice_fragment) = (text(shaders::CRYSTAL_VS)?, text(shaders::CRYSTAL_FS)?);
        let ice = engine::material(&ice_vertex, &ice_fragment, Meeting::Depth, &["Gloss"], &["Surroundings"])?;
        ice.set_texture("Surroundings", texture(world::SKY_LIGHT_HDR)?);
        let bright = engine::material(&flat, &text(shaders::BRIGHT_FS)?, Meeting::Cover, &["Pixel"], &[])?;
        let blur = engine::material(&flat, &text(shaders::BLUR_FS)?, Meeting::Cover, &["StepX", "StepY"], &[])?;
        let evening_values = &["Bloom", "Hurt"];
        let evening = engine::material(
            &flat,
            &text(shaders::EVENING_FS)?,
            Meeting::Cover,
            evening_values,
            &["Vignette", "Halo", "Grain"],
        )?;
        evening.set_texture("Vignette", texture(ui::VIGNETTE_PNG)?);
        evening.set_texture("Grain", texture(world::NOISE_PNG)?);

        let serif = store.load(assets::fonts::GOUDY_BOOKLETTER1911_OTF)?;
        let plain = store.load(assets::fonts::QUICKSAND_MEDIUM_TTF)?;
        Ok(Self {
            skies: [
                ("dusk", texture(world::SKY_DUSK_JPG)?),
                ("midnight", texture(world::SKY_MIDNIGHT_PNG)?),
                ("dawn", texture(world::SKY_DAWN_BMP)?),
            ],
            stars: texture(world::STARS_QOI)?,
            moon: texture(world::MOON_DDS)?,
            aurora: texture(world::AURORA_DDS)?,
            wisps: texture(world::WISPS_PNG)?,
            mountains: [texture(world::MOUNTAINS_FAR_PNG)?, texture(world::MOUNTAINS_NEAR_PNG)?],
            cloud_seas: [texture(world::CLOUD_SEA_FAR_PNG)?, texture(world::CLOUD_SEA_NEAR_PNG)?],
            islands: [texture(world::ISLAND_1_PNG)?, texture(world::ISLAND_2_PNG)?],
            storms: [texture(world::STORM_1_PNG)?, texture(world::STORM_2_PNG)?],
            rocks: [texture(world::ROCK_1_PNG)?, texture(world::ROCK_2_PNG)?],
            lantern: texture(world::LANTERN_PNG)?,
            lantern_far: texture(world::LANTERN_FAR_PNG)?,
            lightning: texture(world::LIGHTNING_GIF)?,
            glow: texture(world::GLOW_TGA)?,
            spark: texture(world::SPARK_PNG)?,
            hearts: [texture(ui::HEART_EMPTY_PNG)?, texture(ui::HEART_PNG)?],
            crystal_sign: texture(ui::CRYSTAL_PNG)?,
            panel: texture(ui::PANEL_PNG)?,
            scroll: texture(ui::SCROLL_BMP)?,
            buttons: [texture(ui::BUTTON_PNG)?, texture(ui::BUTTON_PRESSED_PNG)?],
            pointer: texture(ui::POINTER_TGA)?,
            flags: library.languages.iter().map(|l| engine::texture(&l.flag)).collect::<Result<_>>()?,
            crystal: engine::solids(store, &store.load(models::CRYSTAL_GLTF)?)?,
            lighthouse: engine::solids(store, &store.load(models::LIGHTHOUSE_GLB)?)?,
            light,
            northern,
            ice,
            bright,
            blur,
            evening,
            title: Lettering::new(&serif, 92)?,
            heading: Lettering::new(&serif, 34)?,
            normal: Lettering::new(&plain, 28)?,
            small: Lettering::new(&plain, 20)?,
            palette: library.palette.clone(),
            canvas: None,
        })
    }

    /// Draws a frame into the window.
    pub(crate) fn draw(&mut self, journey: &Journey, view: &View<'_>) {
        let window = Frame::of_window();
        let canvas = self.canvas(&window);
        set_camera(&picture_camera(Some(canvas.whole.clone())));
        clear_background(BLACK);
        self.draw_sky(&journey.world);
        self.draw_flight(journey, &canvas.whole);
        self.draw_halo(&canvas);

        set_camera(&window.camera());
        clear_background(BLACK);
        self.evening.set_uniform("Bloom", 0.85f32);
        self.evening.set_uniform("Hurt", journey.hurt);
        self.evening.set_texture("Halo", canvas.halo[0].texture.clone());
        gl_use_material(&self.evening);
        draw_canvas(&canvas.whole);
        gl_use_default_material();
        match journey.screen {
            Screen::Title => self.draw_title(journey, view),
            Screen::Story => self.draw_story(journey, view),
            Screen::Flight | Screen::Paused | Screen::Won | Screen::Lost => self.draw_hud(journey, view),
        }
        if let Some(at) = view.pointer {
            draw_texture(&self.pointer, at.x - 3.0, at.y - 2.0, WHITE);
        }
    }

    /// What shines in the whole picture, blurred along one axis and then along the other.
    fn draw_halo(&self, canvas: &Canvas) {
        let halo = &canvas.halo[0].texture;
        set_camera(&picture_camera(Some(canvas.halo[0].clone())));
        self.bright.set_uniform("Pixel", 1.0 / canvas.whole.texture.width());
        gl_use_material(&self.bright);
        draw_canvas(&canvas.whole);
        let steps = [(1.5 / halo.width(), 0.0), (0.0, 1.5 / halo.height())];
        for (i, (x, y)) in steps.into_iter().enumerate() {
            set_camera(&picture_camera(Some(canvas.halo[1 - i].clone())));
            self.blur.set_uniform("StepX", x);
            self.blur.set_uniform("StepY", y);
            gl_use_material(&self.blur);
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

    /// A picture centred at `at`, with the given width.
    fn stamp(&self, texture: &Texture2D, at: Vec2, width: f32, turn: f32, colour: Color) {
        let size = vec2(width, width * texture.height() / texture.width());
        let params = DrawTextureParams { dest_size: Some(size), rotation: turn, ..Default::default() };
        draw_texture_ex(texture, at.x - size.x / 2.0, at.y - size.y / 2.0, colour, params);
    }

    /// Light around a place; to be called while the light material is on.
    fn shine(&self, at: Vec2, radius: f32, colour: [f32; 3], strength: f32) {
        self.stamp(&self.glow, at, radius * 2.0, 0.0, rgb(colour, strength.clamp(0.0, 1.0)));
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

/// Shows how far loading is, before there is anything to draw with.
pub(crate) fn loading_screen(progress: f32) {
    set_default_camera();
    clear_background(Color::new(0.04, 0.04, 0.13, 1.0));
    let (width, y) = (screen_width() * 0.36, screen_height() * 0.5);
    let left = (screen_width() - width) / 2.0;
    draw_rectangle(left, y, width, 4.0, Color::new(1.0, 0.85, 0.6, 0.15));
    draw_rectangle(left, y, width * progress, 4.0, Color::new(1.0, 0.76, 0.42, 1.0));
    draw_circle(left + width * progress, y + 2.0, 7.0, Color::new(1.0, 0.9, 0.7, 1.0));
}
