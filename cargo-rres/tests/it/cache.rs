//! `cargo rres cache`: the import cache, looked after.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{Place, Run};

fn place() -> Place {
    let place = Place::new();
    place.write("assets/text/hello.txt", b"hello\n");
    place.write("assets/data/table.bin", &[1, 2, 3]);
    place.run(["build", "assets", "-o", "out", "--debug"]).fine();
    place
}

fn blobs(place: &Place) -> Vec<PathBuf> {
    in_drawers(place, "blobs")
}

fn in_drawers(place: &Place, what: &str) -> Vec<PathBuf> {
    let Ok(drawers) = fs::read_dir(place.path(&format!("cache/{what}"))) else { return Vec::new() };
    let files = drawers.flat_map(|drawer| fs::read_dir(drawer.unwrap().path()).unwrap());
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn it_says_where_it_is_and_what_it_holds() {
    let place = place();
    let dir = place.path("cache").display().to_string();
    assert_eq!(place.run(["cache", "path"]).fine().out, format!("{dir}\n"));
    assert_eq!(json(&place.run(["cache", "path", "--json"]).fine())["dir"], dir);
    let out = place.run(["cache", "stat"]).fine().out;
    assert!(out.contains("2 imported sources") && out.contains("of 9.31 GiB"), "{out}");
    assert!(out.contains("assets.dev.rres"), "{out}");
    let stat = json(&place.run(["cache", "stat", "--json"]).fine());
    let files = ["blobs", "beside", "seen"].into_iter().flat_map(|what| in_drawers(&place, what));
    let bytes: u64 = files.map(|file| fs::metadata(file).unwrap().len()).sum();
    assert_eq!((&stat["blobs"], &stat["bytes"], &stat["prunable"]), (&2.into(), &bytes.into(), &0.into()));
    // A cache that is not there yet is an empty one.
    fs::remove_dir_all(place.path("cache")).unwrap();
    assert_eq!(json(&place.run(["cache", "stat", "--json"]).fine())["blobs"], 0);
    assert!(!place.path("cache").exists());
}

#[test]
fn pruning_removes_what_was_not_used_for_longest() {
    let place = place();
    let out = place.run(["cache", "prune", "--size", "1 B"]).fine().out;
    assert!(out.starts_with("removed 0 files") && out.contains("--spare 0"), "{out}");
    let old = SystemTime::now() - Duration::from_secs(10 * 24 * 3600);
    File::options().write(true).open(&blobs(&place)[0]).unwrap().set_modified(old).unwrap();
    let pruned = json(&place.run(["cache", "prune", "--size", "1 B", "--json"]).fine());
    assert_eq!((&pruned["removed"], blobs(&place).len()), (&1.into(), 1));
    place.run(["cache", "prune", "--size", "0 B", "--spare", "0"]).fine();
    assert_eq!(blobs(&place).len(), 0);
    let out = place.run(["build", "assets", "-o", "out", "--debug"]).fine().out;
    assert!(out.contains("2 imported"), "{out}");
}

#[test]
fn damage_is_found_removed_and_told_by_the_code() {
    let place = place();
    let out = place.run(["cache", "verify"]).fine().out;
    assert!(out.starts_with("ok; 2 sound"), "{out}");
    let blob = &blobs(&place)[1];
    let mut bytes = fs::read(blob).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(blob, bytes).unwrap();
    let run = place.run(["cache", "verify", "--json"]).failed(1, &[]);
    let report = json(&run);
    assert_eq!((&report["ok"], &report["sound"]), (&false.into(), &1.into()));
    assert_eq!(report["removed"][0]["file"], blob.display().to_string());
    assert!(!blob.exists());
    place.run(["cache", "verify"]).fine();
}

#[test]
fn wrong_calls_say_what_is_expected() {
    let place = place();
    place.run(["cache"]).failed(2, &["stat", "prune", "verify", "path"]);
    place.run(["cache", "prune", "--size", "ten"]).failed(2, &["expected a size such as"]);
    let with = |name: &str, value: &str, args: &[&str]| -> Run {
        place.command().env(name, value).args(args).output().unwrap().into()
    };
    with("RRES_CACHE_DIR", "off", &["cache", "stat"]).failed(2, &["RRES_CACHE_DIR is \"off\""]);
    with("RRES_CACHE_SIZE", "much", &["cache", "stat"]).failed(2, &["RRES_CACHE_SIZE holds \"much\"", "10 GB"]);
    with("RRES_CACHE_SIZE", "much", &["build", "assets", "-o", "out"]).failed(1, &["RRES_CACHE_SIZE", "help: "]);
    with("RRES_CACHE_SIZE", "off", &["cache", "stat"]).fine();
}
