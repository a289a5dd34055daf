//! Notes about files that become assets like any other, though few games want that.

use rres_import::Note;

use crate::settings::file_name;

/// Files that few games want as assets, a row each.
#[derive(Debug)]
struct UnusualRow {
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
            "*.avif", "*.heic", "*.jxl", "*.tif", "*.tiff", "*.pvr", "*.pkm", "*.basis", "*.pcx", "*.xpm", "*.ico",
            "*.pnm", "*.ppm", "*.pgm",
        ],
        topic: RAW_IMAGE,
        wish: Wish::Raw,
    },
    UnusualRow {
        names: &["*.wma", "*.xm", "*.s3m", "*.it", "*.mptm", "*.stm", "*.mid", "*.midi"],
        topic: RAW_SOUND,
        wish: Wish::Raw,
    },
    UnusualRow { names: &["*.dae", "*.3ds", "*.md2", "*.vox", "*.ply"], topic: RAW_MODEL, wish: Wish::Raw },
    UnusualRow { names: &["*.mtl"], topic: LIBRARY, wish: Wish::Ignore },
    UnusualRow { names: &["*.woff", "*.woff2", "*.pfb"], topic: RAW_FONT, wish: Wish::Raw },
    UnusualRow { names: &["*.svg"], topic: DRAWING, wish: Wish::Raw },
];

/// A note about an asset with this path, if it is unusual. For assets whose kind follows from the extension.
pub(super) fn note(path: &str) -> Option<Note> {
    let name = file_name(path).to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let unnumbered = extension.strip_suffix(|c: char| c.is_ascii_digit());
    // Most globs are for an extension, and every source is compared with all of them.
    let matches = |glob: &&&str| match glob.strip_prefix("*.") {
        Some(known) => extension == known || unnumbered.is_some() && unnumbered == known.strip_suffix("[0-9]"),
        None => match glob.strip_suffix(".*") {
            Some(known) => name.strip_prefix(known).is_some_and(|rest| rest.starts_with('.')),
            None => name == **glob,
        },
    };
    let (row, glob) = UNUSUAL.iter().find_map(|row| Some((row, row.names.iter().find(matches)?)))?;
    let file = file_name(path);
    // Globs distinguish case: the rule is for the extension as it is written.
    let glob = match (glob.strip_prefix("*."), file.rsplit_once('.')) {
        (Some(known), Some((_, extension))) if !known.contains('[') => format!("**/*.{extension}"),
        (Some(known), _) => format!("**/*.{known}"),
        // One rule for `README.md`, `README.txt` and all the others.
        (None, Some((stem, _))) => format!("**/{stem}.*"),
        (None, None) => format!("**/{file}"),
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

#[cfg(test)]
mod tests {
    use rres_format::AssetKind;

    use crate::asset_kinds::kind_of_extension;

    use super::*;

    /// Nothing says of a file that an importer reads that it is not read.
    #[test]
    fn formats_with_an_importer_are_not_unusual() {
        for row in UNUSUAL.iter().filter(|row| row.wish == Wish::Raw && row.topic != DRAWING) {
            for extension in row.names.iter().filter_map(|name| name.strip_prefix("*.")) {
                let kind = kind_of_extension(extension);
                assert_eq!(kind, AssetKind::Raw, "{extension}");
            }
        }
    }

    #[test]
    fn globs_match_by_extension_or_by_name() {
        for (path, topic) in [
            ("a/b.PSD", Some(WORKING_FILE)),
            ("a.psd.txt", None),
            ("psd", None),
            ("scene.blend", Some(WORKING_FILE)),
            ("scene.blend1", Some(BACKUP)),
            ("scene.blend12", None),
            ("a/ReadMe", Some(ABOUT)),
            ("readme.en.md", Some(ABOUT)),
            ("readme.psd", Some(WORKING_FILE)),
            ("readmes.txt", None),
            ("a.txt", None),
        ] {
            let found = note(path).map(|note| note.topic);
            assert_eq!(found.is_some(), topic.is_some(), "{path}: {found:?}");
            assert!(topic.is_none_or(|topic| found.is_some_and(|found| found.ends_with(topic))), "{path}");
        }
    }
}
