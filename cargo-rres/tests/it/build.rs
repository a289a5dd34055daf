//! `cargo rres build`: builds without Cargo.

use serde_json::Value;

use super::{Run, Sandbox};

fn with_assets() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/text/hello.txt", b"hello\n");
    sandbox.write("assets/data/table.bin", &[1, 2, 3]);
    sandbox
}

#[test]
fn a_built_pack_can_be_opened() {
    let sandbox = with_assets();
    let out = sandbox.run(["build", "assets", "-o", "out", "--name", "game"]).success().out;
    assert!(out.starts_with("2 assets: 0 cached, 2 imported, "), "{out}");
    let relative = |name: &str| std::path::Path::new("out").join(name).display().to_string();
    assert!(out.ends_with(&format!("\n  {}\n  {}\n", relative("game.rres"), relative("assets.rs"))), "{out}");
    assert_eq!(sandbox.run(["cat", "out/game.rres", "text/hello.txt"]).success().out, "hello\n");
    sandbox.run(["verify", "out/game.rres"]).success();
    let module = String::from_utf8(sandbox.read("out/assets.rs")).unwrap();
    assert!(module.contains("HELLO_TXT"), "{module}");
    let first = sandbox.read("out/game.rres");
    let out = sandbox.run(["build", "assets", "-o", "out", "--name", "game", "--jobs", "1", "-v"]).success().out;
    assert!(out.contains("2 assets: 2 cached, 0 imported"), "{out}");
    assert!(out.starts_with("SLOWEST") && out.contains("text/hello.txt"), "{out}");
    assert_eq!(sandbox.read("out/game.rres"), first);
}

#[test]
fn files_of_other_programs_are_not_replaced() {
    let sandbox = with_assets();
    sandbox.write("src/assets.rs", b"// Mine.\n");
    sandbox.write("src/assets.rres", b"notes");
    sandbox.write("src/ids.h", b"int mine;\n");
    sandbox.write("assets/assets.toml", b"[pack]\nheader = \"ids.h\"\n");
    for (file, text, kind) in [
        ("src/assets.rres", &b"notes"[..], "pack"),
        ("src/assets.rs", b"// Mine.\n", "generated module"),
        ("src/ids.h", b"int mine;\n", "generated file"),
    ] {
        let name = file.trim_start_matches("src/");
        let why = format!("{name}: exists and is not a {kind}, so it is not replaced");
        sandbox.run(["build", "assets", "-o", "src"]).failed(1, &[&why, "move it away"]);
        assert_eq!(sandbox.read(file), text);
        std::fs::remove_file(sandbox.path(file)).unwrap();
    }
    // What a build has made, the next one replaces.
    sandbox.run(["build", "assets", "-o", "src"]).success();
    sandbox.write("assets/new.txt", b"new");
    sandbox.run(["build", "assets", "-o", "src"]).success();
}

