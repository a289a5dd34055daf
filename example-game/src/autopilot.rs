//! Steers without a player: on the title screen, for screenshots, and for flights without a window.

use macroquad::math::{Vec2, vec2};

use crate::world::World;

/// How far the autopilot looks ahead, in seconds.
const AHEAD: [f32; 7] = [0.12, 0.3, 0.5, 0.75, 1.0, 1.3, 1.7];

/// Returns the direction to steer in now.
pub(crate) fn steer(world: &World) -> Vec2 {
    let home = world.scroll + 330.0;
    let next = world
        .crystals
        .iter()
        .filter(|c| !c.taken && c.at.x > world.at.x - 30.0 && c.at.x < world.at.x + 620.0)
        .min_by(|a, b| a.at.x.total_cmp(&b.at.x));
    let mut best = (f32::INFINITY, world.at.y);
    for step in 0..30 {
        let y = 70.0 + step as f32 * 19.0;
        let mut cost = (y - world.at.y).abs() * 0.0006 + (y - 340.0).abs() * 0.0002;
        for ahead in AHEAD {
            // It takes a moment to get there, so the heights on the way count as well.
            let reached = world.at.y + (y - world.at.y) * (ahead / 0.9).min(1.0);
            let point = vec2(world.at.x + world.rules.level.speed * ahead, reached);
            cost += world.danger(point, 26.0).powi(2) * (2.6 - ahead);
        }
        if let Some(crystal) = next {
            let urgency = 1.0 - ((crystal.at.x - world.at.x) / 700.0).clamp(0.0, 1.0);
            cost += (crystal.at.y - y).abs() * 0.003 * (0.3 + urgency);
        }
        if cost < best.0 {
            best = (cost, y);
        }
    }
    let up_or_down = (best.1 - world.at.y) * 0.020 - world.speed.y * 0.006 - world.wind() * 0.15 - 0.05;
    vec2(((home - world.at.x) * 0.01 - world.speed.x * 0.004).clamp(-1.0, 1.0), up_or_down.clamp(-1.0, 1.0))
}
