//! The kinds of assets, one row each: file extensions and the feature of the importer.
//!
//! Settings, importers, error messages and the tables of the documentation are based on [`KINDS`].

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rres_format::AssetKind;

use crate::note::Note;

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
        extensions: &[
            "png", "jpg", "jpeg", "bmp", "tga", "gif", "hdr", "exr", "qoi", "dds", "ktx2", "webp", "aseprite", "ase",
            "cubemap",
        ],
        feature: Some("image"),
        contains: &[],
    },
    KindRow {
        kind: AssetKind::Sound,
        extensions: &["wav", "wave", "aiff", "aif", "aifc", "caf", "ogg", "oga", "opus", "flac", "mp3", "m4a", "aac"],
        feature: Some("sound"),
        contains: &[],
    },
    KindRow {
        kind: AssetKind::Font,
        extensions: &["ttf", "otf", "ttc", "otc", "fnt"],
        feature: Some("font"),
        contains: &[],
    },
    KindRow {
        kind: AssetKind::Model,
        extensions: &["gltf", "glb", "obj"],
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
    // Importers of the build script make them.
    KindRow { kind: AssetKind::Custom, extensions: &[], feature: None, contains: &[] },
    // Images become sprites once they are in an atlas.
    KindRow { kind: AssetKind::Sprite, extensions: &[], feature: None, contains: &[] },
];

/// An importer of this crate for files that only their contents tell the kind of, or that become several assets of several kinds. A row
/// each.
#[derive(Debug)]
pub(crate) struct ContainerRow {
    /// The name of the importer.
    pub(crate) name: &'static str,
    /// The feature that enables it.
    pub(crate) feature: &'static str,
    /// Extensions of files that it reads if no rule says otherwise: lower case, without dot. No kind has them.
    pub(crate) extensions: &'static [&'static str],
    /// What a file with one of the extensions begins with. Files that begin otherwise are of other programs, and not for this importer.
    pub(crate) start: fn(extension: &str) -> &'static [u8],
    /// Whether what it makes follows from the path of the file, too, because it looks for other files by that.
    pub(crate) sees_path: bool,
    /// Whether the folders in the names of its sub-assets are groups.
    pub(crate) folders_are_groups: bool,
    /// The kinds of assets that it makes, whose settings apply.
    pub(crate) kinds: &'static [AssetKind],
}

/// Every such importer.
pub(crate) const CONTAINERS: &[ContainerRow] = &[
    ContainerRow {
        name: "generate",
        feature: "image",
        extensions: &["generate"],
        start: |_| b"",
        sees_path: false,
        folders_are_groups: false,
        kinds: &[AssetKind::Model, AssetKind::Image],
    },
    ContainerRow {
        name: "nbr",
        feature: "nbr",
        extensions: &["nbr"],
        start: |_| b"",
        sees_path: false,
        folders_are_groups: false,
        kinds: &[AssetKind::Image, AssetKind::Sound, AssetKind::Text, AssetKind::Model, AssetKind::Font],
    },
    ContainerRow {
        name: "srsc",
        feature: "srsc",
        extensions: &["db", "txd", "sdb", "mod", "odb", "adb", "ssd", "rrc", "lvl"],
        start: |extension| if extension.eq_ignore_ascii_case("db") { b"version " } else { b"SRSC" },
        sees_path: true,
        folders_are_groups: true,
        kinds: &[AssetKind::Text, AssetKind::Image, AssetKind::Sound, AssetKind::Model, AssetKind::Raw],
    },
];

/// Files that become assets like any other, though few games want that, a row each.
#[derive(Debug)]
pub(crate) struct UnusualRow {
    /// Globs for names without folder: lower case.
    names: &'static [&'static str],
    /// What the note about them says.
    topic: &'static str,
    /// What probably should be done.
    wish: Wish,
}

/// What to do about unusual files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// Leave them out.
    Ignore,
    /// Say that they are meant to be stored as they are.
    Raw,
}

const WORKING_FILE: &str = "working files, which players do not need";
const BACKUP: &str = "backup copies, which players do not need";
const METADATA: &str = "files of another engine's importer, which players do not need";
const ABOUT: &str = "files about the folder, which players may not need";
const RAW_IMAGE: &str = "images of a format that is not decoded: the constant is an Id<Raw>";
const RAW_SOUND: &str = "sounds of a format that is not decoded: the constant is an Id<Raw>";
const RAW_MODEL: &str = "models of a format that is not imported: the constant is an Id<Raw>";
const LIBRARY: &str = "materials that no OBJ model reads";
const RAW_FONT: &str = "fonts of a format that is not imported: the constant is an Id<Raw>";
const DRAWING: &str = "drawings, which become text: the constant is an Id<Text>";

