//! What is loaded first: writing, signs and materials, with which everything else is drawn, the loading screen too.

use macroquad::prelude::*;
use rres_runtime::{Font, Handle, Id, Image, LoadedGroup, Member, Store, Text};

use super::{View, rgb};
use crate::assets::groups::INTERFACE;
use crate::assets::{data, fonts, shaders, ui, world};
use crate::engine::{self, Meeting, Shader};
use crate::error::Result;
use crate::lettering::Lettering;
use crate::library;
use crate::live::{Live, Lives};
use crate::tables::Palette;
use crate::words::Words;
use crate::world::VIEW;

/// Pictures, writing and materials of the group `INTERFACE`.
pub(crate) struct Interface {
    pub(super) stars: Live<Texture2D>,
    pub(super) mountains_far: Live<Texture2D>,
    pub(super) lantern: Live<Texture2D>,
    pub(super) lantern_far: Live<Texture2D>,
    pub(super) glow: Live<Texture2D>,
    pub(super) grain: Live<Texture2D>,
    pub(super) vignette: Live<Texture2D>,
    pub(super) hearts: [Live<Texture2D>; 2],
    pub(super) crystal_sign: Live<Texture2D>,
    pub(super) panel: Live<Texture2D>,
    pub(super) scroll: Live<Texture2D>,
    pub(super) buttons: [Live<Texture2D>; 2],
    pub(super) pointer: Live<Texture2D>,
    pub(super) flags: [Live<Texture2D>; 4],
    pub(super) light: Live<Material>,
    pub(super) northern: Live<Material>,
    pub(super) ice: Live<Material>,
    pub(super) bright: Live<Material>,
    pub(super) blur: Live<Material>,
    pub(super) evening: Live<Material>,
    pub(super) title: Live<Lettering>,
    pub(super) heading: Live<Lettering>,
    pub(super) normal: Live<Lettering>,
    pub(super) small: Live<Lettering>,
    pub(super) palette: Handle<Palette>,
    words: Vec<Handle<Words>>,
    /// Where the link leads somewhere.
    pub(super) credits: Option<String>,
    /// Also of what is not drawn: the click, the title's music, licences.
    _group: LoadedGroup<INTERFACE>,
}

impl Interface {
    pub(super) fn new(store: &Store, lives: &Lives, group: LoadedGroup<INTERFACE>) -> Result<Self> {
        let texture =
            |member: Member<INTERFACE, Image>| lives.of(&group.get(member), |image, path| engine::texture(image, path));
        let lettering = |member: Member<INTERFACE, Font>, pixels| {
            lives.of(&group.get(member), move |font, path| Lettering::new(font, path, pixels))
        };
        // Of a type of the game's own: the pair of texts that becomes one material.
        let material = |id: Id<Text>, meeting, values: &'static [&str], textures: &'static [&str]| {
            let shader = store.load_as::<Shader>(id)?;
            lives.of(&shader, move |shader, path| engine::material(shader, path, meeting, values, textures))
        };
        Ok(Self {
            stars: texture(const { INTERFACE.member(world::STARS_QOI) })?,
            mountains_far: texture(const { INTERFACE.member(world::MOUNTAINS_FAR_PNG) })?,
            lantern: texture(const { INTERFACE.member(world::LANTERN_PNG) })?,
            lantern_far: texture(const { INTERFACE.member(world::LANTERN_FAR_PNG) })?,
            glow: texture(const { INTERFACE.member(world::GLOW_TGA) })?,
            grain: texture(const { INTERFACE.member(world::NOISE_PNG) })?,
            vignette: texture(const { INTERFACE.member(ui::VIGNETTE_PNG) })?,
            hearts: [
                texture(const { INTERFACE.member(ui::HEART_EMPTY_PNG) })?,
                texture(const { INTERFACE.member(ui::HEART_PNG) })?,
            ],
            crystal_sign: texture(const { INTERFACE.member(ui::CRYSTAL_PNG) })?,
            panel: texture(const { INTERFACE.member(ui::PANEL_PNG) })?,
            scroll: texture(const { INTERFACE.member(ui::SCROLL_BMP) })?,
            buttons: [
                texture(const { INTERFACE.member(ui::BUTTON_PNG) })?,
                texture(const { INTERFACE.member(ui::BUTTON_PRESSED_PNG) })?,
            ],
            pointer: texture(const { INTERFACE.member(ui::POINTER_TGA) })?,
            // In the order of `library::LANGUAGES`.
            flags: [
                texture(const { INTERFACE.member(ui::FLAG_EN_PNG) })?,
                texture(const { INTERFACE.member(ui::FLAG_DE_PNG) })?,
                texture(const { INTERFACE.member(ui::FLAG_FR_PNG) })?,
                texture(const { INTERFACE.member(ui::FLAG_ES_PNG) })?,
            ],
            light: material(shaders::LIGHT_FS, Meeting::Add, &[], &[])?,
            northern: material(shaders::AURORA_FS, Meeting::Add, &["Strength"], &[])?,
            ice: material(shaders::CRYSTAL_FS, Meeting::Depth, &["Gloss"], &["Surroundings"])?,
            bright: material(shaders::BRIGHT_FS, Meeting::Cover, &["Pixel"], &[])?,
            blur: material(shaders::BLUR_FS, Meeting::Cover, &["StepX", "StepY"], &[])?,
            evening: material(shaders::EVENING_FS, Meeting::Cover, &["Bloom", "Hurt"], &["Vignette", "Halo", "Grain"])?,
            title: lettering(const { INTERFACE.member(fonts::GOUDY_BOOKLETTER1911_OTF) }, 92)?,
            heading: lettering(const { INTERFACE.member(fonts::GOUDY_BOOKLETTER1911_OTF) }, 34)?,
            normal: lettering(const { INTERFACE.member(fonts::QUICKSAND_MEDIUM_TTF) }, 28)?,
            small: lettering(const { INTERFACE.member(fonts::QUICKSAND_MEDIUM_TTF) }, 20)?,
            palette: store.load_as(data::PALETTE_JSON)?,
            words: library::words(store)?,
            credits: library::credits(store)?,
            _group: group,
        })
    }

    /// What the game says in the language chosen.
    pub(super) fn words(&self, view: &View) -> std::sync::Arc<Words> {
        self.words[view.language].get()
    }

    /// A picture centred at `at`, with the given width.
    pub(super) fn stamp(&self, texture: &Live<Texture2D>, at: Vec2, width: f32, turn: f32, colour: Color) {
        let texture = texture.get();
        let size = vec2(width, width * texture.height() / texture.width());
        let params = DrawTextureParams { dest_size: Some(size), rotation: turn, ..Default::default() };
        draw_texture_ex(&texture, at.x - size.x / 2.0, at.y - size.y / 2.0, colour, params);
    }

    /// Light around a place; to be called while the light material is on.
    pub(super) fn shine(&self, at: Vec2, radius: f32, colour: [f32; 3], strength: f32) {
        self.stamp(&self.glow, at, radius * 2.0, 0.0, rgb(colour, strength.clamp(0.0, 1.0)));
    }

    /// A layer that repeats sideways and moves at `pace` of the flight.
    pub(super) fn tile(&self, texture: &Live<Texture2D>, y: f32, pace: f32, scroll: f32, colour: Color) {
        let texture = texture.get();
        let width = texture.width();
        let mut x = -(scroll * pace).rem_euclid(width);
        while x < VIEW.x {
            draw_texture(&texture, x, y, colour);
            x += width;
        }
    }
}
