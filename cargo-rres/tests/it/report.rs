//! `cargo rres report`: the file that it writes, and its JSON.

use std::path::Path;

use rres_format::{PackBuilder, Resource};
use rres_test_support::fresh::Fresh;
use serde_json::Value;

use crate::packs::{every_kind, raw, text};
use crate::{Run, Sandbox};

fn json(run: Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.out))
}

/// Returns the paths in a list of a report.
fn paths(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().filter_map(|item| item["path"].as_str()).collect()
}

/// Returns a pack of resources.
pub(crate) fn pack_of(resources: impl IntoIterator<Item = Resource<'static>>) -> Vec<u8> {
    let mut pack = PackBuilder::new();
    resources.into_iter().for_each(|resource| pack.push(resource));
    pack.to_vec().unwrap()
}

/// Settings of a pack that stores equal contents as often as they occur.
const APART: &[u8] = b"[pack]\ncompat = \"raylib\"\n";

fn write_assets(sandbox: &Sandbox) {
    sandbox.write("assets/a.txt", b"Equal in both files, and long enough to be worth a thought.\n");
    sandbox.write("assets/copy/b.txt", b"Equal in both files, and long enough to be worth a thought.\n");
    sandbox.write("assets/data.bin", &[7; 3000]);
}

#[test]
fn a_folder_is_built_for_its_report() {
    let sandbox = Sandbox::new();
    write_assets(&sandbox);
    sandbox.write("assets/assets.toml", APART);
    let run = sandbox.run(["report", "assets"]).success();
    assert!(run.out.contains("3 assets: 3.1 kB of sources, "), "{}", run.out);
    assert!(run.out.contains("1 copy of others, "), "{}", run.out);
    let page = String::from_utf8(sandbox.read("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("data.bin"));
    // Nothing is left of the pack, and nothing is loaded from elsewhere.
    let mut left: Vec<_> = std::fs::read_dir(sandbox.path(".")).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["assets", "cache", "report.html"]);
    assert!(!page.contains("http://") && !page.contains("https://"));
}

#[test]
fn the_json_has_sizes_copies_and_times() {
    let sandbox = Sandbox::new();
    write_assets(&sandbox);
    sandbox.write("assets/assets.toml", APART);
    let report = json(sandbox.run(["report", "assets", "--json", "--import-times"]).success());
    assert_eq!(paths(&report["assets"]), ["a.txt", "copy/b.txt", "data.bin"]);
    let data = &report["assets"][2];
    assert_eq!((&data["source_size"], &data["is_raw"], &data["is_link"]), (&3000.into(), &true.into(), &false.into()));
    assert!(data["import_seconds"].as_f64().unwrap() > 0.0 && data["load_seconds"].as_f64().unwrap() > 0.0, "{data}");
    assert_eq!(report["duplicates"][0]["paths"], serde_json::json!(["a.txt", "copy/b.txt"]));
    assert_eq!(report["source_size"], 3000 + 60 + 60);
    sandbox.write("assets/assets.toml", b"");
    let shared = json(sandbox.run(["report", "assets", "--json"]).success());
    assert_eq!((&shared["duplicates"], &shared["assets"][1]["same_as"]), (&serde_json::json!([]), &"a.txt".into()));
    assert!(shared["stored_size"].as_u64() < report["stored_size"].as_u64(), "{shared}");
    assert!(!sandbox.path("report.html").exists(), "--json alone writes no page");
}

/// Limits that fail a build do not fail a report, which shows what is beyond them.
#[test]
fn rules_limits_and_budgets_are_told() {
    let sandbox = Sandbox::new();
    write_assets(&sandbox);
    sandbox.write("assets/copy/b.txt", b"Other in both files, and long enough to be worth a thought.\n");
    let settings = "[pack]\nsiblings = false\n[\"*.bin\"]\ncompression = \"lz4\"\nmax_size = 10\nlint = \"deny\"\n[\"a.txt\"]\nmax_size = 1\n\
        [\"data.*\"]\ncompression = \"none\"\n[budget]\ntotal = 5000\n\"copy/*\" = 1\n[\"copy/b.txt\"]\npath = \"b.txt\"\n";
    sandbox.write("assets/assets.toml", settings.as_bytes());
    let run = sandbox.run(["report", "assets"]).failed(1, &["data.bin: is 3.", "over budget: \"copy/*\""]);
    assert!(run.out.contains("\n3 limits exceeded\n"), "{}", run.out);
    let report = json(sandbox.run(["report", "assets", "--json"]).failed(1, &[]));
    let place = |line: &str| format!("{}:{line}", Path::new("assets").join("assets.toml").display());
    assert_eq!(paths(&report["assets"]), ["a.txt", "b.txt", "data.bin"]);
    let decided = &report["assets"][2]["decided"];
    assert_eq!(decided["kind_reason"], "no importer takes .bin files");
    assert_eq!(
        (&decided["id_reason"], &decided["compression_reason"]),
        (&"CRC-32 of the path".into(), &"the settings choose it".into())
    );
    let setting =
        decided["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == "compression").unwrap();
    assert_eq!((&setting["value"], &setting["set_by"]["place"]), (&"\"none\"".into(), &place("10:1").into()));
    assert_eq!(setting["overridden"][0]["rule"], "*.bin");
    let lints: Vec<_> =
        report["lints"].as_array().unwrap().iter().map(|lint| (&lint["asset"], &lint["level"])).collect();
    assert_eq!(
        lints,
        [(&"a.txt".into(), &"warn".into()), (&"data.bin".into(), &"deny".into()), (&Value::Null, &"deny".into())]
    );
    let [total, copy] = &report["budgets"].as_array().unwrap()[..] else { panic!("{report}") };
    assert_eq!(
        (&total["rule"], &total["allowed"], &total["used"]),
        (&"total".into(), &5000.into(), &report["stored_size"])
    );
    assert_eq!(paths(&total["largest"]), ["data.bin", "a.txt", "b.txt"]);
    // The file is known by the path that the settings give it, and found by its own.
    assert_eq!(report["assets"][1]["source_size"], 60);
    assert_eq!((paths(&copy["largest"]), &copy["level"]), (vec!["b.txt"], &"deny".into()));
    // Nothing names the directories of this machine.
    assert!(!report.to_string().contains(&*sandbox.path("").to_string_lossy()), "{report}");
}

/// The report names the rules of `build.rs` that built the pack. What has changed since then does not count for it.
#[test]
fn the_pack_of_a_package_is_explained_by_its_build_script() {
    let game = Fresh::new("reported", "fn main() {}\n");
    game.write("assets/a.txt", "a".repeat(500));
    game.write("assets/b.txt", "b".repeat(500));
    game.write("build.rs", "fn main() {\n    rres_build::import(\"assets\").name(\"saga\").budget(1_000_000).debug(false)\n        .rule(\"a.txt\", |rule| rule.rename(\"HERO\")).build_or_exit();\n}\n");
    let (_, err) = game.cargo(&["build", "-q"]);
    assert_eq!(err, "");
    let report = || {
        let mut command = game.command(env!("CARGO_BIN_EXE_cargo-rres"));
        let target = game.executable("debug").ancestors().nth(2).unwrap().to_owned();
        command.args(["report", "--json"]).env("CARGO_TARGET_DIR", target);
        let output = command.output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
    };
    let first = report();
    assert_eq!(first["title"], "saga.rres");
    let decided = |report: &Value, at: usize| report["assets"][at]["decided"].clone();
    let settings = &decided(&first, 0)["settings"];
    assert_eq!((&settings[0]["key"], &settings[0]["set_by"]["place"]), (&"rename".into(), &"build.rs:3:10".into()));
    assert_eq!(decided(&first, 1)["settings"], serde_json::json!([]));
    assert_eq!(decided(&first, 1)["compression_reason"], "makes it smaller; no filter does better");
    assert_eq!(
        (&first["budgets"][0]["place"], &first["budgets"][0]["used"]),
        (&"build.rs:2:47".into(), &first["stored_size"])
    );
    game.write("assets/b.txt", "Other words.");
    assert_eq!(decided(&report(), 1)["compression_reason"], Value::Null);
}

#[test]
fn changes_are_told_since_a_page_its_json_and_a_pack() {
    let sandbox = Sandbox::new();
    write_assets(&sandbox);
    sandbox.run(["build", "assets", "-o", "old.rres"]).success();
    sandbox.run(["report", "old.rres", "-o", "old.html"]).success();
    let old = sandbox.run(["report", "old.rres", "--json"]).success();
    sandbox.write("old.json", old.out.as_bytes());
    sandbox.write("assets/a.txt", b"Other words.\n");
    sandbox.write("assets/new.txt", b"New.\n");
    std::fs::rename(sandbox.path("assets/data.bin"), sandbox.path("assets/moved.bin")).unwrap();
    std::fs::remove_dir_all(sandbox.path("assets/copy")).unwrap();
    for since in ["old.html", "old.json", "old.rres"] {
        let report = json(sandbox.run(["report", "assets", "--json", "--since", since]).success());
        let changes = &report["changes"];
        assert_eq!(changes["since"], since);
        assert_eq!(paths(&changes["added"]), ["new.txt"], "{since}");
        assert_eq!(paths(&changes["removed"]), ["copy/b.txt"], "{since}");
        assert_eq!(paths(&changes["changed"]), ["a.txt"], "{since}");
        assert_eq!(changes["moved"], serde_json::json!([{ "from": "data.bin", "path": "moved.bin" }]), "{since}");
    }
    let run = sandbox.run(["report", "assets", "--since", "old.html"]).success();
    assert!(run.out.contains("since old.html: 1 added, 1 removed, 1 changed, 1 moved"), "{}", run.out);
    sandbox.run(["report", "assets", "--since", "assets/a.txt"]).failed(2, &["expected a page of `cargo rres report`"]);
}

#[test]
fn owners_of_the_repository_have_shares() {
    let sandbox = Sandbox::new();
    write_assets(&sandbox);
    let owners = || json(sandbox.run(["report", "assets", "--json"]))["owners"].clone();
    assert!(owners().is_null());
    std::fs::create_dir(sandbox.path(".git")).unwrap();
    sandbox.write(".github/CODEOWNERS", b"/assets/ @art @lead\n*.txt @words\n");
    let report = json(sandbox.run(["report", "assets", "--json"]));
    let sum = |owner: &str| {
        let assets = report["assets"].as_array().unwrap();
        let is_owned = |asset: &&Value| asset["owners"].as_array().unwrap().contains(&owner.into());
        assets.iter().filter(is_owned).map(|asset| asset["stored_size"].as_u64().unwrap()).sum::<u64>()
    };
    for share in report["owners"].as_array().unwrap() {
        assert_eq!(share["stored_size"], sum(share["owner"].as_str().unwrap()));
    }
    assert!(sum("@words") > 0 && sum("@art") > 0 && sum("@art") == sum("@lead"));
    let run = sandbox.run(["report", "assets"]);
    assert!(run.out.contains("by owner: @"), "{}", run.out);
    sandbox.write(".github/CODEOWNERS", b"*.txt @words\n");
    let nobody = json(sandbox.run(["report", "assets", "--json"]))["owners"].as_array().unwrap().clone();
    assert!(nobody.iter().any(|share| share["owner"].is_null()), "{nobody:?}");
}

#[test]
fn a_file_that_is_not_a_report_is_not_replaced() {
    let sandbox = Sandbox::new();
    write_assets(&sandbox);
    sandbox.write("report.html", b"<!doctype html><title>My thesis</title>");
    sandbox.run(["report", "assets"]).failed(2, &["report.html", "is not a report"]);
    assert!(sandbox.read("report.html").ends_with(b"</title>"));
    sandbox.run(["report", "assets", "-o", "other.html"]).success();
    sandbox.run(["report", "assets", "-o", "other.html"]).success();
    sandbox.run(["report", "assets", "-o", "assets"]).failed(2, &["it is a directory"]);
}

#[test]
fn packs_of_every_kind_and_damaged_ones_have_reports() {
    let sandbox = Sandbox::new();
    sandbox.write("every.rres", &every_kind().to_vec().unwrap());
    sandbox.run(["report", "every.rres", "--previews", "full"]).success();
    let mut pack = pack_of([raw("a.bin", &[1; 500]), text("b.txt", "words")]);
    let at = crate::damage::chunk_offset(&pack, "a.bin") + 200;
    pack[at] ^= 1;
    sandbox.write("damaged.rres", &pack);
    let run = sandbox.run(["report", "damaged.rres"]).failed(1, &["a.bin cannot be loaded"]);
    assert!(run.out.contains("report.html"), "{}", run.out);
    let report = json(sandbox.run(["report", "damaged.rres", "--json"]).failed(1, &[]));
    assert_eq!(report["broken"], serde_json::json!(["a.bin"]));
}

#[test]
fn smaller_previews_make_smaller_pages() {
    let sandbox = Sandbox::new();
    let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/ui");
    let size = |previews: &str| {
        sandbox.run(["report".as_ref(), shown.as_os_str(), "--previews".as_ref(), previews.as_ref()]).success();
        sandbox.read("report.html").len()
    };
    let (none, small) = (size("none"), size("small"));
    assert!(none + 20_000 < small, "{none} {small}");
}

/// If nothing is left of the index, no asset is known that cannot be loaded.
#[test]
fn a_pack_that_is_cut_off_is_reported_as_such() {
    let sandbox = Sandbox::new();
    sandbox.write("cut.rres", &every_kind().to_vec().unwrap()[..100]);
    let finding = "error[file-truncated]: cut.rres: the file is cut off at 100 of";
    let report = json(sandbox.run(["report", "cut.rres", "--json"]).failed(1, &[finding]));
    assert_eq!(report["findings"][0]["code"], "file-truncated", "{report}");
    sandbox.run(["report", "cut.rres"]).failed(1, &[finding]);
    let page = String::from_utf8(sandbox.read("report.html")).unwrap();
    assert!(page.contains("the file is cut off"));
}
