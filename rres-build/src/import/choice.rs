//! Which importer reads a source, as opposed to the kinds of assets that it makes of it.
//!
//! The one that a rule names, or that of the kind that a rule sets; or else the one that takes files with this extension.

use std::fmt;

use rres_format::AssetKind;

use super::{ImportError, Importer, importer_for, importer_of_container};
use crate::asset_kinds::{self, CONTAINERS, ContainerRow, container_of_extension, kind_of_extension};
use crate::model::extension_of;
use crate::settings::Settings;

/// The importer of one source.
#[derive(Clone)]
pub(crate) enum ChosenImporter {
    /// That of a kind, whose name it has: all that it makes are assets of this kind and what they contain.
    OfKind(AssetKind),
    /// One of this crate that makes assets of several kinds.
    OfContainer(&'static ContainerRow),
}

/// A name that no importer has.
#[derive(Debug)]
pub(crate) struct UnknownImporter {
    pub(crate) name: String,
    /// The names of importers that a rule can choose, in order.
    pub(crate) known: Vec<String>,
}

impl ChosenImporter {
    /// The importer of the source at `path`, which has these settings.
    ///
    /// # Errors
    /// A rule names an importer that does not exist.
    pub(crate) fn of(path: &str, settings: &Settings) -> Result<Self, UnknownImporter> {
        if let Some(name) = &settings.asset.importer {
            let of_container = CONTAINERS.iter().find(|row| row.name == name).map(Self::OfContainer);
            return of_container.ok_or_else(|| UnknownImporter {
                name: name.clone(),
                known: CONTAINERS.iter().map(|row| row.name.to_owned()).collect(),
            });
        }
        if let Some(kind) = settings.asset.kind {
            return Ok(Self::OfKind(kind));
        }
        let extension = extension_of(path);
        let of_container = container_of_extension(extension).map(Self::OfContainer);
        Ok(of_container.unwrap_or_else(|| Self::OfKind(kind_of_extension(extension))))
    }

    /// Its name: that of its kind, if it makes assets of one kind.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::OfKind(kind) => kind.name(),
            Self::OfContainer(row) => row.name,
        }
    }

    /// The kinds of assets that a source may become. The settings of these apply to it.
    pub(crate) fn kinds(&self) -> &[AssetKind] {
        match self {
            Self::OfKind(kind) => std::slice::from_ref(kind),
            Self::OfContainer(row) => row.kinds,
        }
    }

    /// The kind of the asset, if it is known before the source is imported.
    pub(crate) fn kind(&self) -> Option<AssetKind> {
        match self.kinds() {
            [kind] => Some(*kind),
            _ => None,
        }
    }

    /// Whether the assets may refer to other files: what is to be known about those follows from importing all of these.
    pub(crate) fn refers(&self) -> bool {
        match self {
            Self::OfKind(kind) => !asset_kinds::row(*kind).contains.is_empty(),
            Self::OfContainer(_) => true,
        }
    }

    /// The importer itself.
    ///
    /// # Errors
    /// [`ImportError`] if its feature is disabled.
    pub(crate) fn get(&self) -> Result<&dyn Importer, ImportError> {
        match self {
            Self::OfKind(kind) => importer_for(*kind),
            Self::OfContainer(row) => importer_of_container(row),
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
        write!(f, "{} decoder", self.name())
    }
}
