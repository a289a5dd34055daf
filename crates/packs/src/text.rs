//! Pieces of text for messages: escaped names, counts, numbers.

use std::borrow::Cow;
use std::fmt::Write as _;

use rres_format::limits::MAX_NAME_LEN;

/// Escapes the characters of a name that would control the terminal: control characters, and those that change the
/// direction of text. Escaping twice changes nothing.
pub fn escape_terminal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let is_direction =
            matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || is_direction {
            // Writing to a string never fails.
            write!(out, "{}", c.escape_unicode()).unwrap_or_default();
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns a name as it is, or the start and the end of one that is longer than a resource's path can be. A hostile pack of
/// a few megabytes can have gigabytes of names.
pub fn shorten(name: &str) -> Cow<'_, str> {
    /// The number of bytes that are kept of each end.
    const KEPT: usize = 100;
    if name.len() <= MAX_NAME_LEN {
        return name.into();
    }
    let boundary = |near: std::ops::Range<usize>| near.into_iter().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
    // A character has at most four bytes.
    let (start, end) = (boundary(KEPT..KEPT + 4), boundary(name.len() - KEPT..name.len() - KEPT + 4));
    format!("{}[… {} bytes …]{}", &name[..start], end - start, &name[end..]).into()
}

/// Returns a number and its noun: `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns a number with a comma after each three digits: 6,730,920.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.char_indices() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_control_the_terminal() {
        let escaped = escape_terminal("a\x1b[31m\u{202e}ü");
        assert_eq!(escaped, r"a\u{1b}[31m\u{202e}ü");
        assert_eq!(escape_terminal(&escaped), escaped);
    }

    #[test]
    fn only_names_that_no_path_can_have_are_shortened() {
        let longest = "n".repeat(MAX_NAME_LEN);
        assert_eq!(shorten(&longest), longest);
        let short = shorten(&"ü".repeat(40_000)).into_owned();
        assert_eq!(short, format!("{0}[… 79800 bytes …]{0}", "ü".repeat(50)));
    }

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 6_730_920].map(grouped), ["0", "999", "1,000", "6,730,920"]);
    }

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!([count(0, "chunk"), count(1, "chunk"), count(2, "chunk")], ["0 chunks", "1 chunk", "2 chunks"]);
    }
}
