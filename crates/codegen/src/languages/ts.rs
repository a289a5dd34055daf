//! Resources → TypeScript with their ids: `assets.ui.BUTTON_PNG` is an `Id<"image">`.
//!
//! A folder is an object, whose members may have any name, and the name is the one in Rust. When the program runs, an id is a number.

use std::collections::BTreeSet;
use std::fmt::Write;

use rres_format::AssetKind;

use super::tree::{Scope, tree};
use super::{HeaderEntry, comment, described};

pub(super) fn write(pack: &str, entries: &[HeaderEntry]) -> String {
    let kinds: BTreeSet<&str> = entries.iter().map(|entry| kind(entry)).collect();
    let kinds: Vec<String> = kinds.into_iter().map(|kind| format!("\"{kind}\"")).collect();
    let kinds = if kinds.is_empty() { "never".to_owned() } else { kinds.join(" | ") };
    let mut text = format!("// The ids of the resources in {}.rres. Generated: do not edit.\n\n", comment(pack));
    // Writing to memory never fails.
    _ = write!(text, "/** The kinds of assets. */\nexport type Kind = {kinds};\n\n");
    text += "/** The id of an asset. Only the compiler knows the kind: when the program runs, an id is a number. */\n";
    text += "export type Id<K extends string = string> = number & { readonly \"rres.kind\": K };\n\n";
    text += "/** The ids, by folder. */\nexport const assets = {\n";
    write_scope(&mut text, &tree(entries), 1);
    text + "} as const;\n"
}

fn write_scope(text: &mut String, scope: &Scope<'_>, depth: usize) {
    let indent = "  ".repeat(depth);
    for (name, entry) in &scope.constants {
        _ = writeln!(text, "{indent}/** {} */", described(entry));
        _ = writeln!(text, "{indent}{name}: 0x{:08x} as Id<\"{}\">,", entry.id.0, kind(entry));
    }
    for (name, inner) in &scope.scopes {
        _ = writeln!(text, "{indent}{name}: {{");
        write_scope(text, inner, depth + 1);
        _ = writeln!(text, "{indent}}},");
    }
}

fn kind(entry: &HeaderEntry) -> &'static str {
    entry.kind.map_or("other", AssetKind::name)
}
