//! The JSON fields in the page and in the output.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rres_format::chunk::block;
use rres_format::index::MetaKey;
use rres_format::{ChunkInfo, Compression, FourCc, PackBuilder, Resource, ResourceId};
use serde_json::Value;

#[cfg(unix)]
use super::examples::with_examples;
use super::{page, quoted, rows, sections};
use crate::damage::{chunk_offset, put};
use crate::packs::{chunk, every_kind, raw, text};
#[cfg(unix)]
use crate::sync::{failed, serving_script};
use crate::{Run, Sandbox};

/// A field of the JSON: its path, such as `packs[].pack`, and its type.
type Field = (String, &'static str);

/// Collects the fields of a JSON value.
fn collect(path: &str, value: &Value, fields: &mut BTreeSet<Field>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(items) => return items.iter().for_each(|item| collect(&format!("{path}[]"), item, fields)),
        Value::Object(members) => {
            let separator = if path.is_empty() { "" } else { "." };
            members.iter().for_each(|(name, value)| collect(&format!("{path}{separator}{name}"), value, fields));
            "object"
        }
    };
    fields.insert((path.to_owned(), kind));
}

/// The documented fields of a section: a path, in which `*` is any name, and the possible types.
fn documented(sections: &BTreeMap<String, String>, heading: &str) -> BTreeSet<(String, String)> {
    let mut fields = BTreeSet::new();
    for row in rows(&sections[heading], "field") {
        for path in quoted(row[0]) {
            let types = row[1].split(", ").flat_map(|kinds| kinds.split(" or ")).map(str::to_owned);
            match row[1] {
                "as in `ls`" => {
                    let same = documented(sections, "`cargo rres ls`").into_iter().filter_map(|(other, kind)| {
                        Some((other.strip_prefix("resources[].").filter(|other| *other == path)?.to_owned(), kind))
                    });
                    fields.extend(same);
                }
                "finding" | "diagnostic" => {
                    let section = if row[1] == "finding" { "Findings" } else { "Diagnostics" };
                    let parts = documented(sections, section).into_iter();
                    fields.extend(parts.map(|(part, kind)| (format!("{path}.{part}"), kind)));
                }
                _ => fields.extend(types.map(|kind| (path.to_owned(), kind))),
            }
        }
    }
    fields
}

fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('.').collect(), path.split('.').collect());
    pattern.len() == path.len() && pattern.iter().zip(&path).all(|(part, name)| part == name || *part == "*")
}

/// Checks that a section documents exactly the fields of `values`. Findings and diagnostics are documented in sections of
/// their own, so they need not have every type here.
#[track_caller]
pub(crate) fn check_fields(sections: &BTreeMap<String, String>, heading: &str, values: &[Value]) {
    let documented = documented(sections, heading);
    let mut found = BTreeSet::new();
    values.iter().for_each(|value| collect("", value, &mut found));
    // An object is documented by its fields.
    for (path, kind) in found.iter().filter(|(_, kind)| *kind != "object") {
        let is_documented = documented.iter().any(|(pattern, known)| matches(pattern, path) && known == kind);
        assert!(is_documented, "{heading}: {path} is a {kind}, which the page does not document");
    }
    let is_shared = |pattern: &str| pattern.contains("findings[].") || pattern.contains("diagnostics[].");
    for (pattern, kind) in documented.iter().filter(|(pattern, _)| !is_shared(pattern)) {
        let is_found = found.iter().any(|(path, other)| matches(pattern, path) && other == kind);
        assert!(is_found, "{heading}: no output contains {pattern} as a {kind}");
    }
}

/// Runs the command with `--json` and returns the value that it prints.
#[track_caller]
fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    parse(&sandbox.run(args.iter().chain([&"--json"])))
}

#[track_caller]
fn parse(run: &Run) -> Value {
    let mut value: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    // Every value has it, so the page documents it once.
    assert_eq!(value.as_object_mut().unwrap().remove("schema_version"), Some(1.into()), "{run:?}");
    value
}

