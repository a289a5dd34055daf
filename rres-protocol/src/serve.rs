//! The lines that a serving build script and its clients exchange; `docs/hot-reload.md` describes the protocol.
//!
//! A debug build writes a [`ScriptManifest`], which describes how to start its build script again. A client (a running
//! game, or `cargo rres sync`) starts the script, writes [`Request`]s to its standard input and reads [`Message`]s from
//! its standard output; [`crate::client`] implements this.
//!
//! ```
//! use rres_protocol::serve::{Message, Request};
//!
//! let message = Message::Added { path: "ui/a\tb.png".into() };
//! assert_eq!(message.to_string(), "rres: added\tui/a\\tb.png");
//! assert_eq!(Message::parse("rres: added\tui/a\\tb.png\n"), Some(message));
//! assert_eq!(Message::parse("something else that build.rs prints\n"), None);
//! assert_eq!(Request::parse("update\n"), Some(Request::Update));
//! ```

use std::fmt::{self, Display, Write};
use std::process::Command;

/// The environment variable that makes a build script serve; its value is the name of a pack.
pub const VARIABLE: &str = "RRES_SERVE";

/// The version of the protocol. It increases whenever a word or a field changes its meaning.
pub const PROTOCOL_VERSION: &str = "1";

/// Longest line of either side in bytes. A message about a file has at most a few thousand.
pub const MAX_LINE: u64 = 1 << 20;

const MANIFEST_SIGNATURE: &str = "rres-serve 1";
const MESSAGE_PREFIX: &str = "rres: ";

/// How to start a build script again. Its text form is a line with a signature, then one line per word and value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptManifest {
    /// The path of the executable.
    pub script: String,
    /// The directory to run it in.
    pub dir: String,
    /// The file name of the module that the build generates, which distinguishes several builds of one script.
    pub module: String,
    /// Environment variables and their values, which may be empty.
    pub variables: Vec<(String, String)>,
}

impl ScriptManifest {
    /// The extension of manifest files.
    pub const EXTENSION: &str = "serve";

    /// Returns the file name of the manifest for the pack `name`, in the build's output directory.
    pub fn file_name(name: &str) -> String {
        format!("{name}.{}", Self::EXTENSION)
    }

    /// Parses a manifest. Returns `None` if it is incomplete or has another version. Unknown words are skipped.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        lines.next().filter(|line| *line == MANIFEST_SIGNATURE)?;
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

    /// Returns the value of an environment variable, or `None` if the manifest does not set it.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the command that starts the script to serve the pack `name`.
    pub fn command(&self, name: &str) -> Command {
        let mut command = self.build_command();
        command.env(VARIABLE, name);
        command
    }

    /// Returns the command that runs the script as Cargo did, to build.
    pub fn build_command(&self) -> Command {
        let mut command = Command::new(&self.script);
        command.current_dir(&self.dir).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env_remove(VARIABLE);
        command
    }
}

impl Display for ScriptManifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MANIFEST_SIGNATURE}")?;
        for (word, value) in [("script", &self.script), ("dir", &self.dir), ("module", &self.module)] {
            writeln!(f, "{word} {}", Escaped(value))?;
        }
        self.variables.iter().try_for_each(|(name, value)| writeln!(f, "env {}={}", Escaped(name), Escaped(value)))
    }
}

/// A request of a client: one word on a line of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Import what has changed. The response is any number of messages, then [`Message::Done`].
    Update,
    /// Report what the lock file should contain. The response is any number of messages, then [`Message::Lock`].
    Lock,
}

impl Request {
    /// Every request.
    pub const ALL: &[Self] = &[Self::Update, Self::Lock];

    /// Returns the word that the line contains.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Lock => "lock",
        }
    }

    /// Parses a line, with or without its line break. Returns `None` for an unknown request.
    pub fn parse(line: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|request| request.word() == line.trim())
    }
}

