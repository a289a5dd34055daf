//! Whether a path is an asset, and what decided that, its kind and its id.

use rres_format::{AssetKind, ResourceId};
use rres_protocol::nearest::nearest_path;

use crate::asset_kinds::kind_of_extension;
use crate::import::RegisteredImporter;
use crate::model::extension_of;
use crate::pipeline::{self, Plan};
use crate::scope::Scope;
use crate::settings::{Rules, SETTINGS_FILE};

/// Whether a file is an asset, and why if it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// It is an asset.
    Asset,
    /// A rule leaves it out.
    Ignored {
        /// The glob of the rule.
        rule: String,
        /// File, line and column of `ignore = true`.
        place: String,
    },
    /// The name of the file, or of a folder around it, begins with a dot, or is one of those that operating systems and editors leave
    /// behind.
    NeverAsset {
        /// The name.
        name: String,
    },
    /// It is the settings file.
    Settings,
    /// It is one of several files of an asset: each target has one.
    TargetFile {
        /// The path of the asset.
        asset: String,
        /// The file for the target that is built.
        file: String,
    },
    /// It is a buffer or a material library of a model, which contains what is in it.
    PartOfModel {
        /// The path of a model that reads it.
        model: String,
    },
    /// The build refuses it, for a reason that is among the diagnostics.
    Refused,
    /// A rule with a mistake matches it, so its settings are not certain.
    Uncertain,
    /// It is a folder.
    Folder {
        /// The number of files below it that are assets.
        asset_count: usize,
    },
    /// No such file exists.
    Missing {
        /// The path that was probably meant.
        nearest: Option<String>,
    },
}

impl Standing {
    /// Returns a word for it: `asset`, `ignored`, `never-an-asset`, `settings`, `target-file`, `part-of-model`, `refused`, `uncertain`, `folder` or `missing`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Ignored { .. } => "ignored",
            Self::NeverAsset { .. } => "never-an-asset",
            Self::Settings => "settings",
            Self::TargetFile { .. } => "target-file",
            Self::PartOfModel { .. } => "part-of-model",
            Self::Refused => "refused",
            Self::Uncertain => "uncertain",
            Self::Folder { .. } => "folder",
            Self::Missing { .. } => "missing",
        }
    }
}

/// The standing of `path` according to the plan.
pub(super) fn of(scope: Scope<'_>, plan: &Plan, path: &str) -> Standing {
    let Scope { context, rules } = scope;
    if plan.source(path).is_some() {
        return Standing::Asset;
    }
    if let Some(family) =
        plan.target_files.iter().find(|of| of.file == path || of.left_out.iter().any(|out| out == path))
    {
        return Standing::TargetFile { asset: family.path.clone(), file: family.file.clone() };
    }
    if let Some(model) = plan.model_parts.get(path) {
        return Standing::PartOfModel { model: model.clone() };
    }
    if let Some(unavailable) = plan.unavailable.iter().find(|source| source.path == path) {
        return if unavailable.naming.is_some() { Standing::Refused } else { Standing::Uncertain };
    }
    let file = scope.source_file(path);
    if file.symlink_metadata().is_err() {
        let paths = pipeline::all_paths(context);
        let nearest = nearest_path(path, paths.iter().map(String::as_str)).map(str::to_owned);
        return Standing::Missing { nearest };
    }
    if let Some(name) = pipeline::clutter_in(path) {
        return Standing::NeverAsset { name: name.to_owned() };
    }
    if path == SETTINGS_FILE {
        return Standing::Settings;
    }
    if file.is_dir() {
        let folder = format!("{path}/");
        let count = plan.sources.iter().filter(|planned| planned.source.path.starts_with(&folder)).count();
        return Standing::Folder { asset_count: count };
    }
    match rules.origin(path, "ignore").filter(|_| rules.resolve(path).asset.ignore) {
        Some((rule, place)) => Standing::Ignored { rule: rule.to_owned(), place: place.to_string() },
        None => Standing::Refused,
    }
}

/// What decided the importer, in words.
pub(super) fn kind_reason(rules: &Rules, path: &str, importer: &RegisteredImporter) -> String {
    let settings = rules.resolve(path).asset;
    let by_kind = settings.kind.is_some().then_some("kind");
    let key = settings.importer.is_some().then_some("importer").or(by_kind);
    if let Some(decider) = key.and_then(|key| rules.decider(path, key)) {
        return decider;
    }
    let extension = extension_of(path);
    match importer.kind() {
        _ if extension.is_empty() => "it has no extension".to_owned(),
        Some(AssetKind::Raw) if kind_of_extension(extension) == AssetKind::Raw => {
            format!("no importer takes .{extension} files")
        }
        _ => format!("extension .{extension}"),
    }
}

/// What decided the id, in words.
pub(super) fn id_reason(rules: &Rules, path: &str, id: ResourceId) -> String {
    match (rules.origin(path, "id"), rules.origin(path, "path")) {
        (Some((rule, place)), _) => format!("rule \"{rule}\" at {place}"),
        (None, Some((rule, place))) => format!("CRC-32 of the path that rule \"{rule}\" at {place} sets"),
        (None, None) if id == ResourceId::from_path(path) => "CRC-32 of the path".to_owned(),
        (None, None) => "lock file".to_owned(),
    }
}
