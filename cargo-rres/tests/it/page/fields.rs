//! The JSON fields in the page and in the output.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rres_format::chunk::block;
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{GroupSpec, MetaKey};
use rres_format::{ChunkInfo, Compression, FourCc, PackBuilder, Resource, ResourceId};
use serde_json::Value;

#[cfg(unix)]
use super::examples::with_examples;
use super::{page, quoted, rows, sections};
use crate::damage::{chunk_offset, put};
use crate::packs::{chunk, every_kind, image, pixels, raw, samples, text};
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

/// The documented fields of a section: a path and the possible types. `*` in a path is any name.
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
                "finding" | "diagnostic" | "limit" => {
                    let section = match row[1] {
                        "finding" => "Findings",
                        "diagnostic" => "Diagnostics",
                        _ => "Limits",
                    };
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
/// their own, so they need not have every type here. What came from a remote cache or a farm is null here, and has a test beside its code.
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
    let shared = ["findings[].", "diagnostics[].", "lints[].", "remote_cache", "farm"];
    let is_shared = |pattern: &str| shared.iter().any(|part| pattern.contains(part));
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

/// A pack whose image is encrypted; nobody has the key.
fn with_hidden_image() -> Vec<u8> {
    let mut pack = every_kind().to_vec().unwrap();
    let at = chunk_offset(&pack, "ui/button.png");
    pack[at + 9] = 30;
    pack
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
    sandbox.write("hidden.rres", &with_hidden_image());
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
    let packs =
        ["game.rres", "foreign.rres", "bare.rres", "encrypted.rres", "hidden.rres", "damaged.rres", "shared.rres"];
    let mut shared = PackBuilder::new();
    shared.push(raw("a.bin", b"a"));
    shared.push(raw("b.bin", b"a").sharing(ResourceId::from_path("a.bin")));
    sandbox.write("shared.rres", &shared.to_vec().unwrap());
    sandbox.write("assets/a.txt", b"a");
    sandbox.run(["build", "assets", "-o", "out", "--debug"]).success();
    sandbox.write("shaders/blur.wgsl", crate::show::BLUR.as_bytes());
    sandbox.run(["build", "shaders", "-o", "shaders.rres"]).success();
    let all = packs.into_iter().chain(["out/assets.dev.rres"]);
    let of = |command: &str| all.clone().map(|pack| json(&sandbox, &[command, pack])).collect::<Vec<_>>();
    check_fields(&sections, "`cargo rres ls`", &of("ls"));
    let mut reports = of("verify");
    reports.push(json(&sandbox, &["verify", "game.rres", "--against", "assets"]));
    reports.push(json(&sandbox, &["verify", "game.rres", "--compat", "raylib"]));
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
        ("hidden.rres", "ui/button.png"),
        ("bare.rres", &ResourceId::from_path("a.bin").to_string()),
        ("bare.rres", &ResourceId::from_path("tiles.map").to_string()),
        ("lost.rres", "a.txt"),
        ("shared.rres", "b.bin"),
        ("shaders.rres", "blur.wgsl"),
        ("out/assets.dev.rres", "a.txt"),
    ] {
        infos.push(json(&sandbox, &["info", pack, resource]));
    }
    crate::nbr::write_files(&sandbox, "res");
    infos.push(json(&sandbox, &["info", "res/step.nbr"]));
    check_fields(&sections, "`cargo rres info`", &infos);
}

