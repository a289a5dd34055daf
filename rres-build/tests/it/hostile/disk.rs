//! Full disks, caches that cannot be written, and clocks that jump.

use std::fs;
use std::time::{Duration, SystemTime};

use super::super::{Project, files_below};
use super::child;

#[test]
fn a_disk_without_space_is_an_error_that_names_the_file_and_loses_nothing() {
    let mut state = 1u64;
    let noise: Vec<u8> = (0..2_000_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect();
    let project = Project::new(&[("a.bin", b"small")]);
    assert_eq!(child::run(&project, "").error, None);
    let pack = fs::read(project.out().join("game.rres")).unwrap();
    project.write("a.bin", &noise);
    // Writing beyond 500 kB fails, as it does on a disk that is full.
    let error = child::run(&project, "trap '' XFSZ; ulimit -f 1000").error.unwrap();
    assert!(error.contains("cannot write to the import cache") && error.contains("/cache: "), "{error}");
    assert!(error.contains("RRES_CACHE_DIR"), "{error}");
    assert_eq!(fs::read(project.out().join("game.rres")).unwrap(), pack);
    let left = files_below(project.dir.path());
    assert!(!left.iter().any(|file| file.to_string_lossy().ends_with(".tmp")), "{left:?}");
    assert_eq!(child::run(&project, "").error, None);
    assert!(fs::read(project.out().join("game.rres")).unwrap().len() > noise.len() / 2);
    // The blob is in the cache, and only the pack does not fit.
    fs::remove_dir_all(project.out()).unwrap();
    let error = child::run(&project, "trap '' XFSZ; ulimit -f 1000").error.unwrap();
    assert!(error.contains("game.rres") && error.contains("cannot write"), "{error}");
    assert!(!project.out().join("game.rres").exists() && !project.out().join("assets.rs").exists());
}

#[test]
fn a_cache_that_is_no_directory_or_cannot_be_written_is_replaced() {
    let project = Project::new(&[("a.txt", b"a")]);
    fs::write(project.cache(), "a file").unwrap();
    assert_eq!(child::run(&project, "").error, None);
    assert_eq!(fs::read(project.cache()).unwrap(), b"a file");
    fs::remove_file(project.cache()).unwrap();
    // Nobody can write there, not even the super-user.
    std::os::unix::fs::symlink("/proc/self", project.cache()).unwrap();
    assert_eq!(child::run(&project, "").error, None);
}

#[test]
fn times_of_the_future_and_equal_times_do_not_hide_changes() {
    let project = Project::new(&[("a.bin", b"aaaa"), ("b.bin", b"bbbb")]);
    let build = |debug: bool| project.build().debug(debug).build().unwrap();
    let read = || fs::read(project.out().join("game.rres")).unwrap();
    for time in [SystemTime::UNIX_EPOCH, SystemTime::now() + Duration::from_secs(1 << 31)] {
        for (debug, contents) in [(false, b"1111"), (true, b"2222"), (false, b"3333"), (false, b"4444")] {
            project.write("a.bin", contents);
            let file = fs::File::options().write(true).open(project.assets().join("a.bin")).unwrap();
            file.set_modified(time).unwrap();
            let report = build(debug);
            assert_eq!(report.assets.len(), 2);
            if !debug {
                let pack = read();
                assert!(pack.windows(4).any(|window| window == contents), "{contents:?}");
            }
        }
    }
    // The same in the cache: its times only decide what is pruned.
    for file in files_below(&project.cache()) {
        if let Ok(file) = fs::File::options().write(true).open(file) {
            let _ = file.set_modified(SystemTime::now() + Duration::from_secs(1 << 31));
        }
    }
    build(false);
}
