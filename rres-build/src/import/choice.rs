//! Which importer reads a source, as opposed to the kinds of assets that it makes of it.
//!
//! The one that a rule names, or the importer of the kind that a rule sets; or else the one that takes files with this extension.

use std::path::Path;
use std::sync::Arc;

use rres_format::AssetKind;

use super::registered::{RegisteredImporter, importers_of_rres, of_kind};
use crate::model::extension_of;
use crate::settings::Settings;

/// Returns the importer of the source at `path`, whose file is `file` and which has these settings, in a build script with the importers
/// `script`.
pub(crate) fn choose_importer(
    path: &str,
    file: &Path,
    settings: &Settings,
    script: &[Arc<RegisteredImporter>],
) -> Arc<RegisteredImporter> {
    let all = || script.iter().chain(importers_of_rres());
    // The settings have reported a name that no importer has.
    let named = settings.asset.importer.as_ref().and_then(|name| all().find(|one| one.description.name == *name));
    let of_set_kind = || settings.asset.kind.map(of_kind);
    let extension = extension_of(path);
    let by_file = || all().find(|one| one.description.takes_file(extension, file));
    let chosen = named.or_else(of_set_kind).or_else(by_file);
    Arc::clone(chosen.unwrap_or_else(|| of_kind(AssetKind::Raw)))
}
