//! Parses level files: a few settings, then a map of characters. Each character is 80 × 60 pixels of the sky.

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use macroquad::math::{Vec2, vec2};
use rres_runtime::{FromAsset, Store, Text};

/// Width and height of one character of the map.
const CELL: Vec2 = vec2(80.0, 60.0);
/// The top left corner of the map, placed so that a level starts with empty sky.
const ORIGIN: Vec2 = vec2(560.0, 96.0);

/// One night's journey.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// Key of the title in the language files.
    pub(crate) title: String,
    /// Name of the sky in the palette.
    pub(crate) sky: String,
    /// Speed in pixels per second.
    pub(crate) speed: f32,
    /// Number of crystals that the lamp needs.
    pub(crate) need: usize,
    /// Strength of gusts, 0 to 1.
    pub(crate) wind: f32,
    pub(crate) crystals: Vec<Vec2>,
    pub(crate) storms: Vec<Vec2>,
    pub(crate) rocks: Vec<Vec2>,
    pub(crate) islands: Vec<Vec2>,
    pub(crate) lighthouse: Vec2,
}

impl FromAsset for Level {
    type Source = Text;
    type Error = Error;

    fn from_asset(text: &Text, _: &Store) -> Result<Self> {
        Self::parse(text.as_str())
    }
}

impl Level {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let mut level = Self::default();
        let mut row = 0;
        for (line, content) in (1..).zip(text.lines()) {
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let read = if let Some((key, value)) = content.split_once('=') {
                level.set(key.trim(), value.trim())
            } else {
                row += 1;
                level.read_row(content, row - 1)
            };
            read.map_err(|error| anyhow!("line {line}: {error}"))?;
        }
        ensure!(level.lighthouse != Vec2::ZERO, "the map has no L, the lighthouse at its end");
        ensure!((20.0..=2000.0).contains(&level.speed), "speed is {}, expected 20 to 2000", level.speed);
        let count = level.crystals.len();
        ensure!(level.need <= count, "need is {}, but the map has {count} crystals (*)", level.need);
        // The autopilot and the drawing rely on this order.
        level.crystals.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        Ok(level)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let number = || value.parse::<f32>().ok().with_context(|| format!("{key} is \"{value}\", expected a number"));
        match key {
            "title" => self.title = value.to_owned(),
            "sky" => self.sky = value.to_owned(),
            "speed" => self.speed = number()?,
            "need" => self.need = number()?.max(0.0) as usize,
            "wind" => self.wind = number()?.clamp(0.0, 1.0),
            _ => bail!("unknown setting \"{key}\", expected title, sky, speed, need or wind"),
        }
        Ok(())
    }

    fn read_row(&mut self, content: &str, row: usize) -> Result<()> {
        for (column, sign) in content.chars().enumerate() {
            let place = ORIGIN + CELL * vec2(column as f32, row as f32);
            match sign {
                '.' | ' ' => {}
                '*' => self.crystals.push(place),
                'S' => self.storms.push(place),
                'R' => self.rocks.push(place),
                'I' => self.islands.push(place),
                'L' => self.lighthouse = place,
                _ => bail!("unknown sign '{sign}' in column {}, expected one of . * S R I L", column + 1),
            }
        }
        Ok(())
    }
}
