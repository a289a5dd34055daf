//! Standard output and standard error: colours, tables, JSON, and names that cannot control the terminal.

mod bar;
mod table;

pub(crate) use bar::bar;
pub(crate) use rres_packs::text::{count, escape_terminal, grouped, shorten};
pub(crate) use table::{Column, Table};

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use rres_packs::finding::Finding;
use rres_packs::{PackSet, ResourceList, pack_set};
use serde_json::Value;

/// When output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    // Ordinary comments, because the names need no explanation in `--help`.
    // On terminals, unless NO_COLOR is set.
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    fn is_on(self, is_terminal: bool) -> bool {
        let no_color = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => is_terminal && !no_color(),
        }
    }
}

/// A style of text on a terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Bold,
    Dim,
    Good,
    Bad,
    Bar,
}

impl Style {
    /// Returns the parameters of the control sequence `ESC [ … m`.
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

/// The version of the JSON that the command prints. It increases if a field is removed, or changes its meaning or its type.
const SCHEMA_VERSION: u32 = 1;

/// Buffered standard output, which is flushed before anything is written to standard error.
pub(crate) struct Output {
    out: BufWriter<Stdout>,
    color: Color,
    /// Whether a JSON object was written.
    has_json: bool,
}

/// Standard output until its reader closes it, as `head` does. From then on, output is dropped without an error: the reader
/// has seen enough, and the exit code still has to tell about the whole command.
struct Stdout {
    out: StdoutLock<'static>,
    is_closed: bool,
}

impl Stdout {
    /// Does `write` unless the reader has gone; returns `dropped` in its place if so.
    fn unless_closed<T>(
        &mut self,
        dropped: T,
        write: impl FnOnce(&mut StdoutLock<'static>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.is_closed {
            return Ok(dropped);
        }
        match write(&mut self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(dropped)
            }
            result => result,
        }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        Self { out: BufWriter::new(Stdout { out: io::stdout().lock(), is_closed: false }), color, has_json: false }
    }

    /// Writes one line. Text that comes from files must have passed through [`escape_terminal`].
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.out.write_all(text.as_ref().as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Writes one line in a style.
    pub(crate) fn styled_line(&mut self, style: Style, text: &str) -> io::Result<()> {
        let line = self.style(style, text);
        self.line(line)
    }

    /// Writes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Writes a JSON object, indented and with the version of its fields.
    pub(crate) fn json(&mut self, mut value: Value) -> io::Result<()> {
        value["schema_version"] = SCHEMA_VERSION.into();
        self.has_json = true;
        serde_json::to_writer_pretty(&mut self.out, &value).map_err(io::Error::from)?;
        self.line("")
    }

    /// Whether a JSON object was written.
    pub(crate) fn has_json(&self) -> bool {
        self.has_json
    }

    /// Whether the reader of standard output has gone, as far as writing to it has shown.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.get_ref().is_closed
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Returns `text` with the control sequences of a style, if output is coloured.
    pub(crate) fn style(&self, style: Style, text: &str) -> String {
        paint(self.color.is_on(self.out.get_ref().out.is_terminal()), style, text)
    }

    /// Writes a warning to standard error.
    pub(crate) fn warn(&mut self, text: &str) -> io::Result<()> {
        self.message(Style::Bold, "warning:", text)
    }

    /// Writes a fault of a pack, an asset or the cache to standard error.
    pub(crate) fn error(&mut self, text: &str) -> io::Result<()> {
        self.message(Style::Bad, "error:", text)
    }

    /// Writes a finding about a pack to standard error.
    pub(crate) fn finding(&mut self, pack: &str, finding: &Finding) -> io::Result<()> {
        self.message(style_of(finding), &finding.label(), &format!("{pack}: {finding}"))
    }

    /// Writes what is wrong with the packs of several sets, as far as opening and listing them has shown. `lists` are the
    /// [`resource_lists`](pack_set::resource_lists). Returns whether nothing is.
    pub(crate) fn findings(&mut self, sets: &[PackSet], lists: &[ResourceList<'_>]) -> io::Result<bool> {
        let findings = pack_set::findings(sets, lists);
        findings.iter().try_for_each(|(pack, finding)| self.finding(&pack.name(), finding))?;
        Ok(findings.is_empty())
    }

    /// Writes a message with a styled label to standard error.
    pub(crate) fn message(&mut self, style: Style, label: &str, text: &str) -> io::Result<()> {
        self.flush()?;
        write_message(self.color, style, label, text);
        Ok(())
    }
}

/// Returns the style of the label of a finding.
pub(crate) fn style_of(finding: &Finding) -> Style {
    if finding.is_error() { Style::Bad } else { Style::Bold }
}

/// Writes an error to standard error.
pub(crate) fn print_error(color: Color, text: &str) {
    write_message(color, Style::Bad, "error:", text);
}

/// Writes a message to standard error. It may have several lines; other control characters are escaped.
fn write_message(color: Color, style: Style, label: &str, text: &str) {
    let label = paint(color.is_on(io::stderr().is_terminal()), style, label);
    let lines: Vec<String> = text.split('\n').map(escape_terminal).collect();
    // If standard error is closed, the error cannot be reported.
    drop(writeln!(io::stderr().lock(), "{label} {}", lines.join("\n")));
}

fn paint(is_on: bool, style: Style, text: &str) -> String {
    if is_on { format!("\x1b[{}m{text}\x1b[0m", style.code()) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_always_and_never_override_the_kind_of_output() {
        assert!(Color::Always.is_on(false));
        assert!(!Color::Never.is_on(true));
        assert!(!Color::Auto.is_on(false));
    }
}
