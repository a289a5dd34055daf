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

/// Whether the program has a module of this name already.
pub(super) fn declares(text: &str, module: &str) -> bool {
    text.lines().any(|line| {
        let item = line.trim().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        let name = item.strip_prefix("mod ").map(|rest| rest.trim_end_matches([';', '{', '}', ' ']));
        name == Some(module)
    })
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
        ] {
            assert_eq!(declares(text, "res"), expected, "{text:?}");
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
