//! `docs/command.md` against the command: its subcommands and options, its examples, its JSON fields and its codes.
//!
//! `UPDATE_EXPECT=1 cargo test -p cargo-rres` updates the output in the examples and the table of codes.

#[cfg(unix)]
mod examples;
mod fields;
mod options;

pub(crate) use fields::check_fields;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::is_update;
use rres_packs::finding::Code;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/command.md")
}

/// Locks the page, which some tests update.
fn lock() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(_lock: &MutexGuard<'_, ()>) -> String {
    std::fs::read_to_string(file()).unwrap().replace("\r\n", "\n")
}

pub(crate) fn page() -> String {
    read(&lock())
}

/// Returns the text after each heading, by the text of the heading without `##`.
pub(crate) fn sections(page: &str) -> BTreeMap<String, String> {
    let mut sections = BTreeMap::new();
    let mut heading = String::new();
    for line in page.lines() {
        match line.split_once(' ') {
            Some(("##" | "###", name)) => heading = name.to_owned(),
            _ => *sections.entry(heading.clone()).or_insert_with(String::new) += &format!("{line}\n"),
        }
    }
    sections
}

/// Returns the cells of the rows of all tables whose first heading is `heading`.
fn rows<'t>(text: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let mut rows = Vec::new();
    let mut is_in_table = false;
    for line in text.lines() {
        let Some(line) = line.strip_prefix("| ") else {
            is_in_table &= line.starts_with("|-");
            continue;
        };
        let cells: Vec<&str> = line.trim_end_matches(" |").split(" | ").map(str::trim).collect();
        if is_in_table {
            rows.push(cells);
        } else {
            is_in_table = cells[0] == heading;
        }
    }
    rows
}

/// Returns the parts of a text in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_code_is_documented() {
    let lock = lock();
    let mut page = read(&lock);
    let table: String = Code::ALL
        .iter()
        .map(|code| format!("| `{}` | {} | {} |\n", code.name(), code.severity().name(), code.meaning()))
        .collect();
    if is_update() {
        let head = "| code | severity | meaning |\n|---|---|---|\n";
        let start = page.find(head).unwrap() + head.len();
        let end = start + page[start..].find("\n\n").unwrap() + 1;
        page.replace_range(start..end, &table);
        std::fs::write(file(), &page).unwrap();
    }
    assert!(page.contains(&table), "expected the table of codes:\n{table}");
}
