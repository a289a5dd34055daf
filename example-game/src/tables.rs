//! Raw data files to numbers and colours: the tuning table (CSV), the palette (JSON) and the gusts (floats).

use std::collections::BTreeMap;

use rres_runtime::{FromAsset, Raw, Store};

use crate::error::Fault;

/// Numbers that decide how the game feels; `data/tuning.csv` says what each is measured in.
#[derive(Clone, Debug)]
pub(crate) struct Tuning {
    pub(crate) lift: f32,
    pub(crate) drag: f32,
    pub(crate) sink: f32,
    pub(crate) gust: f32,
    pub(crate) radius: f32,
    pub(crate) magnet: f32,
    pub(crate) hearts: u32,
    pub(crate) mercy: f32,
    pub(crate) strike_every: f32,
    pub(crate) strike_for: f32,
}

impl FromAsset for Tuning {
    type Source = Raw;
    type Error = Fault;

    fn from_asset(raw: &Raw, _: &Store) -> Result<Self, Fault> {
        Self::parse(raw.bytes())
    }
}

impl Tuning {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let text = utf8(bytes)?;
        let mut values = BTreeMap::new();
        for (line, row) in (1..).zip(text.lines()).skip(1).filter(|(_, row)| !row.is_empty()) {
            let mut fields = row.split(',');
            let (Some(name), Some(value)) = (fields.next(), fields.next()) else {
                return Err(Fault::new(line, format!("\"{row}\" is no row of name,value,unit")));
            };
            let number: f32 = value
                .trim()
                .parse()
                .ok()
                .filter(|n: &f32| n.is_finite())
                .ok_or_else(|| Fault::new(line, format!("{name} is \"{value}\", expected a number")))?;
            values.insert(name.trim(), number);
        }
        let get = |name: &str| {
            values.get(name).copied().ok_or_else(|| Fault::new(0, format!("the row \"{name}\" is missing")))
        };
        Ok(Self {
            lift: get("lift")?,
            drag: get("drag")?,
            sink: get("sink")?,
            gust: get("gust")?,
            radius: get("radius")?,
            magnet: get("magnet")?,
            hearts: get("hearts")?.clamp(1.0, 9.0) as u32,
            mercy: get("mercy")?,
            strike_every: get("strike_every")?.max(0.1),
            strike_for: get("strike_for")?,
        })
    }
}

/// Colours by sky and by what they are for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette(BTreeMap<String, BTreeMap<String, [f32; 3]>>);

impl FromAsset for Palette {
    type Source = Raw;
    type Error = Fault;

    fn from_asset(raw: &Raw, _: &Store) -> Result<Self, Fault> {
        Self::parse(raw.bytes())
    }
}

impl Palette {
    /// Reads `{"sky": {"role": "#rrggbb", …}, …}`. Only the strings matter to it: a name before a brace opens a sky.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let text = utf8(bytes)?;
        let mut skies: BTreeMap<String, BTreeMap<String, [f32; 3]>> = BTreeMap::new();
        let (mut sky, mut role) = (String::new(), String::new());
        let parts: Vec<&str> = text.split('"').collect();
        for pair in parts[1..].chunks(2) {
            let [word, after] = pair else { return Err(Fault::new(0, "a quotation mark is missing")) };
            if let Some(code) = word.strip_prefix('#') {
                let value = u32::from_str_radix(code, 16).ok().filter(|_| code.len() == 6);
                let value = value.ok_or_else(|| Fault::new(0, format!("\"{word}\" is no colour #rrggbb")))?;
                let channel = |shift: u32| (value >> shift & 255) as f32 / 255.0;
                let colour = [channel(16), channel(8), channel(0)];
                skies.entry(sky.clone()).or_default().insert(role.clone(), colour);
            } else if after.contains('{') {
                sky = (*word).to_owned();
            } else {
                role = (*word).to_owned();
            }
        }
        Ok(Self(skies))
    }

    /// The colour of `role` under a sky; white where the palette has none, so that a new sky can be tried at once.
    pub(crate) fn color(&self, sky: &str, role: &str) -> [f32; 3] {
        self.0.get(sky).and_then(|roles| roles.get(role)).copied().unwrap_or([1.0; 3])
    }
}

/// How the wind pushes along a level, -1 to 1; repeats at its end.
#[derive(Clone, Debug)]
pub(crate) struct Gusts(Vec<f32>);

impl FromAsset for Gusts {
    type Source = Raw;
    type Error = Fault;

    fn from_asset(raw: &Raw, _: &Store) -> Result<Self, Fault> {
        Self::parse(raw.bytes())
    }
}

impl Gusts {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let (floats, []) = bytes.as_chunks::<4>() else {
            return Err(Fault::new(0, format!("{} bytes are no whole number of floats", bytes.len())));
        };
        let values: Vec<f32> = floats.iter().map(|raw| f32::from_le_bytes(*raw).clamp(-1.0, 1.0)).collect();
        if values.is_empty() || values.iter().any(|v| v.is_nan()) {
            return Err(Fault::new(0, "expected at least one number"));
        }
        Ok(Self(values))
    }

    /// The push at a distance from the start.
    pub(crate) fn at(&self, x: f32) -> f32 {
        let place = (x / 40.0).max(0.0);
        let (whole, part) = (place as usize, place.fract());
        let value = |i: usize| self.0[i % self.0.len()];
        value(whole) * (1.0 - part) + value(whole + 1) * part
    }
}

fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|e| Fault::new(0, format!("is not UTF-8: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palette_and_tuning() {
        let palette = Palette::parse(br##"{"a": {"far": "#ff0080", "near": "#000000"}, "b": {"far": "#00ff00"}}"##);
        let palette = palette.unwrap();
        assert_eq!(palette.color("a", "far"), [1.0, 0.0, 128.0 / 255.0]);
        assert_eq!(palette.color("b", "far"), [0.0, 1.0, 0.0]);
        assert!(Palette::parse(br##"{"a": {"far": "#ff"}}"##).is_err());
        let missing = Tuning::parse(b"name,value,unit\nlift,1,x\n").unwrap_err();
        assert!(missing.to_string().contains("the row \"drag\" is missing"), "{missing}");
    }

    #[test]
    fn gusts_between_their_values() {
        let bytes: Vec<u8> = [0.0f32, 1.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let gusts = Gusts::parse(&bytes).unwrap();
        assert_eq!((gusts.at(0.0), gusts.at(20.0), gusts.at(80.0)), (0.0, 0.5, 0.0));
        assert!(Gusts::parse(&bytes[1..]).is_err());
    }
}
