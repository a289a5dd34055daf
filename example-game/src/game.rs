//! The order of screens: title, story, flight, success or failure. This file decides which screen is shown, but not how
//! it looks.

use macroquad::math::Vec2;

use crate::autopilot;
use crate::loading::LEVELS;
use crate::sparks::{self, Spark};
use crate::world::{Event, Phase, Rules, STEP, World};

/// What the player does in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    /// At most 1 long.
    pub(crate) steer: Vec2,
    /// Start, next level, try again.
    pub(crate) confirm: bool,
    pub(crate) pause: bool,
    /// Back to the title.
    pub(crate) home: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    Title,
    Story,
    Flight,
    Paused,
    Won,
    Lost,
}

/// A short sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Effect {
    Click,
    Collect,
    Hit,
    Thunder,
    Win,
    Lose,
}

/// The whole game, from the title to the last lamp.
pub(crate) struct Game {
    pub(crate) screen: Screen,
    /// How long the screen has been shown, in seconds.
    pub(crate) since: f32,
    pub(crate) level: usize,
    /// Crystals gathered in finished levels.
    pub(crate) total: usize,
    pub(crate) world: World,
    pub(crate) sparks: Vec<Spark>,
    /// Falls from 1 to 0 after a hit.
    pub(crate) hurt: f32,
    /// Whether the autopilot flies, also during a flight.
    pub(crate) autopilot: bool,
    /// The level to load, and the screen to start it with. The game pauses until [`Self::enter`].
    pub(crate) next: Option<(usize, Screen)>,
}

impl Game {
    pub(crate) fn new(level: usize, rules: Rules, screen: Screen) -> Self {
        let (world, sparks) = (World::new(rules), Vec::new());
        Self { screen, since: 0.0, level, total: 0, world, sparks, hurt: 0.0, autopilot: false, next: None }
    }

    pub(crate) fn is_last_level(&self) -> bool {
        self.level + 1 == LEVELS.len()
    }

    /// Starts a level at one of its screens.
    pub(crate) fn enter(&mut self, level: usize, rules: Rules, screen: Screen) {
        (self.level, self.world, self.sparks, self.next) = (level, World::new(rules), Vec::new(), None);
        self.show(screen);
    }

    /// Starts a level at once if it is loaded; otherwise asks for it.
    fn go_to(&mut self, level: usize, screen: Screen) {
        if level == self.level {
            self.enter(level, self.world.rules.clone(), screen);
        } else {
            self.next = Some((level, screen));
        }
    }

    fn show(&mut self, screen: Screen) {
        (self.screen, self.since) = (screen, 0.0);
    }

    fn go_home(&mut self) {
        self.total = 0;
        self.go_to(0, Screen::Title);
    }

    /// Advances by one step, and returns the sounds to play.
    pub(crate) fn step(&mut self, input: Input) -> Vec<Effect> {
        if self.next.is_some() {
            return Vec::new();
        }
        self.since += STEP;
        self.hurt = (self.hurt - STEP * 1.6).max(0.0);
        let mut effects = Vec::new();
        if input.confirm && self.screen != Screen::Flight {
            effects.push(Effect::Click);
        }
        match self.screen {
            Screen::Title => {
                self.fly(autopilot::steer(&self.world));
                if self.world.phase != Phase::Flying {
                    self.go_home();
                }
                if input.confirm {
                    self.go_to(0, Screen::Story);
                }
            }
            Screen::Story if input.confirm || self.autopilot && self.since > 0.5 => self.show(Screen::Flight),
            Screen::Story => {}
            Screen::Paused if input.home => self.go_home(),
            Screen::Paused if input.confirm || input.pause => self.show(Screen::Flight),
            Screen::Paused => {}
            Screen::Flight if input.pause => self.show(Screen::Paused),
            Screen::Flight => {
                let steer = if self.autopilot { autopilot::steer(&self.world) } else { input.steer };
                effects.extend(self.fly(steer));
                match self.world.phase {
                    Phase::Arrived => self.show(Screen::Won),
                    Phase::Lost { .. } => {
                        effects.push(Effect::Lose);
                        self.show(Screen::Lost);
                    }
                    _ => {}
                }
            }
            Screen::Won => {
                self.fly(Vec2::ZERO);
                if input.home || input.confirm && self.is_last_level() {
                    self.go_home();
                } else if input.confirm {
                    self.total += self.world.gathered;
                    self.go_to(self.level + 1, Screen::Story);
                }
            }
            Screen::Lost if input.home => self.go_home(),
            Screen::Lost if input.confirm => self.go_to(self.level, Screen::Story),
            Screen::Lost => {}
        }
        effects
    }

    fn fly(&mut self, steer: Vec2) -> Vec<Effect> {
        let events = self.world.step(steer);
        sparks::step(&mut self.sparks, &self.world, &events);
        if events.iter().any(|event| matches!(event, Event::Hit(_))) {
            self.hurt = 1.0;
        }
        let effect = |event: &Event| match event {
            Event::Gathered(_) => Effect::Collect,
            Event::Hit(_) => Effect::Hit,
            Event::Thunder(_) => Effect::Thunder,
            Event::LampLit(_) => Effect::Win,
        };
        events.iter().map(effect).collect()
    }
}
