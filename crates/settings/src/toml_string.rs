//! Texts as strings of TOML.

use std::fmt::Write as _;

/// The text in quotation marks, on one line.
pub fn toml_string(text: &str) -> String {
    let mut string = String::with_capacity(text.len() + 2);
    string.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => string.extend(['\\', c]),
            // Writing to memory never fails.
            c if c.is_control() => _ = write!(string, "\\u{:04x}", u32::from(c)),
            c => string.push(c),
        }
    }
    string.push('"');
    string
}
