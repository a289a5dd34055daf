//! Lengths with a unit: `"0.1 mm"` in settings.

use std::fmt;
use std::ops::RangeInclusive;

use super::domain::Domain;
use super::fingerprint::Fingerprint;
use super::shape::Shape;
use super::toml_reader::{TomlReader, Value};
use super::toml_string::toml_string;

/// A length in the space of models, whose unit is the metre, as in glTF. Prints in metres: `0.0001 m`.
///
/// ```
/// # use rres_settings::Length;
/// assert_eq!(Length::parse("0.1 mm"), Some(Length::millimetres(0.1)));
/// assert_eq!(Length::metres(0.0001).to_string(), "0.0001 m");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Length {
    metres: f64,
}

/// The units that can be parsed: what the number is divided by to be metres. A division rounds once, so that 0.1 mm is the number nearest to 0.0001.
const UNITS: [(&str, f64); 3] = [("mm", 1e3), ("cm", 1e2), ("m", 1.0)];

const UNITS_HELP: &str = "a number with mm, cm or m, such as \"0.1 mm\"";

impl Length {
    /// A length in metres: units of the model, after `model.scale`.
    pub const fn metres(metres: f64) -> Self {
        Self { metres }
    }

    /// A length in millimetres.
    pub const fn millimetres(millimetres: f64) -> Self {
        Self { metres: millimetres / 1e3 }
    }

    /// Returns the length in metres.
    pub const fn as_metres(self) -> f64 {
        self.metres
    }

    /// Parses a number with a unit: mm, cm or m. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = text.split_at(end);
        let (_, divisor) = UNITS.into_iter().find(|(name, _)| *name == unit.trim_start())?;
        let is_number =
            number.starts_with(|c: char| c.is_ascii_digit()) && !number.ends_with('.') && number.len() <= 40;
        let number: f64 = is_number.then(|| number.parse().ok()).flatten()?;
        Some(Self { metres: number / divisor })
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} m", self.metres)
    }
}

impl Fingerprint for Length {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend(self.metres.to_bits().to_le_bytes());
    }
}

/// A length in a range, as text with a unit.
pub(super) struct Lengths(pub(super) RangeInclusive<f64>, pub(super) &'static str);

impl Domain for Lengths {
    type Value = Length;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Length> {
        let Some(text) = value.get_ref().as_str() else {
            reader.wrong_type(key, value, UNITS_HELP);
            return None;
        };
        let Some(length) = Length::parse(text) else {
            let message = format!("unknown value {} for `{key}`, expected {UNITS_HELP}", toml_string(text));
            reader.error(&value.span(), message);
            return None;
        };
        if !self.0.contains(&length.metres) {
            reader.error(&value.span(), format!("out of range: {length} for `{key}`, expected {}", self.1));
            return None;
        }
        Some(length)
    }

    fn write(&self, length: &Length) -> Option<String> {
        Some(toml_string(&length.to_string()))
    }

    fn check(&self, length: &Length) -> Result<(), String> {
        if self.0.contains(&length.metres) { Ok(()) } else { Err(format!("expected {}", self.1)) }
    }

    fn values(&self) -> String {
        format!("\"{}\"", self.1.replace(" to ", "\" to \""))
    }

    fn shape(&self) -> Shape {
        Shape::text("^ *[0-9]+(\\.[0-9]+)? *(mm|cm|m) *$")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read() {
        for (text, metres) in [
            ("0.1 mm", 0.0001),
            ("1cm", 0.01),
            (" 2 m ", 2.0),
            ("0.05 mm", 0.00005),
            ("0.0001 m", 0.0001),
            ("0 m", 0.0),
        ] {
            assert_eq!(Length::parse(text), Some(Length::metres(metres)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in
            ["", "1", "mm", "-1 mm", "1e3 mm", "1. mm", ".5 mm", "1 km", "1 µm", "1 m m", "1.2.3 mm", "1,5 mm", "٣ mm"]
        {
            assert_eq!(Length::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for metres in [0.0001, 1e-7, 0.1 + 0.2, 1000.0, 1.0 / 3.0] {
            let length = Length::metres(metres);
            assert_eq!(Length::parse(&length.to_string()), Some(length));
        }
    }
}
