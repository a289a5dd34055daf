//! `cargo rres cache`: the import cache, shown, pruned and checked.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{Run, Sandbox};

fn with_cache() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/text/hello.txt", b"hello\n");
    sandbox.write("assets/data/table.bin", &[1, 2, 3]);
    sandbox.run(["build", "assets", "-o", "out", "--debug"]).success();
    sandbox
}

pub(crate) fn blobs(sandbox: &Sandbox) -> Vec<PathBuf> {
    in_shards(sandbox, "blobs")
}

fn in_shards(sandbox: &Sandbox, what: &str) -> Vec<PathBuf> {
    let Ok(shards) = fs::read_dir(sandbox.path(&format!("cache/{what}"))) else { return Vec::new() };
    let files = shards.flat_map(|shard| fs::read_dir(shard.unwrap().path()).unwrap());
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn path_and_stat_show_the_place_and_the_contents() {
    let sandbox = with_cache();
    let dir = sandbox.path("cache").display().to_string();
    assert_eq!(sandbox.run(["cache", "path"]).success().out, format!("{dir}\n"));
    assert_eq!(json(&sandbox.run(["cache", "path", "--json"]).success())["dir"], dir);
    let out = sandbox.run(["cache", "stat"]).success().out;
    assert!(out.contains("2 imported sources") && out.contains("limit 10.0 GB"), "{out}");
    assert!(out.contains("assets.dev.rres"), "{out}");
    let stat = json(&sandbox.run(["cache", "stat", "--json"]).success());
    let files = ["blobs", "inputs", "manifests", "outputs"].into_iter().flat_map(|what| in_shards(&sandbox, what));
    let bytes: u64 = files.map(|file| fs::metadata(file).unwrap().len()).sum();
    assert_eq!((&stat["blob_count"], &stat["size"], &stat["prunable_size"]), (&2.into(), &bytes.into(), &0.into()));
    // A cache that does not exist yet is empty.
    fs::remove_dir_all(sandbox.path("cache")).unwrap();
    assert_eq!(json(&sandbox.run(["cache", "stat", "--json"]).success())["blob_count"], 0);
    assert!(!sandbox.path("cache").exists());
}

#[test]
fn a_cache_that_cannot_be_written_is_named_and_leaves_nothing_beside_the_pack() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", b"a");
    sandbox.write("assets/b.txt", b"b");
    sandbox.write("cache", b"not a directory");
    let note = |run: Run| {
        let text = run.success().out;
        let name = sandbox.path("cache").display().to_string();
        assert!(text.contains(&format!("the import cache {name} cannot be written")), "{text}");
        assert_eq!(text.matches("RRES_CACHE_DIR").count(), 1, "{text}");
        assert!(!sandbox.path("out/.rres").exists());
        assert!(sandbox.path("out/assets.rres").exists());
    };
    note(sandbox.run(["build", "assets", "-o", "out"]));
    // As a disk that is full: it can be used until the first blob is written.
    fs::remove_file(sandbox.path("cache")).unwrap();
    (0..=255).for_each(|number| sandbox.write(&format!("cache/blobs/{number:02x}"), b"in the way"));
    note(sandbox.run(["build", "assets", "-o", "out"]));
}

#[test]
fn a_file_in_the_place_of_the_cache_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("cache", b"not a directory");
    for command in ["stat", "prune", "verify"] {
        sandbox.run(["cache", command]).failed(2, &["import cache", "it is not a directory"]);
    }
}

#[cfg(unix)]
#[test]
fn path_prints_a_directory_that_is_not_utf_8_as_it_is() {
    use std::os::unix::ffi::OsStrExt;

    let sandbox = Sandbox::new();
    let dir = std::ffi::OsStr::from_bytes(b"/cache-\xff");
    let run: Run = sandbox.command().env("RRES_CACHE_DIR", dir).args(["cache", "path"]).output().unwrap().into();
    assert_eq!(run.bytes, b"/cache-\xff\n");
}

#[test]
fn pruning_removes_the_least_recently_used_files() {
    let sandbox = with_cache();
    let out = sandbox.run(["cache", "prune", "--size", "1 B"]).success().out;
    assert!(out.starts_with("removed 0 files") && out.contains("--spare 0"), "{out}");
    let old = SystemTime::now() - Duration::from_secs(10 * 24 * 3600);
    File::options().write(true).open(&blobs(&sandbox)[0]).unwrap().set_modified(old).unwrap();
    let pruned = json(&sandbox.run(["cache", "prune", "--size", "1 B", "--json"]).success());
    assert_eq!((&pruned["removed_count"], blobs(&sandbox).len()), (&1.into(), 1));
    sandbox.run(["cache", "prune", "--size", "0 B", "--spare", "0"]).success();
    assert_eq!(blobs(&sandbox).len(), 0);
    let out = sandbox.run(["build", "assets", "-o", "out", "--debug"]).success().out;
    assert!(out.contains("2 imported"), "{out}");
}