/// A sandbox with packs of every sort: `game`, `foreign`, `bare`, `encrypted`, `damaged`.
fn with_packs() -> Sandbox {
    let sandbox = Sandbox::new();
    let game = every_kind().to_vec().unwrap();
    sandbox.write("game.rres", &game);
    sandbox.write("foreign.rres", &every_kind().index(false).to_vec().unwrap());
    let mut bare = PackBuilder::new().index(false).directory(false);
    bare.push(raw("a.bin", b"a"));
    let tiles = block(&[3, 4], b"tiles");
    bare.push(Resource::new("tiles.map", vec![chunk(FourCc(*b"TMX "), &tiles, Compression::NONE)]));
    sandbox.write("bare.rres", &bare.to_vec().unwrap());
    let mut encrypted = game.clone();
    let at = chunk_offset(&game, "text/credits.txt");
    encrypted[at + 9] = 30;
    sandbox.write("encrypted.rres", &encrypted);
    let mut damaged = game.clone();
    put(&mut damaged, 16 + ChunkInfo::SIZE + 4, 9);
    sandbox.write("damaged.rres", &damaged);
    let mut lost = PackBuilder::new();
    let mut resource = text("a.txt", "a");
    resource.dependencies.push(ResourceId(7));
    resource.meta.set(MetaKey::FILTER, 1);
    lost.push(resource);
    sandbox.write("lost.rres", &lost.to_vec().unwrap());
    sandbox
}

#[test]
fn every_json_field_of_packs_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = with_packs();
    let packs = ["game.rres", "foreign.rres", "bare.rres", "encrypted.rres", "damaged.rres"];
    sandbox.write("assets/a.txt", b"a");
    sandbox.run(["build", "assets", "-o", "out", "--debug"]).success();
    let all = packs.into_iter().chain(["out/assets.dev.rres"]);
    let of = |command: &str| all.clone().map(|pack| json(&sandbox, &[command, pack])).collect::<Vec<_>>();
    check_fields(&sections, "`cargo rres ls`", &of("ls"));
    let mut reports = of("verify");
    reports.push(json(&sandbox, &["verify", "game.rres", "--against", "assets"]));
    check_fields(&sections, "`cargo rres verify`", &reports);
    let packs = reports.iter().flat_map(|report| report["packs"].as_array().unwrap());
    let findings: Vec<Value> = packs.flat_map(|pack| pack["findings"].as_array().unwrap().clone()).collect();
    check_fields(&sections, "Findings", &findings);
    let mut infos = of("info");
    for (pack, resource) in [
        ("game.rres", "models/triangle.glb"),
        ("game.rres", "sound/step.wav"),
        ("game.rres", "text/credits.txt"),
        ("foreign.rres", "fonts/small.ttf"),
        ("encrypted.rres", "text/credits.txt"),
        ("bare.rres", &ResourceId::from_path("a.bin").to_string()),
        ("bare.rres", &ResourceId::from_path("tiles.map").to_string()),
        ("lost.rres", "a.txt"),
        ("out/assets.dev.rres", "a.txt"),
    ] {
        infos.push(json(&sandbox, &["info", pack, resource]));
    }
    check_fields(&sections, "`cargo rres info`", &infos);
}

