//! Level files to levels: a few settings, then a map of characters. Each character is 80 by 60 pixels of the sky.

use macroquad::math::{Vec2, vec2};
use rres_runtime::{FromAsset, Store, Text};

use crate::error::Fault;

/// Width and height of one character of the map.
const CELL: Vec2 = vec2(80.0, 60.0);
/// Where the map's top left corner lies, so that a level starts with empty sky.
const ORIGIN: Vec2 = vec2(560.0, 96.0);
const LONGEST: usize = 2_000;

/// One night's journey.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// Key of the title in the language files.
    pub(crate) title: String,
    /// Name of the sky in the palette.
    pub(crate) sky: String,
    /// Pixels per second.
    pub(crate) speed: f32,
    /// Crystals that the lamp needs.
    pub(crate) need: usize,
    /// How strong gusts are, 0 to 1.
    pub(crate) wind: f32,
    pub(crate) crystals: Vec<Vec2>,
    pub(crate) storms: Vec<Vec2>,
    pub(crate) rocks: Vec<Vec2>,
    pub(crate) islands: Vec<Vec2>,
    pub(crate) lighthouse: Vec2,
}

impl FromAsset for Level {
    type Source = Text;
    type Error = Fault;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, Fault> {
        Self::parse(text.as_str())
    }
}

impl Level {
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let fault = Fault::new;
        let mut level = Self {
            title: String::new(),
            sky: String::new(),
            speed: 0.0,
            need: 0,
            wind: 0.0,
            crystals: Vec::new(),
            storms: Vec::new(),
            rocks: Vec::new(),
            islands: Vec::new(),
            lighthouse: Vec2::ZERO,
        };
        let mut row = 0;
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.trim_end();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            if let Some((key, value)) = content.split_once('=') {
                level.set(key.trim(), value.trim()).map_err(|why| fault(line, why))?;
                continue;
            }
            level.read_row(content, row).map_err(|why| fault(line, why))?;
            row += 1;
        }
        if level.lighthouse == Vec2::ZERO {
            return Err(fault(0, "the map has no L, the lighthouse at its end".to_owned()));
        }
        if !(20.0..=2000.0).contains(&level.speed) {
            return Err(fault(0, format!("speed is {}, expected 20 to 2000", level.speed)));
        }
        if level.need > level.crystals.len() {
            let why = format!("need is {}, but the map holds {} crystals (*)", level.need, level.crystals.len());
            return Err(fault(0, why));
        }
        // The first crystals come first: the autopilot and the drawing rely on it.
        level.crystals.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        Ok(level)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<f32>().map_err(|_| format!("{key} is \"{value}\", expected a number"));
        match key {
            "title" => self.title = value.to_owned(),
            "sky" => self.sky = value.to_owned(),
            "speed" => self.speed = number()?,
            "need" => self.need = number()?.clamp(0.0, 1e6) as usize,
            "wind" => self.wind = number()?.clamp(0.0, 1.0),
            _ => return Err(format!("unknown setting \"{key}\", expected title, sky, speed, need or wind")),
        }
        Ok(())
    }

    fn read_row(&mut self, content: &str, row: usize) -> Result<(), String> {
        if content.len() > LONGEST || row > 9 {
            return Err(format!("the map is larger than {LONGEST} columns by 10 rows"));
        }
        for (column, sign) in content.chars().enumerate() {
            let place = ORIGIN + CELL * vec2(column as f32, row as f32);
            match sign {
                '.' | ' ' => {}
                '*' => self.crystals.push(place),
                'S' => self.storms.push(place),
                'R' => self.rocks.push(place),
                'I' => self.islands.push(place),
                'L' => self.lighthouse = place,
                _ => {
                    return Err(format!("unknown sign '{sign}' in column {}, expected one of . * S R I L", column + 1));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "title = t\nsky = dusk\nspeed = 100\nneed = 1\nwind = 0.5\n\n*.S\n.RL\n";

    #[test]
    fn a_small_map() {
        let level = Level::parse(SMALL).unwrap();
        assert_eq!((level.crystals.len(), level.storms.len(), level.rocks.len()), (1, 1, 1));
        assert_eq!(level.lighthouse, ORIGIN + CELL * vec2(2.0, 1.0));
    }

    #[test]
    fn mistakes_name_the_line() {
        for (text, part) in [
            (SMALL.replace('L', "."), "has no L"),
            (SMALL.replace(".RL", ".?L"), "line 8: unknown sign '?' in column 2"),
            (SMALL.replace("speed = 100", "speed = fast"), "line 3: speed is \"fast\""),
            (SMALL.replace("need = 1", "need = 2"), "holds 1 crystals"),
            (SMALL.replace("wind", "wid"), "unknown setting \"wid\""),
        ] {
            let message = Level::parse(&text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
