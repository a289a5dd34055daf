//! The kinds of assets, one row each: file extensions and the feature of the importer.
//!
//! Settings, importers, error messages and the tables of the documentation are based on [`KINDS`].

use rres_format::AssetKind;

/// How a build recognises and imports one kind of asset.
#[derive(Debug)]
pub(crate) struct KindRow {
    pub(crate) kind: AssetKind,
    /// Extensions of files that become this kind if no rule sets another: lower case, without dot.
    pub(crate) extensions: &'static [&'static str],
    /// The feature of this crate that enables the importer; `None` if it is always enabled.
    pub(crate) feature: Option<&'static str>,
    /// Other kinds whose settings apply: the textures inside a model are images.
    pub(crate) contains: &'static [AssetKind],
}

/// Every kind, in the order of the documentation.
pub(crate) const KINDS: &[KindRow] = &[
    KindRow {
        kind: AssetKind::Image,
        extensions: &["png", "jpg", "jpeg", "bmp", "tga", "gif", "hdr", "qoi", "dds"],
        feature: Some("image"),
        contains: &[],
    },
    KindRow {
        kind: AssetKind::Sound,
        extensions: &["wav", "wave", "ogg", "oga", "flac", "mp3"],
        feature: Some("sound"),
        contains: &[],
    },
    KindRow { kind: AssetKind::Font, extensions: &["ttf", "otf", "ttc", "otc"], feature: Some("font"), contains: &[] },
    KindRow {
        kind: AssetKind::Model,
        extensions: &["gltf", "glb"],
        feature: Some("model"),
        contains: &[AssetKind::Image],
    },
    KindRow {
        kind: AssetKind::Text,
        extensions: &[
            "txt", "md", "json", "toml", "yaml", "yml", "xml", "csv", "tsv", "ini", "cfg", "conf", "ron", "html",
            "css", "svg", "ftl", "po", "srt", "c", "h", "cpp", "cc", "cxx", "hpp", "cs", "lua", "js", "mjs", "py",
            "rs", "zig", "odin", "jai", "gd", "glsl", "vs", "fs", "vert", "frag", "comp", "geom", "wgsl", "hlsl",
            "metal",
        ],
        feature: None,
        contains: &[],
    },
    KindRow { kind: AssetKind::Raw, extensions: &[], feature: None, contains: &[] },
    KindRow { kind: AssetKind::Link, extensions: &[], feature: None, contains: &[] },
];

/// The row of a kind.
pub(crate) fn row(kind: AssetKind) -> &'static KindRow {
    KINDS.iter().find(|row| row.kind == kind).expect("every kind has a row")
}

/// The kind of a file with `extension` (any case, without dot) if no rule sets one: raw if the extension is unknown.
pub(crate) fn kind_of_extension(extension: &str) -> AssetKind {
    let takes = |row: &&KindRow| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
    KINDS.iter().find(takes).map_or(AssetKind::Raw, |row| row.kind)
}

/// Whether settings for assets of kind `settings_kind` apply to assets of kind `kind`.
pub(crate) fn settings_apply(settings_kind: AssetKind, kind: AssetKind) -> bool {
    settings_kind == kind || row(kind).contains.contains(&settings_kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_row_and_every_extension_one_kind() {
        for kind in AssetKind::ALL {
            assert_eq!(KINDS.iter().filter(|row| row.kind == *kind).count(), 1, "{kind}");
        }
        let mut extensions: Vec<&str> = KINDS.iter().flat_map(|row| row.extensions).copied().collect();
        let count = extensions.len();
        extensions.sort_unstable();
        extensions.dedup();
        assert_eq!(extensions.len(), count);
        assert!(extensions.iter().all(|extension| *extension == extension.to_lowercase()));
        assert_eq!((kind_of_extension("PNG"), kind_of_extension("psd")), (AssetKind::Image, AssetKind::Raw));
    }

    /// The tables of the README and of the crate documentation match [`KINDS`].
    #[test]
    fn the_documentation_lists_every_extension() {
        let readme = include_str!("../../README.md");
        let front_page = include_str!("lib.rs");
        for row in KINDS.iter().filter(|row| row.feature.is_some()) {
            let cell = format!("| `{}` |", row.extensions.join(" "));
            assert!(readme.contains(&cell), "README.md lacks {cell}");
            assert!(front_page.contains(&cell), "src/lib.rs lacks {cell}");
        }
    }
}
