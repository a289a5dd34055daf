//! The place of an error in a text.

use rres_import::ImportError;

/// Adds the line and column of a byte, or of the character that contains it.
pub(super) fn at_byte(fault: ImportError, text: &str, byte: usize) -> ImportError {
    let (line, column) = place(text, byte);
    at(fault, line, column)
}

/// Line and column of a byte, both from 1.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let end = (0..=byte.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count())
}

/// Adds a line and a column, both from 1.
pub(super) fn at(fault: ImportError, line: usize, column: usize) -> ImportError {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    fault.at(number(line), number(column))
}
