//! The subcommands and options in the page and in `--help`.

use std::collections::{BTreeMap, BTreeSet};

use super::{page, quoted, rows, sections};
use crate::Sandbox;

/// Returns every subcommand with the text of its `--help`: `""`, `"ls"`, `"cache stat"`, …
fn helps(sandbox: &Sandbox) -> BTreeMap<String, String> {
    let mut helps = BTreeMap::new();
    let mut open = vec![String::new()];
    while let Some(command) = open.pop() {
        let args = command.split_whitespace().chain(["--help"]);
        let help = sandbox.run(args).success().out;
        let list = help.split_once("Commands:\n").map_or("", |(_, list)| list.split("\n\n").next().unwrap());
        let names = list.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        open.extend(names.map(|name| format!("{command} {name}").trim().to_owned()));
        helps.insert(command, help);
    }
    helps
}

/// Returns the arguments and long options in the text of `--help`: `PACK`, `--json`.
fn arguments(help: &str) -> BTreeSet<String> {
    let mut arguments = BTreeSet::new();
    for line in help.lines() {
        // Explanations are indented further.
        let indent = line.len() - line.trim_start().len();
        if !(2..=6).contains(&indent) {
            continue;
        }
        let words = || line.trim_start().split("  ").next().unwrap_or_default().split([' ', ',']);
        if line.trim_start().starts_with('-') {
            // The value of some options may be left out: `--legacy[=<MARKER>]`.
            let names = words().filter(|word| word.starts_with("--")).filter_map(|word| word.split('[').next());
            arguments.extend(names.map(str::to_owned));
        } else if line.trim_start().starts_with(['<', '[']) {
            arguments
                .extend(words().map(|word| word.trim_end_matches("...").trim_matches(['<', '>', '[', ']']).to_owned()));
        }
    }
    arguments
}

#[test]
fn the_help_of_every_subcommand_has_examples() {
    for (command, help) in helps(&Sandbox::new()) {
        if !command.is_empty() && !command.contains(' ') {
            let example = format!("\nExamples:\n  cargo rres {command}");
            assert!(help.contains(&example), "no {example:?} in:\n{help}");
        }
    }
}

#[test]
fn every_subcommand_and_option_is_documented() {
    let page = page();
    let sections = sections(&page);
    let general = ["--color", "--help", "--version"];
    let documented: BTreeSet<&str> = quoted(&sections["Output"]).flat_map(|text| text.split(' ')).collect();
    assert!(general.iter().all(|option| documented.contains(option)), "{documented:?}");
    let mut headings: BTreeSet<&str> =
        sections.keys().map(String::as_str).filter(|name| name.contains("rres")).collect();
    for (command, help) in helps(&Sandbox::new()) {
        if command.is_empty() {
            continue;
        }
        let heading = format!("`cargo rres {command}`");
        assert!(headings.remove(heading.as_str()), "no section {heading}");
        let rows = rows(&sections[&heading], "argument");
        let documented: BTreeSet<String> = rows
            .iter()
            .flat_map(|row| quoted(row[0]))
            .filter(|text| !text.starts_with('-') || text.starts_with("--"))
            .map(|text| text.split(' ').next().unwrap().to_owned())
            .collect();
        let mut known = arguments(&help);
        general
            .iter()
            .for_each(|option| assert_eq!(known.remove(*option), *option != "--version", "{heading} {option}"));
        assert_eq!(documented, known, "{heading}: documented and known arguments");
    }
    assert!(headings.is_empty(), "sections about unknown subcommands: {headings:?}");
}