/// The names of the files in a directory, sorted.
fn names(sandbox: &Sandbox, dir: &str) -> Vec<String> {
    let entries = std::fs::read_dir(sandbox.path(dir)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn nothing_lies_beside_the_pack_but_the_module() {
    let sandbox = with_assets();
    sandbox.run(["build", "assets", "-o", "out"]).success();
    assert_eq!(names(&sandbox, "out"), ["assets.rres", "assets.rs"]);
    let written = std::fs::metadata(sandbox.path("out/assets.rres")).unwrap().modified().unwrap();
    sandbox.run(["build", "assets", "-o", "out"]).success();
    let pack = std::fs::metadata(sandbox.path("out/assets.rres")).unwrap();
    assert_eq!(pack.modified().unwrap(), written, "a pack that would be the same is left alone");
    sandbox.run(["build", "assets", "-o", "debug", "--debug"]).success();
    assert_eq!(names(&sandbox, "debug"), ["assets.dev.rres", "assets.rs"]);
    let mut command = sandbox.command();
    command.env("RRES_CACHE_DIR", "off").args(["build", "assets", "-o", "alone"]);
    Run::from(command.output().unwrap()).success();
    assert_eq!(names(&sandbox, "alone"), ["assets.rres", "assets.rs"], "without a cache elsewhere");
}

#[test]
fn a_build_does_not_import_its_own_output() {
    let sandbox = with_assets();
    for out in ["assets", "assets/out", "assets/game.rres", "assets/new/folder/game.rres"] {
        let texts = ["is in the assets directory", "would import its own output", "help: choose an output directory"];
        sandbox.run(["build", "assets", "-o", out]).failed(1, &texts);
    }
    assert_eq!(names(&sandbox, "assets"), ["data", "text"]);
    // Hidden files are never assets, and neither are those that a rule ignores.
    sandbox.run(["build", "assets", "-o", "assets/.out"]).success();
    sandbox.write("assets/out/game.rres", b"");
    sandbox.write("assets/assets.toml", b"[\"out/**\"]\nignore = true\n");
    sandbox.run(["build", "assets", "-o", "assets/out"]).success();
    let out = sandbox.run(["build", "assets", "-o", "assets/out"]).success().out;
    assert!(out.starts_with("2 assets: "), "{out}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(sandbox.path("assets"), sandbox.path("linked")).unwrap();
        sandbox.run(["build", "assets", "-o", "linked/other"]).failed(1, &["would import its own output"]);
    }
}

#[test]
fn the_output_can_be_named_as_a_pack_file() {
    let sandbox = with_assets();
    sandbox.run(["build", "assets", "-o", "out/game.rres"]).success();
    assert!(sandbox.path("out/game.rres").is_file() && sandbox.path("out/assets.rs").is_file());
    sandbox.run(["build", "assets", "-o", "demo.rres"]).success();
    assert!(sandbox.path("demo.rres").is_file());
    let arguments = ["build", "assets", "-o", "other.rres", "--name", "game"];
    sandbox.run(arguments).failed(2, &["cannot use --name together with --out other.rres"]);
    assert!(!sandbox.path("other.rres").exists());
}

#[test]
fn debug_builds_write_a_dev_index() {
    let sandbox = with_assets();
    sandbox.run(["build", "assets", "-o", "out", "--debug"]).success();
    assert!(!sandbox.path("out/assets.rres").exists());
    let out = sandbox.run(["ls", "out/assets.dev.rres"]).success().out;
    assert!(out.contains("text/hello.txt"), "{out}");
    let out = sandbox.run(["info", "out/assets.dev.rres"]).success().out;
    assert!(out.contains("dev index, 2 resources"), "{out}");
    let out = sandbox.run(["verify", "out/assets.dev.rres"]).success().out;
    assert!(out.contains("were not checked"), "{out}");
    sandbox.run(["cat", "out/assets.dev.rres", "text/hello.txt"]).failed(2, &["it is in a dev index", "--debug"]);
    let run =
        sandbox.run(["extract", "out/assets.dev.rres", "-o", "tree"]).failed(0, &["the dev index contains no bytes"]);
    assert!(run.out.starts_with("0 files written, 2 resources skipped"), "{}", run.out);
}

#[test]
fn json_reports_the_build() {
    let sandbox = with_assets();
    let run = sandbox.run(["build", "assets", "-o", "out", "--json"]).success();
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&report["imported_count"], &report["cached_count"], &report["ok"]),
        (&2.into(), &0.into(), &true.into())
    );
    assert_eq!(report["assets"][1]["path"], "text/hello.txt");
    assert_eq!(
        (&report["asset_count"], &report["failed_count"], &report["source_size"]),
        (&2.into(), &0.into(), &9.into())
    );
    assert_eq!(report["slowest"].as_array().unwrap().len(), 2);
    assert_eq!(report["schema_version"], 1);
    let is_short = |seconds: &Value| seconds.as_f64().is_some() && seconds.to_string().len() < 10;
    assert!(report["assets"].as_array().unwrap().iter().all(|asset| is_short(&asset["seconds"])), "{report}");
    let pack = report["packs"][0].as_str().unwrap();
    assert_eq!(report["pack_size"], std::fs::metadata(pack).unwrap().len());
}

