//! Resources → a definition file for Lua, with which an editor completes and checks the paths of assets in scripts.
//!
//! The annotations are those of the Lua language server, which other tools read as well. Each kind of asset is an alias, a list of
//! strings: `rres.Image` has the paths of all images, and `rres.Asset` is any of the lists. The game's own functions name them in their
//! parameters. The file has no code: `---@meta` says that it is for editors only.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{HeaderEntry, comment, type_name};

/// Returns the text of a definition file.
pub(super) fn write(pack: &str, entries: &[HeaderEntry]) -> String {
    let mut paths: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in entries {
        paths.entry(type_name(entry.kind)).or_default().push(&entry.path);
    }
    let mut text = format!("---@meta\n-- The paths of the assets in {}.rres. Generated: do not edit.\n", comment(pack));
    for (alias, paths) in &mut paths {
        paths.sort_unstable();
        paths.dedup();
        // Writing to memory never fails.
        _ = write!(text, "\n---@alias rres.{alias}\n");
        for path in paths {
            _ = match literal(path) {
                Some(literal) => writeln!(text, "---| {literal}"),
                None => {
                    writeln!(text, "-- Left out, as an annotation cannot have both quotation marks: {}", comment(path))
                }
            };
        }
    }
    let aliases: Vec<String> = paths.keys().map(|alias| format!("rres.{alias}")).collect();
    let any = if aliases.is_empty() { "nil".to_owned() } else { aliases.join("|") };
    _ = write!(text, "\n---@alias rres.Asset {any}\n");
    text
}

/// A path as a string of an annotation, which knows no escapes; `None` if it has both quotation marks, or characters that no path of a build has.
fn literal(path: &str) -> Option<String> {
    if comment(path).contains('\u{fffd}') {
        return None;
    }
    let mark = ['"', '\''].into_iter().find(|mark| !path.contains(*mark))?;
    Some(format!("{mark}{path}{mark}"))
}

#[cfg(test)]
mod tests {
    use rres_format::{AssetKind, ResourceId};

    use super::*;

    fn entry(path: &str, kind: Option<AssetKind>) -> HeaderEntry {
        HeaderEntry { path: path.to_owned(), id: ResourceId::from_path(path), kind, constant: String::new() }
    }

    #[test]
    fn paths_are_listed_by_kind_in_any_order() {
        let entries = [
            entry("ui/player.png", Some(AssetKind::Image)),
            entry("ui/beep.wav", Some(AssetKind::Sound)),
            entry("fox.glb#image/0", Some(AssetKind::Image)),
            entry("say \"hi\".txt", Some(AssetKind::Text)),
            entry("it's \"it\".txt", Some(AssetKind::Text)),
            entry("höhe/1.quest", Some(AssetKind::Custom)),
            entry("new.kind", None),
        ];
        let expected = r#"---@meta
-- The paths of the assets in game.rres. Generated: do not edit.

---@alias rres.Data
---| "höhe/1.quest"

---@alias rres.Image
---| "fox.glb#image/0"
---| "ui/player.png"

---@alias rres.Other
---| "new.kind"

---@alias rres.Sound
---| "ui/beep.wav"

---@alias rres.Text
-- Left out, as an annotation cannot have both quotation marks: it's "it".txt
---| 'say "hi".txt'

---@alias rres.Asset rres.Data|rres.Image|rres.Other|rres.Sound|rres.Text
"#;
        assert_eq!(write("game", &entries), expected);
        let twice: Vec<HeaderEntry> = entries.iter().rev().chain(&entries).cloned().collect();
        assert_eq!(write("game", &twice), expected);
    }

    #[test]
    fn a_pack_without_assets_has_definitions() {
        let expected =
            "---@meta\n-- The paths of the assets in game.rres. Generated: do not edit.\n\n---@alias rres.Asset nil\n";
        assert_eq!(write("game", &[]), expected);
    }
}
