//! The listing of the constants of a module, for builds without the assets: on docs.rs, in a check by CI, in a package that is published
//! without them.
//!
//! It is a text beside the assets directory, `assets.listing`, with a line for each asset, part and group. Fields are separated by tabs, and
//! `-` is an empty one. `cargo rres listing` writes it, and a build with [`crate::Build::allow_missing`] reads it if the directory does not exist.
//!
//! ```text
//! # The constants of `assets`, for builds without its files. `cargo rres listing` writes it; commit it.
//! rres-listing 1
//! asset⇥0x3f9b0c11⇥image⇥-⇥-⇥1 40 20 65543 1 0⇥ui/button.png⇥40×20 R8G8B8A8
//! part⇥Animation⇥0⇥Run
//! group⇥menu⇥0x3f9b0c11 0x8a1c2d07⇥2 assets
//! ```
//!
//! The fields of an asset are its id, kind, kind of chunk, `rename`, facts, path and documentation.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rres_codegen::{Constant, Facts, Group};
use rres_format::{AssetKind, FourCc, ResourceId};

use crate::diagnostic::{Diagnostic, Place, Position};
use crate::model::{NamedPart, PartSort};
use crate::read_file::read_file;
use crate::source_dir::file_beside;

const SIGNATURE: &str = "rres-listing 1";

/// An empty field.
const NONE: &str = "-";

/// What to do about a listing that is wrong.
const HELP: &str = "where the assets are, run `cargo rres listing`, and commit the file";

/// The path of the listing of the assets directory `assets`: next to it and named after it.
pub(crate) fn path_for(assets: &Path) -> PathBuf {
    file_beside(assets, "listing")
}

/// The text of a listing. `name` is the name of the assets directory.
pub(crate) fn write(name: &str, constants: &[Constant], groups: &[Group]) -> String {
    let mut text = format!(
        "# The constants of `{}`, for builds without its files. `cargo rres listing` writes it; commit it.\n{SIGNATURE}\n",
        escape(name)
    );
    let mut constants: Vec<&Constant> = constants.iter().collect();
    constants.sort_by(|a, b| a.path.cmp(&b.path));
    for Constant { path, id, kind, custom, doc, facts, rename, parts, .. } in constants {
        let custom = custom.map_or_else(|| NONE.to_owned(), |FourCc(kind)| u32::from_be_bytes(kind).to_string());
        let rename = rename.as_deref().map_or_else(|| NONE.to_owned(), escape);
        // Writing to memory never fails.
        let _ = writeln!(
            text,
            "asset\t{id}\t{kind}\t{custom}\t{rename}\t{}\t{}\t{}",
            facts_field(*facts),
            escape(path),
            escape(doc)
        );
        for NamedPart { sort, index, name } in parts {
            let _ = writeln!(text, "part\t{}\t{index}\t{}", sort.type_name(), escape(name));
        }
    }
    for Group { name, members, doc } in groups {
        let members: Vec<String> = members.iter().map(ToString::to_string).collect();
        let members = if members.is_empty() { NONE.to_owned() } else { members.join(" ") };
        let _ = writeln!(text, "group\t{}\t{members}\t{}", escape(name), escape(doc));
    }
    text
}

/// Reads the listing `file`.
///
/// # Errors
/// If it does not exist, or is none.
pub(crate) fn read(file: &Path) -> Result<(Vec<Constant>, Vec<Group>), Diagnostic> {
    let bytes = read_file(file).map_err(|e| {
        Diagnostic::io("read the listing of assets that are missing", file, &e).with_help(HELP.to_owned())
    })?;
    let fail = |line, message: &str| {
        let place = Place::File(file.to_owned(), Some(Position { line, column: 1 }));
        Diagnostic::new(place, message).with_help(HELP.to_owned())
    };
    let text = std::str::from_utf8(&bytes).map_err(|_| fail(1, "is not UTF-8"))?;
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    match lines.next() {
        Some((_, SIGNATURE)) => {}
        Some((line, _)) => return Err(fail(line, "is not a listing of assets, or one of a newer version")),
        None => return Err(fail(1, "is empty, expected a listing of assets")),
    }
    let (mut constants, mut groups) = (Vec::<Constant>::new(), Vec::new());
    for (number, line) in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let is_read = match fields[..] {
            ["asset", id, kind, custom, rename, facts, path, doc] => {
                constant([id, kind, custom, rename, facts, path, doc]).map(|constant| constants.push(constant))
            }
            ["part", sort, index, name] => {
                part(sort, index, name).and_then(|part| constants.last_mut().map(|constant| constant.parts.push(part)))
            }
            ["group", name, members, doc] => group(name, members, doc).map(|group| groups.push(group)),
            _ => None,
        };
        is_read.ok_or_else(|| fail(number, "is not a line of a listing of assets"))?;
    }
    Ok((constants, groups))
}

