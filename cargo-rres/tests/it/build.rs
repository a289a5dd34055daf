//! `cargo rres build`: the engine of `rres-build`, without Cargo.

use serde_json::Value;

use super::{Place, Run};

fn place() -> Place {
    let place = Place::new();
    place.write("assets/text/hello.txt", b"hello\n");
    place.write("assets/data/table.bin", &[1, 2, 3]);
    place
}

#[test]
fn a_pack_is_built_and_opens() {
    let place = place();
    let out = place.run(["build", "assets", "-o", "out", "--name", "game"]).fine().out;
    assert!(out.starts_with("2 assets: 0 cached, 2 imported, "), "{out}");
    assert!(out.contains("game.rres"), "{out}");
    assert_eq!(place.run(["cat", "out/game.rres", "text/hello.txt"]).fine().out, "hello\n");
    place.run(["verify", "out/game.rres"]).fine();
    let module = String::from_utf8(place.read("out/assets.rs")).unwrap();
    assert!(module.contains("HELLO_TXT"), "{module}");
    let first = place.read("out/game.rres");
    let out = place.run(["build", "assets", "-o", "out", "--name", "game", "--jobs", "1", "-v"]).fine().out;
    assert!(out.contains("2 assets: 2 cached, 0 imported"), "{out}");
    assert!(out.starts_with("SLOWEST") && out.contains("text/hello.txt"), "{out}");
    assert_eq!(place.read("out/game.rres"), first);
}

#[test]
fn debug_builds_write_an_index_of_loose_files() {
    let place = place();
    place.run(["build", "assets", "-o", "out", "--debug"]).fine();
    assert!(!place.path("out/assets.rres").exists());
    let out = place.run(["ls", "out/assets.dev.rres"]).fine().out;
    assert!(out.contains("text/hello.txt"), "{out}");
    let out = place.run(["info", "out/assets.dev.rres"]).fine().out;
    assert!(out.contains("dev index of loose files, 2 resources"), "{out}");
    let out = place.run(["verify", "out/assets.dev.rres"]).fine().out;
    assert!(out.contains("which is not checked"), "{out}");
}

#[test]
fn json_reports_what_was_done() {
    let place = place();
    let run = place.run(["build", "assets", "-o", "out", "--json"]).fine();
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&report["imported"], &report["cached"]), (&2.into(), &0.into()));
    assert_eq!(report["assets"][1]["path"], "text/hello.txt");
    assert_eq!((&report["discovered"], &report["failed"], &report["source_size"]), (&2.into(), &0.into(), &9.into()));
    assert_eq!(report["slowest"].as_array().unwrap().len(), 2);
    let pack = report["packs"][0].as_str().unwrap();
    assert_eq!(report["pack_size"], std::fs::metadata(pack).unwrap().len());
}

#[test]
fn every_problem_is_printed_and_the_code_tells_whose_fault_it_is() {
    let place = place();
    place.write("assets/assets.toml", b"[\"*.txtt\"]\nkind = \"raw\"\n[pack]\ncompresion = \"zstd\"\n");
    let run = place.run(["build", "assets", "-o", "out"]).failed(1, &["assets.toml:4:1", "compresion", "help: "]);
    assert_eq!(run.out, "");
    let run: Run = place.run(["build", "assets", "-o", "out", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(report["problems"][0]["message"].as_str().unwrap().contains("compresion"), "{report}");
    place.write("assets/assets.toml", b"");
    place.write("assets/bad.txt", b"\xff\xfe\xff");
    place.run(["build", "assets", "-o", "out"]).failed(1, &["bad.txt", "1 of 3 assets failed; 0 cached, 2 imported"]);
    let run: Run = place.run(["build", "assets", "-o", "out", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&report["failed"], &report["cached"]), (&1.into(), &2.into()));
    place.run(["build", "asets", "-o", "out"]).failed(2, &["cannot build asets: no such directory"]);
    place.run(["build", "assets/data/table.bin", "-o", "out"]).failed(2, &["it is no directory"]);
    place.run(["build", "assets"]).failed(2, &["--out"]);
    place.run(["build", "assets", "-o", "out", "--jobs", "0"]).failed(2, &["--jobs"]);
}
