//! Resources → constants of other languages than Rust: one file a pack, with the ids or the paths of its resources.
//!
//! [`LANGUAGES`] has a row for each. The names are as in Rust, as far as the language allows, and each is documented by path
//! and kind. Sizes and dimensions, which Rust constants have too, are not in these files: programmers commit them, and an edit of a picture is
//! no change of a program.

mod c;
mod cs;
mod lua;
mod luau;
mod tree;
mod ts;

use rres_format::{AssetKind, ResourceId};

/// One resource, as a constant of another language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeaderEntry {
    /// The path of the asset, or `asset#name` of a sub-asset.
    pub path: String,
    /// The id.
    pub id: ResourceId,
    /// The kind; `None` if it is not known.
    pub kind: Option<AssetKind>,
    /// The path of its constant in the Rust module: `ui::BUTTON_PNG`.
    pub constant: String,
}

/// A language that constants can be written in.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// What users call it.
    pub name: &'static str,
    /// The extensions of its files, the usual one first. No other language has one of them.
    pub extensions: &'static [&'static str],
    /// What the file has for each resource: `id` or `path`.
    pub thing: &'static str,
    /// Writes the file for the pack of this name. The text depends on the resources, and not on their order.
    pub write: fn(&str, &[HeaderEntry]) -> String,
}

/// All of them.
pub const LANGUAGES: &[Language] = &[
    Language { name: "c", extensions: &["h", "hh", "hpp"], thing: "id", write: c::write },
    Language { name: "cs", extensions: &["cs"], thing: "id", write: cs::write },
    Language { name: "ts", extensions: &["ts"], thing: "id", write: ts::write },
    Language { name: "lua", extensions: &["lua"], thing: "path", write: lua::write },
    Language { name: "luau", extensions: &["luau"], thing: "path", write: luau::write },
];

impl Language {
    /// The language with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.name == name)
    }

    /// The language of a file with this name; C if the extension does not say.
    pub fn of_file(name: &str) -> &'static Self {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension)).unwrap_or(&LANGUAGES[0])
    }
}

/// A text of one line that cannot end a comment, nor make what follows look like something else.
fn comment(text: &str) -> String {
    let is_unsafe = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.replace(is_unsafe, "\u{fffd}").replace("*/", "* /").replace("/*", "/ *")
}

/// The path and the kind of a resource, for a comment.
fn described(entry: &HeaderEntry) -> String {
    let kind = entry.kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    comment(&entry.path) + &kind
}

/// The name of the type of a kind: `image` → `Image`, as in Rust.
fn type_name(kind: Option<AssetKind>) -> String {
    let name = kind.map_or("other", AssetKind::name);
    name[..1].to_ascii_uppercase() + &name[1..]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use rres_settings::{GlobalValues, PACK_ROWS, diagnostic::Place, faults};

    use super::*;

    fn entry(path: &str, kind: Option<AssetKind>) -> HeaderEntry {
        let (id, constant) = (ResourceId::from_path(path), crate::constant_path(path, None));
        HeaderEntry { path: path.to_owned(), id, kind, constant }
    }

    /// Names that are hard for one language or another.
    fn example() -> Vec<HeaderEntry> {
        let (image, raw) = (Some(AssetKind::Image), Some(AssetKind::Raw));
        vec![
            entry("player.png", image),
            entry("ui/button-pressed.png", image),
            entry("ui/ui/01 Höhe.ogg", Some(AssetKind::Sound)),
            entry("class/new/function.txt", Some(AssetKind::Text)),
            entry("type/self/all", raw),
            entry("fox.glb", Some(AssetKind::Model)),
            entry("fox.glb#image/0", image),
            // The module of the parts and the constant have one name, as they have no letters.
            entry("data/01", raw),
            entry("data/01#0", image),
            // The same in a folder of that name, in which C# has two more reasons for another name.
            entry("01/01", raw),
            entry("01/01#0", image),
            // Two paths with one name, which only a pack of another program can have.
            entry("ui_a.png", image),
            entry("ui-a.png", image),
            entry("say \"hi\" & 'bye' <b>.txt", Some(AssetKind::Text)),
            entry("x*/y/*z.bin", raw),
            entry("quests/coin.quest", Some(AssetKind::Custom)),
            entry("new.kind", None),
        ]
    }

    /// After an intended change: `UPDATE_EXPECT=1 cargo test -p rres-codegen languages`.
    #[test]
    fn texts_are_as_expected_in_any_order() {
        for language in LANGUAGES {
            let file = format!("tests/snapshots/languages/assets.{}", language.extensions[0]);
            let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
            let text = (language.write)("night game", &example());
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(&file, &text).unwrap();
            }
            assert_eq!(text, std::fs::read_to_string(&file).unwrap(), "{}; see the top of this test", file.display());
            let reversed: Vec<HeaderEntry> = example().into_iter().rev().collect();
            assert_eq!((language.write)("night game", &reversed), text, "{}", language.name);
        }
    }

    #[test]
    fn every_path_is_named_and_nothing_is_text_without_resources() {
        for language in LANGUAGES {
            let text = (language.write)("night game", &example());
            for entry in example().iter().filter(|entry| !entry.path.contains(['"', '*'])) {
                assert!(text.contains(&entry.path), "{}: {}\n{text}", language.name, entry.path);
                assert!(language.thing == "path" || text.contains(&format!("0x{:08x}", entry.id.0)), "{text}");
            }
            assert!(!(language.write)("empty", &[]).is_empty());
        }
    }

    #[test]
    fn a_path_of_a_hostile_pack_stays_in_its_comment() {
        let hostile = "a\n#error */ \u{2028}#error \u{202e}*/\r#error.bin";
        for language in LANGUAGES {
            let text = (language.write)("p\n#error", &[entry(hostile, None)]);
            assert!(!text.lines().any(|line| line.trim_start().starts_with("#error")), "{}: {text}", language.name);
            assert!(!text.contains(['\u{2028}', '\u{202e}', '\r']), "{}: {text:?}", language.name);
        }
    }

    #[test]
    fn the_setting_accepts_the_extensions_of_all_languages() {
        let is_accepted = |name: &str| {
            let mut values = GlobalValues::default();
            values.pack.header = Some(Some(name.to_owned()));
            faults(PACK_ROWS, &values, &Place::Name("test".into())).is_empty()
        };
        let extensions: Vec<&str> = LANGUAGES.iter().flat_map(|language| language.extensions).copied().collect();
        for extension in &extensions {
            let name = format!("assets.{extension}");
            assert!(is_accepted(&name), "{name}");
            assert!(Language::of_file(&name).extensions.contains(extension));
        }
        assert_eq!(extensions.iter().collect::<BTreeSet<_>>().len(), extensions.len());
        for name in ["assets.rs", "assets", "a/assets.h", ".cs"] {
            assert!(!is_accepted(name), "{name}");
        }
        assert_eq!((Language::of_file("ids.inc").name, Language::named("ts").unwrap().extensions), ("c", &["ts"][..]));
    }
}