fn constant([id, kind, custom, rename, facts, path, doc]: [&str; 7]) -> Option<Constant> {
    let custom = match custom {
        NONE => None,
        number => Some(FourCc(number.parse::<u32>().ok()?.to_be_bytes())),
    };
    Some(Constant {
        path: unescape(path),
        id: resource_id(id)?,
        slot: Default::default(),
        kind: AssetKind::from_name(kind)?,
        custom,
        doc: unescape(doc),
        facts: read_facts(facts)?,
        stored_size: 0,
        // Nobody ships the program.
        is_needed: true,
        needs: None,
        rename: (rename != NONE).then(|| unescape(rename)),
        parts: Vec::new(),
    })
}

fn part(sort: &str, index: &str, name: &str) -> Option<NamedPart> {
    let sort = PartSort::ALL.into_iter().find(|known| known.type_name() == sort)?;
    Some(NamedPart { sort, index: index.parse().ok()?, name: unescape(name) })
}

fn group(name: &str, members: &str, doc: &str) -> Option<Group> {
    let members = match members {
        NONE => Vec::new(),
        members => members.split(' ').map(resource_id).collect::<Option<_>>()?,
    };
    Some(Group { name: unescape(name), members, doc: unescape(doc) })
}

fn resource_id(text: &str) -> Option<ResourceId> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok().map(ResourceId)
}

fn facts_field(facts: Facts) -> String {
    let Some((kind, words)) = facts.words() else { return NONE.to_owned() };
    std::iter::once(kind).chain(words).map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

fn read_facts(field: &str) -> Option<Facts> {
    if field == NONE {
        return Some(Facts::Unknown);
    }
    let numbers = field.split(' ').map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>()?;
    let (kind, words) = numbers.split_first()?;
    Facts::from_words(*kind, words.try_into().ok()?)
}

fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
    if text == NONE { "\\-".to_owned() } else { text }
}

fn unescape(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        text.push(match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                other => other.unwrap_or('\\'),
            },
            (c, false) => c,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use rres_codegen::ImageFacts;

    use super::*;

    fn example() -> (Vec<Constant>, Vec<Group>) {
        let text = constant(["0x00000001", "text", "-", "-", "-", "a/b.txt", "3 bytes"]).unwrap();
        let parts = vec![NamedPart { sort: PartSort::Animation, index: 3, name: "Run\tor\\ walk".to_owned() }];
        let facts =
            Facts::Image(ImageFacts { width: 40, height: 20, format: 7, levels: 1, frames: 1, milliseconds: 0 });
        let image = Constant { path: "-".to_owned(), id: ResourceId(7), kind: AssetKind::Image, facts, ..text.clone() };
        let custom = Constant {
            path: "c.map".to_owned(),
            id: ResourceId(9),
            kind: AssetKind::Custom,
            custom: Some(FourCc(*b"TMAP")),
            rename: Some("-".to_owned()),
            parts,
            ..text.clone()
        };
        let group = |name: &str, members: &[u32]| Group {
            name: name.to_owned(),
            members: members.iter().copied().map(ResourceId).collect(),
            doc: String::new(),
        };
        (vec![image, text, custom], vec![group("menu", &[1, 7]), group("none", &[])])
    }

    #[test]
    fn a_listing_reads_back() {
        let (constants, groups) = example();
        let dir = tempfile::tempdir().unwrap();
        let file = path_for(&dir.path().join("assets"));
        std::fs::write(&file, write("assets", &constants, &groups)).unwrap();
        let (read_constants, read_groups) = read(&file).unwrap();
        assert_eq!(format!("{constants:?}{groups:?}"), format!("{read_constants:?}{read_groups:?}"));
    }

    #[test]
    fn what_is_no_listing_is_an_error_with_its_line() {
        let (constants, groups) = example();
        let good = write("assets", &constants, &groups);
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("assets.listing");
        for (text, expected) in [
            (String::new(), "1:1: is empty"),
            ("# a\nrres-listing 2\n".to_owned(), "2:1: is not a listing"),
            (good.replace("0x00000009", "9"), "is not a line of a listing"),
            (good.replace("Animation", "Animations"), "is not a line of a listing"),
            (good.replace("1 40 20", "9 40 20"), "is not a line of a listing"),
            (format!("{good}asset\n"), "is not a line of a listing"),
            ("rres-listing 1\npart\tMesh\t0\thead\n".to_owned(), "2:1: is not a line"),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = read(&file).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("cargo rres listing"), "{expected} in {error}");
        }
        std::fs::remove_file(&file).unwrap();
        assert!(read(&file).unwrap_err().to_string().contains("assets.listing"));
    }
}
