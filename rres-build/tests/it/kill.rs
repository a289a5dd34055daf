//! Builds that are killed at random instants: the next one succeeds, gives the same result as a clean build, and leaves
//! no files of the killed ones behind.
//!
//! The test starts its own executable, which builds, and kills it after a random time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rres_engine::{Build, Report};
use rres_test_data::random::Random;

/// The variables with the directory that a started executable builds in, and the kind of build.
const DIR: &str = "RRES_KILL_TEST_DIR";
const DEBUG: &str = "RRES_KILL_TEST_DEBUG";

fn build(dir: &Path, debug: bool) -> Build {
    rres_build::import(dir.join("assets"))
        .out_dir(dir.join("out"))
        .cache_dir(dir.join("cache"))
        .name("game")
        .threads(2)
        .debug(debug)
}

/// The build of the started executable; without the variables it does nothing.
#[test]
fn worker() {
    if let Some(dir) = std::env::var_os(DIR) {
        build(dir.as_ref(), std::env::var_os(DEBUG).is_some()).build().unwrap();
    }
}

fn start(dir: &Path, debug: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "kill::worker"]).env(DIR, dir).stdout(Stdio::null()).stderr(Stdio::null());
    if debug {
        command.env(DEBUG, "1");
    }
    command.spawn().unwrap()
}

fn write_sources(assets: &Path, random: &mut Random) {
    for i in 0..160 {
        let dir = assets.join(format!("area {}", i / 20));
        fs::create_dir_all(&dir).unwrap();
        let len = [100, 3000, 40_000, 150_000][i % 4];
        match i % 3 {
            0 => fs::write(dir.join(format!("{i}.txt")), format!("line {i}\n").repeat(len / 8)).unwrap(),
            _ => fs::write(dir.join(format!("{i}.bin")), random.bytes(len)).unwrap(),
        }
    }
}

/// The files of the output directory that programs and Cargo read.
fn output(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(dir.join("out")).unwrap().map(|entry| entry.unwrap().path());
    let named = files.map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&file).unwrap()));
    // Records of the build itself, which contain timestamps.
    named.filter(|(name, _)| !name.ends_with(".manifest") && !name.ends_with(".key")).collect()
}

fn files_below(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

fn no_leftovers(dir: &Path) {
    let mut files = Vec::new();
    ["out", "cache"].iter().for_each(|part| files_below(&dir.join(part), &mut files));
    let known = ["rres", "key", "manifest", "rs", "txt", "lock"];
    files.retain(|file| {
        let is_known = file.extension().is_some_and(|extension| known.iter().any(|known| extension == *known));
        !(is_known || file.ends_with("cache/pruned"))
    });
    assert!(files.is_empty(), "{files:?}");
}

/// Repeat until this many builds were killed before their end.
fn kill_builds(wanted: usize) {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    // Runs still differ, because the duration of builds differs.
    let mut random = Random::new(1);
    write_sources(&dir.join("assets"), &mut random);
    let remove = |name: &str| fs::remove_dir_all(dir.join(name)).unwrap();

    let mut clean = Vec::new();
    let mut whole = Duration::ZERO;
    for debug in [false, true] {
        let started = Instant::now();
        assert!(start(dir, debug).wait().unwrap().success());
        whole = whole.max(started.elapsed());
        clean.push(output(dir));
        ["out", "cache"].into_iter().for_each(remove);
    }

    let mut killed = 0;
    for round in 0.. {
        if killed >= wanted {
            break;
        }
        assert!(round < 20 * wanted, "only {killed} builds were killed before their end");
        let debug = round % 2 == 1;
        // One to three builds, concurrent or one after the other, from scratch or from the files of the last one.
        let mut builds: Vec<Child> = Vec::new();
        for _ in 0..=random.next() % 3 {
            builds.push(start(dir, debug));
            thread::sleep(whole.mul_f64(random.next() as f64 / u64::MAX as f64));
            if random.next().is_multiple_of(2) {
                builds.last_mut().unwrap().kill().unwrap();
            }
        }
        for mut build in builds {
            build.kill().unwrap();
            killed += usize::from(!build.wait().unwrap().success());
        }
        let report: Report = build(dir, debug).build().unwrap_or_else(|e| panic!("round {round}: {e}"));
        assert_eq!(report.assets.len(), 160);
        let out = output(dir);
        let expected = &clean[usize::from(debug)];
        for (name, bytes) in expected {
            assert!(out.get(name) == Some(bytes), "round {round}: {name} differs from a clean build");
        }
        no_leftovers(dir);
        if random.next().is_multiple_of(2) {
            remove("cache");
        }
        if random.next().is_multiple_of(2) {
            remove("out");
        }
    }
}

#[test]
#[ignore = "long: takes minutes"]
fn two_hundred_killed_builds_do_no_harm() {
    kill_builds(200);
}