#[test]
fn a_build_keeps_going_if_it_is_told_to() {
    let sandbox = with_assets();
    sandbox.write("assets/bad.txt", b"\0\xff");
    let rules = "append to assets.toml:\n\n# 1 file: stored unchanged, as raw bytes\n[\"bad.txt\"]\nkind = \"raw\"\n";
    sandbox.run(["build", "assets", "-o", "out"]).failed(1, &["bad.txt: is not valid text", rules]);
    let run = sandbox.run(["build", "assets", "-o", "out", "--keep-going"]).success();
    for part in ["bad.txt: is not valid text", "left out 1 file", rules, "2 assets: "] {
        assert!(run.out.contains(part), "{part} in:\n{}", run.out);
    }
    let run = sandbox.run(["build", "assets", "-o", "out", "--keep-going", "--json"]).success();
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&report["asset_count"], &report["ok"]), (&2.into(), &true.into()));
    assert!(report["suggested_rules"].as_str().unwrap().contains("kind"), "{report}");
    assert!(report["diagnostics"][0]["place"].as_str().unwrap().ends_with("bad.txt"), "{report}");
}

#[test]
fn faulty_assets_and_usage_errors_have_different_exit_codes() {
    let sandbox = with_assets();
    sandbox.write("assets/assets.toml", b"[\"*.txtt\"]\nkind = \"raw\"\n[pack]\ncompresion = \"zstd\"\n");
    let run = sandbox.run(["build", "assets", "-o", "out"]).failed(1, &["assets.toml:4:1", "compresion", "help: "]);
    assert_eq!(run.out, "");
    let run: Run = sandbox.run(["build", "assets", "-o", "out", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(report["diagnostics"][0]["message"].as_str().unwrap().contains("compresion"), "{report}");
    sandbox.write("assets/assets.toml", b"");
    sandbox.write("assets/bad.txt", b"\xff\xfe\xff");
    sandbox.run(["build", "assets", "-o", "out"]).failed(1, &["bad.txt", "1 of 3 assets failed; 0 cached, 2 imported"]);
    let run: Run = sandbox.run(["build", "assets", "-o", "out", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&report["failed_count"], &report["cached_count"], &report["ok"]),
        (&1.into(), &2.into(), &false.into())
    );
    sandbox.run(["build", "asets", "-o", "out"]).failed(2, &["cannot build asets: no such directory"]);
    sandbox.run(["build", "assets/data/table.bin", "-o", "out"]).failed(2, &["it is not a directory"]);
    sandbox.run(["build", "assets"]).failed(2, &["--out"]);
    sandbox.run(["build", "assets", "-o", "out", "--jobs", "0"]).failed(2, &["--jobs"]);
    for name in ["", "a/b", ".."] {
        let arguments = ["build", "assets", "-o", "other", "--name", name];
        sandbox.run(arguments).failed(2, &["--name", "expected a file name without a directory"]);
    }
    assert!(!sandbox.path("other").exists());
}

#[test]
fn rules_are_suggested_for_what_rules_settle_only() {
    let sandbox = Sandbox::new();
    let png = rres_test_data::picture::png(2, 2, &[7; 16]);
    sandbox.write("assets/cut.png", &png[..png.len() - 20]);
    sandbox.write("assets/empty.wav", b"");
    sandbox.write("assets/picture.gif", &png);
    let run = sandbox.run(["build", "assets", "-o", "out"]).failed(1, &[]);
    let (_, block) = run.err.split_once("help: to settle this without a change of the files").expect("a block");
    assert!(block.contains("# 2 files: left out\n[\"cut.png\"]\nignore = true"), "{}", run.err);
    assert!(block.contains("[\"empty.wav\"]") && !block.contains("picture.gif") && !block.contains("raw"), "{block}");
}

#[test]
fn a_folder_without_assets_is_named() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("assets")).unwrap();
    let out = sandbox.run(["build", "assets", "-o", "out"]).success().out;
    assert!(out.contains("contains no assets, so the pack is empty"), "{out}");
}
