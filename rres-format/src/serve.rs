//! What a serving build script and its clients say to each other, as text; `docs/hot-reload.md` is the protocol.
//!
//! A debug build leaves a [`Record`] of how to start its build script. Whoever starts it again, a running game or `cargo rres
//! sync`, writes requests to its standard input and reads [`Line`]s from its standard output.
//!
//! ```
//! use rres_format::serve::{Line, Record};
//!
//! let record = Record::parse("rres-serve 1\nscript /game/build-script\ndir /game\nmodule assets.rs\nenv A=1\n");
//! let script = record.expect("it is of this version").command("game");
//! assert_eq!(script.get_program(), "/game/build-script");
//!
//! let line = Line { word: "added".into(), fields: vec!["ui/a\tb.png".into()] };
//! assert_eq!(line.to_string(), "rres: added\tui/a\\tb.png");
//! assert_eq!(Line::parse("rres: added\tui/a\\tb.png\n"), Some(line));
//! assert_eq!(Line::parse("something else that build.rs prints\n"), None);
//! ```

use std::fmt::{self, Display, Write};
use std::process::Command;

/// The environment variable that makes a build script serve; its value is the name of a pack.
pub const VARIABLE: &str = "RRES_SERVE";

/// The version of the protocol. Raised whenever a word or a field changes its meaning.
pub const PROTOCOL: &str = "1";

const SIGNATURE: &str = "rres-serve 1";
const PREFIX: &str = "rres: ";

/// How to start a build script again. Its text, by [`Display`], is a signature and then a word and its value a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The executable.
    pub script: String,
    /// Where it runs.
    pub dir: String,
    /// The file name of the module that the build writes, which tells it from others of the same script.
    pub module: String,
    /// Environment variables and their values, which may be empty.
    pub variables: Vec<(String, String)>,
}

impl Record {
    /// The file name of the record of the pack `name`.
    pub fn file_name(name: &str) -> String {
        format!("{name}.serve")
    }

    /// Reads a record; `None` where the text is of another version or incomplete. Unknown words are passed over.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        lines.next().filter(|line| *line == SIGNATURE)?;
        let (mut script, mut dir, mut module, mut variables) = (None, None, None, Vec::new());
        for (word, value) in lines.filter_map(|line| line.split_once(' ')) {
            match word {
                "script" => script = Some(unescape(value)),
                "dir" => dir = Some(unescape(value)),
                "module" => module = Some(unescape(value)),
                "env" => {
                    let (name, value) = value.split_once('=')?;
                    variables.push((unescape(name), unescape(value)));
                }
                _ => {}
            }
        }
        Some(Self { script: script?, dir: dir?, module: module?, variables })
    }

    /// The value of a variable.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The command that starts the script to serve the pack `name`.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.script);
        command.current_dir(&self.dir).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env(VARIABLE, name);
        command
    }
}

impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{SIGNATURE}")?;
        for (word, value) in [("script", &self.script), ("dir", &self.dir), ("module", &self.module)] {
            writeln!(f, "{word} {}", Escaped(value))?;
        }
        self.variables.iter().try_for_each(|(name, value)| writeln!(f, "env {}={}", Escaped(name), Escaped(value)))
    }
}

/// What a script says: a word and its fields. Its text, by [`Display`], lacks the end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `ready`, `failed`, `done`, …
    pub word: String,
    /// Any texts.
    pub fields: Vec<String>,
}

impl Line {
    /// A word and its fields.
    pub fn new(word: &str, fields: &[&str]) -> Self {
        Self { word: word.to_owned(), fields: fields.iter().map(|&field| field.to_owned()).collect() }
    }

    /// Reads a line, with or without its end; `None` for what a build script prints besides.
    pub fn parse(line: &str) -> Option<Self> {
        let mut fields = line.strip_prefix(PREFIX)?.trim_end_matches(['\n', '\r']).split('\t');
        let word = fields.next().unwrap_or_default().to_owned();
        Some(Self { word, fields: fields.map(unescape).collect() })
    }

    /// The field with this number; empty where there is none.
    pub fn field(&self, number: usize) -> &str {
        self.fields.get(number).map_or("", String::as_str)
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.word)?;
        self.fields.iter().try_for_each(|field| write!(f, "\t{}", Escaped(field)))
    }
}

/// Any text as one field of a line: what would end the line or the field is escaped.
struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
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

fn unescape(field: &str) -> String {
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

    const TEXTS: [&str; 7] = ["", "C:\\temp\\new", "a\tb\nc\r\n", "\\", "\\t", "höhe 中", "a=b"];

    #[test]
    fn any_text_comes_back_from_a_line() {
        let line = Line::new("failed", &TEXTS);
        let text = line.to_string();
        assert!(!text.contains(['\n', '\r']) && text.matches('\t').count() == TEXTS.len(), "{text:?}");
        assert_eq!(Line::parse(&format!("{text}\r\n")), Some(line));
    }

    #[test]
    fn any_text_comes_back_from_a_record() {
        let variables = TEXTS.iter().map(|text| ("NAME".to_owned(), (*text).to_owned())).collect();
        let record = Record { script: "a\\b".to_owned(), dir: "c d".to_owned(), module: "e".to_owned(), variables };
        assert_eq!(Record::parse(&record.to_string()), Some(record.clone()));
        let command = record.command("pack");
        assert_eq!((command.get_program().to_str(), command.get_args().count()), (Some("a\\b"), 0));
        assert!(command.get_envs().any(|(name, value)| name == VARIABLE && value.is_some_and(|value| value == "pack")));
    }

    #[test]
    fn other_records_are_refused() {
        let refused = ["", "rres-serve 2\nscript a\ndir b\nmodule c\n", "rres-serve 1\nscript a\ndir b\n"];
        assert!(refused.iter().all(|text| Record::parse(text).is_none()));
        let later = Record::parse("rres-serve 1\nscript a\ndir b\nmodule c\nlater x\n\n").unwrap();
        assert_eq!((later.variable("A"), later.dir.as_str()), (None, "b"));
    }
}
