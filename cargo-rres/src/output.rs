//! How things are printed: tables, sizes, bars, colours on terminals, names that cannot harm the terminal.

use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde_json::Value;

/// When output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On terminals, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    fn is_on(self, terminal: bool) -> bool {
        let refused = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => terminal && !refused(),
        }
    }
}

/// Styles, as the parameters of a terminal's `ESC [ … m`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Bold,
    Dim,
    Good,
    Bad,
    Bar,
}

impl Style {
    const fn code(self) -> &'static str {
        match self {
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Good => "32",
            Self::Bad => "1;31",
            Self::Bar => "36",
        }
    }
}

/// Standard output.
pub(crate) struct Output {
    out: BufWriter<StdoutLock<'static>>,
    color: Color,
}

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        Self { out: BufWriter::new(io::stdout().lock()), color }
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.out.write_all(text.as_ref().as_bytes())?;
        self.out.write_all(b"\n")
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.out, value).map_err(io::Error::from)?;
        self.line("")
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.out.get_ref().is_terminal()
    }

    pub(crate) fn style(&self, style: Style, text: &str) -> String {
        paint(self.color.is_on(self.is_terminal()), style, text)
    }

    /// A message beside the output, on standard error.
    pub(crate) fn warn(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        let on = self.color.is_on(io::stderr().is_terminal());
        to_stderr(&format!("{} {text}", paint(on, Style::Bold, "warning:")));
        Ok(())
    }

    /// A problem of a pack or asset, on standard error.
    pub(crate) fn problem(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        print_error(self.color, text);
        Ok(())
    }
}

pub(crate) fn print_error(color: Color, text: &str) {
    let on = color.is_on(io::stderr().is_terminal());
    to_stderr(&format!("{} {text}", paint(on, Style::Bad, "error:")));
}

fn to_stderr(text: &str) {
    // Where nobody listens there is nobody to tell about it.
    drop(writeln!(io::stderr().lock(), "{text}"));
}

fn paint(on: bool, style: Style, text: &str) -> String {
    match on {
        true => format!("\x1b[{}m{text}\x1b[0m", style.code()),
        false => text.to_owned(),
    }
}

/// A size for people: `812 B`, `1.2 KiB`, `19.4 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

/// A name from a pack, which may hold anything: what would steer the terminal is shown as its number.
pub(crate) fn shown(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let steers = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match c.is_control() || steers {
            // A string takes whatever is written to it.
            true => write!(out, "{}", c.escape_unicode()).unwrap_or_default(),
            false => out.push(c),
        }
    }
    out
}

/// A bar of `share` (0 to 1) of `width` characters, in eighths.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (width * 8) as f64).round() as usize;
    // What is there at all shall be seen.
    let eighths = if share > 0.0 { eighths.max(1) } else { eighths };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// How a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows in columns.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table; names that start with `>` head columns of numbers.
    pub(crate) fn new(heads: &[&str]) -> Self {
        let align = |head: &&str| if head.starts_with('>') { Align::Right } else { Align::Left };
        let row = heads.iter().map(|head| head.trim_start_matches('>').to_owned()).collect();
        Self { columns: heads.iter().map(align).collect(), rows: vec![row] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines, the first of which is the head.
    pub(crate) fn lines(&self) -> Vec<String> {
        let width = |column: usize| {
            let widths = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
            widths.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let mut line = String::new();
            for ((cell, align), width) in row.iter().zip(&self.columns).zip(&widths) {
                if !line.is_empty() {
                    line.push_str("  ");
                }
                let gap = " ".repeat(width - cell.chars().count());
                match align {
                    Align::Left => line.extend([cell.as_str(), &gap]),
                    Align::Right => line.extend([&gap, cell.as_str()]),
                }
            }
            line.truncate(line.trim_end().len());
            line
        };
        self.rows.iter().map(line).collect()
    }

    pub(crate) fn print(&self, out: &mut Output) -> io::Result<()> {
        for (i, line) in self.lines().iter().enumerate() {
            let line = if i == 0 { out.style(Style::Bold, line) } else { line.clone() };
            out.line(line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_align_by_characters() {
        let mut table = Table::new(&["NAME", ">SIZE", "NOTE"]);
        table.row(["größe.txt".to_owned(), "1 B".to_owned(), String::new()]);
        table.row(["a".to_owned(), "1000 B".to_owned(), "last".to_owned()]);
        assert_eq!(table.lines(), ["NAME         SIZE  NOTE", "größe.txt     1 B", "a          1000 B  last"]);
    }

    #[test]
    fn names_cannot_steer_the_terminal() {
        assert_eq!(shown("a\x1b[31m\u{202e}ü"), r"a\u{1b}[31m\u{202e}ü");
    }

    #[test]
    fn bars_show_whatever_is_there() {
        assert_eq!((bar(1.0, 4), bar(0.0, 4), bar(0.0001, 4)), ("████".to_owned(), String::new(), "▏".to_owned()));
        assert_eq!(bar(0.5, 3), "█▌");
    }

    #[test]
    fn no_color_is_heard_only_where_nothing_else_was_said() {
        assert!(Color::Always.is_on(false));
        assert!(!Color::Never.is_on(true));
        assert!(!Color::Auto.is_on(false));
    }
}
