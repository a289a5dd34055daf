//! `cargo rres diff`: what changed between two packs.

use rres_format::chunk::image::PixelFormat;
use rres_format::index::{GroupSpec, MetaKey};
use rres_format::{Compression, PackBuilder, Resource, ResourceId};
use serde_json::{Value, json};

use super::Sandbox;
use super::packs::{image, pixels, raw, text};

fn write(sandbox: &Sandbox, name: &str, index: bool, resources: Vec<Resource<'static>>) {
    let mut pack = PackBuilder::new().index(index);
    resources.into_iter().for_each(|resource| pack.push(resource));
    sandbox.write(name, &pack.to_vec().unwrap());
}

fn before() -> Vec<Resource<'static>> {
    vec![
        image("ui/button.png", PixelFormat::RGBA8, &pixels(16, 8, 4), Compression::ZSTD),
        image("ui/same.png", PixelFormat::RGBA8, &pixels(16, 8, 4), Compression::ZSTD),
        image("ui/again.png", PixelFormat::RGBA8, &pixels(16, 8, 4), Compression::ZSTD),
        image("ui/filter.png", PixelFormat::GRAY8, &pixels(16, 8, 1), Compression::NONE),
        raw("old/table.bin", &[7; 100]),
        raw("gone.bin", &[1, 2]),
        text("a.txt", "one"),
    ]
}

fn after() -> Vec<Resource<'static>> {
    let mut other = pixels(16, 8, 4);
    other[3] ^= 1;
    let mut filter = image("ui/filter.png", PixelFormat::GRAY8, &pixels(16, 8, 1), Compression::NONE);
    filter.meta.set(MetaKey::FILTER, 1);
    vec![
        image("ui/button.png", PixelFormat::RGBA8, &other, Compression::ZSTD),
        image("ui/same.png", PixelFormat::RGBA8, &pixels(16, 8, 4), Compression::ZSTD),
        image("ui/again.png", PixelFormat::RGBA8, &pixels(16, 8, 4), Compression::DEFLATE),
        filter,
        raw("new/table.bin", &[7; 100]),
        raw("new.bin", &[3]),
        text("a.txt", "two"),
    ]
}

fn diff(sandbox: &Sandbox, args: &[&str]) -> Value {
    serde_json::from_str(&sandbox.run([&["diff", "--json"], args].concat()).success().out).unwrap()
}

/// Each change with its path and what it says.
fn changes(value: &Value) -> Vec<(String, String, Value)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let changes = value["changes"].as_array().unwrap().iter();
    changes.map(|row| (text(&row["change"]), text(&row["path"]), row["what"].clone())).collect()
}

fn expected() -> Vec<(String, String, Value)> {
    [
        ("changed", "a.txt", json!(["text"])),
        ("removed", "gone.bin", json!([])),
        ("added", "new.bin", json!([])),
        ("moved", "new/table.bin", json!([])),
        ("changed", "ui/again.png", json!(["compression"])),
        ("changed", "ui/button.png", json!(["pixels"])),
        ("changed", "ui/filter.png", json!(["metadata"])),
    ]
    .map(|(change, path, what)| (change.to_owned(), path.to_owned(), what))
    .into()
}

#[test]
fn every_sort_of_change_is_told_apart() {
    let sandbox = Sandbox::new();
    write(&sandbox, "old.rres", true, before());
    write(&sandbox, "new.rres", true, after());
    let value = diff(&sandbox, &["old.rres", "new.rres"]);
    assert_eq!(changes(&value), expected());
    assert_eq!(value["changes"][3]["from"], "old/table.bin");
    assert_eq!(
        value["changes"][4]["properties"][0],
        json!({ "name": "compression", "before": "zstd", "after": "DEFLATE" })
    );
    assert_eq!(value["totals"]["same"]["count"], 1);
    let update = &value["update"];
    assert!(update["delta_patch_size"].as_u64().unwrap() < update["patch_size"].as_u64().unwrap() + 1, "{update}");
    let size = sandbox.read("new.rres").len() as u64;
    assert_eq!((update["fixed_blocks_size"].as_u64(), update["block_count"].as_u64()), (Some(size), Some(1)));
    let out = sandbox.run(["diff", "old.rres", "new.rres"]).success().out;
    assert!(out.contains("moved    old/table.bin → new/table.bin") && out.contains("patch with deltas"), "{out}");
    // The other way round, what was added is removed.
    let back = changes(&diff(&sandbox, &["new.rres", "old.rres", "--no-update"]));
    assert!(back.contains(&("removed".to_owned(), "new.bin".to_owned(), json!([]))), "{back:?}");
}

#[test]
fn packs_of_other_programs_are_compared() {
    let sandbox = Sandbox::new();
    write(&sandbox, "old.rres", false, before());
    write(&sandbox, "new.rres", false, after());
    let value = diff(&sandbox, &["old.rres", "new.rres"]);
    // Without a front index the pack has no metadata.
    let mut known = expected();
    known.pop();
    assert_eq!((changes(&value), &value["update"]["patch_size"]), (known, &Value::Null));
}