#[test]
fn damaged_blobs_are_removed_and_set_the_exit_code() {
    let sandbox = with_cache();
    let out = sandbox.run(["cache", "verify"]).success().out;
    assert!(out.starts_with("ok; 2 intact"), "{out}");
    let blob = &blobs(&sandbox)[1];
    let mut bytes = fs::read(blob).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(blob, bytes).unwrap();
    let run = sandbox.run(["cache", "verify", "--json"]).failed(1, &[]);
    let report = json(&run);
    assert_eq!((&report["ok"], &report["intact_count"]), (&false.into(), &1.into()));
    assert_eq!(report["removed"][0]["file"].as_str().map(Path::new), Some(blob.as_path()));
    assert!(!blob.exists());
    sandbox.run(["cache", "verify"]).success();
}

#[test]
fn shares_fill_the_cache_and_a_check_imports_them_again() {
    let sandbox = Sandbox::new();
    for number in 0..9 {
        sandbox.write(&format!("assets/{number}.txt"), format!("text {number}").as_bytes());
    }
    let fill = |shard: &str| sandbox.run(["cache", "fill", "--assets", "assets", "--shard", shard, "--json"]);
    let counts = |run: &Run| {
        assert!(run.code == 0 && run.err.contains("no remote cache is set"), "{}", run.err);
        let json = json(run);
        ["source_count", "share_count", "imported_count"].map(|key| json["directories"][0][key].as_u64().unwrap())
    };
    for shard in ["1/3", "2/3", "3/3"] {
        assert_eq!(counts(&fill(shard)), [9, 3, 3]);
    }
    assert_eq!(blobs(&sandbox).len(), 9);
    let again = sandbox.run(["cache", "fill", "--assets", "assets"]).success().out;
    assert!(again.contains("9 sources: 0 imported, 9 in the cache before"), "{again}");
    let check = sandbox.run(["cache", "check", "--assets", "assets"]).success().out;
    assert!(check.contains("ok; 9 of 9 sources imported again and compared"), "{check}");
    let sample = sandbox.run(["cache", "check", "--assets", "assets", "--sample", "20%"]).success().out;
    assert!(sample.contains("ok; 2 of 9 sources"), "{sample}");
    // A blob that reads well, and is not what the import gives.
    let blob = &blobs(&sandbox)[0];
    let mut bytes = fs::read(blob).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(blob, bytes).unwrap();
    let found = sandbox.run(["cache", "check", "--assets", "assets"]);
    assert_eq!(found.code, 1);
    assert!(found.err.contains("the text decoder makes other bytes here than the cache had"), "{}", found.err);
    assert!(found.out.contains("1 differ; 9 of 9 sources"), "{}", found.out);
    sandbox.run(["cache", "check", "--assets", "assets"]).success();
    for (args, why) in [
        (["fill", "--shard", "4/3"], "expected a number from 1 to N and N"),
        (["check", "--sample", "0%"], "expected a percentage above 0"),
    ] {
        let run = sandbox.run([&["cache"], &args[..], &["--assets", "assets"]].concat());
        assert!(run.code == 2 && run.err.contains(why), "{}", run.err);
    }
}

#[test]
fn usage_errors_name_what_is_expected() {
    let sandbox = with_cache();
    sandbox.run(["cache"]).failed(2, &["stat", "prune", "verify", "path"]);
    sandbox.run(["cache", "prune", "--size", "ten"]).failed(2, &["expected a size such as"]);
    let with = |name: &str, value: &str, args: &[&str]| -> Run {
        sandbox.command().env(name, value).args(args).output().unwrap().into()
    };
    with("RRES_CACHE_DIR", "off", &["cache", "stat"]).failed(2, &["RRES_CACHE_DIR is \"off\""]);
    with("RRES_CACHE_SIZE", "much", &["cache", "stat"])
        .failed(2, &["RRES_CACHE_SIZE: unknown value \"much\"", "10 GB"]);
    with("RRES_CACHE_SIZE", "much", &["build", "assets", "-o", "out"]).failed(1, &["RRES_CACHE_SIZE", "help: "]);
    let run = with("RRES_CACHE_SIZE", "off", &["cache", "stat"]).success();
    assert!(run.out.contains("(no limit)"), "{}", run.out);
}
