//! Short-lived points of light: the lantern's embers, what a crystal leaves behind, what a blow knocks loose.

use macroquad::math::{Vec2, vec2};

use crate::chance::Chance;
use crate::world::{Course, Event, STEP, World};

const MOST: usize = 600;

/// One point of light.
#[derive(Clone, Debug)]
pub(crate) struct Spark {
    pub(crate) at: Vec2,
    speed: Vec2,
    age: f32,
    life: f32,
    pub(crate) size: f32,
    pub(crate) colour: [f32; 3],
}

impl Spark {
    /// From 1 when it appears to 0 when it is gone.
    pub(crate) fn light(&self) -> f32 {
        (1.0 - self.age / self.life).clamp(0.0, 1.0)
    }
}

/// All sparks that are alive.
#[derive(Clone, Debug)]
pub(crate) struct Sparks {
    pub(crate) all: Vec<Spark>,
    chance: Chance,
}

impl Sparks {
    pub(crate) fn new() -> Self {
        Self { all: Vec::new(), chance: Chance::new(20_61) }
    }

    /// Ages the sparks by a step and adds those that the world and its events give rise to.
    pub(crate) fn step(&mut self, world: &World, events: &[Event]) {
        for spark in &mut self.all {
            spark.age += STEP;
            spark.at += spark.speed * STEP;
            spark.speed *= 1.0 - 1.6 * STEP;
            spark.speed.y -= 16.0 * STEP;
        }
        self.all.retain(|spark| spark.age < spark.life);
        if !matches!(world.course, Course::Lost { .. } | Course::Falling(_)) && self.chance.between(0.0, 1.0) < 0.55 {
            let side = self.chance.between(-9.0, 9.0);
            let drift = vec2(self.chance.between(-46.0, -6.0), self.chance.between(4.0, 34.0));
            self.add(world.at + vec2(side, 44.0), drift, 1.5, 2.6, [1.0, 0.62, 0.22]);
        }
        for event in events {
            match *event {
                Event::Gathered(at) => self.burst(at, 22, 150.0, [0.45, 0.95, 1.0]),
                Event::Hit(at) => self.burst(at, 34, 230.0, [1.0, 0.42, 0.3]),
                Event::LampLit(at) => self.burst(at, 110, 330.0, [1.0, 0.8, 0.4]),
                Event::Thunder(_) => {}
            }
        }
    }

    fn burst(&mut self, at: Vec2, count: usize, force: f32, colour: [f32; 3]) {
        for _ in 0..count {
            let turn = self.chance.between(0.0, std::f32::consts::TAU);
            let speed = Vec2::from_angle(turn) * force * self.chance.between(0.15, 1.0);
            let (life, size) = (self.chance.between(0.5, 1.4), self.chance.between(1.6, 4.6));
            self.add(at, speed, life, size, colour);
        }
    }

    fn add(&mut self, at: Vec2, speed: Vec2, life: f32, size: f32, colour: [f32; 3]) {
        if self.all.len() < MOST {
            self.all.push(Spark { at, speed, age: 0.0, life, size, colour });
        }
    }
}
