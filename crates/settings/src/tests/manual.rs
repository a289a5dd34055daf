//! `docs/settings.md`: its tables are generated from the table of settings, and its examples parse.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{parse, show};
use crate::declare::SettingRow;
use crate::table::{ASSET_ROWS, FONT_ROWS, IMAGE_ROWS, MODEL_ROWS, PACK_ROWS, SOUND_ROWS, TEXT_ROWS, all_rows};

fn manual() -> (std::path::PathBuf, String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    let text = fs::read_to_string(&file).unwrap();
    (file, text)
}

#[test]
fn every_example_parses() {
    let (_, manual) = manual();
    let blocks: Vec<&str> =
        manual.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(blocks.len() >= 8, "found {} examples", blocks.len());
    for block in blocks {
        if let Err(errors) = parse(block) {
            panic!("{block}\n{}", show(&errors));
        }
    }
}

/// After a change of the table: `UPDATE_EXPECT=1 cargo test -p rres-settings manual` rewrites the manual's tables.
#[test]
fn the_tables_match_the_code() {
    let (file, text) = manual();
    let mut expected = text.clone();
    for (name, table) in [
        ("asset", markdown(ASSET_ROWS)),
        ("image", markdown(IMAGE_ROWS)),
        ("sound", markdown(SOUND_ROWS)),
        ("font", markdown(FONT_ROWS)),
        ("text", markdown(TEXT_ROWS)),
        ("model", markdown(MODEL_ROWS)),
        ("pack", markdown(PACK_ROWS.iter().filter(|row| row.table().is_none()))),
        ("lints", markdown(PACK_ROWS.iter().filter(|row| row.table().is_some()))),
    ] {
        let start_marker = format!("<!-- settings: {name} -->\n");
        let start = expected.find(&start_marker).unwrap_or_else(|| panic!("no {start_marker}")) + start_marker.len();
        let end = start + expected[start..].find("<!-- end -->").expect("the table has an end");
        expected.replace_range(start..end, &format!("\n{table}\n"));
    }
    if expected != text {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&file, expected).unwrap();
            return;
        }
        panic!("docs/settings.md is out of date: run `UPDATE_EXPECT=1 cargo test -p rres-settings manual`");
    }
}

fn markdown<'r, V: 'static, S: 'static>(rows: impl IntoIterator<Item = &'r SettingRow<V, S>>) -> String {
    let mut table = "| key | values | default | |\n|---|---|---|---|\n".to_owned();
    for row in rows {
        let doc = doc(row).replace('|', "\\|");
        writeln!(table, "| `{}` | {} | {} | {doc} |", row.key, (row.values)(), row.default).unwrap();
    }
    table
}

/// The documentation on one line.
fn doc<V, S>(row: &SettingRow<V, S>) -> String {
    row.doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_setting_is_documented_in_a_sentence() {
    let documented = |key: &str, doc: String, values: String, default: &str| {
        let is_sentence = doc.len() >= 20 && doc.ends_with('.') && doc.starts_with(char::is_uppercase);
        assert!(is_sentence && !values.is_empty() && !default.is_empty(), "{key}: {doc:?}, {values:?}, {default:?}");
    };
    all_rows().for_each(|row| documented(row.key, doc(row), (row.values)(), row.default));
    PACK_ROWS.iter().for_each(|row| documented(row.key, doc(row), (row.values)(), row.default));
    let mut keys: Vec<_> = all_rows().map(|row| row.key).collect();
    keys.sort_unstable();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{keys:?}");
}
