//! How a line carries any text: what would end a line or a field is escaped.
//!
//! Fields are separated by tabs. In a field, `\\` is a backslash, `\t` a tab, `\n` and `\r` are ends of lines.

use std::fmt::{self, Display, Write};

/// A text as one field of a line.
pub(super) struct Field<'t>(pub(super) &'t str);

impl Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '\\' => f.write_str("\\\\"),
            '\t' => f.write_str("\\t"),
            '\n' => f.write_str("\\n"),
            '\r' => f.write_str("\\r"),
            c => f.write_char(c),
        })
    }
}

/// The text of a field.
pub(super) fn unescape(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            c => c,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back_from_one_field() {
        for text in ["", "C:\\temp\\new", "a\tb\nc\r\n", "\\", "\\t", "höhe 中"] {
            let field = Field(text).to_string();
            assert!(!field.contains(['\t', '\n', '\r']), "{field:?}");
            assert_eq!(unescape(&field), text);
        }
    }
}
