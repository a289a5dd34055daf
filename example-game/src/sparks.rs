//! Short-lived points of light: embers of the lantern, and bursts when it gathers a crystal or is hit.

use macroquad::color::Color;
use macroquad::math::{Vec2, vec2};
use macroquad::rand::gen_range;

use crate::world::{Event, Phase, STEP, World};

/// One point of light.
#[derive(Clone, Debug)]
pub(crate) struct Spark {
    pub(crate) at: Vec2,
    speed: Vec2,
    age: f32,
    life: f32,
    pub(crate) size: f32,
    pub(crate) color: Color,
}

impl Spark {
    /// Falls from 1 to 0 during its lifetime.
    pub(crate) fn light(&self) -> f32 {
        (1.0 - self.age / self.life).clamp(0.0, 1.0)
    }
}

/// Ages the sparks by a step, and adds those that the world and its events cause.
pub(crate) fn step(sparks: &mut Vec<Spark>, world: &World, events: &[Event]) {
    for spark in &mut *sparks {
        spark.age += STEP;
        spark.at += spark.speed * STEP;
        spark.speed *= 1.0 - 1.6 * STEP;
        spark.speed.y -= 16.0 * STEP;
    }
    sparks.retain(|spark| spark.age < spark.life);
    if !matches!(world.phase, Phase::Lost { .. } | Phase::Falling(_)) && gen_range(0.0, 1.0) < 0.55 {
        let at = world.at + vec2(gen_range(-9.0, 9.0), 44.0);
        let speed = vec2(gen_range(-46.0, -6.0), gen_range(4.0, 34.0));
        sparks.push(Spark { at, speed, age: 0.0, life: 1.5, size: 2.6, color: Color::new(1.0, 0.62, 0.22, 1.0) });
    }
    for event in events {
        let (at, count, force, color) = match *event {
            Event::Gathered(at) => (at, 22, 150.0, Color::new(0.45, 0.95, 1.0, 1.0)),
            Event::Hit(at) => (at, 34, 230.0, Color::new(1.0, 0.42, 0.3, 1.0)),
            Event::LampLit(at) => (at, 110, 330.0, Color::new(1.0, 0.8, 0.4, 1.0)),
            Event::Thunder(_) => continue,
        };
        for _ in 0..count {
            let speed = Vec2::from_angle(gen_range(0.0, std::f32::consts::TAU)) * force * gen_range(0.15, 1.0);
            let (life, size) = (gen_range(0.5, 1.4), gen_range(1.6, 4.6));
            sparks.push(Spark { at, speed, age: 0.0, life, size, color });
        }
    }
}