#[test]
fn equal_packs_have_no_changes_and_the_exit_code_says_so_if_asked() {
    let sandbox = Sandbox::new();
    write(&sandbox, "old.rres", true, before());
    write(&sandbox, "new.rres", true, after());
    let value = diff(&sandbox, &["old.rres", "old.rres", "--exit-code"]);
    assert_eq!((&value["equal"], &value["update"]["fixed_blocks_size"]), (&json!(true), &json!(0)));
    sandbox.run(["diff", "old.rres", "new.rres"]).success();
    sandbox.run(["diff", "old.rres", "new.rres", "--exit-code"]).failed(1, &[]);
    sandbox.run(["diff", "old.rres", "gone.rres"]).failed(2, &["cannot open gone.rres"]);
    let mut grouped = PackBuilder::new();
    before().into_iter().for_each(|resource| grouped.push(resource));
    grouped.push_group(GroupSpec { name: "level".to_owned(), members: vec![ResourceId::from_path("a.txt")] });
    sandbox.write("grouped.rres", &grouped.to_vec().unwrap());
    let value = diff(&sandbox, &["old.rres", "grouped.rres"]);
    assert_eq!(
        (&value["equal"], &value["changes"], &value["changed_groups"]),
        (&json!(false), &json!([]), &json!(["level"]))
    );
    sandbox.run(["diff", "old.rres", "grouped.rres", "--exit-code"]).failed(1, &[]);
    let bytes = sandbox.read("new.rres");
    sandbox.write("cut.rres", &bytes[..bytes.len() - 200]);
    sandbox.run(["diff", "old.rres", "cut.rres"]).failed(1, &["cut.rres", "cut off", "cargo rres verify"]);
}

#[test]
fn dev_indexes_are_compared_by_their_sources() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", b"one");
    sandbox.write("assets/b.txt", b"two");
    sandbox.run(["build", "assets", "-o", "old", "--debug"]).success();
    sandbox.run(["pack", "assets", "-o", "pack.rres"]).success();
    sandbox.write("assets/a.txt", b"other");
    std::fs::rename(sandbox.path("assets/b.txt"), sandbox.path("assets/c.txt")).unwrap();
    sandbox.run(["build", "assets", "-o", "new", "--debug"]).success();
    let value = diff(&sandbox, &["old/assets.dev.rres", "new/assets.dev.rres"]);
    let found: Vec<_> = changes(&value).into_iter().map(|(change, path, _)| (change, path)).collect();
    assert_eq!(found, [("changed", "a.txt"), ("moved", "c.txt")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert_eq!(value["update"], Value::Null);
    sandbox.run(["diff", "old/assets.dev.rres", "pack.rres"]).failed(2, &["the dev index of a debug build"]);
}

#[test]
fn a_comment_for_a_merge_request_has_the_largest_changes_first() {
    let sandbox = Sandbox::new();
    write(&sandbox, "old.rres", true, before());
    let mut newer = after();
    newer.push(raw("a|b`c.bin", &[5; 900]));
    write(&sandbox, "new.rres", true, newer);
    let comment = sandbox.run(["diff", "--markdown", "old.rres", "new.rres"]).success().out;
    let lines: Vec<&str> = comment.lines().collect();
    assert!(lines[0].starts_with("### Assets: +") && lines[0].contains(" → "), "{comment}");
    assert!(lines[2].starts_with("2 added, 1 removed, 1 moved, 4 changed. An update is "), "{comment}");
    assert_eq!(lines[4], "| change | asset | before | after | difference | how |");
    assert!(lines[6].starts_with("| added | `` a\\|b`c.bin `` | – | "), "{comment}");
    assert!(comment.contains("| moved | `old/table.bin` → `new/table.bin` | "), "{comment}");
    assert!(
        lines[7].starts_with("| added | `new.bin` | ") || lines[7].starts_with("| removed | `gone.bin` | "),
        "{comment}"
    );
    let savings = sandbox.run(["diff", "--markdown", "new.rres", "old.rres"]).success().out;
    assert!(savings.lines().nth(6).unwrap().starts_with("| removed | `` a\\|b`c.bin `` | "), "{savings}");

    let same = sandbox.run(["diff", "--markdown", "--no-update", "old.rres", "old.rres"]).success().out;
    assert!(same.ends_with("\n\nNo asset has changed.\n") && same.starts_with("### Assets: ±0 B ("), "{same}");

    let many = (0..500).map(|number| raw(&format!("{}{number}.bin", "folder/".repeat(30)), &[1; 10])).collect();
    write(&sandbox, "many.rres", true, many);
    let comment = sandbox.run(["diff", "--markdown", "--no-update", "old.rres", "many.rres"]).success().out;
    assert!(comment.chars().count() < 65_536, "{} characters", comment.chars().count());
    assert!(
        comment.contains("<details><summary>507 assets</summary>\n\n|") && comment.ends_with("\n\n</details>\n"),
        "{comment}"
    );
    assert!(comment.contains("… and 407 more, each with a smaller difference"), "{comment}");
    sandbox.run(["diff", "--markdown", "--json", "old.rres", "new.rres"]).failed(2, &["--json"]);
}
