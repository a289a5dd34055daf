//! `src/main.rs` or `src/lib.rs`: its text with the line that includes the assets, if that can be added safely.

/// What some editors write at the start of a file, before everything else.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The macro that includes the assets.
const INCLUDE: &str = "include_assets!";

/// What `cargo new` writes.
const CARGO_NEW: &str = "fn main() {\n    println!(\"Hello, world!\");\n}\n";

/// The first asset of a new package, and its contents.
pub(super) const FIRST_ASSET: (&str, &str) = ("hello.txt", "Hello from an asset.\n");

/// The line that includes the module `module` by the macro of the runtime, whose crate is `runtime`. A library exports it, for its programs, tests and examples.
pub(super) fn include_line(runtime: &str, module: &str, is_library: bool) -> String {
    let visibility = if is_library { "pub " } else { "" };
    format!("{runtime}::include_assets!({visibility}mod {module}); // a constant for each file")
}

/// The program of a new package, which prints its first asset.
pub(super) fn first_program(runtime: &str, module: &str) -> String {
    format!(
        "{}\n
fn main() -> Result<(), {runtime}::Error> {{
    let store = {module}::open()?;
    let hello = store.load({module}::HELLO_TXT)?;
    print!(\"{{}}\", hello.get());
    Ok(())
}}
",
        include_line(runtime, module, false)
    )
}

/// The library of a new package, whose test loads its first asset.
pub(super) fn first_library(runtime: &str, module: &str) -> String {
    format!(
        "{}\n
#[cfg(test)]
mod tests {{
    use super::{module};

    #[test]
    fn the_first_asset_loads() -> Result<(), {runtime}::Error> {{
        let store = {module}::open()?;
        assert_eq!(store.load({module}::HELLO_TXT)?.get().as_str(), {:?});
        Ok(())
    }}
}}
",
        include_line(runtime, module, true),
        FIRST_ASSET.1
    )
}

/// The text with `line` before its first item; `None` if it is not certain where that is.
pub(super) fn with_line(text: &str, line: &str) -> Option<String> {
    let (head, rest) = text.split_at(head_end(text)?);
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let is_blank = head.trim_start_matches(BYTE_ORDER_MARK).is_empty();
    let gap = if is_blank || head.ends_with("\n\n") || head.ends_with("\r\n\r\n") { "" } else { end };
    let break_after_head = if is_blank || head.ends_with('\n') { "" } else { end };
    Some(format!("{head}{break_after_head}{gap}{line}{end}{end}{rest}"))
}

/// Where the head of a program ends: what belongs to the file as a whole, such as inner attributes, the documentation, and a note about the
/// licence. `None` if that is not certain.
fn head_end(text: &str) -> Option<usize> {
    let mut at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    while let Some(line) = text[at..].split_inclusive('\n').next() {
        let trimmed = line.trim();
        // Three slashes document the next item, and four are a comment.
        let is_of_item = trimmed.starts_with("///") && !trimmed.starts_with("////");
        if trimmed.starts_with("/*") {
            return None;
        } else if trimmed.is_empty() || trimmed.starts_with("//") && !is_of_item {
            at += line.len();
        } else if trimmed.starts_with("#!") {
            at += attribute_length(&text[at..])?;
        } else {
            break;
        }
    }
    Some(at)
}

/// The length of the lines of the inner attribute that `text` begins with; `None` if something else is in its last line, or if it is not a simple
/// one. A `]` in a text ends no attribute, and `//` in a text begins no comment.
fn attribute_length(text: &str) -> Option<usize> {
    let start = text.find("#!")? + "#!".len();
    if !text[start..].trim_start().starts_with('[') {
        return None;
    }
    let mut depth = 0_usize;
    let mut rest = &text[start..];
    let mut previous = '!';
    loop {
        let next = rest.chars().next()?;
        rest = &rest[next.len_utf8()..];
        match next {
            '[' => depth += 1,
            ']' => depth = depth.checked_sub(1)?,
            '"' if previous != 'r' => rest = after_string(rest)?,
            '/' if rest.starts_with('/') => rest = &rest[rest.find('\n')?..],
            // A comment of several lines, a raw text, a character.
            '/' | '"' | '#' | '\'' => return None,
            _ => {}
        }
        previous = next;
        if depth == 0 && next == ']' {
            break;
        }
    }
    let line = rest.split_inclusive('\n').next().unwrap_or_default();
    let is_alone = line.trim().is_empty() || line.trim().starts_with("//");
    is_alone.then(|| text.len() - rest.len() + line.len())
}

/// What follows a text in quotes, whose first quote was before `text`.
fn after_string(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some(chars.as_str()),
            '\\' => drop(chars.next()),
            _ => {}
        }
    }
}

/// The lines of a program without their comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// Whether the program has a module of this name already, or brings something of this name into its scope.
pub(super) fn declares(text: &str, name: &str) -> bool {
    let code = code(text).collect::<Vec<_>>().join("\n");
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

/// Whether the program includes the assets.
pub(super) fn includes(text: &str) -> bool {
    code(text).any(|line| line.contains(INCLUDE))
}

/// The module that the program includes with `include_assets!`, if it is one that can be read from the text.
pub(super) fn included(text: &str) -> Option<String> {
    let (_, arguments) = code(text).find_map(|line| line.split_once(INCLUDE))?;
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
            (
                "// Licence\n//\n//----\n#![allow(dead_code)]\nmod a;\n",
                Some("// Licence\n//\n//----\n#![allow(dead_code)]\n\nX\n\nmod a;\n"),
            ),
            ("//// Licence\n/// Of a.\nmod a;\n", Some("//// Licence\n\nX\n\n/// Of a.\nmod a;\n")),
            (
                "#![a] // note\n#[derive(Debug)]\nstruct S;\n",
                Some("#![a] // note\n\nX\n\n#[derive(Debug)]\nstruct S;\n"),
            ),
            ("#![doc = \"[http://a\"]\n#[b]\nmod a;\n", Some("#![doc = \"[http://a\"]\n\nX\n\n#[b]\nmod a;\n")),
            (
                "#![a(\n    b, // ]\n    \"\\\"]\",\n)]\nmod a;\n",
                Some("#![a(\n    b, // ]\n    \"\\\"]\",\n)]\n\nX\n\nmod a;\n"),
            ),
            ("#![a] mod b;\n", None),
            ("#![doc = r\"\\\"]\nmod a;\n", None),
            ("#![doc = r#\"]\"#]\nmod a;\n", None),
            ("#![a /* ] */]\nmod a;\n", None),
            ("#!/usr/bin/env run\nmod a;\n", None),
            ("mod a; /* one */\n", Some("X\n\nmod a; /* one */\n")),
            ("\u{feff}mod a;\n", Some("\u{feff}X\n\nmod a;\n")),
        ] {
            assert_eq!(with_line(text, "X").as_deref(), expected, "{text:?}");
        }
    }
}
