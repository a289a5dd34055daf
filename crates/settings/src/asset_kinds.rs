//! The importers of rres, one row each: what they read and make, and the feature that enables them.
//!
//! Settings, error messages and the tables of the documentation are based on [`IMPORTERS`].

use rres_format::AssetKind;

use std::sync::LazyLock;

use crate::{Description, Setting};

/// An importer of rres, apart from its code: known even if its feature is disabled.
#[derive(Debug)]
pub struct ImporterRow {
    /// The name of its kind if it makes assets of one kind, and what these contain.
    pub name: &'static str,
    /// The kinds of assets that it makes, whose settings apply.
    pub kinds: &'static [AssetKind],
    /// Other kinds whose settings apply: the textures inside a model are images.
    pub contains: &'static [AssetKind],
    /// Extensions of files that it reads if no rule says otherwise: lower case, without dot. No other importer has them.
    pub extensions: &'static [&'static str],
    /// What a file with one of the extensions begins with. Files that begin otherwise are of other programs, and not for this importer.
    pub start: fn(extension: &str) -> &'static [u8],
    /// The feature of rres-build that enables it; `None` if it is always enabled.
    pub feature: Option<&'static str>,
    /// Whether what it makes follows from the path of the file, too: links store it, shaders, sheets and archives look for other files by it.
    pub sees_path: bool,
    /// Whether the folders in the names of its sub-assets are groups.
    pub folders_are_groups: bool,
    /// The settings that only it has, in the table of rules with its name.
    pub settings: fn() -> Vec<Setting>,
    /// The extensions of the files of the same name that belong to a file with this extension: they are shown with it.
    pub members: fn(extension: &str) -> &'static [&'static str],
}

const USUAL: ImporterRow = ImporterRow {
    name: "",
    kinds: &[],
    contains: &[],
    extensions: &[],
    start: |_| b"",
    feature: None,
    sees_path: false,
    folders_are_groups: false,
    settings: Vec::new,
    members: |_| &[],
};

/// Every importer of rres, in the order of the documentation: first the importers of one kind. Importers of the build script make custom
/// assets, and images become sprites once they are in an atlas.
pub const IMPORTERS: &[ImporterRow] = &[
    ImporterRow {
        name: "image",
        kinds: &[AssetKind::Image],
        extensions: &[
            "png", "jpg", "jpeg", "bmp", "tga", "gif", "hdr", "exr", "qoi", "dds", "ktx", "ktx2", "webp", "aseprite",
            "ase", "cube", "cubemap", "channels",
        ],
        feature: Some("image"),
        sees_path: true,
        ..USUAL
    },
    ImporterRow {
        name: "sound",
        kinds: &[AssetKind::Sound],
        extensions: &[
            "wav", "wave", "aiff", "aif", "aifc", "caf", "ogg", "oga", "opus", "flac", "mp3", "m4a", "aac", "qoa",
        ],
        feature: Some("sound"),
        ..USUAL
    },
    ImporterRow {
        name: "font",
        kinds: &[AssetKind::Font],
        extensions: &["ttf", "otf", "ttc", "otc", "fnt"],
        feature: Some("font"),
        ..USUAL
    },
    ImporterRow {
        name: "model",
        kinds: &[AssetKind::Model],
        contains: &[AssetKind::Image],
        extensions: &["gltf", "glb", "obj"],
        feature: Some("model"),
        ..USUAL
    },
    ImporterRow {
        name: "text",
        kinds: &[AssetKind::Text],
        extensions: &[
            "txt", "md", "json", "toml", "yaml", "yml", "xml", "csv", "tsv", "ini", "cfg", "conf", "ron", "html",
            "css", "svg", "ftl", "po", "srt", "c", "h", "cpp", "cc", "cxx", "hpp", "cs", "lua", "js", "mjs", "py",
            "rs", "zig", "odin", "jai", "gd", "glsl", "vs", "fs", "vert", "frag", "comp", "geom", "wgsl", "hlsl",
            "metal",
        ],
        sees_path: true,
        ..USUAL
    },
    ImporterRow { name: "raw", kinds: &[AssetKind::Raw], ..USUAL },
    ImporterRow { name: "link", kinds: &[AssetKind::Link], sees_path: true, ..USUAL },
    ImporterRow {
        name: "generate",
        kinds: &[AssetKind::Model, AssetKind::Image],
        extensions: &["generate"],
        feature: Some("image"),
        ..USUAL
    },
    ImporterRow {
        name: "nbr",
        kinds: &[AssetKind::Image, AssetKind::Sound, AssetKind::Text, AssetKind::Model, AssetKind::Font],
        extensions: &["nbr"],
        feature: Some("nbr"),
        sees_path: true,
        ..USUAL
    },
    ImporterRow {
        name: "srsc",
        kinds: &[AssetKind::Text, AssetKind::Image, AssetKind::Sound, AssetKind::Model, AssetKind::Raw],
        extensions: &["db", "txd", "sdb", "mod", "odb", "adb", "ssd", "rrc", "lvl"],
        start: |extension| if extension.eq_ignore_ascii_case("db") { b"version " } else { b"SRSC" },
        feature: Some("srsc"),
        sees_path: true,
        folders_are_groups: true,
        // The order of the bytes of pixels with 32 bits, which is not certain.
        settings: || vec![Setting::one_of("order_32", ["rgba", "bgra"])],
        members: |extension| match extension.eq_ignore_ascii_case("db") {
            true => &["mod", "adb", "ssd", "odb", "sdb", "txd"],
            false => &[],
        },
        ..USUAL
    },
];

