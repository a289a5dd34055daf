//! What is far away: sky, stars, moon, northern lights, mountains and seas of cloud, each moving at its own pace.

use macroquad::prelude::*;

use super::{Stage, rgb};
use crate::world::{VIEW, World};

impl Stage {
    /// Everything behind the flight.
    pub(super) fn draw_sky(&self, world: &World) {
        let sky = world.level.sky.as_str();
        let tint = |role: &str, alpha| rgb(self.palette.color(sky, role), alpha);
        let backdrop = self.skies.iter().find(|(name, _)| *name == sky).unwrap_or(&self.skies[0]);
        draw_texture_ex(&backdrop.1, 0.0, 0.0, WHITE, covering(VIEW));

        gl_use_material(&self.light);
        let stars = match sky {
            "dawn" => 0.35,
            "dusk" => 0.8,
            _ => 1.0,
        };
        let twinkle = 0.88 + 0.12 * (world.time * 1.7).sin();
        self.tile(&self.stars, -20.0, 0.02, world.scroll + world.time * 3.0, rgb([1.0; 3], stars * twinkle));
        if sky == "midnight" {
            self.northern.set_uniform("Strength", 0.85f32);
            gl_use_material(&self.northern);
            draw_texture_ex(&self.aurora, 0.0, 0.0, WHITE, covering(vec2(VIEW.x, 500.0)));
        }
        gl_use_default_material();

        if sky != "dawn" {
            let moon = vec2(1010.0 - world.progress() * 190.0, 168.0);
            self.stamp(&self.moon, moon, 230.0, 0.0, WHITE);
        }
        self.tile(&self.wisps, 150.0, 0.06, world.scroll + world.time * 16.0, tint("wisps", 0.55));
        self.draw_far_lanterns(world);
        self.tile(&self.mountains[0], 250.0, 0.13, world.scroll, tint("far", 1.0));
        self.tile(&self.cloud_seas[0], 436.0, 0.24, world.scroll + world.time * 9.0, tint("sea_far", 0.96));
        self.tile(&self.mountains[1], 352.0, 0.38, world.scroll, tint("near", 1.0));
        self.draw_islands(world);
    }

    /// The bank of cloud in front of everything.
    pub(super) fn draw_front_clouds(&self, world: &World) {
        let tint = rgb(self.palette.color(&world.level.sky, "sea_near"), 0.98);
        self.tile(&self.cloud_seas[1], 560.0, 1.25, world.scroll + world.time * 22.0, tint);
    }

    /// A layer that repeats sideways and moves at `pace` of the flight.
    fn tile(&self, texture: &Texture2D, y: f32, pace: f32, scroll: f32, colour: Color) {
        let width = texture.width();
        let mut x = -(scroll * pace).rem_euclid(width);
        while x < VIEW.x {
            draw_texture(texture, x, y, colour);
            x += width;
        }
    }

    /// Other lanterns, far away, on the same way home.
    fn draw_far_lanterns(&self, world: &World) {
        for i in 0..7u32 {
            let seed = i as f32;
            let pace = 0.07 + 0.018 * seed;
            let span = VIEW.x + 200.0;
            let x = (seed * 271.0 - world.scroll * pace + world.time * 4.0).rem_euclid(span) - 100.0;
            let y = 150.0 + (seed * 97.0) % 190.0 + (world.time * 0.4 + seed * 2.4).sin() * 10.0;
            let width = 12.0 + 2.6 * seed;
            gl_use_material(&self.light);
            self.shine(vec2(x, y), width * 1.9, [1.0, 0.55, 0.22], 0.42);
            gl_use_default_material();
            self.stamp(&self.lantern_far, vec2(x, y), width, 0.0, Color::new(0.95, 0.86, 0.92, 0.62 + 0.05 * seed));
        }
    }

    fn draw_islands(&self, world: &World) {
        let near = self.palette.color(&world.level.sky, "near");
        for (i, place) in world.level.islands.iter().enumerate() {
            let x = 640.0 + (place.x - world.scroll - 640.0) * 0.62;
            if !(-300.0..VIEW.x + 300.0).contains(&x) {
                continue;
            }
            let y = place.y - 96.0 - (i % 3) as f32 * 54.0 + (world.time * 0.5 + i as f32).sin() * 6.0;
            // Farther things take on the colour of the air.
            let air = [0, 1, 2].map(|c| 0.62 + 0.38 * near[c].sqrt());
            self.stamp(&self.islands[i % 2], vec2(x, y), 250.0 - (i % 3) as f32 * 46.0, 0.0, rgb(air, 1.0));
        }
    }
}

fn covering(size: Vec2) -> DrawTextureParams {
    DrawTextureParams { dest_size: Some(size), ..Default::default() }
}
