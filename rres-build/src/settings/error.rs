//! What is wrong with settings, and where: errors that point at a line and a column, and the text they point into.

use std::ops::Range;

/// One thing that is wrong with `assets.toml` or with a rule of `build.rs`.
///
/// [`Display`](std::fmt::Display) gives one line, `assets/assets.toml:3:9: unknown key …`; [`help`](Self::help) says
/// what to do about it, where that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{label}:{position}: {message}")]
pub struct SettingsError {
    label: String,
    position: Position,
    message: String,
    help: Option<String>,
}

impl SettingsError {
    pub(super) fn new(label: &str, position: Position, message: String, help: Option<String>) -> Self {
        Self { label: label.to_owned(), position, message, help }
    }

    /// The file, as it was named by the caller.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The line, from 1.
    pub fn line(&self) -> u32 {
        self.position.line
    }

    /// The column in characters, from 1.
    pub fn column(&self) -> u32 {
        self.position.column
    }

    /// The message without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

/// A place in a text, both counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The text that is being read, and the errors found in it so far.
pub(super) struct Source<'t> {
    label: &'t str,
    text: &'t str,
    line_starts: Vec<usize>,
    errors: Vec<(usize, SettingsError)>,
}

impl<'t> Source<'t> {
    pub(super) fn new(label: &'t str, text: &'t str) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { label, text, line_starts, errors: Vec::new() }
    }

    /// The place of the byte `at`.
    pub(super) fn position(&self, at: usize) -> Position {
        // A position inside a character is that character's.
        let at = (0..=at.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        let line = self.line_starts.partition_point(|&start| start <= at) - 1;
        let column = self.text[self.line_starts[line]..at].chars().count();
        Position { line: line as u32 + 1, column: column as u32 + 1 }
    }

    pub(super) fn error(&mut self, at: &Range<usize>, message: String) {
        self.push(at, message, None);
    }

    pub(super) fn error_with_help(&mut self, at: &Range<usize>, message: String, help: String) {
        self.push(at, message, Some(help));
    }

    pub(super) fn push(&mut self, at: &Range<usize>, message: String, help: Option<String>) {
        let error = SettingsError::new(self.label, self.position(at.start), message, help);
        self.errors.push((at.start, error));
    }

    /// An error of the TOML parser, in our words where they help.
    pub(super) fn toml_error(&mut self, error: &toml::de::Error) {
        let at = error.span().unwrap_or(self.text.len()..self.text.len());
        if error.message() == "duplicate key" {
            let found = self.text.get(at.clone()).unwrap_or_default().trim();
            let is_group = self.text.get(..at.start).is_some_and(|before| before.ends_with("[group."));
            let what = if is_group { "group" } else { "key" };
            let help = "two tables or keys have the same name: merge them".into();
            return self.error_with_help(&at, format!("duplicate {what} `{found}`"), help);
        }
        self.error(&at, format!("this is no TOML: {}", error.message()));
    }

    /// All errors in the order of the text; those of one place in the order they were found.
    pub(super) fn into_errors(mut self) -> Vec<SettingsError> {
        self.errors.sort_by_key(|(at, _)| *at);
        self.errors.into_iter().map(|(_, error)| error).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let source = Source::new("x", "ab\nä★c\r\n");
        for (at, line, column) in
            [(0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 2, 2), (6, 2, 2), (8, 2, 3), (11, 3, 1), (99, 3, 1)]
        {
            assert_eq!(source.position(at), Position { line, column }, "byte {at}");
        }
        assert_eq!(Source::new("x", "").position(0), Position { line: 1, column: 1 });
    }

    #[test]
    fn display_is_one_line_with_the_place() {
        let mut source = Source::new("assets/assets.toml", "a\nbc");
        source.error_with_help(&(3..4), "later".into(), "do this".into());
        source.error(&(0..1), "earlier".into());
        let errors = source.into_errors();
        assert_eq!(errors[0].to_string(), "assets/assets.toml:1:1: earlier");
        assert_eq!(errors[1].to_string(), "assets/assets.toml:2:2: later");
        assert_eq!(errors[1].help(), Some("do this"));
        assert_eq!((errors[1].line(), errors[1].column()), (2, 2));
    }
}
