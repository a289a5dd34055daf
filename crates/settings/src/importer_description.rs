//! What a build knows of an importer without running it: its name, its files, what it makes, its settings.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rres_format::{AssetKind, FourCc};
use rres_protocol::nearest::nearest;

use super::fingerprint::Fingerprint;
use super::importer_setting::Setting;
use super::name_domain::{ConstantName, ImporterName, Name};
use super::table::{Settings, all_rows};
use crate::asset_kinds::{containers, importer_named};

/// What an importer can make of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetType {
    pub kind: AssetKind,
    /// The kind of the chunk and the path of the type, of custom assets.
    pub custom: Option<(FourCc, String)>,
    /// Whether the data is a value of the type as serde stores it, so that the generated module can read it.
    pub is_data: bool,
}

impl AssetType {
    /// A type of the game, with the kind of its chunk and its path as the generated module writes it, such as
    /// `crate::map::TileMap`. The type implements `rres_runtime::CustomAsset` with the same kind.
    pub fn custom(fourcc: [u8; 4], rust_type: impl Into<String>) -> Self {
        Self { kind: AssetKind::Custom, custom: Some((FourCc(fourcc), rust_type.into())), is_data: false }
    }

    /// A type of the game whose values serde stores.
    pub fn data(fourcc: FourCc, rust_type: impl Into<String>) -> Self {
        Self { is_data: true, ..Self::custom(fourcc.0, rust_type) }
    }
}

/// An asset of a kind that this crate knows.
impl From<AssetKind> for AssetType {
    fn from(kind: AssetKind) -> Self {
        Self { kind, custom: None, is_data: false }
    }
}

/// What a build knows of an importer without running it.
///
/// ```
/// # use rres_settings::{AssetType, Description, Setting};
/// # let _ =
/// Description::new("tiled", 1)
///     .reads(["tmx", "tsx"])
///     .makes(AssetType::custom(*b"TMAP", "crate::map::TileMap"))
///     .with_setting(Setting::integer("scale", 1..=16).with_default(1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    pub name: String,
    pub version: u32,
    pub files: Vec<FileType>,
    pub types: Vec<AssetType>,
    /// The kinds of its types, each once.
    pub kinds: Vec<AssetKind>,
    pub settings: Vec<Setting>,
    pub folders_are_groups: bool,
    pub sees_path: bool,
}

/// Files that an importer reads if no rule says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileType {
    /// Without dot, in upper or lower case as it is declared.
    pub extension: String,
    /// What the files begin with. Other files with this extension are not for the importer.
    pub start: Vec<u8>,
}

impl FileType {
    /// Whether it has this extension, in any case.
    fn has_extension(&self, extension: &str) -> bool {
        !extension.is_empty() && self.extension.eq_ignore_ascii_case(extension)
    }

    /// Whether the file at `file` begins as files of this type do. A file that cannot be read is taken for one that does, so that its own
    /// error says why.
    fn takes_content(&self, file: &Path) -> bool {
        if self.start.is_empty() {
            return true;
        }
        let mut found = Vec::new();
        let read = File::open(file).and_then(|file| file.take(self.start.len() as u64).read_to_end(&mut found));
        read.is_err() || found == self.start
    }
}

