//! Files of TOML that say what an asset is made of, such as the faces of a cubemap.

use std::path::Path;

use toml::de::DeTable;

use crate::{ImportError, Source};

use rres_settings::diagnostic::Diagnostic;
use rres_settings::{Entry, TomlReader, entries};

/// Reads a source of TOML. `build` gets the entries in the order of the file, reports faults to the reader, and returns `None` if what it
/// read is incomplete for another fault.
///
/// # Errors
/// [`ImportError`] with the place of the first fault, and how many more there are.
pub fn read_toml<T>(
    source: &Source<'_>,
    build: impl FnOnce(&mut TomlReader<'_>, &[Entry<'_>]) -> Option<T>,
) -> Result<T, ImportError> {
    let text = source.text()?;
    let mut reader = TomlReader::new(Path::new(source.path), text);
    let mut built = None;
    match DeTable::parse(text) {
        Ok(table) => built = build(&mut reader, &entries(table.get_ref())),
        Err(error) => reader.toml_error(&error),
    }
    let faults = reader.into_diagnostics();
    match (faults.first(), built) {
        (None, Some(built)) => Ok(built),
        (Some(first), _) => Err(error(first, faults.len() - 1)),
        (None, None) => Err(ImportError::new("does not say what it is made of").without_fix()),
    }
}

fn error(first: &Diagnostic, further: usize) -> ImportError {
    let more = match further {
        0 => String::new(),
        1 => " (and 1 more error)".to_owned(),
        _ => format!(" (and {further} more errors)"),
    };
    let mut error = ImportError::new(format!("{}{more}", first.message())).without_fix();
    if let Some(help) = first.help() {
        error = error.with_help(help);
    }
    match first.position() {
        Some((line, column)) => error.at(line, column),
        None => error,
    }
}