impl ImporterRow {
    /// Describes the importer, whose code has this version.
    pub fn describe(&self, version: u32) -> Description {
        let Self { name, kinds, extensions, start, sees_path, folders_are_groups, .. } = *self;
        let described = extensions.iter().fold(Description::new(name, version), |described, extension| {
            described.reads_if(*extension, start(extension))
        });
        let described = kinds.iter().copied().fold(described, Description::makes);
        Description { sees_path, folders_are_groups, settings: (self.settings)(), ..described }
    }

    /// Whether it makes assets of one kind, which has its name.
    pub fn is_of_kind(&self) -> bool {
        AssetKind::from_name(self.name).is_some()
    }

    fn has_extension(&self, extension: &str) -> bool {
        self.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
    }
}

/// The importers that make assets of several kinds. Rules name them with `importer = …`, and the others by their kind.
pub fn containers() -> impl Iterator<Item = &'static ImporterRow> {
    IMPORTERS.iter().filter(|row| !row.is_of_kind())
}

/// The importer with this name that rules can have a table for: one of the build script, or one of rres with settings of its own.
pub(crate) fn described<'s>(of_script: &'s [Description], name: &str) -> Option<&'s Description> {
    all_described(of_script).find(|described| described.name == name)
}

/// The importers that rules can have a table for.
pub(crate) fn all_described(of_script: &[Description]) -> impl Iterator<Item = &Description> {
    static OF_RRES: LazyLock<Vec<Description>> = LazyLock::new(|| {
        IMPORTERS.iter().map(|row| row.describe(0)).filter(|described| !described.settings.is_empty()).collect()
    });
    of_script.iter().chain(OF_RRES.iter())
}

/// The importer with this name.
pub fn importer_named(name: &str) -> Option<&'static ImporterRow> {
    IMPORTERS.iter().find(|row| row.name == name)
}

/// Describes the importer of rres with this name, whose code has this version.
///
/// # Panics
/// If no importer has the name.
pub fn describe(name: &str, version: u32) -> Description {
    importer_named(name).expect("every importer has a row").describe(version)
}

/// The importer that reads files with `extension` (any case, without dot) if no rule says otherwise and whatever they begin with.
pub fn importer_of_extension(extension: &str) -> Option<&'static ImporterRow> {
    IMPORTERS.iter().find(|row| row.has_extension(extension))
}

/// The kind of a file with `extension` (any case, without dot) if no rule sets one: raw if the extension is unknown, or only the
/// contents of the file tell.
pub fn kind_of_extension(extension: &str) -> AssetKind {
    let kind = importer_of_extension(extension).and_then(|row| AssetKind::from_name(row.name));
    kind.unwrap_or(AssetKind::Raw)
}

/// Whether settings for assets of kind `settings_kind` apply to assets of kind `kind`.
pub fn settings_apply(settings_kind: AssetKind, kind: AssetKind) -> bool {
    settings_kind == kind || importer_named(kind.name()).is_some_and(|row| row.contains.contains(&settings_kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_importer_has_a_name_and_every_extension_one_importer() {
        let is_unique = |mut all: Vec<&str>| {
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            all.len() == count
        };
        assert!(is_unique(IMPORTERS.iter().map(|row| row.name).collect()));
        let extensions: Vec<&str> = IMPORTERS.iter().flat_map(|row| row.extensions).copied().collect();
        assert!(extensions.iter().all(|extension| *extension == extension.to_lowercase()));
        assert!(is_unique(extensions));
        for row in IMPORTERS {
            let of_kind = AssetKind::from_name(row.name);
            assert!(!row.kinds.is_empty() && of_kind.is_none_or(|kind| row.kinds == [kind]), "{}", row.name);
        }
        assert_eq!((kind_of_extension("PNG"), kind_of_extension("psd")), (AssetKind::Image, AssetKind::Raw));
    }
}
