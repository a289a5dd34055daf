//! Draws the game into one canvas with the window's resolution. A last shader draws the canvas to the window, and text
//! is drawn on top of it.
//!
//! [`Painter`] has everything that the screens need. They name assets by their constants, so an edited asset shows in
//! the next frame.

mod credits;
mod flight;
pub(crate) mod hud;
mod loading;
mod notices;
pub(crate) mod sky;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::Result;
use macroquad::prelude::*;
use rres_runtime::Font as Baked;
use rres_runtime::{Handle, Id, Image as Pixels, LoadedGroup, Model, Store, Text};

use crate::assets::groups::{FLIGHT, INTERFACE};
use crate::assets::{data, fonts, models, shaders, ui, world};
use crate::data::{LANGUAGES, Palette, Words, credits};
use crate::engine::{self, Blend, Shader};
use crate::font::Font;
use crate::game::{Game, Screen};
use crate::live::{Errors, Live};
use crate::loading::LoadedLevel;
use crate::skinned::Skinned;
use crate::world::VIEW;
pub(crate) use loading::{LoadingView, draw_first};

/// Everything that the screens are drawn with.
pub(crate) struct Painter {
    store: Store,
    errors: Errors,
    textures: HashMap<Id<Pixels>, Live<Pixels, Texture2D>>,
    models: HashMap<Id<Model>, Live<Model, Rc<[Mesh]>>>,
    whale: Option<Live<Model, Rc<Skinned>>>,
    /// In the order of [`Style`]: for languages in Latin letters, for Greek, and for Japanese.
    fonts: [[Live<Baked, Font>; 4]; 3],
    /// In the order of [`Effect`].
    materials: [Live<Shader, Material>; 6],
    palette: Handle<Palette>,
    words: Vec<Handle<Words>>,
    credits: Option<Arc<str>>,
    /// Whether the title screen shows who made the assets.
    pub(crate) shows_credits: bool,
    /// The number of the language.
    pub(crate) language: usize,
    /// The number of the level that is loaded, and its group.
    level: Option<(usize, LoadedGroup)>,
    canvas: Option<Canvas>,
    _interface: LoadedGroup<INTERFACE>,
    _flight: Option<LoadedGroup<FLIGHT>>,
}

/// A style of text.
#[derive(Clone, Copy)]
enum Style {
    Title,
    Heading,
    Normal,
    Small,
}

/// A shader effect to draw with.
#[derive(Clone, Copy)]
enum Effect {
    Light,
    Aurora,
    Ice,
    Bright,
    Blur,
    Evening,
}

impl Painter {
    pub(crate) fn new(store: &Store, errors: &Errors, interface: LoadedGroup<INTERFACE>) -> Result<Self> {
        let font = |id: Id<Baked>, pixels| -> Result<_> {
            Ok(Live::new(&store.load(id)?, errors, move |font| Font::new(font, pixels)))
        };
        let material = |id: Id<Text>, blend, values: &'static [&str], textures: &'static [&str]| -> Result<_> {
            let make = move |shader: &Arc<Shader>| engine::material(shader, blend, values, textures);
            Ok(Live::new(&store.load(id.into_type::<Shader>())?, errors, make))
        };
        Ok(Self {
            fonts: [
                [
                    font(fonts::GOUDY_BOOKLETTER1911_OTF, 92)?,
                    font(fonts::GOUDY_BOOKLETTER1911_OTF, 34)?,
                    font(fonts::QUICKSAND_MEDIUM_TTF, 28)?,
                    font(fonts::QUICKSAND_MEDIUM_TTF, 20)?,
                ],
                [
                    font(fonts::GFS_NEOHELLENIC_OTF, 92)?,
                    font(fonts::GFS_NEOHELLENIC_OTF, 34)?,
                    font(fonts::GFS_NEOHELLENIC_OTF, 28)?,
                    font(fonts::GFS_NEOHELLENIC_OTF, 20)?,
                ],
                [
                    font(fonts::NOTO_SANS_CJK_OTF, 92)?,
                    font(fonts::NOTO_SANS_CJK_OTF, 34)?,
                    font(fonts::NOTO_SANS_CJK_OTF, 28)?,
                    font(fonts::NOTO_SANS_CJK_OTF, 20)?,
                ],
            ],
            materials: [
                material(shaders::LIGHT_FS, Blend::Add, &[], &[])?,
                material(shaders::AURORA_FS, Blend::Add, &["Strength"], &[])?,
                material(shaders::CRYSTAL_FS, Blend::Depth, &["Gloss"], &["Surroundings"])?,
                material(shaders::BRIGHT_FS, Blend::Replace, &["Pixel"], &[])?,
                material(shaders::BLUR_FS, Blend::Replace, &["StepX", "StepY"], &[])?,
                material(shaders::EVENING_FS, Blend::Replace, &["Bloom", "Hurt"], &["Vignette", "Halo", "Grain"])?,
            ],
            palette: store.load(data::PALETTE_JSON.into_type())?,
            words: Words::load(store)?,
            credits: credits(store)?,
            textures: HashMap::new(),
            models: HashMap::new(),
            whale: None,
            shows_credits: false,
            language: 0,
            level: None,
            canvas: None,
            _interface: interface,
            _flight: None,
            store: store.clone(),
            errors: errors.clone(),
        })
    }

