//! Resources → a module of Luau with types of their paths, with which an editor completes and checks the paths in scripts.
//!
//! Each kind of asset is a type, a union of strings: `Image` has the paths of all images, and `Asset` is any of the types. Luau does not read
//! the annotations of Lua, and has types of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{HeaderEntry, comment, type_name};

pub(super) fn write(pack: &str, entries: &[HeaderEntry]) -> String {
    let mut paths: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for entry in entries {
        paths.entry(type_name(entry.kind)).or_default().insert(&entry.path);
    }
    let mut text =
        format!("--!strict\n-- The paths of the assets in {}.rres. Generated: do not edit.\n", comment(pack));
    // Writing to memory never fails.
    for (kind, paths) in &paths {
        let paths: Vec<String> = paths.iter().map(|path| literal(path)).collect();
        _ = write!(text, "\nexport type {kind} =\n    {}\n", paths.join("\n    | "));
    }
    let any = if paths.is_empty() { "never".to_owned() } else { paths.into_keys().collect::<Vec<_>>().join(" | ") };
    _ = write!(text, "\nexport type Asset = {any}\n\nreturn {{}}\n");
    text
}

/// A string of Luau.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => _ = write!(literal, "\\{c}"),
            c if comment(c.encode_utf8(&mut [0; 4])).contains('\u{fffd}') => {
                _ = write!(literal, "\\u{{{:x}}}", u32::from(c))
            }
            c => literal.push(c),
        }
    }
    literal + "\""
}
