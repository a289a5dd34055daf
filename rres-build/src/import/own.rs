//! Importers of the build script: what they are checked for when they are registered, and what they made when they have run.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use rres_format::index::MetaKey;
use rres_format::{AssetKind, normalize_path};

use super::{Asset, ImportError, Importer};
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Dependency, resolve_relative};
use crate::settings::ImporterSpec;

/// An importer of the build script, with what it says about itself.
pub(crate) struct OwnImporter {
    pub(crate) importer: Arc<dyn Importer>,
    pub(crate) spec: ImporterSpec,
    /// Whether this program has only what the build script has recorded of it, and not its code.
    pub(crate) is_recorded: bool,
}

impl OwnImporter {
    /// Asks an importer what it is.
    pub(crate) fn new(importer: Arc<dyn Importer>) -> Self {
        let types = importer.types();
        let mut kinds: Vec<AssetKind> = types.iter().map(|of| of.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let spec = ImporterSpec {
            name: importer.name().to_owned(),
            version: importer.version(),
            extensions: importer.extensions().iter().map(|extension| (*extension).to_owned()).collect(),
            types,
            kinds,
            settings: importer.settings(),
        };
        Self { importer, spec, is_recorded: false }
    }

    /// What is wrong with the importers of a build, which were registered at these places.
    pub(crate) fn faults(importers: &[(Place, Arc<Self>)]) -> Vec<Diagnostic> {
        let mut earlier: Vec<&ImporterSpec> = Vec::new();
        let mut diagnostics = Vec::new();
        for (place, own) in importers {
            let faults = own.spec.faults(&earlier).into_iter();
            diagnostics.extend(faults.map(|(message, help)| Diagnostic::new(place.clone(), message).with_help(help)));
            earlier.push(&own.spec);
        }
        diagnostics
    }

    /// Checks what the importer made of the source at `path`, and completes it.
    ///
    /// # Errors
    /// [`ImportError`] about what the importer must not return: that is a mistake in the importer.
    pub(crate) fn complete(&self, path: &str, mut assets: Vec<Asset>) -> Result<Vec<Asset>, ImportError> {
        let ImporterSpec { name: importer, kinds, .. } = &self.spec;
        let wrong = |what: String| {
            let message = format!("the importer `{importer}` {what}");
            Err(ImportError::new(message).with_help("correct the importer in the build script").without_fix())
        };
        let mut names: HashSet<&str> = HashSet::new();
        for (number, asset) in assets.iter().enumerate() {
            let name = asset.name.as_str();
            if (number == 0) != name.is_empty() {
                return wrong(match number {
                    0 => format!("returned the sub-asset \"{name}\" first, expected the asset of the file itself"),
                    _ => format!("returned {} assets without a name, expected one", number + 1),
                });
            }
            let is_path = !name.contains('#') && normalize_path(name).is_ok_and(|normal| normal == name);
            if !name.is_empty() && !is_path {
                return wrong(format!("returned a sub-asset \"{name}\", which is no path such as \"spawn/1\""));
            }
            if !names.insert(name) {
                return wrong(format!("returned two sub-assets \"{name}\""));
            }
            if !kinds.contains(&asset.kind) {
                return wrong(format!("made an asset of kind {}, which is not among its `types`", asset.kind));
            }
            if asset.blocks.is_empty() {
                return wrong(format!("made {} of 4 GiB or more", asset.kind));
            }
            if let (AssetKind::Custom, Some(block)) = (asset.kind, asset.blocks.first())
                && self.spec.rust_type(block.kind).is_none()
            {
                return wrong(format!("made a chunk of kind \"{}\", which is not among its `types`", block.kind));
            }
        }
        if assets.is_empty() {
            return wrong("returned no asset".to_owned());
        }
        for dependency in assets.iter().flat_map(|asset| &asset.dependencies) {
            match dependency {
                Dependency::SubAsset(name) if !names.contains(name.as_str()) || name.is_empty() => {
                    return wrong(format!(
                        "made an asset that depends on the sub-asset \"{name}\", which it did not make"
                    ));
                }
                Dependency::Asset(relative) if resolve_relative(path, relative).is_err() => {
                    let message = format!("depends on \"{relative}\", which is not inside the assets directory");
                    let help = "move the file beside this one and refer to it by a relative path";
                    return Err(ImportError::new(message).with_help(help));
                }
                _ => {}
            }
        }
        for asset in assets.iter_mut().filter(|asset| asset.kind == AssetKind::Custom) {
            if let Some(block) = asset.blocks.first() {
                asset.meta.set(MetaKey::CUSTOM_KIND, u32::from_le_bytes(block.kind.0));
            }
        }
        Ok(assets)
    }
}

impl fmt::Debug for OwnImporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.spec, f)
    }
}
