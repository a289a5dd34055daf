//! Parses level files: a few settings, then a map of characters. Each character is 80 × 60 pixels of the sky.
//!
//! The build script and the tests of the game compile this file. The game itself reads the result, see `src/level.rs`.

/// Width and height of one character of the map.
const CELL: [f32; 2] = [80.0, 60.0];
/// The top left corner of the map, placed so that a level starts with empty sky.
const ORIGIN: [f32; 2] = [560.0, 96.0];

/// What a level file says. Places are in pixels.
#[derive(Debug, Default)]
pub(crate) struct Map {
    title: String,
    sky: String,
    speed: f32,
    need: u32,
    wind: f32,
    pub(crate) crystals: Vec<[f32; 2]>,
    pub(crate) storms: Vec<[f32; 2]>,
    pub(crate) rocks: Vec<[f32; 2]>,
    islands: Vec<[f32; 2]>,
    lighthouse: Option<[f32; 2]>,
}

/// What is wrong with a level file, and the line of the fault, counted from 1.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) line: Option<u32>,
    pub(crate) message: String,
}

impl Map {
    pub(crate) fn parse(text: &str) -> Result<Self, Mistake> {
        let mut map = Self::default();
        let mut row = 0;
        for (line, content) in (1..).zip(text.lines()) {
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let read = if let Some((key, value)) = content.split_once('=') {
                map.set(key.trim(), value.trim())
            } else {
                row += 1;
                map.read_row(content, row - 1)
            };
            read.map_err(|message| Mistake { line: Some(line), message })?;
        }
        map.check().map_err(|message| Mistake { line: None, message })?;
        // The autopilot and the drawing rely on this order.
        map.crystals.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        Ok(map)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<f32>().map_err(|_| format!("{key} is \"{value}\", expected a number"));
        match key {
            "title" => self.title = value.to_owned(),
            "sky" => self.sky = value.to_owned(),
            "speed" => self.speed = number()?,
            "need" => self.need = number()?.max(0.0) as u32,
            "wind" => self.wind = number()?.clamp(0.0, 1.0),
            _ => return Err(format!("unknown setting \"{key}\", expected title, sky, speed, need or wind")),
        }
        Ok(())
    }

    fn read_row(&mut self, content: &str, row: usize) -> Result<(), String> {
        for (column, sign) in content.chars().enumerate() {
            let place = [ORIGIN[0] + CELL[0] * column as f32, ORIGIN[1] + CELL[1] * row as f32];
            match sign {
                '.' | ' ' => {}
                '*' => self.crystals.push(place),
                'S' => self.storms.push(place),
                'R' => self.rocks.push(place),
                'I' => self.islands.push(place),
                'L' => self.lighthouse = Some(place),
                _ => {
                    let column = column + 1;
                    return Err(format!("unknown sign '{sign}' in column {column}, expected one of . * S R I L"));
                }
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        if self.lighthouse.is_none() {
            return Err("the map has no L, the lighthouse at its end".to_owned());
        }
        if !(20.0..=2000.0).contains(&self.speed) {
            return Err(format!("speed is {}, expected 20 to 2000", self.speed));
        }
        let count = self.crystals.len();
        if self.need as usize > count {
            return Err(format!("need is {}, but the map has {count} crystals (*)", self.need));
        }
        Ok(())
    }

    /// Returns the data of the asset. Numbers are little-endian: `f32` speed and wind, `u32` need, two `f32` of the lighthouse; four lists
    /// of places, each a `u32` count and two `f32` for each place: crystals, storms, rocks, islands; the title and the name of the sky,
    /// each a `u32` length and UTF-8.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [self.speed, self.wind].map(f32::to_le_bytes).concat();
        bytes.extend(self.need.to_le_bytes());
        bytes.extend(self.lighthouse.unwrap_or_default().map(f32::to_le_bytes).concat());
        for places in [&self.crystals, &self.storms, &self.rocks, &self.islands] {
            bytes.extend((places.len() as u32).to_le_bytes());
            bytes.extend(places.as_flattened().iter().flat_map(|value| value.to_le_bytes()));
        }
        for text in [&self.title, &self.sky] {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }
}
