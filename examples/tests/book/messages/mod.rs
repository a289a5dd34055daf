//! `book/src/messages.md` against what the programs say: every message on the page is one that a build, a game or the compiler has
//! just printed, every message that is tried here is on the page, and no error of the runtime lacks its section.
//!
//! A message on the page is a block of text after `<!-- message: NAME -->`. To update the blocks:
//! `UPDATE_EXPECT=1 cargo test -p rres-examples --test book`.

mod build;
mod run;

use std::collections::BTreeSet;
use std::path::Path;

use rres_examples::links::root;

use super::read;

const PAGE: &str = "book/src/messages.md";
const UPDATE: &str = "UPDATE_EXPECT=1 cargo test -p rres-examples --test book";

/// A message by name, and how to get it.
type Case = (&'static str, fn() -> String);

/// What the compiler prints for each program of `rres-runtime/tests/ui` that is wrong: the error, and what it says about the place.
fn compiler_messages() -> Vec<(String, String)> {
    let mut messages = Vec::new();
    for entry in std::fs::read_dir(root().join("rres-runtime/tests/ui")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "stderr") {
            continue;
        }
        let name = file.file_stem().unwrap().to_str().unwrap().replacen("wrong_", "compile/", 1);
        let text = std::fs::read_to_string(&file).unwrap();
        let mut lines = text.lines();
        let mut shown = vec![lines.next().unwrap().to_owned()];
        for line in lines {
            let line = line.trim_start_matches([' ', '|', '-']);
            let is_ours = line.starts_with("= note: assets are") || line.starts_with("= note: implement `rres_runtime");
            let is_place =
                line.starts_with('^') && ["expected `", "not an asset"].iter().any(|words| line.contains(words));
            if is_ours || is_place {
                shown.push(format!("  {line}"));
            }
        }
        messages.push((name, shown.join("\n")));
    }
    messages
}

/// What the compiler prints if the module to include does not exist: the texts that `include_assets!` contains.
fn include_messages() -> Vec<(String, String)> {
    let source = read(Path::new("rres-runtime/src/lib.rs"));
    let message = |start: &str| {
        let at = source.find(&format!("\"{start}")).expect("the macro has this message") + 1;
        let mut text = String::new();
        let mut letters = source[at..].chars();
        // A literal of Rust: `\"` is a quote, and a backslash at the end of a line removes the line break.
        while let Some(c) = letters.next().filter(|c| *c != '"') {
            match c {
                '\\' if letters.clone().next() == Some('\n') => {
                    let rest = letters.as_str().trim_start();
                    letters = rest.chars();
                }
                '\\' => text.extend(letters.next()),
                c => text.push(c),
            }
        }
        format!("error: {text}")
    };
    [("compile/module", "rres-build generated no module"), ("compile/build-script", "the package has no build script")]
        .map(|(name, start)| (name.to_owned(), message(start)))
        .into()
}

fn messages() -> Vec<(String, String)> {
    let tried = build::CASES.iter().chain(run::CASES).map(|(name, message)| ((*name).to_owned(), message()));
    tried.chain(compiler_messages()).chain(include_messages()).collect()
}

#[test]
fn the_page_shows_what_is_printed() {
    let mut messages = messages();
    let page = read(Path::new(PAGE));
    let (mut updated, mut unknown, mut changed) = (String::new(), Vec::new(), Vec::new());
    let mut rest = page.as_str();
    while let Some((before, after)) = rest.split_once("<!-- message: ") {
        let (name, after) = after.split_once(" -->\n```text\n").expect("a block of text follows a name");
        let (block, after) = after.split_once("```\n").expect("a block has an end");
        let found = messages.iter().position(|(other, _)| other == name).map(|at| messages.swap_remove(at).1 + "\n");
        match &found {
            None => unknown.push(name),
            Some(found) if found != block => changed.push(format!("{name}, on the page:\n{block}now:\n{found}")),
            Some(_) => {}
        }
        updated += &format!("{before}<!-- message: {name} -->\n```text\n{}```\n", found.as_deref().unwrap_or(block));
        rest = after;
    }
    updated += rest;
    assert_eq!(unknown, Vec::<&str>::new(), "the page explains messages that nothing tries, or explains them twice");
    let missing: Vec<_> = messages.iter().map(|(name, text)| format!("<!-- message: {name} -->\n{text}")).collect();
    assert!(missing.is_empty(), "the page does not explain:\n{}", missing.join("\n"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(root().join(PAGE), updated).unwrap();
    } else {
        assert!(changed.is_empty(), "messages have changed:\n{}\nto update the page: {UPDATE}", changed.join("\n"));
    }
}

/// The text of the source files in a directory and in those inside.
fn sources(directory: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        text += &if path.is_dir() { sources(&path) } else { std::fs::read_to_string(&path).unwrap() };
    }
    text
}

/// The names of the variants of the enum of the crate that begins with `start`.
fn variants(krate: &str, start: &str) -> BTreeSet<String> {
    let source = sources(&root().join(krate).join("src"));
    let (_, body) = source.split_once(start).expect("the crate has this enum");
    let (body, _) = body.split_once("\n}\n").expect("the enum ends");
    let name = |line: &str| {
        let name: String = line.strip_prefix("    ")?.chars().take_while(|c| c.is_alphanumeric()).collect();
        name.starts_with(char::is_uppercase).then_some(name)
    };
    body.lines().filter_map(name).collect()
}

/// The words in code that begin the headings or the rows of a section of the page.
fn explained(section: &str, mark: &str) -> BTreeSet<String> {
    let page = read(Path::new(PAGE));
    let (_, section) = page.split_once(&format!("\n## {section}\n")).expect("the page has the section");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let names = section.lines().filter_map(|line| line.strip_prefix(mark)?.split('`').next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_error_of_the_runtime_has_its_section() {
    assert_eq!(explained("When the game runs", "### `"), variants("rres-runtime", "pub enum ErrorKind {"));
}

#[test]
fn every_error_of_the_format_has_its_row() {
    assert_eq!(explained("Damaged packs", "| `"), variants("rres-format", "pub enum Error {"));
}
