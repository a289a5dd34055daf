//! Texts of the formats of data → values, with the place of an error.

use std::collections::BTreeSet;

use rres_import::ImportError;
use serde_core::de::DeserializeOwned;
use serde_ignored::Path;

use super::csv;
use super::place::{at, at_byte};

/// The formats of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Json,
    Ron,
    Toml,
}

impl Format {
    /// The format of files with this extension, in any case.
    pub(super) fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "csv" => Self::Csv,
            "json" => Self::Json,
            "ron" => Self::Ron,
            "toml" => Self::Toml,
            _ => return None,
        })
    }

    /// Its name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Ron => "RON",
            Self::Toml => "TOML",
        }
    }

    /// Whether people write such files by hand, so that a field which the type does not have is a mistake.
    pub(super) fn is_written_by_hand(self) -> bool {
        matches!(self, Self::Ron | Self::Toml)
    }

    /// Reads a text of this format.
    pub(super) fn parse<T: DeserializeOwned>(self, text: &str) -> Result<Parsed<T>, ImportError> {
        // Some editors begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut unknown = BTreeSet::new();
        let mut ignored = |path: Path<'_>| {
            unknown.insert(field_of(&path));
        };
        let value = match self {
            Self::Csv => csv::parse(text, &mut ignored),
            Self::Json => {
                let mut source = serde_json::Deserializer::from_str(text);
                let value = serde_ignored::deserialize(&mut source, &mut ignored);
                value.and_then(|value| source.end().map(|()| value)).map_err(|error| json_error(text, &error))
            }
            Self::Ron => read_ron(text, &mut ignored).map_err(|error| ron_error(text, &error)),
            Self::Toml => {
                let value =
                    toml::Deserializer::parse(text).and_then(|source| serde_ignored::deserialize(source, &mut ignored));
                value.map_err(|error: toml::de::Error| {
                    let fault = ImportError::new(error.message());
                    match error.span() {
                        Some(span) => at_byte(fault, text, span.start),
                        None => fault,
                    }
                })
            }
        };
        value.map(|value| Parsed { value, unknown })
    }
}

/// What a text became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed<T> {
    pub(super) value: T,
    /// The fields of the text that the type does not have: those of a value in another one after the name of the other one.
    pub(super) unknown: BTreeSet<String>,
}

/// The names that lead to a field. Numbers of lists are left out, since all values of a list have the same fields.
fn field_of(path: &Path<'_>) -> String {
    let (parent, key) = match path {
        Path::Root => return String::new(),
        Path::Map { parent, key } => (*parent, key.as_str()),
        Path::Seq { parent, .. }
        | Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => (*parent, ""),
    };
    match (field_of(parent), key) {
        (parent, "") => parent,
        (parent, key) if parent.is_empty() => key.to_owned(),
        (parent, key) => format!("{parent}.{key}"),
    }
}

fn read_ron<T: DeserializeOwned>(
    text: &str,
    ignored: &mut impl FnMut(Path<'_>),
) -> Result<T, ron::error::SpannedError> {
    let mut source = ron::Deserializer::from_str(text)?;
    let value = serde_ignored::deserialize(&mut source, ignored).map_err(|error| source.span_error(error))?;
    source.end().map_err(|error| source.span_error(error))?;
    Ok(value)
}

fn ron_error(text: &str, error: &ron::error::SpannedError) -> ImportError {
    /// The most characters of the text that are shown.
    const SHOWN: usize = 16;
    let ron::error::Position { line, col } = error.span.end;
    let mut message = error.code.to_string();
    // It says what it expects only.
    if message.starts_with("Expected ") {
        let rest = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().chars().skip(col.saturating_sub(1));
        let found: String = rest.take_while(|c| !c.is_whitespace()).take(SHOWN).collect();
        message +=
            &if found.is_empty() { ", found the end of the line".to_owned() } else { format!(", found {found:?}") };
    }
    at(ImportError::new(message), line, col)
}

fn json_error(text: &str, error: &serde_json::Error) -> ImportError {
    let message = error.to_string();
    if error.line() == 0 {
        return ImportError::new(message);
    }
    let end = format!(" at line {} column {}", error.line(), error.column());
    let fault = ImportError::new(message.strip_suffix(&end).unwrap_or(&message));
    let before: usize = text.split_inclusive('\n').take(error.line() - 1).map(str::len).sum();
    // `column` counts bytes up to and with the one at which the parser stopped.
    at_byte(fault, text, before + error.column().saturating_sub(1))
}