/// Every sort of unusual file. Names of the systems' and the editors' own files are not here: those are never assets.
const UNUSUAL: &[UnusualRow] = &[
    UnusualRow {
        names: &[
            "*.psd",
            "*.psb",
            "*.kra",
            "*.xcf",
            "*.clip",
            "*.pdn",
            "*.ora",
            "*.afphoto",
            "*.afdesign",
            "*.ai",
            "*.blend",
            "*.fbx",
            "*.max",
            "*.ma",
            "*.mb",
            "*.c4d",
            "*.ztl",
            "*.spp",
            "*.aup",
            "*.aup3",
            "*.flp",
            "*.als",
            "*.sfd",
        ],
        topic: WORKING_FILE,
        wish: Wish::Ignore,
    },
    UnusualRow { names: &["*.bak", "*.orig", "*.rej", "*.old", "*.blend[0-9]"], topic: BACKUP, wish: Wish::Ignore },
    UnusualRow { names: &["*.meta", "*.import", "*.uid"], topic: METADATA, wish: Wish::Ignore },
    UnusualRow { names: &["readme", "readme.*"], topic: ABOUT, wish: Wish::Ignore },
    UnusualRow {
        names: &[
            "*.avif", "*.heic", "*.jxl", "*.tif", "*.tiff", "*.ktx", "*.basis", "*.pcx", "*.xpm", "*.ico", "*.pnm",
            "*.ppm", "*.pgm",
        ],
        topic: RAW_IMAGE,
        wish: Wish::Raw,
    },
    UnusualRow {
        names: &["*.wma", "*.mod", "*.xm", "*.s3m", "*.it", "*.mptm", "*.stm", "*.mid", "*.midi"],
        topic: RAW_SOUND,
        wish: Wish::Raw,
    },
    UnusualRow { names: &["*.dae", "*.3ds", "*.md2", "*.vox", "*.ply"], topic: RAW_MODEL, wish: Wish::Raw },
    UnusualRow { names: &["*.mtl"], topic: LIBRARY, wish: Wish::Ignore },
    UnusualRow { names: &["*.woff", "*.woff2", "*.pfb"], topic: RAW_FONT, wish: Wish::Raw },
    UnusualRow { names: &["*.svg"], topic: DRAWING, wish: Wish::Raw },
];

/// A note about an asset with this path, if it is unusual. For assets whose kind follows from the extension.
pub(crate) fn note(path: &str) -> Option<Note> {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let matches = |glob: &&&str| match glob.split_once('*') {
        Some((start, "")) => name.starts_with(start),
        Some((_, end)) => match end.strip_suffix("[0-9]") {
            Some(end) => name.strip_suffix(|c: char| c.is_ascii_digit()).is_some_and(|name| name.ends_with(end)),
            None => name.ends_with(end),
        },
        None => name == **glob,
    };
    let (row, glob) = UNUSUAL.iter().find_map(|row| Some((row, row.names.iter().find(matches)?)))?;
    let file = path.rsplit('/').next().unwrap_or(path);
    // Globs distinguish case: the rule is for the extension as it is written.
    let glob = match (glob.strip_prefix("*."), file.rsplit_once('.')) {
        (Some(known), Some((_, extension))) if !known.contains('[') => format!("**/*.{extension}"),
        (Some(known), _) => format!("**/*.{known}"),
        (None, _) => format!("**/{file}"),
    };
    let help = match row.wish {
        Wish::Ignore => format!("to leave them out: \"{glob}\" = {{ ignore = true }} at the top of assets.toml"),
        Wish::Raw if row.topic == DRAWING => {
            format!("if that is meant: \"{glob}\" = {{ kind = \"text\" }} at the top of assets.toml")
        }
        Wish::Raw => format!("if that is meant: \"{glob}\" = {{ kind = \"raw\" }} at the top of assets.toml"),
    };
    Some(Note::new(format!("{glob}: {}", row.topic)).with_help(help))
}

/// The row of a kind.
pub(crate) fn row(kind: AssetKind) -> &'static KindRow {
    KINDS.iter().find(|row| row.kind == kind).expect("every kind has a row")
}

/// The importer of the file at `file` with `extension` (any case, without dot), if it becomes assets of several kinds. A file that cannot be
/// read is taken for one that begins as it should, so that its own error says why.
pub(crate) fn container_of(extension: &str, file: &Path) -> Option<&'static ContainerRow> {
    let row = CONTAINERS.iter().find(|row| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))?;
    let start = (row.start)(extension);
    if start.is_empty() {
        return Some(row);
    }
    let mut found = Vec::new();
    let read = File::open(file).and_then(|file| file.take(start.len() as u64).read_to_end(&mut found));
    (read.is_err() || found == start).then_some(row)
}

/// The kind of a file with `extension` (any case, without dot) if no rule sets one: raw if the extension is unknown, or only the
/// contents of the file tell.
pub fn kind_of_extension(extension: &str) -> AssetKind {
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
        let of_containers = CONTAINERS.iter().flat_map(|row| row.extensions);
        let mut extensions: Vec<&str> =
            KINDS.iter().flat_map(|row| row.extensions).chain(of_containers).copied().collect();
        let count = extensions.len();
        extensions.sort_unstable();
        extensions.dedup();
        assert_eq!(extensions.len(), count);
        assert!(extensions.iter().all(|extension| *extension == extension.to_lowercase()));
        assert_eq!((kind_of_extension("PNG"), kind_of_extension("psd")), (AssetKind::Image, AssetKind::Raw));
    }

    #[test]
    fn a_container_has_the_name_of_no_kind() {
        for row in CONTAINERS {
            assert!(AssetKind::from_name(row.name).is_none() && !row.kinds.is_empty(), "{}", row.name);
        }
    }

    /// The tables of the README and of the crate documentation match [`KINDS`] and [`CONTAINERS`].
    #[test]
    fn the_documentation_lists_every_extension() {
        let readme = include_str!("../../README.md");
        let front_page = include_str!("lib.rs");
        let of_kinds = KINDS.iter().filter(|row| row.feature.is_some()).map(|row| row.extensions);
        for extensions in of_kinds.chain(CONTAINERS.iter().map(|row| row.extensions)) {
            let cell = format!("| `{}` |", extensions.join(" "));
            assert!(readme.contains(&cell), "README.md lacks {cell}");
            assert!(front_page.contains(&cell), "src/lib.rs lacks {cell}");
        }
    }
}
