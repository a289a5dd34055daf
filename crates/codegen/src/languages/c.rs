//! Resources → a C header of their ids, for programs that read the pack with `rres.h`.
//!
//! A name is the name of the Rust constant with its modules, in capitals: `ui::BUTTON_PNG` is `RRES_UI_BUTTON_PNG`. C has no
//! modules, so two constants may have one name there. Then the names of both end in their ids.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{HeaderEntry, comment, described};
use crate::names::constant_name;

/// Returns the text of a C header, which compiles as C and as C++.
pub(super) fn write(pack: &str, entries: &[HeaderEntry]) -> String {
    let mut entries: Vec<&HeaderEntry> = entries.iter().collect();
    entries.sort();
    entries.dedup();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    entries.iter().for_each(|entry| *names.entry(name(&entry.constant)).or_default() += 1);
    let name_of = |entry: &HeaderEntry| match name(&entry.constant) {
        name if names[&name] > 1 => format!("{name}_{:08X}", entry.id.0),
        name => name,
    };
    let width = entries.iter().map(|entry| name_of(entry).len()).max().unwrap_or_default();
    let guard = format!("RRES_IDS_OF_{}_INCLUDED", constant_name(pack).trim_matches('_'));
    let mut text = format!("/* The ids of the resources in {}.rres. Generated: do not edit. */\n", comment(pack));
    // Writing to memory never fails.
    _ = write!(text, "#ifndef {guard}\n#define {guard}\n\n");
    for entry in entries {
        _ = writeln!(text, "#define {:width$} 0x{:08x} /* {} */", name_of(entry), entry.id.0, described(entry));
    }
    _ = write!(text, "\n#endif\n");
    text
}

/// The name of a constant: `ui::_01_A_PNG` → `RRES_UI_01_A_PNG`. C++ reserves names with two underscores in a row.
fn name(constant: &str) -> String {
    let parts = constant.split("::").map(|part| part.trim_start_matches("r#").trim_matches('_').to_ascii_uppercase());
    std::iter::once("RRES".to_owned()).chain(parts).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use rres_format::{AssetKind, ResourceId};

    use super::*;

    fn entry(path: &str) -> HeaderEntry {
        let (id, constant) = (ResourceId::from_path(path), crate::constant_path(path, None));
        HeaderEntry { path: path.to_owned(), id, kind: Some(AssetKind::Raw), constant }
    }

    #[test]
    fn names_are_those_of_the_rust_constants_in_capitals() {
        for (path, expected) in [
            ("ui/button-pressed.png", "RRES_UI_BUTTON_PRESSED_PNG"),
            ("type/self/01 Höhe.ogg", "RRES_TYPE_SELF_01_HOHE_OGG"),
            ("fox.glb#image/0", "RRES_FOX_GLB_IMAGE_0"),
            ("all", "RRES_ALL"),
        ] {
            assert_eq!(name(&entry(path).constant), expected, "{path}");
        }
    }

    #[test]
    fn names_that_clash_end_in_their_ids_in_any_order() {
        let entries = ["ui/a.png", "ui_a.png", "b.png"].map(entry);
        let text = write("game", &entries);
        let reversed: Vec<HeaderEntry> = entries.iter().rev().cloned().collect();
        assert_eq!(write("game", &reversed), text);
        for entry in &entries[..2] {
            assert!(text.contains(&format!("#define RRES_UI_A_PNG_{:08X} {}", entry.id.0, entry.id)), "{text}");
        }
        assert!(text.contains("#define RRES_B_PNG "), "{text}");
    }

    #[test]
    fn a_path_does_not_end_the_comment() {
        let text = write("a*/b", &[entry("x*/y/*z.bin")]);
        assert!(text.contains("/* x* /y/ *z.bin (raw) */") && !text.contains("a*/"), "{text}");
    }
}