#[test]
fn every_json_field_of_builds_and_caches_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", b"a");
    // Two pictures of one pixel, so that there is a note.
    let picture = b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0";
    let head = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
    sandbox.write("assets/a.gif", &[&head[..], picture, picture, b";"].concat());
    let build = ["build", "assets", "-o", "out"];
    let mut builds = vec![json(&sandbox, &build), json(&sandbox, &[&build[..], &["--debug"]].concat())];
    sandbox.write("assets/bad.txt", b"\xff\xfe\xff");
    builds.push(json(&sandbox, &build));
    sandbox.write("assets/assets.toml", b"[pack]\ncompresion = \"zstd\"\n");
    builds.push(json(&sandbox, &build));
    check_fields(&sections, "`cargo rres build`", &builds);

    let with = |name: &str, value: &Path| {
        parse(&sandbox.command().env(name, value).args(["cache", "stat", "--json"]).output().unwrap().into())
    };
    let stats = [
        json(&sandbox, &["cache", "stat"]),
        with("RRES_CACHE_SIZE", Path::new("off")),
        with("RRES_CACHE_DIR", &sandbox.path("empty")),
    ];
    check_fields(&sections, "`cargo rres cache stat`", &stats);
    check_fields(&sections, "`cargo rres cache path`", &[json(&sandbox, &["cache", "path"])]);
    let blobs = sandbox.path("cache/blobs");
    let shard = std::fs::read_dir(blobs).unwrap().next().unwrap().unwrap().path();
    let blob = std::fs::read_dir(shard).unwrap().next().unwrap().unwrap().path();
    std::fs::write(blob, b"damaged").unwrap();
    check_fields(&sections, "`cargo rres cache verify`", &[json(&sandbox, &["cache", "verify"])]);
    check_fields(&sections, "`cargo rres cache prune`", &[json(&sandbox, &["cache", "prune"])]);
}

#[cfg(unix)]
#[test]
fn every_json_field_of_sync_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = with_examples();
    let script = "target/debug/build/game-1";
    sandbox.write("assets.lock", b"0x00000001 text a.txt\n0x00000002 raw b.bin\n0x00000003 raw c.bin\n");
    sandbox.write(
        &format!("{script}/out/game.lock"),
        b"0x00000001 text new.txt\n0x00000004 raw b.bin\n0x00000005 raw d.bin\n",
    );
    let changes = json(&sandbox, &["sync", "--check"]);
    let kinds: BTreeSet<&str> =
        changes["lock_files"][0]["changes"].as_array().unwrap().iter().map(|c| c["change"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 4, "{changes}");
    let (with_help, without) = (failed("is bad"), failed("is bad").replace("mend it", ""));
    serving_script(&sandbox, script, "game", &with_help);
    let mut values = vec![changes, json(&sandbox, &["sync"])];
    serving_script(&sandbox, script, "game", &without);
    values.push(json(&sandbox, &["sync"]));
    check_fields(&sections, "`cargo rres sync`", &values);
    let diagnostics: Vec<Value> =
        values.iter().flat_map(|value| value["diagnostics"].as_array().unwrap().clone()).collect();
    check_fields(&sections, "Diagnostics", &diagnostics);
}

#[cfg(unix)]
#[test]
fn every_json_field_of_executables_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = Sandbox::new();
    sandbox.write("program", b"#!/bin/sh\n");
    sandbox.write("game.rres", &every_kind().to_vec().unwrap());
    // It says that the program is no executable that it knows.
    assert_eq!(sandbox.exe(&[&"embed", &"program", &"game.rres", &"-o", &"packed"]).code, 0);
    let packed = sandbox.read("packed");
    sandbox.write("moved", &[&packed[..], &[b'x'; 20]].concat());
    let marker = u64::from(0x0376_c521_u32).to_le_bytes();
    let entry = [12_u32, 1, 0, 1].map(u32::to_le_bytes).concat();
    sandbox.write("old", &[&b"program"[..], &marker, &entry, b"x"].concat());
    // A program for Windows of a header only, whose last eight bytes count as its signature.
    let mut windows = vec![0; 400];
    windows[..2].copy_from_slice(b"MZ");
    windows[60] = 64;
    windows[64..68].copy_from_slice(b"PE\0\0");
    windows[84] = 240;
    windows[88..90].copy_from_slice(&0x20b_u16.to_le_bytes());
    windows[88 + 108] = 16;
    windows[88 + 144..88 + 152].copy_from_slice(&[0x88, 1, 0, 0, 8, 0, 0, 0]);
    sandbox.write("signed", &windows);
    let values = [
        json(&sandbox, &["exe", "info", "packed"]),
        json(&sandbox, &["exe", "info", "packed", "--verify"]),
        json(&sandbox, &["exe", "info", "moved", "--scan"]),
        json(&sandbox, &["exe", "info", "old", "--legacy"]),
        json(&sandbox, &["exe", "info", "signed"]),
    ];
    check_fields(&sections, "`cargo rres exe info`", &values);
}