#[test]
fn every_json_field_of_extracted_files_is_documented() {
    let page = page();
    let sandbox = with_packs();
    crate::extract::models::write_model(&sandbox, "assets/models");
    sandbox.run(["build", "assets", "-o", "model.rres"]).success();
    let mut odd = PackBuilder::new();
    odd.push(text("nul.txt", "renamed"));
    sandbox.write("odd.rres", &odd.to_vec().unwrap());
    let packs = ["game.rres", "bare.rres", "damaged.rres", "model.rres", "odd.rres"];
    let values = packs.map(|pack| json(&sandbox, &["extract", pack, "--out", &format!("tree-{pack}"), "--metadata"]));
    let plain = json(&sandbox, &["extract", "odd.rres", "--out", "plain"]);
    crate::nbr::write_files(&sandbox, "res");
    let noted = json(&sandbox, &["extract", "res/textures/sky.nbr", "--out", "noted"]);
    let mut blocked = PackBuilder::new();
    ["a", "a/b.txt"].into_iter().for_each(|path| blocked.push(text(path, path)));
    sandbox.write("blocked.rres", &blocked.to_vec().unwrap());
    let blocked = json(&sandbox, &["extract", "blocked.rres", "--out", "blocked"]);
    let values: Vec<Value> = values.into_iter().chain([plain, noted, blocked]).collect();
    check_fields(&sections(&page), "`cargo rres extract`", &values);
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
    // What is left out of this model cannot be helped.
    write_crystal(&sandbox, "assets");
    // A photograph, whose pixels take more space than the file.
    let sky = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/world/sky_dusk.jpg");
    sandbox.write("assets/sky.jpg", &std::fs::read(sky).unwrap());
    sandbox.write("assets/a.any.txt", b"a");
    let build = ["build", "assets", "-o", "out"];
    let mut builds = vec![json(&sandbox, &build), json(&sandbox, &[&build[..], &["--debug"]].concat())];
    sandbox.write(
        "assets/assets.toml",
        b"[\"a.txt\"]\nmax_size = 1\n[\"sky.jpg\"]\nimage = { store = \"pixels\" }\n[budget]\ntotal = 1\n[pack]\nheader = \"a.h\"\n\
          targets = { any = \"cfg(all())\" }\n[lints]\nover_budget = \"warn\"\n",
    );
    builds.push(json(&sandbox, &build));
    check_fields(&sections, "Limits", builds[2]["lints"].as_array().unwrap());
    std::fs::remove_file(sandbox.path("assets/assets.toml")).unwrap();
    builds.push(json(&sandbox, &["pack", "assets", "-o", "packed.rres"]));
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
    // A file that is refused, then one whose blob has another byte at its end.
    let run = |name: &str| json(&sandbox, &["cache", name, "--assets", "one"]);
    sandbox.write("one/a.txt", b"\xff\xfe\xff");
    let mut fills = vec![run("fill")];
    let mut checks = vec![run("check")];
    sandbox.write("one/a.txt", b"the only one");
    std::fs::remove_dir_all(sandbox.path("cache")).unwrap();
    fills.push(run("fill"));
    let blob = super::super::cache::blobs(&sandbox).remove(0);
    let mut bytes = std::fs::read(&blob).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(blob, bytes).unwrap();
    checks.push(run("check"));
    check_fields(&sections, "`cargo rres cache fill`", &fills);
    check_fields(&sections, "`cargo rres cache check`", &checks);
}

#[test]
fn every_json_field_of_sources_is_documented() {
    let values = [json(&super::super::sources::with_list(), &["sources", "status"])];
    check_fields(&sections(&page()), "`cargo rres sources status`", &values);
}

#[test]
fn every_json_field_of_licenses_is_documented() {
    let sandbox = Sandbox::new();
    let rule = "source = \"https://example.com\"\nattribution = \"by A\"\nauthor = \"A\"\n";
    let rules = format!("[\"a.txt\"]\nlicense = \"MIT\"\n{rule}[\"b.txt\"]\nlicense = \"none\"\n");
    sandbox.write("assets/assets.toml", rules.as_bytes());
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        sandbox.write(&format!("assets/{name}"), name.as_bytes());
    }
    sandbox.write("assets/d.txt.license", b"SPDX-FileCopyrightText: D");
    let good = json(&sandbox, &["licenses", "--assets", "assets"]);
    sandbox.write("assets/REUSE.toml", b"version = ");
    let bad = json(&sandbox, &["licenses", "--assets", "assets"]);
    assert_eq!(bad["ok"], false);
    check_fields(&sections(&page()), "`cargo rres licenses`", &[good, bad]);
}