    /// Takes over the assets that were loaded.
    pub(crate) fn enter(&mut self, loaded: LoadedLevel) {
        self.level = Some((loaded.number, loaded.level));
        self._flight = loaded.flight.or(self._flight.take());
    }

    /// Frees what was made from the level's assets, and returns its group.
    pub(crate) fn leave(&mut self) -> Option<LoadedGroup> {
        let (_, group) = self.level.take()?;
        self.textures.retain(|id, _| group.find(*id).is_none());
        Some(group)
    }

    fn words(&self) -> Arc<Words> {
        self.words[self.language].get()
    }

    /// Returns the texture of an image. `None` if no texture can be made of it, which a notice explains.
    fn texture(&mut self, id: Id<Pixels>) -> Option<Texture2D> {
        if !self.textures.contains_key(&id) {
            let make = |image: &Arc<Pixels>| Ok(rres_macroquad::texture(image)?);
            self.textures.insert(id, Live::new(&self.store.load(id).ok()?, &self.errors, make));
        }
        self.textures.get_mut(&id)?.get().cloned()
    }

    fn model(&mut self, id: Id<Model>) -> Rc<[Mesh]> {
        if !self.models.contains_key(&id)
            && let Ok(model) = self.store.load(id)
        {
            let store = self.store.clone();
            let live = Live::new(&model, &self.errors, move |model| Ok(rres_macroquad::meshes(&store, model)?.into()));
            self.models.insert(id, live);
        }
        self.models.get_mut(&id).and_then(Live::get).cloned().unwrap_or_default()
    }

    /// Returns the model that swims in the sky, once the assets of flights are loaded.
    fn whale(&mut self) -> Option<Rc<Skinned>> {
        if self.whale.is_none() && self._flight.is_some() {
            let store = self.store.clone();
            let make = move |model: &Arc<Model>| Ok(Rc::new(Skinned::new(&store, model)?));
            self.whale = Some(Live::new(&self.store.load(models::WHALE_GLB).ok()?, &self.errors, make));
        }
        self.whale.as_mut()?.get().cloned()
    }

    fn font(&mut self, style: Style) -> Font {
        let script = match LANGUAGES[self.language] {
            "el" => 1,
            "ja" => 2,
            _ => 0,
        };
        self.fonts[script][style as usize].get().expect("fonts are made at the start").clone()
    }

    /// Returns the font of counters. Numbers are the same in all languages, so they look the same.
    fn number_font(&mut self) -> Font {
        self.fonts[0][Style::Normal as usize].get().expect("fonts are made at the start").clone()
    }

    /// Draws with `effect` from now on, with these numbers and textures.
    fn set_effect(&mut self, effect: Effect, values: &[(&str, f32)], textures: &[(&str, Texture2D)]) {
        if let Some(material) = self.materials[effect as usize].get() {
            values.iter().for_each(|(name, value)| material.set_uniform(name, *value));
            textures.iter().for_each(|(name, texture)| material.set_texture(name, texture.clone()));
            gl_use_material(material);
        }
    }

