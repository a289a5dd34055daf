//! `Cargo.toml`: which dependencies and which build script it has, and its text with more dependencies.

use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

use crate::exit::Failure;

/// The version of the crates that a game needs: those of this command.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// A manifest.
pub(super) struct Manifest {
    file: PathBuf,
    text: String,
    document: DocumentMut,
}

impl Manifest {
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let text =
            fs::read_to_string(file).map_err(|e| Failure::Usage(format!("cannot read {}: {e}", file.display())))?;
        let document = text.parse().map_err(|e| Failure::Usage(format!("{}: {e}", file.display())))?;
        Ok(Self { file: file.to_owned(), text, document })
    }

    /// Returns the build script, relative to the package. It need not exist.
    pub(super) fn build_script(&self) -> Result<PathBuf, Failure> {
        match self.document.get("package").and_then(|package| package.get("build")).and_then(Item::as_value) {
            Some(Value::String(file)) => Ok(file.value().into()),
            Some(Value::Boolean(enabled)) if !enabled.value() => {
                let text = format!("{}: `build = false` disables build scripts; remove it", self.file.display());
                Err(Failure::Usage(text))
            }
            _ => Ok("build.rs".into()),
        }
    }

    /// Returns the text with the dependencies of a game, and what was added. `features` are those of `rres-build`, `None` for the
    /// default ones. A dependency that is there in any form stays as it is.
    pub(super) fn with_dependencies(&self, features: &Option<Vec<&str>>) -> Result<(String, Vec<String>), Failure> {
        let mut document = self.document.clone();
        let mut added = Vec::new();
        let runtime = dependency(true, &["hot-reload"]);
        let build = match features {
            None => Value::from(VERSION),
            Some(features) => dependency(false, features),
        };
        for (section, name, value) in
            [("dependencies", "rres-runtime", runtime), ("build-dependencies", "rres-build", build)]
        {
            let table = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
            let table = table.as_table_like_mut();
            let table =
                table.ok_or_else(|| Failure::Usage(format!("{}: `{section}` is not a table", self.file.display())))?;
            if !has_dependency(table, name) {
                added.push(format!("[{section}] {name} = {}", value.to_string().trim()));
                table.insert(name, Item::Value(value));
            }
        }
        let mut text = if added.is_empty() { self.text.clone() } else { document.to_string() };
        // The parser may read line breaks of Windows and writes its own as those of Unix.
        if self.text.contains("\r\n") {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        Ok((text, added))
    }
}

/// Whether a table of dependencies has a crate, under its own name or renamed.
fn has_dependency(table: &dyn toml_edit::TableLike, name: &str) -> bool {
    let is_renamed = |item: &Item| item.get("package").and_then(Item::as_str) == Some(name);
    table.contains_key(name) || table.iter().any(|(_, item)| is_renamed(item))
}

/// Returns `{ version = "0.1", default-features = false, features = ["image"] }`.
fn dependency(default_features: bool, features: &[&str]) -> Value {
    let mut table = InlineTable::new();
    table.insert("version", VERSION.into());
    if !default_features {
        table.insert("default-features", false.into());
    }
    if !features.is_empty() {
        table.insert("features", features.iter().copied().collect::<Array>().into());
    }
    table.into()
}