#[test]
fn every_json_field_of_advise_is_documented() {
    let values = [json(&super::super::advise::sandbox(), &["advise", "--assets", "assets"])];
    check_fields(&sections(&page()), "`cargo rres advise`", &values);
}

#[test]
fn every_json_field_of_deps_is_documented() {
    let page = page();
    let sandbox = with_packs();
    let used = super::super::deps::with_code();
    let values = [
        json(&sandbox, &["deps", "game.rres"]),
        json(&sandbox, &["deps", "lost.rres"]),
        json(&sandbox, &["deps", "bare.rres", &ResourceId::from_path("a.bin").to_string()]),
        json(&used, &["deps", "generated/game.rres", "--unused"]),
    ];
    check_fields(&sections(&page), "`cargo rres deps`", &values);
}

#[test]
fn every_json_field_of_explain_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = super::super::explain::with_everything();
    write_crystal(&sandbox, "models");
    sandbox.write("targets/assets.toml", b"[pack]\ntargets = { any = \"cfg(all())\" }\n");
    ["a.txt", "a.any.txt"].iter().for_each(|name| sandbox.write(&format!("targets/{name}"), b"a"));
    let values: Vec<Value> = super::super::explain::FILES
        .iter()
        .map(|file| json(&sandbox, &["explain", "--assets", "assets", file]))
        .chain([
            json(&sandbox, &["explain", "a.png"]),
            // What is left out of this model cannot be helped.
            json(&sandbox, &["explain", "--assets", "models", "crystal.gltf"]),
            json(&sandbox, &["explain", "--assets", "targets", "a.any.txt"]),
        ])
        .collect();
    check_fields(&sections, "`cargo rres explain`", &values);
}

