//! Sizes for people: `"80 MB"` in settings and variables, `19.4 MB` in reports.

use std::fmt;

/// A number of bytes. Prints with a decimal unit: `812 B`, `1.2 kB`, `19.4 MB`, `3.1 GB`.
///
/// ```
/// # use rres_settings::ByteSize;
/// assert_eq!(ByteSize::parse("1.5 KiB"), Some(ByteSize(1536)));
/// assert_eq!(ByteSize(19_400_000).to_string(), "19.4 MB");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSize(pub u64);

/// The units that can be parsed, in any case. The decimal ones are also printed.
const UNITS: [(&str, u64); 7] = [
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// The number of decimal units in [`UNITS`].
const DECIMAL: usize = 4;

impl ByteSize {
    /// The units that [`Self::parse`] accepts, for error messages.
    pub const UNITS_HELP: &str =
        "units are B, kB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024): \"80 MB\"";

    /// Parses a number with a unit such as `10 GB` or `1.5 GiB`, rounded down to whole bytes. Returns `None` for
    /// anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let unit_start = text.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, unit) = text.split_at(unit_start);
        let factor = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1;
        let number = number.trim_end();
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // The twelfth decimal is less than a byte for any unit, and the product with a unit fits 128 bits.
        if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 12 {
            return None;
        }
        let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(factor) / 10_u128.pow(fraction.len() as u32);
        whole.parse::<u64>().ok()?.checked_mul(factor)?.checked_add(u64::try_from(part).ok()?).map(Self)
    }
}

impl From<u64> for ByteSize {
    fn from(bytes: u64) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS[1..DECIMAL].iter().rev().find(|(_, factor)| self.0 >= *factor) {
            Some((unit, factor)) => {
                let tenths = u128::from(self.0) * 10 / u128::from(*factor);
                write!(f, "{}.{} {unit}", tenths / 10, tenths % 10)
            }
            None => write!(f, "{} B", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("80 MB", 80_000_000),
            ("4 GiB", 1 << 32),
            ("1.5KiB", 1536),
            (" 0 B ", 0),
            ("12 kb", 12_000),
            ("12 KB", 12_000),
            ("0.000001 MB", 1),
            ("17179869183 GiB", 17_179_869_183 << 30),
        ] {
            assert_eq!(ByteSize::parse(text), Some(ByteSize(bytes)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "80",
            "MB",
            "-1 MB",
            "1,5 MB",
            "1. MB",
            ".5 MB",
            "1 TB",
            "1 M B",
            "1e3 B",
            "99999999999999 GiB",
            "٣ MB",
        ] {
            assert_eq!(ByteSize::parse(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_are_written() {
        for (bytes, text) in
            [(0, "0 B"), (999, "999 B"), (1_250, "1.2 kB"), (80_000_000, "80.0 MB"), (u64::MAX, "18446744073.7 GB")]
        {
            assert_eq!(ByteSize(bytes).to_string(), text);
        }
    }
}
