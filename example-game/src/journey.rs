//! The order of screens: title, story, flight, success or failure. Decides what is on, never how it looks.

use macroquad::math::Vec2;

use crate::autopilot;
use crate::sparks::Sparks;
use crate::world::{Course, Event, Rules, STEP, World};

/// How many levels there are.
pub(crate) const LEVELS: usize = 3;

/// What the player wants in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) steer: Vec2,
    /// Go on: start, next level, try again.
    pub(crate) confirm: bool,
    pub(crate) pause: bool,
    pub(crate) home: bool,
}

/// What is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    Title,
    Story,
    Flight,
    Paused,
    Won,
    Lost,
}

/// What should be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cue {
    Click,
    Collect,
    Hit,
    Thunder,
    Win,
    Lose,
}

impl Cue {
    pub(crate) const ALL: [Self; 6] = [Self::Click, Self::Collect, Self::Hit, Self::Thunder, Self::Win, Self::Lose];
}

/// The whole game, from title to last lamp.
#[derive(Clone, Debug)]
pub(crate) struct Journey {
    pub(crate) screen: Screen,
    /// Seconds that the screen has been on.
    pub(crate) since: f32,
    pub(crate) level: usize,
    /// Crystals brought home in finished levels.
    pub(crate) total: usize,
    pub(crate) world: World,
    pub(crate) sparks: Sparks,
    /// Fades after a blow, 1 to 0.
    pub(crate) hurt: f32,
    /// Whether the autopilot flies, also during flight.
    pub(crate) autopilot: bool,
    /// The level that should come next, where it is another one, and the screen that it starts with. Nothing happens until
    /// [`Self::enter`] brings it.
    pub(crate) wants: Option<(usize, Screen)>,
}

impl Journey {
    pub(crate) fn new(level: usize, rules: Rules, screen: Screen) -> Self {
        let (world, sparks) = (World::new(rules), Sparks::new());
        let (since, total, hurt, autopilot, wants) = (0.0, 0, 0.0, false, None);
        Self { screen, since, level, total, world, sparks, hurt, autopilot, wants }
    }

    /// Whether the level is the last one.
    pub(crate) fn is_last(&self) -> bool {
        self.level + 1 == LEVELS
    }

    /// Starts a level at one of its screens.
    pub(crate) fn enter(&mut self, level: usize, rules: Rules, screen: Screen) {
        self.level = level;
        self.world = World::new(rules);
        self.sparks = Sparks::new();
        self.wants = None;
        self.show(screen);
    }

    /// Has a level start, at once where it is the one that is there.
    fn want(&mut self, level: usize, screen: Screen) {
        match level == self.level {
            true => self.enter(level, self.world.rules(), screen),
            false => self.wants = Some((level, screen)),
        }
    }

    fn show(&mut self, screen: Screen) {
        self.screen = screen;
        self.since = 0.0;
    }

    fn show_title(&mut self) {
        self.total = 0;
        self.want(0, Screen::Title);
    }

    /// Goes one step on and tells what should be heard.
    pub(crate) fn step(&mut self, wishes: Wishes) -> Vec<Cue> {
        if self.wants.is_some() {
            return Vec::new();
        }
        self.since += STEP;
        self.hurt = (self.hurt - STEP * 1.6).max(0.0);
        let mut cues = Vec::new();
        if wishes.confirm && self.screen != Screen::Flight {
            cues.push(Cue::Click);
        }
        match self.screen {
            Screen::Title => {
                self.fly(autopilot::steer(&self.world));
                if !matches!(self.world.course, Course::Flying) {
                    self.show_title();
                }
                if wishes.confirm {
                    self.want(0, Screen::Story);
                }
            }
            Screen::Story if wishes.confirm || self.autopilot && self.since > 0.5 => self.show(Screen::Flight),
            Screen::Story => {}
            Screen::Paused if wishes.home => self.show_title(),
            Screen::Paused if wishes.confirm || wishes.pause => self.show(Screen::Flight),
            Screen::Paused => {}
            Screen::Flight if wishes.pause => self.show(Screen::Paused),
            Screen::Flight => {
                let steer = if self.autopilot { autopilot::steer(&self.world) } else { wishes.steer };
                cues.extend(self.fly(steer));
                match self.world.course {
                    Course::Arrived => self.show(Screen::Won),
                    Course::Lost { .. } => {
                        cues.push(Cue::Lose);
                        self.show(Screen::Lost);
                    }
                    _ => {}
                }
            }
            Screen::Won => {
                self.fly(Vec2::ZERO);
                if wishes.home || wishes.confirm && self.is_last() {
                    self.show_title();
                } else if wishes.confirm {
                    self.total += self.world.gathered;
                    self.want(self.level + 1, Screen::Story);
                }
            }
            Screen::Lost if wishes.home => self.show_title(),
            Screen::Lost if wishes.confirm => self.want(self.level, Screen::Story),
            Screen::Lost => {}
        }
        cues
    }

    fn fly(&mut self, steer: Vec2) -> Vec<Cue> {
        let events = self.world.step(steer);
        self.sparks.step(&self.world, &events);
        let mut cues = Vec::new();
        for event in events {
            cues.push(match event {
                Event::Gathered(_) => Cue::Collect,
                Event::Hit(_) => {
                    self.hurt = 1.0;
                    Cue::Hit
                }
                Event::Thunder(_) => Cue::Thunder,
                Event::LampLit(_) => Cue::Win,
            });
        }
        cues
    }
}