/// Declares the messages from one table: each variant with its word and, in order, its fields.
macro_rules! messages {
    ($( $(#[$meta:meta])* $name:ident = $word:literal { $( $(#[$field_meta:meta])* $field:ident ),* $(,)? } )*) => {
        /// One line of a script's response: a word and its fields, separated by tabs. `Display` formats it without a
        /// line break.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Message {
            $( $(#[$meta])* $name { $( $(#[$field_meta])* $field: String ),* }, )*
        }

        impl Message {
            /// Parses a line, with or without its line break. Returns `None` for other output of a build script, and
            /// for words of newer versions. Missing fields are empty.
            pub fn parse(line: &str) -> Option<Self> {
                let mut fields = line.strip_prefix(MESSAGE_PREFIX)?.trim_end_matches(['\n', '\r']).split('\t');
                match fields.next()? {
                    $( $word => Some(Self::$name { $( $field: fields.next().map(unescape).unwrap_or_default() ),* }), )*
                    _ => None,
                }
            }
        }

        impl Display for Message {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(MESSAGE_PREFIX)?;
                match self {
                    $( Self::$name { $($field),* } => {
                        f.write_str($word)?;
                        $( write!(f, "\t{}", Escaped($field))?; )*
                    } )*
                }
                Ok(())
            }
        }
    };
}

messages! {
    /// The script is ready for requests.
    Ready = "ready" {
        /// Its [`PROTOCOL_VERSION`].
        version,
    }
    /// A file cannot be imported, or the settings are wrong.
    Failed = "failed" {
        /// The asset path; empty if the failure is not about one asset.
        path,
        /// The file, with line and column if they are known.
        place,
        /// What is wrong.
        message,
        /// How to fix it; may be empty.
        help,
    }
    /// A source file is new since the last response.
    Added = "added" {
        /// Its asset path.
        path,
    }
    /// A source file has been deleted.
    Removed = "removed" {
        /// Its asset path.
        path,
    }
    /// The imported form of a source file has changed.
    Changed = "changed" {
        /// Its asset path.
        path,
    }
    /// The response to [`Request::Update`] is complete.
    Done = "done" {
        /// The file of the dev index that is now valid; empty if there has never been one.
        index,
    }
    /// The directory has no lock file, because lock mode is off. [`Message::Lock`] follows.
    LockIsOff = "lock-is-off" {
        /// The assets directory.
        assets,
    }
    /// The response to [`Request::Lock`]; both fields are empty if the settings are wrong or lock mode is off.
    Lock = "locked" {
        /// The path of the lock file.
        file,
        /// The path of a file with the text that the lock file should have.
        expected,
    }
    /// The script does not know this request.
    Unknown = "unknown" {
        /// The line that it received.
        request,
        /// The words of the requests that it knows.
        known,
    }
}

/// Formats any text as one field of a line: escapes the characters that would end the line or the field.
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
    fn any_text_survives_a_message() {
        for text in TEXTS {
            let field = || text.to_owned();
            let message = Message::Failed { path: field(), place: field(), message: field(), help: "x".to_owned() };
            let line = message.to_string();
            assert!(!line.contains(['\n', '\r']) && line.matches('\t').count() == 4, "{line:?}");
            assert_eq!(Message::parse(&format!("{line}\r\n")), Some(message));
        }
    }

    #[test]
    fn missing_fields_are_empty_and_unknown_words_are_skipped() {
        let expected = Message::Lock { file: "a".to_owned(), expected: String::new() };
        assert_eq!(Message::parse("rres: locked\ta"), Some(expected));
        assert_eq!(Message::parse("rres: newer\ta"), None);
        assert_eq!((Request::parse(" lock\r\n"), Request::parse("locks")), (Some(Request::Lock), None));
    }

    #[test]
    fn any_text_survives_a_manifest() {
        let variables = TEXTS.iter().map(|text| ("NAME".to_owned(), (*text).to_owned())).collect();
        let manifest =
            ScriptManifest { script: "a\\b".to_owned(), dir: "c d".to_owned(), module: "e".to_owned(), variables };
        assert_eq!(ScriptManifest::parse(&manifest.to_string()), Some(manifest.clone()));
        let command = manifest.command("pack");
        assert_eq!((command.get_program().to_str(), command.get_args().count()), (Some("a\\b"), 0));
        assert!(command.get_envs().any(|(name, value)| name == VARIABLE && value.is_some_and(|value| value == "pack")));
    }

    #[test]
    fn other_manifests_are_refused() {
        let refused = ["", "rres-serve 2\nscript a\ndir b\nmodule c\n", "rres-serve 1\nscript a\ndir b\n"];
        assert!(refused.iter().all(|text| ScriptManifest::parse(text).is_none()));
        let newer = ScriptManifest::parse("rres-serve 1\nscript a\ndir b\nmodule c\nnewer x\n\n").unwrap();
        assert_eq!((newer.variable("A"), newer.dir.as_str()), (None, "b"));
    }
}