impl Description {
    /// Describes an importer with this name and version.
    ///
    /// Its table of settings has the name, and `importer = …` in rules: small letters, digits, `_` and `-`. Increase the version whenever
    /// the same input gives other assets than before; otherwise the cache keeps the old ones.
    pub fn new(name: impl Into<String>, version: u32) -> Self {
        let name = name.into();
        let (files, types, kinds, settings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { name, version, files, types, kinds, settings, folders_are_groups: false, sees_path: true }
    }

    /// Adds extensions of files that it reads: without dot, in any case. It comes before an importer of rres that reads the same files,
    /// and a rule with `kind` or `importer` before both. Without extensions, only rules choose it.
    #[must_use]
    pub fn reads<E: Into<String>>(self, extensions: impl IntoIterator<Item = E>) -> Self {
        extensions.into_iter().fold(self, |description, extension| description.reads_if(extension, []))
    }

    /// Adds an extension of files that it reads if they begin with these bytes, because other programs write files with the same
    /// extension.
    #[must_use]
    pub fn reads_if(mut self, extension: impl Into<String>, start: impl Into<Vec<u8>>) -> Self {
        self.files.push(FileType { extension: extension.into(), start: start.into() });
        self
    }

    /// Adds a type of assets that it makes. If that is a kind of rres, the settings of the kind apply to its files.
    #[must_use]
    pub fn makes(mut self, asset_type: impl Into<AssetType>) -> Self {
        let asset_type = asset_type.into();
        if let Err(at) = self.kinds.binary_search(&asset_type.kind) {
            self.kinds.insert(at, asset_type.kind);
        }
        self.types.push(asset_type);
        self
    }

    /// Adds a setting.
    #[must_use]
    pub fn with_setting(mut self, setting: Setting) -> Self {
        self.settings.push(setting);
        self
    }

    /// Promises that what a source becomes does not follow from its path, besides the extension: the importer neither stores the path nor
    /// looks for other files by it. Then a file that moves is not imported again.
    #[must_use]
    pub fn without_path(self) -> Self {
        Self { sees_path: false, ..self }
    }

    /// Makes each folder in the names of its sub-assets a group: `ui` for `ui/button`.
    #[must_use]
    pub fn with_folders_as_groups(self) -> Self {
        Self { folders_are_groups: true, ..self }
    }

    /// Whether it reads the file at `file` with this extension if no rule says otherwise.
    pub fn takes_file(&self, extension: &str, file: &Path) -> bool {
        self.files.iter().any(|of| of.has_extension(extension) && of.takes_content(file))
    }

    /// Whether it reads files with this extension, in any case, if no rule says otherwise and they begin as they should.
    pub fn takes(&self, extension: &str) -> bool {
        self.files.iter().any(|of| of.has_extension(extension))
    }

    pub fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// The path of the type of custom assets with this kind of chunk.
    pub fn rust_type(&self, fourcc: FourCc) -> Option<&str> {
        self.types.iter().filter_map(|of| of.custom.as_ref()).find(|(kind, _)| *kind == fourcc).map(|(_, path)| &**path)
    }

    /// Appends the bytes of the kinds that it may make, and of each of its settings: a part of the key of a blob.
    pub fn fingerprint(&self, settings: &Settings, out: &mut Vec<u8>) {
        for of in &self.types {
            out.push(of.kind as u8);
            // Not the path of the type, which is in the generated module only.
            out.extend(of.custom.iter().flat_map(|(chunk, _)| chunk.0));
        }
        for setting in &self.settings {
            let value = settings.importers.get(&(self.name.clone(), setting.key.clone()));
            if let Some(value) = value.or(setting.default.as_ref()) {
                setting.key.as_str().fingerprint(out);
                value.fingerprint(out);
            }
        }
    }

    /// What is wrong with it by itself, or beside `others`: what is the case, and what to do.
    pub fn faults(&self, others: &[&Self]) -> Vec<(String, String)> {
        let mut faults = self.faults_of_name(others);
        let mut push = |message: String, help: &str| faults.push((message, help.to_owned()));
        for FileType { extension, .. } in &self.files {
            let is_part = |c: char| !c.is_control() && !matches!(c, '.' | '/' | '\\' | '*');
            if extension.is_empty() || !extension.chars().all(is_part) {
                push(
                    format!("the importer `{}` has the extension \"{extension}\"", self.name),
                    "extensions have no dot: \"tmx\"",
                );
            }
            if let Some(other) = others.iter().find(|other| other.takes(extension)) {
                push(
                    format!("the importers `{}` and `{}` both take .{extension} files", other.name, self.name),
                    "remove the extension from one of them, and choose that one with `importer = …` in a rule",
                );
            }
        }
        if self.types.is_empty() {
            push(
                format!("the importer `{}` makes no type of asset", self.name),
                "say what it makes with `Description::makes`",
            );
        }
        for of in &self.types {
            let Some((fourcc, path)) = &of.custom else {
                if matches!(of.kind, AssetKind::Custom | AssetKind::Sprite) {
                    let message = format!("the importer `{}` makes assets of kind {}", self.name, of.kind);
                    push(
                        message,
                        "custom assets are declared with `AssetType::custom`, and sprites with the rule `image.atlas`",
                    );
                }
                continue;
            };
            if !fourcc.0.iter().all(u8::is_ascii_alphanumeric) || fourcc.description().is_some() {
                let taken = fourcc.description().map(|what| format!(", which means {what}")).unwrap_or_default();
                let message = format!("the importer `{}` makes chunks of kind \"{fourcc}\"{taken}", self.name);
                push(message, "choose four letters or digits that no other kind of chunk has");
            }
            if !is_type_path(path) {
                let message = format!("the importer `{}` makes assets of the type \"{path}\"", self.name);
                push(message, "name it by its whole path, such as \"crate::map::TileMap\" or \"::maps::TileMap\"");
            }
            let mine = self.types.iter().filter(|other| *other != of).filter_map(|other| other.custom.as_ref());
            let all =
                mine.chain(others.iter().flat_map(|other| &other.types).filter_map(|other| other.custom.as_ref()));
            if let Some((_, other)) = all.into_iter().find(|(kind, other)| kind == fourcc && other != path) {
                let message = format!("chunks of kind \"{fourcc}\" would be of two types, \"{other}\" and \"{path}\"");
                push(message, "give each type a kind of its own");
            }
        }
        for (at, setting) in self.settings.iter().enumerate() {
            let key = format!("{}.{}", self.name, setting.key);
            if !ImporterName::is_valid(&setting.key) {
                push(format!("\"{key}\" is not a name of a setting"), "use small letters, digits, `_` and `-`");
            }
            if self.settings[..at].iter().any(|other| other.key == setting.key) {
                push(format!("the setting `{key}` is declared twice"), "remove one of the two");
            }
            if let Some(Err((message, _))) = setting.default.as_ref().map(|default| setting.check(&key, default)) {
                push(format!("the default does not fit: {message}"), "change the default or the values");
            }
        }
        faults
    }

    fn faults_of_name(&self, others: &[&Self]) -> Vec<(String, String)> {
        let name = &self.name;
        let fault = |message: String, help: &str| vec![(message, help.to_owned())];
        if !ImporterName::is_valid(name) {
            let help = "use small letters, digits, `_` and `-`, such as \"tiled\"";
            return fault(format!("\"{name}\" is not a name of an importer"), help);
        }
        let is_key = all_rows().any(|row| row.table() == Some(name) || row.table().is_none() && row.name() == name);
        let taken = if AssetKind::from_name(name).is_some() {
            "taken by a kind of assets"
        } else if is_key {
            "taken by a key of rules"
        } else if importer_named(name).is_some() {
            "taken by an importer of rres-build"
        } else if others.iter().any(|other| other.name == *name) {
            "taken by another importer of this build"
        } else {
            return Vec::new();
        };
        fault(format!("the name of the importer `{name}` is {taken}"), "give it another name")
    }
}

/// The names that rules can choose with `importer = …`: the names of `own`, and of importers of this crate that have no kind.
pub(crate) fn importer_names<'s>(own: impl IntoIterator<Item = &'s Description>) -> Vec<String> {
    let own = own.into_iter().map(|spec| spec.name.clone());
    let mut names: Vec<String> = own.chain(containers().map(|row| row.name.to_owned())).collect();
    names.sort_unstable();
    names
}

/// What is wrong with a rule that names an importer `name` that is not among `known`: message and help.
pub(crate) fn unknown_importer(name: &str, known: &[String]) -> (String, Option<String>) {
    let expected = match known {
        [] => "but rules can choose none: build.rs registers no importer".to_owned(),
        [one] => format!("expected \"{one}\""),
        _ => format!("expected one of {}", super::toml_reader::quoted(known.iter().map(String::as_str))),
    };
    let near = nearest(name, known.iter().map(String::as_str)).map(|near| format!("did you mean \"{near}\"?"));
    let of_kind =
        AssetKind::from_name(name).map(|kind| format!("a kind has an importer of its own: kind = \"{kind}\""));
    (format!("unknown value \"{name}\" for `importer`, {expected}"), near.or(of_kind))
}

/// Whether a text is the absolute path of a type.
fn is_type_path(path: &str) -> bool {
    let Some(rest) = path.strip_prefix("crate::").or_else(|| path.strip_prefix("::")) else { return false };
    let is_name = |part: &str| ConstantName::is_valid(part.strip_prefix("r#").unwrap_or(part));
    rest.split("::").all(is_name) && (path.starts_with("crate") || rest.contains("::"))
}
