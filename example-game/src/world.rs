//! The rules of a flight: positions, collisions and their effects. Nothing here draws.
//!
//! Steps have a fixed length, so the same steering leads to the same flight on every machine.

use std::sync::Arc;

use macroquad::math::{Vec2, vec2};

use crate::data::{Gusts, Tuning};
use crate::level::Level;

/// Size of the picture in the game's own pixels.
pub(crate) const VIEW: Vec2 = vec2(1280.0, 720.0);
/// Length of a step in seconds.
pub(crate) const STEP: f32 = 1.0 / 60.0;
/// The position of the lighthouse in the picture when the flight ends.
const ARRIVAL: f32 = 930.0;
/// From the centre of the lighthouse's ground to its lamp.
pub(crate) const LAMP: Vec2 = vec2(0.0, -214.0);
/// Half width and half height of the part of a storm cloud that hurts.
const STORM: Vec2 = vec2(104.0, 46.0);
const ROCK: f32 = 44.0;
/// How far a lightning bolt reaches below its cloud.
pub(crate) const LIGHTNING: f32 = 230.0;

/// A crystal: in the sky, on its way to the lantern, or taken.
#[derive(Clone, Debug)]
pub(crate) struct Crystal {
    pub(crate) at: Vec2,
    pub(crate) taken: bool,
    pulled: f32,
}

impl Crystal {
    fn new(at: Vec2) -> Self {
        Self { at, taken: false, pulled: 0.0 }
    }
}

/// The phase of a flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Phase {
    /// On the way.
    Flying,
    /// Bringing the light to the lamp for this many seconds so far.
    Landing(f32),
    /// The lamp burns.
    Arrived,
    /// Out of hearts, and falling for this many seconds so far.
    Falling(f32),
    /// The flight is over; `short` if the lantern brought too little light.
    Lost { short: bool },
}

/// What happened in a step, for sounds and sparks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    Gathered(Vec2),
    Hit(Vec2),
    Thunder(Vec2),
    LampLit(Vec2),
}

/// The assets that a flight follows.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) level: Arc<Level>,
    pub(crate) tuning: Arc<Tuning>,
    pub(crate) gusts: Arc<Gusts>,
}

/// A level being flown.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) rules: Rules,
    pub(crate) time: f32,
    /// Left edge of the picture.
    pub(crate) scroll: f32,
    pub(crate) at: Vec2,
    pub(crate) speed: Vec2,
    pub(crate) hearts: u32,
    pub(crate) gathered: usize,
    /// Seconds for which nothing hurts.
    pub(crate) mercy: f32,
    pub(crate) crystals: Vec<Crystal>,
    pub(crate) phase: Phase,
}