    /// Draws `paint` as light that is added to the picture.
    fn lit(&mut self, paint: impl FnOnce(&mut Self)) {
        self.set_effect(Effect::Light, &[], &[]);
        paint(self);
        gl_use_default_material();
    }

    /// Draws an image centred at `at`, with the given width.
    fn sprite(&mut self, id: Id<Pixels>, at: Vec2, width: f32, turn: f32, color: Color) {
        if let Some(texture) = self.texture(id) {
            let size = vec2(width, width * texture.height() / texture.width());
            let params = DrawTextureParams { dest_size: Some(size), rotation: turn, ..Default::default() };
            draw_texture_ex(&texture, at.x - size.x / 2.0, at.y - size.y / 2.0, color, params);
        }
    }

    /// Draws an image over a rectangle.
    fn stretch(&mut self, id: Id<Pixels>, corner: Vec2, size: Vec2, color: Color) {
        if let Some(texture) = self.texture(id) {
            let params = DrawTextureParams { dest_size: Some(size), ..Default::default() };
            draw_texture_ex(&texture, corner.x, corner.y, color, params);
        }
    }

    /// Draws light around a position. Call it within [`Self::lit`].
    fn shine(&mut self, at: Vec2, radius: f32, color: Color, strength: f32) {
        let color = Color { a: strength.clamp(0.0, 1.0), ..color };
        self.sprite(world::GLOW_TGA, at, radius * 2.0, 0.0, color);
    }

    /// Draws a soft dark spot, for text on the open sky.
    fn shade(&mut self, centre: Vec2, size: Vec2, strength: f32) {
        self.stretch(world::GLOW_TGA, centre - size / 2.0, size, Color::new(0.04, 0.02, 0.12, strength));
    }

    /// Draws a layer that repeats sideways, moved to the left by `shift`.
    fn tile(&mut self, id: Id<Pixels>, y: f32, shift: f32, color: Color) {
        let Some(texture) = self.texture(id) else { return };
        let mut x = -shift.rem_euclid(texture.width());
        while x < VIEW.x {
            draw_texture(&texture, x, y, color);
            x += texture.width();
        }
    }

    /// Draws the game, including the title.
    pub(crate) fn draw(&mut self, game: &Game, pointer: Option<Vec2>) {
        self.draw_picture(game.hurt, |painter, canvas| {
            painter.draw_sky(game);
            painter.draw_flight(game, canvas);
        });
        match game.screen {
            Screen::Title if self.shows_credits => self.draw_credits(game.since),
            Screen::Title => self.draw_title(game.since),
            Screen::Story => self.draw_story(game),
            Screen::Flight | Screen::Paused | Screen::Won | Screen::Lost => self.draw_hud(game),
        }
        if let (Some(at), Some(texture)) = (pointer, self.texture(ui::POINTER_TGA)) {
            draw_texture(&texture, at.x - 3.0, at.y - 2.0, WHITE);
        }
    }

    /// Calls `paint` to draw a picture, and draws that to the window.
    fn draw_picture(&mut self, hurt: f32, paint: impl FnOnce(&mut Self, &RenderTarget)) {
        let window = Frame::of_window();
        let canvas = self.canvas(&window);
        set_camera(&picture_camera(Some(canvas.whole.clone())));
        clear_background(BLACK);
        paint(self, &canvas.whole);
        self.draw_halo(&canvas);

        set_camera(&window.camera());
        clear_background(BLACK);
        let mut textures = vec![("Halo", canvas.halo[0].texture.clone())];
        textures.extend(self.texture(ui::VIGNETTE_PNG).map(|texture| ("Vignette", texture)));
        textures.extend(self.texture(world::NOISE_PNG).map(|texture| ("Grain", texture)));
        self.set_effect(Effect::Evening, &[("Bloom", 0.85), ("Hurt", hurt)], &textures);
        draw_canvas(&canvas.whole);
        gl_use_default_material();
    }

