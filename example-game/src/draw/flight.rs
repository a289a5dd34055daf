//! What the flight is about: crystals and the lighthouse in three dimensions, storms, rocks, sparks, the lantern. All of it
//! comes from one group, which stays loaded from level to level.

use std::rc::Rc;

use macroquad::prelude::*;
use rres_runtime::asset::Model;
use rres_runtime::{Handle, Image, LoadedGroup, Member, Store};

use super::{Scene, picture_camera, rgb, use_material};
use crate::assets::groups::FLIGHT;
use crate::assets::{models, world};
use crate::engine::{self, Solid};
use crate::error::Result;
use crate::journey::{Journey, Screen};
use crate::live::{Live, Lives};
use crate::world::{Course, LAMP, LIGHTNING, VIEW, World};

const CRYSTAL: f32 = 31.0;
const LIGHTHOUSE: f32 = 88.0;

/// The pictures and models of the group `FLIGHT`.
pub(super) struct Flight {
    pub(super) wisps: Live<Texture2D>,
    pub(super) mountains_near: Live<Texture2D>,
    pub(super) cloud_seas: [Live<Texture2D>; 2],
    pub(super) islands: [Live<Texture2D>; 2],
    storms: [Live<Texture2D>; 2],
    rocks: [Live<Texture2D>; 2],
    lightning: Live<Texture2D>,
    spark: Live<Texture2D>,
    surroundings: Live<Texture2D>,
    crystal: Live<Rc<[Solid]>>,
    lighthouse: Live<Rc<[Solid]>>,
    /// Also of what is not drawn: sounds and tables.
    _group: LoadedGroup<FLIGHT>,
}

impl Flight {
    pub(super) fn new(store: &Store, lives: &Lives, group: LoadedGroup<FLIGHT>) -> Result<Self> {
        let texture =
            |member: Member<FLIGHT, Image>| lives.of(&group.get(member), |image, path| engine::texture(image, path));
        let solids = |model: Handle<Model>| {
            let store = store.clone();
            lives.of(&model, move |model, path| engine::solids(&store, model, path))
        };
        // What is no member of the group does not compile.
        Ok(Self {
            wisps: texture(const { FLIGHT.member(world::WISPS_PNG) })?,
            mountains_near: texture(const { FLIGHT.member(world::MOUNTAINS_NEAR_PNG) })?,
            cloud_seas: [
                texture(const { FLIGHT.member(world::CLOUD_SEA_FAR_PNG) })?,
                texture(const { FLIGHT.member(world::CLOUD_SEA_NEAR_PNG) })?,
            ],
            islands: [
                texture(const { FLIGHT.member(world::ISLAND_1_PNG) })?,
                texture(const { FLIGHT.member(world::ISLAND_2_PNG) })?,
            ],
            storms: [
                texture(const { FLIGHT.member(world::STORM_1_PNG) })?,
                texture(const { FLIGHT.member(world::STORM_2_PNG) })?,
            ],
            rocks: [
                texture(const { FLIGHT.member(world::ROCK_1_PNG) })?,
                texture(const { FLIGHT.member(world::ROCK_2_PNG) })?,
            ],
            lightning: texture(const { FLIGHT.member(world::LIGHTNING_GIF) })?,
            spark: texture(const { FLIGHT.member(world::SPARK_PNG) })?,
            surroundings: texture(const { FLIGHT.member(world::SKY_LIGHT_HDR) })?,
            crystal: solids(group.get(const { FLIGHT.member(models::CRYSTAL_GLTF) }))?,
            lighthouse: solids(group.get(const { FLIGHT.member(models::LIGHTHOUSE_GLB) }))?,
            _group: group,
        })
    }
}

