//! Draws the background: sky, stars, moon, northern lights, mountains and seas of cloud, each moving at its own pace.

use macroquad::prelude::*;

use super::{Effect, Painter, faded};
use crate::assets::world;
use crate::game::{Game, Screen};
use crate::loading::{LEVELS, LevelAssets};
use crate::world::{VIEW, World};

/// The width of the picture of the moon, with its halo.
const MOON: f32 = 230.0;

/// The position of the moon in the picture. On the title screen it stays below the title.
pub(crate) fn moon(game: &Game) -> Vec2 {
    match game.screen {
        Screen::Title => vec2(1096.0, 322.0),
        _ => vec2(1010.0 - game.world.progress() * 190.0, 168.0),
    }
}

impl Painter {
    /// Draws everything behind the flight.
    pub(super) fn draw_sky(&mut self, game: &Game) {
        let world = &game.world;
        let (LevelAssets { sky, moon: moon_picture, aurora, .. }, palette) = (&LEVELS[game.level], self.palette.get());
        let tint = |role: &str, alpha| faded(palette.color(&world.rules.level.sky, role), alpha);
        self.stretch(*sky, Vec2::ZERO, VIEW, WHITE);
        let stars = match world.rules.level.sky.as_str() {
            "dawn" => 0.35,
            "dusk" => 0.8,
            _ => 1.0,
        };
        let twinkle = 0.88 + 0.12 * (world.time * 1.7).sin();
        let shift = |pace: f32, speed: f32| world.scroll * pace + world.time * speed;
        self.lit(|p| p.tile(world::STARS_QOI, -20.0, shift(0.02, 0.06), faded(WHITE, stars * twinkle)));
        if let Some(aurora) = aurora {
            self.set_effect(Effect::Aurora, &[("Strength", 0.85)], &[]);
            self.stretch(*aurora, Vec2::ZERO, vec2(VIEW.x, 500.0), WHITE);
            gl_use_default_material();
        }
        if let Some(picture) = moon_picture {
            self.sprite(*picture, moon(game), MOON, 0.0, WHITE);
        }
        self.tile(world::WISPS_PNG, 150.0, shift(0.06, 0.96), tint("wisps", 0.55));
        self.draw_far_lanterns(game);
        self.tile(world::MOUNTAINS_FAR_PNG, 250.0, shift(0.13, 0.0), tint("far", 1.0));
        self.draw_islands(world, palette.color(&world.rules.level.sky, "near"));
        self.tile(world::CLOUD_SEA_FAR_PNG, 436.0, shift(0.24, 2.16), tint("sea_far", 0.96));
        self.tile(world::MOUNTAINS_NEAR_PNG, 352.0, shift(0.38, 0.0), tint("near", 1.0));
    }

    /// Draws the bank of cloud in front of everything.
    pub(super) fn draw_front_clouds(&mut self, world: &World) {
        let tint = faded(self.palette.get().color(&world.rules.level.sky, "sea_near"), 0.98);
        self.tile(world::CLOUD_SEA_NEAR_PNG, 560.0, world.scroll * 1.25 + world.time * 27.5, tint);
    }

    /// Draws other lanterns, far away, on the same way home.
    fn draw_far_lanterns(&mut self, game: &Game) {
        let (world, letters) = (&game.world, self.letters(game.screen));
        for i in 0..7 {
            let seed = i as f32;
            let x = seed * 271.0 - world.scroll * (0.07 + 0.018 * seed) + world.time * 4.0;
            let y = 150.0 + (seed * 97.0) % 190.0 + (world.time * 0.4 + seed * 2.4).sin() * 10.0;
            let at = vec2(x.rem_euclid(VIEW.x + 200.0) - 100.0, y);
            self.draw_far_lantern(at, (12.0 + 2.6 * seed) * letters.beside(at), 0.62 + 0.05 * seed);
        }
    }

    pub(super) fn draw_far_lantern(&mut self, at: Vec2, width: f32, alpha: f32) {
        self.lit(|p| p.shine(at, width * 1.9, Color::new(1.0, 0.55, 0.22, 1.0), 0.42));
        self.sprite(world::LANTERN_FAR_PNG, at, width, 0.0, Color::new(0.95, 0.86, 0.92, alpha));
    }

    fn draw_islands(&mut self, world: &World, near: Color) {
        for (i, place) in world.rules.level.islands.iter().enumerate() {
            // Far behind the lantern, which flies past them: they are slow, and the air in between hides part of them.
            let x = 640.0 + (place.x - world.scroll - 640.0) * 0.3;
            if (-300.0..VIEW.x + 300.0).contains(&x) {
                let distance = (i % 3) as f32;
                let y = place.y - 110.0 - distance * 44.0 + (world.time * 0.5 + i as f32).sin() * 6.0;
                // More distant things take on the colour of the air.
                let air = |c: f32| 0.62 + 0.38 * c.sqrt();
                let color = Color::new(air(near.r), air(near.g), air(near.b), 0.5 - 0.06 * distance);
                let island = [world::ISLAND_1_PNG, world::ISLAND_2_PNG][i % 2];
                self.sprite(island, vec2(x, y), 190.0 - distance * 36.0, 0.0, color);
            }
        }
    }
}
