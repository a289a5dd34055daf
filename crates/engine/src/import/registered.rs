//! The importers that a build can choose, of this crate and of the build script: what they say about themselves, and what the importers of the script
//! are checked for when they are registered and when they have run.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use rres_format::index::MetaKey;
use rres_format::{AssetKind, normalize_path};
use rres_import::{Asset, Dependency, ImportError, Importer, resolve_relative};

use crate::asset_kinds::ImporterRow;
use crate::diagnostic::{Diagnostic, Place};
use crate::settings::{Description, Settings};

/// An importer that a build can choose, with what it says about itself.
pub(crate) struct RegisteredImporter {
    pub(crate) description: Description,
    pub(crate) origin: Origin,
    /// `None` if this program does not have it.
    code: Option<Arc<dyn Importer>>,
}

/// Where an importer comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// This crate.
    Rres(&'static ImporterRow),
    /// The build script.
    Script,
    /// The build script, whose record this program has, and not its code.
    RecordOfScript,
}

impl RegisteredImporter {
    /// The importer of rres with this row; without code if the program is not compiled with it.
    pub(super) fn of_rres(row: &'static ImporterRow, code: Option<Arc<dyn Importer>>) -> Self {
        let description = code.as_ref().map_or_else(|| row.describe(0), |code| code.describe());
        Self { description, origin: Origin::Rres(row), code }
    }

    /// Asks an importer of the build script what it is.
    pub(crate) fn new(importer: Arc<dyn Importer>) -> Self {
        Self { description: importer.describe(), origin: Origin::Script, code: Some(importer) }
    }

    /// An importer whose description alone is known.
    pub(crate) fn of_record(description: Description) -> Self {
        Self { description, origin: Origin::RecordOfScript, code: None }
    }

    pub(crate) fn name(&self) -> &str {
        &self.description.name
    }

    /// Whether it is one of the build script.
    pub(crate) fn is_of_script(&self) -> bool {
        matches!(self.origin, Origin::Script | Origin::RecordOfScript)
    }

    /// The kind whose name it has: it makes assets of this kind and what they contain, and nothing else.
    pub(crate) fn own_kind(&self) -> Option<AssetKind> {
        if self.is_of_script() { None } else { AssetKind::from_name(self.name()) }
    }

    /// The kinds of assets that a source may become. The settings of these apply to it.
    pub(crate) fn kinds(&self) -> &[AssetKind] {
        &self.description.kinds
    }

    /// Whether what it makes of the source at `path` follows from the path.
    pub(crate) fn sees_path(&self, path: &str, settings: &Settings) -> bool {
        self.description.sees_path && self.code.as_ref().is_none_or(|code| code.sees_path(path, settings))
    }

    /// The kinds of what its assets contain besides.
    fn contains(&self) -> &'static [AssetKind] {
        if let Origin::Rres(row) = self.origin { row.contains } else { &[] }
    }

    /// The kinds whose importers encode what this one makes.
    pub(crate) fn encoders(&self) -> impl Iterator<Item = AssetKind> {
        self.kinds().iter().chain(self.contains()).copied()
    }

    /// The kind of the asset, if it is known before the source is imported.
    pub(crate) fn kind(&self) -> Option<AssetKind> {
        if let [kind] = self.kinds() { Some(*kind) } else { None }
    }

    /// Whether the assets may refer to other files. Only importing all of the assets shows which files.
    pub(crate) fn refers(&self) -> bool {
        self.own_kind().is_none() || !self.contains().is_empty()
    }

    /// The importer itself.
    ///
    /// # Errors
    /// [`ImportError`] if its feature is disabled, or if only the build script has it.
    pub(crate) fn get(&self) -> Result<&dyn Importer, ImportError> {
        self.code.as_deref().ok_or_else(|| {
            let name = self.name();
            let Origin::Rres(row) = self.origin else {
                return ImportError::new(format!("is read by the importer `{name}`, which only the build script has"));
            };
            let how = if row.is_of_kind() { format!("as {name}") } else { format!("by the importer `{name}`") };
            let feature = row.feature.unwrap_or_default();
            let message = format!("would be imported {how}, but the feature `{feature}` of rres-build is disabled");
            let help = format!(
                "enable it with `cargo add --build rres-build --features {feature}`, or set kind = \"raw\" for the file in assets.toml"
            );
            ImportError::new(message).with_help(help).without_fix()
        })
    }

    /// What is wrong with the importers of a build, which were registered at these places.
    pub(crate) fn faults(importers: &[(Place, Arc<Self>)]) -> Vec<Diagnostic> {
        let mut earlier: Vec<&Description> = Vec::new();
        let mut diagnostics = Vec::new();
        for (place, Self { description, .. }) in importers.iter().map(|(place, importer)| (place, &**importer)) {
            let faults = description.faults(&earlier).into_iter();
            diagnostics.extend(faults.map(|(message, help)| Diagnostic::new(place.clone(), message).with_help(help)));
            earlier.push(description);
        }
        diagnostics
    }

    /// Checks what an importer of the build script made of the source at `path`, and completes it.
    ///
    /// # Errors
    /// [`ImportError`] about what the importer must not return: that is a mistake in the importer.
    pub(crate) fn complete(&self, path: &str, mut assets: Vec<Asset>) -> Result<Vec<Asset>, ImportError> {
        let Description { name: importer, kinds, .. } = &self.description;
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
                return wrong(format!("returned a sub-asset \"{name}\", which is not a path such as \"spawn/1\""));
            }
            if !names.insert(name) {
                return wrong(format!("returned two sub-assets \"{name}\""));
            }
            if !kinds.contains(&asset.kind) {
                return wrong(format!("made an asset of kind {}, which its description does not list", asset.kind));
            }
            if asset.blocks.is_empty() {
                return wrong(format!("made {} of 4 GiB or more", asset.kind));
            }
            if let (AssetKind::Custom, Some(block)) = (asset.kind, asset.blocks.first())
                && self.description.rust_type(block.kind).is_none()
            {
                return wrong(format!("made a chunk of kind \"{}\", which its description does not list", block.kind));
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
                Dependency::Asset(relative) | Dependency::Quantities(relative)
                    if resolve_relative(path, relative).is_err() =>
                {
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

impl fmt::Debug for RegisteredImporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What decodes the source, in messages.
impl fmt::Display for RegisteredImporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_of_script() {
            true => write!(f, "importer `{}`", self.name()),
            false => write!(f, "{} decoder", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::asset_kinds::IMPORTERS;

    /// The tables of the README and of the crate documentation match [`IMPORTERS`].
    #[test]
    fn the_documentation_lists_every_extension() {
        let readme = include_str!("../../../../README.md");
        let front_page = include_str!("../../../../rres-build/src/lib.rs");
        for row in IMPORTERS.iter().filter(|row| row.feature.is_some()) {
            let cell = format!("| `{}` |", row.extensions.join(" "));
            assert!(readme.contains(&cell), "README.md lacks {cell}");
            assert!(front_page.contains(&cell), "src/lib.rs lacks {cell}");
        }
    }
}
