//! Draws the flight: crystals and the lighthouse in three dimensions, storms, rocks, sparks, the lantern.

use macroquad::prelude::*;

use super::sky::moon;
use super::{Effect, Painter, faded, picture_camera};
use crate::assets::{models, world as pictures};
use crate::engine;
use crate::game::{Game, Screen};
use crate::loading::LEVELS;
use crate::world::{LAMP, LIGHTNING, Phase, VIEW, World};

const CRYSTAL: f32 = 31.0;
const LIGHTHOUSE: f32 = 88.0;
const WHALE: f32 = 74.0;

impl Painter {
    /// Draws everything that the lantern can meet, and the lantern.
    pub(super) fn draw_flight(&mut self, game: &Game, canvas: &RenderTarget) {
        let world = &game.world;
        self.draw_glow(game);
        self.draw_solids(game, canvas);
        set_camera(&picture_camera(Some(canvas.clone())));
        self.draw_beams(world);
        self.draw_rocks(world);
        self.draw_storms(world);
        self.draw_lantern(game);
        self.lit(|p| {
            for spark in &game.sparks {
                let (at, light) = (seen(world, spark.at), spark.light());
                p.sprite(pictures::SPARK_PNG, at, spark.size * (4.0 + 5.0 * light), 0.0, faded(spark.color, light));
            }
        });
        self.draw_front_clouds(world);
    }

    /// Draws the light of crystals and of the lamp. In front of the moon that light would not show, so crystals get a
    /// shade there.
    fn draw_glow(&mut self, game: &Game) {
        let (world, has_moon, letters) = (&game.world, LEVELS[game.level].moon.is_some(), self.letters(game.screen));
        for (i, at) in crystals_in_view(world) {
            let distance = (at - moon(game)).length();
            let lost = if has_moon { (1.0 - (distance - 115.0) / 60.0).clamp(0.0, 1.0) } else { 0.0 };
            let breath = 0.75 + 0.25 * (world.time * 2.2 + i as f32).sin();
            let part = letters.beside(at);
            let shade = Color::new(0.10, 0.08, 0.34, 0.85 * lost * part);
            (0..2).for_each(|_| self.sprite(pictures::GLOW_TGA, at, 140.0, 0.0, shade));
            self.lit(|p| p.shine(at, 66.0, Color::new(0.22, 0.72, 1.0, 1.0), 0.6 * breath * (1.0 - lost) * part));
        }
        let (lamp, light) = (seen(world, world.rules.level.lighthouse + LAMP), world.lamp());
        self.lit(|p| p.shine(lamp, 120.0 + 190.0 * light, Color::new(1.0, 0.66, 0.3, 1.0), 0.20 + 0.34 * light));
    }

