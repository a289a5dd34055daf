//! `src/main.rs` or `src/lib.rs`: its text with the line that includes the assets, if that can be added safely.

/// What `cargo new` writes.
const CARGO_NEW: &str = "fn main() {\n    println!(\"Hello, world!\");\n}\n";

/// The first asset of a new package, and its contents.
pub(super) const FIRST_ASSET: (&str, &str) = ("hello.txt", "Hello from an asset.\n");

/// The line that includes the module `module`. A library exports it, for its programs, tests and examples.
pub(super) fn include_line(module: &str, is_library: bool) -> String {
    let visibility = if is_library { "pub " } else { "" };
    format!("rres_runtime::include_assets!({visibility}mod {module}); // a constant for each file")
}

/// The program of a new package, which prints its first asset.
pub(super) fn first_program(module: &str) -> String {
    format!(
        "{}\n
fn main() -> Result<(), rres_runtime::Error> {{
    let store = {module}::open()?;
    let hello = store.load({module}::HELLO_TXT)?;
    print!(\"{{}}\", hello.get());
    Ok(())
}}
",
        include_line(module, false)
    )
}

/// The library of a new package, whose test loads its first asset.
pub(super) fn first_library(module: &str) -> String {
    format!(
        "{}\n
#[cfg(test)]
mod tests {{
    use super::{module};

    #[test]
    fn the_first_asset_loads() -> Result<(), rres_runtime::Error> {{
        let store = {module}::open()?;
        assert_eq!(store.load({module}::HELLO_TXT)?.get().as_str(), {:?});
        Ok(())
    }}
}}
",
        include_line(module, true),
        FIRST_ASSET.1
    )
}

/// The text with `line` before its first item; `None` if it is not certain where that is.
pub(super) fn with_line(text: &str, line: &str) -> Option<String> {
    let mut at = 0;
    let mut in_attribute = false;
    for existing in text.split_inclusive('\n') {
        let trimmed = existing.trim();
        // What belongs to the file as a whole comes first: inner attributes, the documentation, a note about the licence.
        in_attribute |= trimmed.starts_with("#!");
        let is_head = in_attribute || trimmed.starts_with("//!") || trimmed.starts_with("// ");
        if trimmed.contains("/*") {
            return None;
        }
        if !is_head && !trimmed.is_empty() {
            break;
        }
        in_attribute &= !trimmed.ends_with(']');
        at += existing.len();
    }
    if in_attribute {
        return None;
    }
    let (head, rest) = text.split_at(at);
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if head.is_empty() || head.ends_with("\n\n") || head.ends_with("\r\n\r\n") { "" } else { end };
    let break_after_head = if head.is_empty() || head.ends_with('\n') { "" } else { end };
    Some(format!("{head}{break_after_head}{gap}{line}{end}{end}{rest}"))
}

/// Whether the program has a module of this name already, or brings something of this name into its scope.
pub(super) fn declares(text: &str, name: &str) -> bool {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = code
        .match_indices(name)
        .filter(|(at, _)| !code[..*at].ends_with(is_word) && !code[at + name.len()..].starts_with(is_word));
    words.any(|(at, _)| {
        let (before, after) = (&code[..at], code[at + name.len()..].trim_start());
        let statement = before.rsplit([';', '}']).next().unwrap_or_default();
        let is_module = before.split_whitespace().next_back() == Some("mod") && after.starts_with([';', '{']);
        // Of `use`: the last part of a path, or the name after `as`.
        let is_used = statement.split_whitespace().any(|word| word == "use") && after.starts_with([';', ',', '}']);
        is_module || is_used
    })
}

/// The module that the program includes with `include_assets!`, if it is one that can be read from the text.
pub(super) fn included(text: &str) -> Option<String> {
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let (_, arguments) = lines.find_map(|line| line.split_once("include_assets!"))?;
    let arguments = arguments.trim_start_matches(['(', '{', '[', ' ']);
    let Some((_, name)) = arguments.split_once("mod ") else {
        return arguments.starts_with([')', '}', ']']).then(|| "assets".to_owned());
    };
    let name: String = name.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// Whether the text is what `cargo new` has written.
pub(super) fn is_untouched(text: &str) -> bool {
    text.replace("\r\n", "\n") == CARGO_NEW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_the_program_are_known() {
        for (text, expected) in [
            ("mod res;\n", true),
            ("fn main() {}\npub(crate) mod res {\n", true),
            ("mod resources;\nuse res::x;\n", false),
            ("// mod res;\n", false),
            ("mod res; // of the game\n", true),
            ("#[path = \"r.rs\"] pub(in crate::a) mod res{}", true),
            ("mod res\n{\n}\n", true),
            ("mod a; mod  res ;", true),
            ("use game::res;\n", true),
            ("use game::{\n    other,\n    res,\n};\n", true),
            ("use game::resources as res;\n", true),
            ("use game::res as other;\nuse game::{res::A, b};\n", false),
            ("rres_runtime::include_assets!(mod res);\n", false),
            ("fn main() { draw(res); }\n", false),
        ] {
            assert_eq!(declares(text, "res"), expected, "{text:?}");
        }
    }

    #[test]
    fn the_included_module_is_known() {
        for (text, expected) in [
            ("rres_runtime::include_assets!();\n", Some("assets")),
            ("mod a;\nrres_runtime::include_assets!(pub mod res); // a constant for each file\n", Some("res")),
            ("// rres_runtime::include_assets!(mod res);\n", None),
            ("fn main() {}\n", None),
        ] {
            assert_eq!(included(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn the_line_comes_after_what_belongs_to_the_file_as_a_whole() {
        for (text, expected) in [
            ("fn main() {}\n", Some("X\n\nfn main() {}\n")),
            ("", Some("X\n\n")),
            ("//! A game.\n\nmod a;\n", Some("//! A game.\n\nX\n\nmod a;\n")),
            ("#![allow(dead_code)]\nmod a;\n", Some("#![allow(dead_code)]\n\nX\n\nmod a;\n")),
            ("//! A game.\r\nmod a;\r\n", Some("//! A game.\r\n\r\nX\r\n\r\nmod a;\r\n")),
            ("/// Documented.\nfn main() {}\n", Some("X\n\n/// Documented.\nfn main() {}\n")),
            ("#![allow(\n    dead_code\n)]\nmod a;\n", Some("#![allow(\n    dead_code\n)]\n\nX\n\nmod a;\n")),
            ("#![allow(\n    dead_code,\n", None),
            ("/* Licence\n*/ mod a;\n", None),
        ] {
            assert_eq!(with_line(text, "X").as_deref(), expected, "{text:?}");
        }
    }
}