#[test]
fn every_json_field_of_reports_is_documented() {
    let page = page();
    let sandbox = Sandbox::new();
    sandbox.write("a/same.txt", b"the same, but longer than what it is now: ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789");
    sandbox.write("a/large.bin", &[7; 900]);
    sandbox.write("a/gone.bin", b"gone");
    sandbox.run(["build", "a", "-o", "a.rres"]).success();
    // A photograph, whose pixels take more space than the file.
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    sandbox.write("b/sky.jpg", &std::fs::read(assets.join("world/sky_dusk.jpg")).unwrap());
    // What is left out of this model cannot be helped.
    write_crystal(&sandbox, "b");
    sandbox.write("b/bad.txt", b"\xff\xfe\xff");
    sandbox.write("b/same.txt", b"other words");
    sandbox.write("b/again.txt", b"other words");
    sandbox.write("b/moved.bin", &[7; 900]);
    // Equal, but stored in another way.
    sandbox.write("b/twin.bin", &[7; 900]);
    // Two pictures of one pixel, so that there is a note.
    let picture = b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0";
    let head = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
    sandbox.write("b/a.gif", &[&head[..], picture, picture, b";"].concat());
    let settings = "[\"sky.jpg\"]\nimage = { store = \"pixels\" }\n[\"*.txt\"]\ncompression = \"lz4\"\n[\"twin.bin\"]\ncompression = \"lz4\"\n[target.'cfg(all())'.\"*.txt\"]\nnotes = true\nmax_growth = 900\n[\"same.txt\"]\ncompression = \"zstd\"\nmax_size = 1\nmax_growth = 800\n[budget]\ntotal = 1\nvram = 1\n";
    sandbox.write("b/assets.toml", settings.as_bytes());
    let mut damaged = sandbox.read("a.rres");
    let at = chunk_offset(&damaged, "large.bin") + ChunkInfo::SIZE + 9;
    damaged[at] ^= 1;
    sandbox.write("damaged.rres", &damaged);
    let foreign = every_kind().index(false).directory(false).to_vec().unwrap();
    sandbox.write("foreign.rres", &foreign);
    let mut encrypted = sandbox.read("a.rres");
    let at = chunk_offset(&encrypted, "same.txt");
    encrypted[at + 9] = 11;
    sandbox.write("encrypted.rres", &encrypted);
    sandbox.write("hidden.rres", &with_hidden_image());
    sandbox.write("whole.rres", &every_kind().to_vec().unwrap());
    let pack = sandbox.read("a.rres");
    sandbox.write("cut.rres", &pack[..chunk_offset(&pack, "same.txt")]);
    sandbox.write("b/.git", b"");
    sandbox.write("b/CODEOWNERS", b"*.txt @words\n");
    sandbox
        .write("b/REUSE.toml", b"version = 1\n[[annotations]]\npath = \"*.txt\"\nSPDX-License-Identifier = \"MIT\"\n");
    let values = [
        json(&sandbox, &["report", "cut.rres"]),
        json(&sandbox, &["report", "b", "--since", "a.rres", "--import-times"]),
        // The sources have changed since, so why the pack has its compressions is not known.
        json(&sandbox, &["report", "a.rres", "--sources", "b"]),
        json(&sandbox, &["report", "damaged.rres"]),
        json(&sandbox, &["report", "foreign.rres"]),
        json(&sandbox, &["report", "encrypted.rres"]),
        json(&sandbox, &["report", "hidden.rres"]),
        json(&sandbox, &["report", "whole.rres"]),
        // The test of `unused` runs the command so.
        serde_json::json!({ "unused": ["a.png"] }),
    ];
    check_fields(&sections(&page), "`cargo rres report`", &values);
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

#[test]
fn every_json_field_of_import_and_export_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = Sandbox::new();
    sandbox.write("res/a.txt", b"a");
    sandbox.write("res/b.md", b"b");
    sandbox.write("good.rrp", b"f C:\\x\\res\\a.txt@text/a.txt,0,1,0x1,0,73\nf res/b.md@b.md,0,0,0,10,0\n");
    sandbox.write("bad.rrp", b"x\nf c.txt@c,0,0,0,0,0\n");
    sandbox.write("list.nbrlist", b":: SHADER @fx\nres/a.txt\n:: AUDIO\nres/b.md\n");
    sandbox.write("other/list.nbrlist", b":: FONT\na.xyz\n:: SHADER @fx\na.txt\n");
    sandbox.write("maps.nbrlist", b":: CUBEMAP\ncube/");
    for face in ["px", "nx", "py", "ny", "pz", "nz"] {
        sandbox.write(&format!("cube/{face}.bmp"), b"");
    }
    sandbox.write("other/a.xyz", b"x");
    sandbox.write("other/a.txt", b"x");
    let values = [
        json(&sandbox, &["import", "good.rrp"]),
        json(&sandbox, &["import", "bad.rrp"]),
        json(&sandbox, &["import", "other/list.nbrlist"]),
        json(&sandbox, &["import", "list.nbrlist", "--force", "--dry-run"]),
        json(&sandbox, &["import", "maps.nbrlist", "--dry-run"]),
    ];
    check_fields(&sections, "`cargo rres import`", &values);
    let good = json(&sandbox, &["export", "other", "-o", "other.rrp"]);
    sandbox.write("other/assets.toml", b"[\"a.xyz\"]\nkind = 7\n[\"a\"]\nxind = 7\n");
    let bad = json(&sandbox, &["export", "other", "-o", "bad2.rrp"]);
    check_fields(&sections, "`cargo rres export`", &[good, bad]);
}