    /// Draws the models from the front, with a second camera that tests depth.
    fn draw_solids(&mut self, game: &Game, canvas: &RenderTarget) {
        let (world, letters) = (&game.world, self.letters(game.screen));
        set_camera(&Camera3D {
            position: (VIEW / 2.0).extend(500.0),
            target: (VIEW / 2.0).extend(0.0),
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
        let surroundings = self.texture(pictures::SKY_LIGHT_HDR).map(|texture| ("Surroundings", texture));
        let surroundings: Vec<_> = surroundings.into_iter().collect();
        self.set_effect(Effect::Ice, &[("Gloss", 1.0)], &surroundings);
        let crystal = self.model(models::CRYSTAL_GLTF);
        for (i, at) in crystals_in_view(world) {
            let phase = i as f32 * 1.7;
            let size = CRYSTAL * letters.beside(at);
            let bob = vec2(0.0, (world.time * 1.6 + phase).sin() * 5.0);
            let turn = Quat::from_rotation_z(0.22 * (world.time * 0.9 + phase).sin())
                * Quat::from_rotation_x(0.30)
                * Quat::from_rotation_y(world.time * 1.3 + phase);
            crystal.iter().for_each(|mesh| engine::draw_lit(mesh, upwards(at + bob), size, turn, 1.0));
        }
        if let Some(whale) = self.whale() {
            // Far away: it passes slowly, and everything else is in front of it. On the title screen, it is below the letters.
            let height = if game.screen == Screen::Title { 345.0 } else { 150.0 };
            let at = vec2(1080.0 - world.scroll * 0.11 + world.time * 7.0, height + 26.0 * (world.time * 0.23).sin());
            self.set_effect(Effect::Ice, &[("Gloss", whale.gloss)], &[]);
            let turn = Quat::from_rotation_y(0.42) * Quat::from_rotation_x(0.22);
            whale.draw(world.time, upwards(at) - Vec3::Z * 300.0, WHALE, turn, 0.62);
        }
        let house = seen(world, world.rules.level.lighthouse);
        if house.x < VIEW.x + 220.0 {
            // Stone has no gloss.
            self.set_effect(Effect::Ice, &[("Gloss", 0.06)], &[]);
            let turn = Quat::from_rotation_x(0.16) * Quat::from_rotation_y(world.time * 0.10);
            let light = 0.72 + 0.28 * world.lamp();
            let model = self.model(models::LIGHTHOUSE_GLB);
            model.iter().for_each(|mesh| engine::draw_lit(mesh, upwards(house), LIGHTHOUSE, turn, light));
        }
        gl_use_default_material();
    }

    /// Draws the two turning beams of the burning lamp.
    fn draw_beams(&mut self, world: &World) {
        let (lamp, strength) = (seen(world, world.rules.level.lighthouse + LAMP), world.lamp());
        if strength <= 0.0 {
            return;
        }
        self.lit(|p| {
            for side in [0.0, std::f32::consts::PI] {
                // Seen from the side, a turning beam grows and shrinks.
                let reach = (world.time * 0.7 + side).cos();
                let length = 900.0 * reach;
                for layer in 0..8 {
                    let part = (layer as f32 + 0.5) / 8.0;
                    let at = lamp + vec2(length * part, -30.0 * part * reach.abs());
                    let size = vec2((length.abs() / 4.6).max(40.0), 46.0 + 150.0 * part);
                    let light = Color::new(1.0, 0.82, 0.5, 0.17 * strength * (1.0 - part));
                    p.stretch(pictures::GLOW_TGA, at - size / 2.0, size, light);
                }
            }
            p.shine(lamp, 62.0, Color::new(1.0, 0.86, 0.6, 1.0), strength * 0.8);
        });
    }

    fn draw_rocks(&mut self, world: &World) {
        for i in 0..world.rules.level.rocks.len() {
            let at = seen(world, world.rock(i));
            let (id, width) = [(pictures::ROCK_1_PNG, 92.0), (pictures::ROCK_2_PNG, 112.0)][i % 2];
            if in_view(at, width) {
                self.sprite(id, at, width, 0.06 * (world.time * 0.7 + i as f32).sin(), WHITE);
            }
        }
    }

    fn draw_storms(&mut self, world: &World) {
        let violet = Color::new(0.6, 0.5, 1.0, 1.0);
        for (i, storm) in world.rules.level.storms.iter().enumerate() {
            let drift = vec2((world.time * 0.6 + i as f32).sin() * 3.0, 0.0);
            let at = seen(world, *storm) + drift;
            if !in_view(at, 220.0) {
                continue;
            }
            let phase = world.strike_phase(i);
            let flash = if world.strikes(i) { 1.0 - phase * 1.4 + 0.25 * (phase * 60.0).sin() } else { 0.0 };
            if flash > 0.0 {
                // Every other lightning bolt is mirrored.
                let mirror = if (world.time / 3.4 + i as f32) as i32 % 2 == 0 { -1.0 } else { 1.0 };
                let size = vec2(96.0 * mirror, LIGHTNING);
                self.lit(|p| {
                    p.stretch(pictures::LIGHTNING_GIF, at + vec2(-size.x / 2.0, 22.0), size, faded(WHITE, flash));
                    p.shine(at + vec2(0.0, 90.0), 240.0, Color::new(0.45, 0.38, 1.0, 1.0), 0.55 * flash);
                });
            }
            let light = 0.92 + 0.08 * flash;
            let cloud = [pictures::STORM_1_PNG, pictures::STORM_2_PNG][i % 2];
            self.sprite(cloud, at + vec2(0.0, 4.0), 268.0, 0.0, Color::new(light, light, 1.0, 1.0));
            self.lit(|p| p.shine(at + vec2(0.0, 18.0), 120.0, violet, 0.6 * flash));
        }
    }

    fn draw_lantern(&mut self, game: &Game) {
        let world = &game.world;
        let at = seen(world, world.at);
        let fallen = match world.phase {
            Phase::Falling(seconds) => (seconds / 1.2).min(1.0),
            Phase::Lost { short: false } => 1.0,
            _ => 0.0,
        };
        let flicker = 0.92 + 0.05 * (world.time * 9.0).sin() + 0.03 * (world.time * 23.0).sin();
        let share = (world.gathered as f32 / world.rules.level.need.max(1) as f32).min(1.0);
        let strength = flicker * (1.0 - fallen) * (0.62 + 0.38 * share);
        let glow = self.palette.get().color(&world.rules.level.sky, "glow");
        self.lit(|p| {
            p.shine(at, 250.0 + 90.0 * share, glow, 0.42 * strength);
            p.shine(at + vec2(0.0, 10.0), 96.0, Color::new(1.0, 0.72, 0.36, 1.0), 0.5 * strength);
        });
        // It blinks while nothing can hurt it.
        let shown = world.mercy <= 0.0 || (world.mercy * 9.0) as i32 % 2 == 0 || game.screen != Screen::Flight;
        let paper = 1.0 - 0.6 * fallen;
        let color = Color::new(paper, paper, 0.25 + 0.75 * paper, if shown { 1.0 } else { 0.45 });
        let lean = (world.speed.x * 0.0006 + (world.time * 1.3).sin() * 0.03 + world.wind() * 0.05).clamp(-0.4, 0.4);
        self.sprite(pictures::LANTERN_PNG, at + vec2(0.0, 18.0), 84.0, lean + fallen * 0.5, color);
        self.lit(|p| p.shine(at + vec2(0.0, 14.0), 40.0, Color::new(1.0, 0.78, 0.45, 1.0), 0.30 * strength));
    }
}

/// Converts a position in the level to one in the picture.
fn seen(world: &World, at: Vec2) -> Vec2 {
    at - vec2(world.scroll, 0.0)
}

fn in_view(at: Vec2, margin: f32) -> bool {
    (-margin..VIEW.x + margin).contains(&at.x)
}

/// Returns the crystals that are left and visible: the number of each and its position in the picture.
fn crystals_in_view(world: &World) -> impl Iterator<Item = (usize, Vec2)> {
    let left = world.crystals.iter().enumerate().filter(|(_, crystal)| !crystal.taken);
    left.map(|(i, crystal)| (i, seen(world, crystal.at))).filter(|(_, at)| in_view(*at, 60.0))
}