impl World {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            crystals: rules.level.crystals.iter().map(|at| Crystal::new(*at)).collect(),
            hearts: rules.tuning.hearts,
            rules,
            time: 0.0,
            scroll: 0.0,
            at: vec2(220.0, 330.0),
            speed: Vec2::ZERO,
            gathered: 0,
            mercy: 0.0,
            phase: Phase::Flying,
        }
    }

    /// Follows these rules from now on, and keeps what has happened. Costs nothing if the rules are the same.
    pub(crate) fn follow(&mut self, rules: Rules) {
        let before = std::mem::replace(&mut self.rules, rules);
        if !Arc::ptr_eq(&before.level, &self.rules.level) {
            let known: Vec<_> = before.level.crystals.iter().zip(&self.crystals).collect();
            let taken = |at: &Vec2| known.iter().any(|(home, crystal)| *home == at && crystal.taken);
            let again = |at: &Vec2| Crystal { taken: taken(at), ..Crystal::new(*at) };
            self.crystals = self.rules.level.crystals.iter().map(again).collect();
        }
        self.hearts = self.hearts.min(self.rules.tuning.hearts);
    }

    /// Returns how far the flight is, from 0 at the start to 1 at the lighthouse.
    pub(crate) fn progress(&self) -> f32 {
        (self.scroll / self.last_scroll()).clamp(0.0, 1.0)
    }

    fn last_scroll(&self) -> f32 {
        (self.rules.level.lighthouse.x - ARRIVAL).max(1.0)
    }

    /// Returns the wind at the lantern, for drawing and steering.
    pub(crate) fn wind(&self) -> f32 {
        self.rules.gusts.at(self.at.x) * self.rules.level.wind
    }

    /// Whether the storm cloud has a lightning bolt now. Clouds take turns.
    pub(crate) fn strikes(&self, storm: usize) -> bool {
        self.strike_phase(storm) < self.rules.tuning.strike_for
    }

    /// Returns the seconds since the cloud's last lightning bolt began.
    pub(crate) fn strike_phase(&self, storm: usize) -> f32 {
        (self.time + storm as f32 * 1.37).rem_euclid(self.rules.tuning.strike_every)
    }

    /// Returns the position of a rock, which bobs up and down.
    pub(crate) fn rock(&self, index: usize) -> Vec2 {
        self.rules.level.rocks[index] + vec2(0.0, (self.time * 1.1 + index as f32 * 2.1).sin() * 9.0)
    }

    /// Advances by one step. `steer` has a length of at most 1.
    pub(crate) fn step(&mut self, steer: Vec2) -> Vec<Event> {
        let mut events = Vec::new();
        self.time += STEP;
        self.mercy = (self.mercy - STEP).max(0.0);
        match self.phase {
            Phase::Flying => self.fly(steer.clamp_length_max(1.0), &mut events),
            Phase::Landing(seconds) => self.land(seconds, &mut events),
            Phase::Falling(seconds) => {
                self.speed.y += 260.0 * STEP;
                self.at += self.speed * STEP;
                self.phase = if seconds > 1.8 { Phase::Lost { short: false } } else { Phase::Falling(seconds + STEP) };
            }
            Phase::Arrived | Phase::Lost { .. } => {}
        }
        events
    }

    fn fly(&mut self, steer: Vec2, events: &mut Vec<Event>) {
        let scrolled = (self.rules.level.speed * STEP).min(self.last_scroll() - self.scroll).max(0.0);
        self.scroll += scrolled;
        let push = vec2(0.25, 1.0) * self.wind() * self.rules.tuning.gust;
        self.speed += (steer * self.rules.tuning.lift + push + vec2(0.0, self.rules.tuning.sink)) * STEP;
        self.speed -= self.speed * (self.rules.tuning.drag * STEP).min(1.0);
        self.at += self.speed * STEP + vec2(scrolled, 0.0);
        let (low, high) = (vec2(self.scroll + 70.0, 64.0), vec2(self.scroll + 860.0, 640.0));
        let inside = self.at.clamp(low, high);
        if inside.x != self.at.x {
            self.speed.x = 0.0;
        }
        if inside.y != self.at.y {
            self.speed.y = 0.0;
        }
        self.at = inside;
        self.gather(events);
        self.collide(events);
        if self.phase == Phase::Flying && self.scroll >= self.last_scroll() {
            let enough = self.gathered >= self.rules.level.need;
            self.phase = if enough { Phase::Landing(0.0) } else { Phase::Lost { short: true } };
        }
    }

    fn gather(&mut self, events: &mut Vec<Event>) {
        for crystal in self.crystals.iter_mut().filter(|c| !c.taken) {
            let way = self.at - crystal.at;
            if way.length() < self.rules.tuning.magnet {
                crystal.pulled = (crystal.pulled + STEP * 3.0).min(1.0);
            }
            crystal.at += way * crystal.pulled * 9.0 * STEP;
            if way.length() < self.rules.tuning.radius + 14.0 {
                crystal.taken = true;
                self.gathered += 1;
                events.push(Event::Gathered(crystal.at));
            }
        }
    }

    fn collide(&mut self, events: &mut Vec<Event>) {
        let mut hit = None;
        for (i, storm) in self.rules.level.storms.iter().enumerate() {
            let near = (self.at.x - storm.x).abs() < VIEW.x;
            if near && self.strike_phase(i) < STEP {
                events.push(Event::Thunder(*storm));
            }
            let away = self.at - *storm;
            let reach = STORM + Vec2::splat(self.rules.tuning.radius * 0.8);
            let under = away.x.abs() < 26.0 + self.rules.tuning.radius * 0.5 && (0.0..LIGHTNING).contains(&away.y);
            if (away / reach).length() < 1.0 || under && self.strikes(i) {
                hit = Some(away);
            }
        }
        for i in 0..self.rules.level.rocks.len() {
            let away = self.at - self.rock(i);
            if away.length() < ROCK + self.rules.tuning.radius {
                hit = Some(away);
            }
        }
        let Some(away) = hit.filter(|_| self.mercy <= 0.0) else { return };
        self.mercy = self.rules.tuning.mercy;
        self.hearts = self.hearts.saturating_sub(1);
        self.speed = away.normalize_or_zero() * 330.0;
        events.push(Event::Hit(self.at));
        if self.hearts == 0 {
            self.phase = Phase::Falling(0.0);
        }
    }

    fn land(&mut self, seconds: f32, events: &mut Vec<Event>) {
        let goal = self.rules.level.lighthouse + LAMP + vec2(-118.0, -18.0);
        self.at += (goal - self.at) * 1.8 * STEP;
        self.speed *= 0.96;
        if seconds < 1.9 && seconds + STEP >= 1.9 {
            events.push(Event::LampLit(self.rules.level.lighthouse + LAMP));
        }
        self.phase = if seconds > 4.4 { Phase::Arrived } else { Phase::Landing(seconds + STEP) };
    }

    /// Returns how brightly the lighthouse burns, 0 to 1.
    pub(crate) fn lamp(&self) -> f32 {
        match self.phase {
            Phase::Landing(seconds) => ((seconds - 1.9) / 0.8).clamp(0.0, 1.0),
            Phase::Arrived => 1.0,
            _ => 0.0,
        }
    }

    /// Returns how close a point is to something that hurts: 0 far away, 1 at its border, more inside.
    pub(crate) fn danger(&self, point: Vec2, margin: f32) -> f32 {
        let mut worst: f32 = 0.0;
        for storm in &self.rules.level.storms {
            let away = point - *storm;
            let reach = STORM + Vec2::splat(self.rules.tuning.radius + margin);
            worst = worst.max(1.6 - (away / reach).length());
            if away.x.abs() < 60.0 + margin && (0.0..LIGHTNING + margin).contains(&away.y) {
                worst = worst.max(0.7);
            }
        }
        for i in 0..self.rules.level.rocks.len() {
            worst = worst.max(1.6 - (point - self.rock(i)).length() / (ROCK + self.rules.tuning.radius + margin));
        }
        worst.max(0.0)
    }
}
