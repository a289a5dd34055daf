//! Which importer reads a source, as opposed to the kinds of assets that it makes of it.
//!
//! The one that a rule names, or the importer of the kind that a rule sets; or else the one that takes files with this extension.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rres_format::AssetKind;

use super::own::OwnImporter;
use super::{ImportError, Importer, importer_for, importer_of_container};
use crate::asset_kinds::{self, CONTAINERS, ContainerRow, container_of, kind_of_extension};
use crate::model::extension_of;
use crate::settings::Settings;

/// The importer of one source.
#[derive(Clone)]
pub(crate) enum ChosenImporter {
    /// The importer of a kind, with the name of the kind. It makes assets of this kind and what they contain, and nothing else.
    OfKind(AssetKind),
    /// One of this crate that makes assets of several kinds.
    OfContainer(&'static ContainerRow),
    /// One of the build script.
    Own(Arc<OwnImporter>),
}

impl ChosenImporter {
    /// The importer of the source at `path`, whose file is `file` and which has these settings, in a build script with the importers `own`.
    pub(crate) fn of(path: &str, file: &Path, settings: &Settings, own: &[Arc<OwnImporter>]) -> Self {
        // The settings have reported a name that no importer has.
        if let Some(name) = &settings.asset.importer {
            let named = own.iter().find(|own| own.spec.name == *name).cloned().map(Self::Own);
            let of_container = || CONTAINERS.iter().find(|row| row.name == name).map(Self::OfContainer);
            if let Some(chosen) = named.or_else(of_container) {
                return chosen;
            }
        }
        if let Some(kind) = settings.asset.kind {
            return Self::OfKind(kind);
        }
        let extension = extension_of(path);
        if let Some(own) = own.iter().find(|own| own.spec.takes(extension)) {
            return Self::Own(Arc::clone(own));
        }
        let of_container = container_of(extension, file).map(Self::OfContainer);
        of_container.unwrap_or_else(|| Self::OfKind(kind_of_extension(extension)))
    }

    /// What the settings know of it, if it is one of the build script.
    pub(crate) fn own(&self) -> Option<&Arc<OwnImporter>> {
        if let Self::Own(own) = self { Some(own) } else { None }
    }

    /// Its name: the name of its kind, if it makes assets of one kind.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::OfKind(kind) => kind.name(),
            Self::OfContainer(row) => row.name,
            Self::Own(own) => &own.spec.name,
        }
    }

    /// The kinds of assets that a source may become. The settings of these apply to it.
    pub(crate) fn kinds(&self) -> &[AssetKind] {
        match self {
            Self::OfKind(kind) => std::slice::from_ref(kind),
            Self::OfContainer(row) => row.kinds,
            Self::Own(own) => &own.spec.kinds,
        }
    }

    /// The kinds whose importers encode what this one makes, besides itself.
    pub(crate) fn encoders(&self) -> &[AssetKind] {
        match self {
            Self::OfKind(kind) => asset_kinds::row(*kind).contains,
            Self::OfContainer(row) => row.kinds,
            Self::Own(own) => &own.spec.kinds,
        }
    }

    /// The kind of the asset, if it is known before the source is imported.
    pub(crate) fn kind(&self) -> Option<AssetKind> {
        match self.kinds() {
            [kind] => Some(*kind),
            _ => None,
        }
    }

    /// Whether the assets may refer to other files. Only importing all of the assets shows which files.
    pub(crate) fn refers(&self) -> bool {
        match self {
            Self::OfKind(kind) => !asset_kinds::row(*kind).contains.is_empty(),
            Self::OfContainer(_) | Self::Own(_) => true,
        }
    }

    /// Whether the folders in the names of its sub-assets are groups.
    pub(crate) fn folders_are_groups(&self) -> bool {
        matches!(self, Self::OfContainer(row) if row.folders_are_groups)
    }

    /// The importer itself.
    ///
    /// # Errors
    /// [`ImportError`] if its feature is disabled.
    pub(crate) fn get(&self) -> Result<&dyn Importer, ImportError> {
        match self {
            Self::OfKind(kind) => importer_for(*kind),
            Self::OfContainer(row) => importer_of_container(row),
            Self::Own(own) => Ok(&*own.importer),
        }
    }
}

impl fmt::Debug for ChosenImporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What decodes the source, in messages.
impl fmt::Display for ChosenImporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(own) => write!(f, "importer `{}`", own.spec.name),
            _ => write!(f, "{} decoder", self.name()),
        }
    }
}