    /// Draws the bright parts of the picture, blurred along one axis and then along the other.
    fn draw_halo(&mut self, canvas: &Canvas) {
        let size = canvas.halo[0].texture.size();
        set_camera(&picture_camera(Some(canvas.halo[0].clone())));
        self.set_effect(Effect::Bright, &[("Pixel", 1.0 / canvas.whole.texture.width())], &[]);
        draw_canvas(&canvas.whole);
        for (i, (x, y)) in [(1.5 / size.x, 0.0), (0.0, 1.5 / size.y)].into_iter().enumerate() {
            set_camera(&picture_camera(Some(canvas.halo[1 - i].clone())));
            self.set_effect(Effect::Blur, &[("StepX", x), ("StepY", y)], &[]);
            draw_canvas(&canvas.halo[i]);
        }
        gl_use_default_material();
    }

    /// Returns the canvas. Makes a new one if the size of the window has changed.
    fn canvas(&mut self, window: &Frame) -> Canvas {
        let size = uvec2(window.size.x.max(1.0) as u32, window.size.y.max(1.0) as u32);
        if let Some(canvas) = self.canvas.as_ref().filter(|canvas| canvas.whole.texture.size().as_uvec2() == size) {
            return canvas.clone();
        }
        let target = |width, height, sample_count, depth| {
            let target = render_target_ex(width, height, RenderTargetParams { sample_count, depth });
            target.texture.set_filter(FilterMode::Linear);
            target
        };
        // Four samples per pixel, for smooth edges of the models.
        let whole = target(size.x, size.y, 4, true);
        let small = || target(size.x.div_ceil(4), size.y.div_ceil(4), 1, false);
        self.canvas.insert(Canvas { halo: [small(), small()], whole }).clone()
    }
}

/// The textures that the picture is drawn into before it goes to the window.
#[derive(Clone)]
struct Canvas {
    whole: RenderTarget,
    /// Two small ones, for the blur.
    halo: [RenderTarget; 2],
}

/// Draws a canvas over the whole current one. What was drawn into a texture is upside down.
fn draw_canvas(canvas: &RenderTarget) {
    let params = DrawTextureParams { dest_size: Some(VIEW), flip_y: true, ..Default::default() };
    draw_texture_ex(&canvas.texture, 0.0, 0.0, WHITE, params);
}

/// Returns the part of the window that shows the picture without distortion.
struct Frame {
    corner: Vec2,
    size: Vec2,
}

impl Frame {
    fn of_window() -> Self {
        let window = vec2(screen_width(), screen_height()) * screen_dpi_scale();
        let size = (VIEW * (window / VIEW).min_element()).floor();
        Self { corner: (window - size) / 2.0, size }
    }

    fn camera(&self) -> Camera2D {
        let (corner, size) = (self.corner.as_ivec2(), self.size.as_ivec2());
        Camera2D { viewport: Some((corner.x, corner.y, size.x, size.y)), ..picture_camera(None) }
    }
}

/// Returns the position of the mouse, in the game's pixels.
pub(crate) fn pointer() -> Vec2 {
    let frame = Frame::of_window();
    (Vec2::from(mouse_position()) * screen_dpi_scale() - frame.corner) / frame.size * VIEW
}

/// Returns a camera that shows the game's pixels, with y downwards, in the window or in a canvas.
fn picture_camera(canvas: Option<RenderTarget>) -> Camera2D {
    let up = if canvas.is_some() { -1.0 } else { 1.0 };
    let zoom = vec2(2.0 / VIEW.x, 2.0 / VIEW.y * up);
    Camera2D { target: VIEW / 2.0, zoom, render_target: canvas, ..Default::default() }
}

fn faded(color: Color, alpha: f32) -> Color {
    Color { a: color.a * alpha.clamp(0.0, 1.0), ..color }
}

/// Eases a value from 0 to 1: it changes slowly at both ends.
fn ease(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

const CREAM: Color = Color::new(1.0, 0.95, 0.86, 1.0);
const GOLD: Color = Color::new(1.0, 0.80, 0.50, 1.0);
const PALE: Color = Color::new(0.86, 0.80, 0.95, 0.92);
const LAMPLIGHT: Color = Color::new(1.0, 0.69, 0.38, 1.0);