#[test]
fn every_json_field_of_diff_and_patch_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = with_packs();
    let mut other = every_kind();
    other.push(raw("new.bin", b"new"));
    sandbox.write("other.rres", &other.to_vec().unwrap());
    let version = |resources: Vec<Resource<'static>>| {
        let mut pack = PackBuilder::new();
        resources.into_iter().for_each(|resource| pack.push(resource));
        pack.to_vec().unwrap()
    };
    let picture = |format, channels| image("a.png", format, &pixels(16, 8, channels), Compression::NONE);
    let sound = |sample_rate| {
        let props = WaveProps { frames: 200, sample_rate, sample_size: 16, channels: 2 };
        Resource::new("s.wav", vec![chunk(FourCc::WAVE, &props.block(&samples()), Compression::NONE)])
    };
    let one = vec![picture(PixelFormat::RGBA8, 4), sound(8000), raw("kind", b"1"), raw("b", b"22")];
    let two = vec![picture(PixelFormat::RGB8, 3), sound(4000), text("kind", "1"), raw("c", b"22")];
    let mut grouped = PackBuilder::new();
    grouped.push(raw("kind", b"1"));
    grouped.push_group(GroupSpec { name: "level".to_owned(), members: vec![ResourceId::from_path("kind")] });
    sandbox.write("grouped.rres", &grouped.to_vec().unwrap());
    sandbox.write("1.rres", &version(one));
    sandbox.write("2.rres", &version(two));
    sandbox.write("debug/a.txt", b"a");
    sandbox.run(["build", "debug", "-o", "out", "--debug"]).success();
    let diffs = [
        json(&sandbox, &["diff", "game.rres", "other.rres"]),
        json(&sandbox, &["diff", "other.rres", "game.rres"]),
        json(&sandbox, &["diff", "1.rres", "2.rres"]),
        json(&sandbox, &["diff", "1.rres", "grouped.rres"]),
        json(&sandbox, &["diff", "foreign.rres", "bare.rres"]),
        json(&sandbox, &["diff", "out/assets.dev.rres", "out/assets.dev.rres"]),
    ];
    check_fields(&sections, "`cargo rres diff`", &diffs);
    let patches = [
        json(&sandbox, &["patch", "game.rres", "other.rres", "-o", "p.rres"]),
        json(&sandbox, &["patch", "--apply", "game.rres", "p.rres", "-o", "again.rres"]),
    ];
    check_fields(&sections, "`cargo rres patch`", &patches);
}

#[cfg(unix)]
#[test]
fn every_json_field_of_executables_is_documented() {
    let page = page();
    let sections = sections(&page);
    let sandbox = Sandbox::new();
    sandbox.write("program", b"#!/bin/sh\n");
    sandbox.write("game.rres", &every_kind().to_vec().unwrap());
    // It says that the program is not an executable that it knows.
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

/// Writes a model that uses an extension which is left out.
fn write_crystal(sandbox: &Sandbox, dir: &str) {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/models");
    for name in ["crystal.gltf", "crystal.bin", "crystal.png"] {
        let file = std::fs::read(models.join(name)).unwrap();
        let file = match String::from_utf8(file) {
            Ok(text) => text.replacen("\"asset\":", "\"extensionsUsed\": [\"ACME_x\"], \"asset\":", 1).into_bytes(),
            Err(binary) => binary.into_bytes(),
        };
        sandbox.write(&format!("{dir}/{name}"), &file);
    }
}

#[test]
fn every_json_field_of_texts_is_documented() {
    let sandbox = super::super::texts::sandbox();
    let po = "#, fuzzy\nmsgctxt \"a\"\nmsgid \"A\"\nmsgstr \"B\"\n\nmsgctxt \"b\"\nmsgid \"B\"\nmsgstr \"C\"\n";
    sandbox.write("assets/po/a.de.po", po.as_bytes());
    sandbox.write("assets/po/a.po", b"msgctxt \"a\"\nmsgid \"A\"\nmsgstr \"\"\n");
    let mut rules = std::fs::read_to_string(sandbox.path("assets/assets.toml")).unwrap();
    rules += "[\"po/*.po\"]\ntext = { strings = true }\n";
    sandbox.write("assets/assets.toml", rules.as_bytes());
    let values = [json(&sandbox, &["texts", "--assets", "assets"])];
    check_fields(&sections(&page()), "`cargo rres texts`", &values);
}
