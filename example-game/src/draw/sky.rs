//! What is far away: sky, stars, moon, northern lights, mountains and seas of cloud, each moving at its own pace.

use macroquad::prelude::*;
use rres_runtime::LoadedGroup;

use super::{Scene, rgb, use_material};
use crate::engine;
use crate::error::Result;
use crate::live::{Live, Lives};
use crate::loading::ROUTES;
use crate::world::{VIEW, World};

/// The pictures of one level's group.
pub(super) struct Night {
    sky: Live<Texture2D>,
    moon: Option<Live<Texture2D>>,
    aurora: Option<Live<Texture2D>>,
    group: LoadedGroup,
}

impl Night {
    pub(super) fn new(lives: &Lives, number: usize, group: LoadedGroup) -> Result<Self> {
        let route = &ROUTES[number];
        let texture = |member| lives.of(&group.get(member), |image, path| engine::texture(image, path));
        Ok(Self {
            sky: texture(route.sky)?,
            moon: route.moon.map(texture).transpose()?,
            aurora: route.aurora.map(texture).transpose()?,
            group,
        })
    }

    /// The group, without what was made of it.
    pub(super) fn into_group(self) -> LoadedGroup {
        self.group
    }
}

impl Scene<'_> {
    /// Everything behind the flight.
    pub(super) fn draw_sky(&self, world: &World) {
        let sky = world.level.sky.as_str();
        let tint = |role: &str, alpha| rgb(self.with.palette.get().color(sky, role), alpha);
        draw_texture_ex(&self.night.sky.get(), 0.0, 0.0, WHITE, covering(VIEW));

        use_material(&self.with.light);
        let stars = match sky {
            "dawn" => 0.35,
            "dusk" => 0.8,
            _ => 1.0,
        };
        let twinkle = 0.88 + 0.12 * (world.time * 1.7).sin();
        self.with.tile(&self.with.stars, -20.0, 0.02, world.scroll + world.time * 3.0, rgb([1.0; 3], stars * twinkle));
        if let Some(aurora) = &self.night.aurora {
            self.with.northern.get().set_uniform("Strength", 0.85f32);
            use_material(&self.with.northern);
            draw_texture_ex(&aurora.get(), 0.0, 0.0, WHITE, covering(vec2(VIEW.x, 500.0)));
        }
        gl_use_default_material();

        if let Some(picture) = &self.night.moon {
            let moon = vec2(1010.0 - world.progress() * 190.0, 168.0);
            self.with.stamp(picture, moon, 230.0, 0.0, WHITE);
        }
        self.with.tile(&self.flight.wisps, 150.0, 0.06, world.scroll + world.time * 16.0, tint("wisps", 0.55));
        self.draw_far_lanterns(world);
        self.with.tile(&self.with.mountains_far, 250.0, 0.13, world.scroll, tint("far", 1.0));
        self.with.tile(&self.flight.cloud_seas[0], 436.0, 0.24, world.scroll + world.time * 9.0, tint("sea_far", 0.96));
        self.with.tile(&self.flight.mountains_near, 352.0, 0.38, world.scroll, tint("near", 1.0));
        self.draw_islands(world);
    }

    /// The bank of cloud in front of everything.
    pub(super) fn draw_front_clouds(&self, world: &World) {
        let tint = rgb(self.with.palette.get().color(&world.level.sky, "sea_near"), 0.98);
        self.with.tile(&self.flight.cloud_seas[1], 560.0, 1.25, world.scroll + world.time * 22.0, tint);
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
            use_material(&self.with.light);
            self.with.shine(vec2(x, y), width * 1.9, [1.0, 0.55, 0.22], 0.42);
            gl_use_default_material();
            self.with.stamp(
                &self.with.lantern_far,
                vec2(x, y),
                width,
                0.0,
                Color::new(0.95, 0.86, 0.92, 0.62 + 0.05 * seed),
            );
        }
    }

    fn draw_islands(&self, world: &World) {
        let near = self.with.palette.get().color(&world.level.sky, "near");
        for (i, place) in world.level.islands.iter().enumerate() {
            let x = 640.0 + (place.x - world.scroll - 640.0) * 0.62;
            if !(-300.0..VIEW.x + 300.0).contains(&x) {
                continue;
            }
            let y = place.y - 96.0 - (i % 3) as f32 * 54.0 + (world.time * 0.5 + i as f32).sin() * 6.0;
            // Farther things take on the colour of the air.
            let air = [0, 1, 2].map(|c| 0.62 + 0.38 * near[c].sqrt());
            self.with.stamp(&self.flight.islands[i % 2], vec2(x, y), 250.0 - (i % 3) as f32 * 46.0, 0.0, rgb(air, 1.0));
        }
    }
}

fn covering(size: Vec2) -> DrawTextureParams {
    DrawTextureParams { dest_size: Some(size), ..Default::default() }
}
