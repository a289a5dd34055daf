//! A `.db` file → JSON: its version, and the databases that it depends on.

use serde_json::json;

use super::{Asset, ImportError, Source, damaged, pretty};
use crate::{Checks, Definition, Dependency};

pub(super) fn import(source: &Source<'_>, checks: &mut Checks) -> Result<Asset, ImportError> {
    let definition = Definition::parse(source.path, source.bytes, checks).map_err(|error| damaged(&error))?;
    let dependency = |named: &Dependency| json!({ "index": named.index, "path": named.path });
    let dependencies: Vec<_> = definition.dependencies.iter().map(dependency).collect();
    let count = dependencies.len();
    let text = pretty(&json!({ "version": definition.version, "dependencies": dependencies }));
    let what = if count == 1 { "database" } else { "databases" };
    Ok(Asset::text(&text)?.with_summary(format!("depends on {count} {what}")))
}