impl Scene<'_> {
    /// Everything that the lantern can meet, and the lantern.
    pub(super) fn draw_flight(&self, journey: &Journey, canvas: &RenderTarget) {
        let world = &journey.world;
        use_material(&self.with.light);
        for (i, at) in crystals_in_view(world) {
            let breath = 0.75 + 0.25 * (world.time * 2.2 + i as f32).sin();
            self.with.shine(at, 66.0, [0.22, 0.72, 1.0], 0.6 * breath);
        }
        self.draw_lamp_glow(world);
        gl_use_default_material();
        self.draw_solids(world, canvas);
        set_camera(&picture_camera(Some(canvas.clone())));
        self.draw_beam(world);
        self.draw_rocks(world);
        self.draw_storms(world);
        self.draw_lantern(journey);
        self.draw_sparks(journey);
        self.draw_front_clouds(world);
    }

    /// The models, seen straight from the front by a second camera that measures depth.
    fn draw_solids(&self, world: &World, canvas: &RenderTarget) {
        set_camera(&Camera3D {
            position: vec3(VIEW.x / 2.0, VIEW.y / 2.0, 500.0),
            target: vec3(VIEW.x / 2.0, VIEW.y / 2.0, 0.0),
            up: Vec3::Y,
            fovy: VIEW.y,
            aspect: Some(VIEW.x / VIEW.y),
            projection: Projection::Orthographics,
            render_target: Some(canvas.clone()),
            viewport: None,
            z_near: 1.0,
            z_far: 1000.0,
        });
        let upwards = |at: Vec2| vec3(at.x, VIEW.y - at.y, 0.0);
        let ice = self.with.ice.get();
        ice.set_texture("Surroundings", self.flight.surroundings.get());
        ice.set_uniform("Gloss", 1.0f32);
        gl_use_material(&ice);
        for (i, at) in crystals_in_view(world) {
            let phase = i as f32 * 1.7;
            let bob = vec2(0.0, (world.time * 1.6 + phase).sin() * 5.0);
            let turn = Quat::from_rotation_z(0.22 * (world.time * 0.9 + phase).sin())
                * Quat::from_rotation_x(0.30)
                * Quat::from_rotation_y(world.time * 1.3 + phase);
            self.flight.crystal.get().iter().for_each(|solid| solid.draw(upwards(at + bob), CRYSTAL, turn, [1.0; 3]));
        }
        let house = world.level.lighthouse - vec2(world.scroll, 0.0);
        if house.x < VIEW.x + 220.0 {
            // A new material value starts a new batch, so the stone stays dull.
            ice.set_uniform("Gloss", 0.06f32);
            gl_use_material(&ice);
            let turn = Quat::from_rotation_x(0.16) * Quat::from_rotation_y(world.time * 0.10);
            let dim = 0.72 + 0.28 * world.lamp();
            self.flight
                .lighthouse
                .get()
                .iter()
                .for_each(|solid| solid.draw(upwards(house), LIGHTHOUSE, turn, [dim; 3]));
        }
        gl_use_default_material();
    }

    fn draw_lamp_glow(&self, world: &World) {
        let lamp = world.level.lighthouse + LAMP - vec2(world.scroll, 0.0);
        if lamp.x < VIEW.x + 500.0 {
            self.with.shine(lamp, 120.0 + 190.0 * world.lamp(), [1.0, 0.66, 0.3], 0.20 + 0.34 * world.lamp());
        }
    }

    /// Two turning beams of the burning lamp.
    fn draw_beam(&self, world: &World) {
        let strength = world.lamp();
        if strength <= 0.0 {
            return;
        }
        let lamp = world.level.lighthouse + LAMP - vec2(world.scroll, 0.0);
        use_material(&self.with.light);
        let turn = world.time * 0.7;
        for side in [0.0, std::f32::consts::PI] {
            // Seen from the side, a turning beam grows and shrinks.
            let reach = (turn + side).cos();
            let length = 900.0 * reach;
            for layer in 0..8 {
                let part = (layer as f32 + 0.5) / 8.0;
                let at = lamp + vec2(length * part, -30.0 * part * reach.abs());
                let size = vec2((length.abs() / 4.6).max(40.0), 46.0 + 150.0 * part);
                let params = DrawTextureParams { dest_size: Some(size), ..Default::default() };
                let light = rgb([1.0, 0.82, 0.5], 0.17 * strength * (1.0 - part));
                draw_texture_ex(&self.with.glow.get(), at.x - size.x / 2.0, at.y - size.y / 2.0, light, params);
            }
        }
        self.with.shine(lamp, 62.0, [1.0, 0.86, 0.6], strength * 0.8);
        gl_use_default_material();
    }

    fn draw_rocks(&self, world: &World) {
        for i in 0..world.level.rocks.len() {
            let at = world.rock(i) - vec2(world.scroll, 0.0);
            if (-120.0..VIEW.x + 120.0).contains(&at.x) {
                let turn = 0.06 * (world.time * 0.7 + i as f32).sin();
                self.with.stamp(&self.flight.rocks[i % 2], at, if i % 2 == 0 { 92.0 } else { 112.0 }, turn, WHITE);
            }
        }
    }

    fn draw_storms(&self, world: &World) {
        for (i, storm) in world.level.storms.iter().enumerate() {
            let drift = vec2((world.time * 0.6 + i as f32).sin() * 3.0, 0.0);
            let at = *storm - vec2(world.scroll, 0.0) + drift;
            if !(-220.0..VIEW.x + 220.0).contains(&at.x) {
                continue;
            }
            let phase = world.strike_phase(i);
            let flash = if world.strikes(i) { 1.0 - phase * 1.4 + 0.25 * (phase * 60.0).sin() } else { 0.0 };
            use_material(&self.with.light);
            if flash > 0.0 {
                let size = vec2(96.0, LIGHTNING);
                let flipped = (world.time / 3.4 + i as f32) as i32 % 2 == 0;
                let params = DrawTextureParams { dest_size: Some(size), flip_x: flipped, ..Default::default() };
                draw_texture_ex(
                    &self.flight.lightning.get(),
                    at.x - 48.0,
                    at.y + 22.0,
                    rgb([1.0; 3], flash.clamp(0.0, 1.0)),
                    params,
                );
                self.with.shine(at + vec2(0.0, 90.0), 240.0, [0.45, 0.38, 1.0], 0.55 * flash);
            }
            gl_use_default_material();
            let light = 0.92 + 0.08 * flash;
            self.with.stamp(
                &self.flight.storms[i % 2],
                at + vec2(0.0, 4.0),
                268.0,
                0.0,
                Color::new(light, light, 1.0, 1.0),
            );
            if flash > 0.0 {
                use_material(&self.with.light);
                self.with.shine(at + vec2(0.0, 18.0), 120.0, [0.6, 0.5, 1.0], 0.6 * flash);
                gl_use_default_material();
            }
        }
    }

    fn draw_lantern(&self, journey: &Journey) {
        let world = &journey.world;
        let at = world.at - vec2(world.scroll, 0.0);
        let fallen = match world.course {
            Course::Falling(seconds) => (seconds / 1.2).min(1.0),
            Course::Lost { short: false } => 1.0,
            _ => 0.0,
        };
        let flicker = 0.92 + 0.05 * (world.time * 9.0).sin() + 0.03 * (world.time * 23.0).sin();
        let share = world.gathered as f32 / world.level.need.max(1) as f32;
        let strength = flicker * (1.0 - fallen) * (0.62 + 0.38 * share.min(1.0));
        let glow = self.with.palette.get().color(&world.level.sky, "glow");
        use_material(&self.with.light);
        self.with.shine(at, 250.0 + 90.0 * share.min(1.0), glow, 0.42 * strength);
        self.with.shine(at + vec2(0.0, 10.0), 96.0, [1.0, 0.72, 0.36], 0.5 * strength);
        gl_use_default_material();
        // Blinks while nothing can hurt it.
        let shown = world.mercy <= 0.0 || (world.mercy * 9.0) as i32 % 2 == 0 || journey.screen != Screen::Flight;
        let paper = 1.0 - 0.6 * fallen;
        let colour = Color::new(paper, paper, 0.25 + 0.75 * paper, if shown { 1.0 } else { 0.45 });
        let lean = (world.speed.x * 0.0006 + (world.time * 1.3).sin() * 0.03 + world.wind() * 0.05).clamp(-0.4, 0.4);
        self.with.stamp(&self.with.lantern, at + vec2(0.0, 18.0), 84.0, lean + fallen * 0.5, colour);
        use_material(&self.with.light);
        self.with.shine(at + vec2(0.0, 14.0), 40.0, [1.0, 0.78, 0.45], 0.30 * strength);
        gl_use_default_material();
    }

    fn draw_sparks(&self, journey: &Journey) {
        use_material(&self.with.light);
        for spark in &journey.sparks.all {
            let at = spark.at - vec2(journey.world.scroll, 0.0);
            let light = spark.light();
            self.with.stamp(&self.flight.spark, at, spark.size * (4.0 + 5.0 * light), 0.0, rgb(spark.colour, light));
        }
        gl_use_default_material();
    }
}

/// Crystals that are still there and in the picture: number and place in it.
fn crystals_in_view(world: &World) -> impl Iterator<Item = (usize, Vec2)> {
    let place = |(i, crystal): (usize, &crate::world::Crystal)| (i, crystal.at - vec2(world.scroll, 0.0));
    let seen = |(_, at): &(usize, Vec2)| (-60.0..VIEW.x + 60.0).contains(&at.x);
    world.crystals.iter().enumerate().filter(|(_, crystal)| !crystal.taken).map(place).filter(seen)
}
