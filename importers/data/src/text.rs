//! Texts of the formats of data → values, with the place of an error.

use rres_import::ImportError;
use serde_core::de::DeserializeOwned;

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

    /// Reads a text of this format.
    pub(super) fn parse<T: DeserializeOwned>(self, text: &str) -> Result<T, ImportError> {
        match self {
            Self::Csv => csv::parse(text),
            Self::Json => serde_json::from_str(text).map_err(|error| json_error(text, &error)),
            Self::Ron => ron::from_str(text).map_err(|error| {
                let ron::error::Position { line, col } = error.span.end;
                at(ImportError::new(error.code.to_string()), line, col)
            }),
            Self::Toml => toml::from_str(text).map_err(|error: toml::de::Error| {
                let fault = ImportError::new(error.message());
                match error.span() {
                    Some(span) => at_byte(fault, text, span.start),
                    None => fault,
                }
            }),
        }
    }
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
