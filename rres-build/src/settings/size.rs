//! Sizes as people write them, `"80 MB"` or `"1.5 GiB"`, to bytes and back.

const UNITS: [(&str, u64); 7] = [
    ("B", 1),
    ("KB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// The number of bytes that `text` says, rounded down. `None`: it is no size.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit_at);
    let factor = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1;
    let number = number.trim_end();
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // Twelve decimals are less than a byte of any unit, and their product with a unit fits 128 bits.
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 12 {
        return None;
    }
    let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(factor) / 10_u128.pow(fraction.len() as u32);
    whole.parse::<u64>().ok()?.checked_mul(factor)?.checked_add(u64::try_from(part).ok()?)
}

/// `bytes` for people, in decimal units with one digit after the point.
pub(super) fn format_size(bytes: u64) -> String {
    match UNITS[1..4].iter().rev().find(|(_, factor)| bytes >= *factor) {
        Some((unit, factor)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(*factor);
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sizes() {
        for (text, bytes) in [
            ("80 MB", 80_000_000),
            ("4 GiB", 1 << 32),
            ("1.5KiB", 1536),
            (" 0 B ", 0),
            ("12 kb", 12_000),
            ("0.000001 MB", 1),
            ("17179869183 GiB", 17_179_869_183 << 30),
        ] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
    }

    #[test]
    fn refuses_the_rest() {
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
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn writes_sizes() {
        for (bytes, text) in
            [(0, "0 B"), (999, "999 B"), (1_250, "1.2 KB"), (80_000_000, "80.0 MB"), (u64::MAX, "18446744073.7 GB")]
        {
            assert_eq!(format_size(bytes), text);
        }
    }
}
