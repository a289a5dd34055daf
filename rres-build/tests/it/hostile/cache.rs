//! Caches, lock files, manifests and records that somebody else has written: the build makes them again or names them.

use std::fs;
use std::path::Path;

use rres_test_support::is_nightly;

use super::super::{Project, files_below, sources};
use super::child;

/// Bytes for a file, made from those that it has.
type Damage = fn(&[u8]) -> Vec<u8>;

const DAMAGES: &[(&str, Damage)] = &[
    ("empty", |_| Vec::new()),
    ("zeros", |bytes| vec![0; bytes.len()]),
    ("ones", |bytes| vec![0xff; bytes.len()]),
    ("cut", |bytes| bytes[..bytes.len() / 2].to_vec()),
    ("longer", |bytes| [bytes, &[0xff; 64]].concat()),
    ("another", |_| b"rresmani\x05\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()),
    ("text", |_| b"../../../../etc/passwd\nend\n".to_vec()),
    ("flipped", |bytes| {
        bytes.iter().enumerate().map(|(i, byte)| if i % 7 == 3 { byte ^ 0x80 } else { *byte }).collect()
    }),
];

#[test]
fn every_file_that_a_build_reads_again_may_be_anything() {
    let project = Project::new(&sources());
    project.run();
    project.build().debug(true).build().unwrap();
    let pack = fs::read(project.out().join("game.rres")).unwrap();
    let good: Vec<_> = [project.cache(), project.out()].iter().flat_map(|dir| files_below(dir)).collect();
    let good: Vec<_> = good.into_iter().map(|file| (fs::read(&file).unwrap(), file)).collect();
    for (name, damage) in DAMAGES {
        for (bytes, file) in &good {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, damage(bytes)).unwrap();
        }
        for debug in [true, false] {
            project.build().debug(debug).build().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert!(fs::read(project.out().join("game.rres")).unwrap() == pack, "{name}");
    }
}

#[test]
fn pipes_devices_and_huge_files_in_the_cache_stop_nothing() {
    let project = Project::new(&sources());
    project.run();
    let pack = fs::read(project.out().join("game.rres")).unwrap();
    let pipe = |file: &Path| assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    let device = |file: &Path| std::os::unix::fs::symlink("/dev/zero", file).unwrap();
    let folder = |file: &Path| fs::create_dir(file).unwrap();
    let huge = |file: &Path| fs::File::create(file).unwrap().set_len(3 << 30).unwrap();
    let makes: [&dyn Fn(&Path); 4] = [&pipe, &device, &huge, &folder];
    for (number, make) in makes.into_iter().enumerate() {
        let records =
            [project.cache().join("blobs"), project.cache().join("manifests"), project.cache().join("outputs")];
        for file in records.iter().flat_map(|dir| files_below(dir)) {
            fs::remove_file(&file).unwrap();
            make(&file);
        }
        fs::remove_file(project.out().join("game.rres")).unwrap();
        // Waiting for a pipe takes no processor time, so the build of another process is not enough.
        let ended =
            child::run(&project, "ulimit -t 60; (sleep 1200; kill $$ 2>/dev/null) </dev/null >/dev/null 2>&1 &");
        if let Some(error) = ended.error {
            // A folder in the place of a record cannot be replaced by a file.
            assert!(
                number == 3 && error.contains("/outputs/") && error.contains("cannot write it"),
                "{number}: {error}"
            );
            continue;
        }
        assert!(!is_nightly() || ended.peak < 100, "{number}: {} MiB", ended.peak);
        assert!(fs::read(project.out().join("game.rres")).unwrap() == pack, "{number}");
    }
}

#[test]
fn a_lock_file_of_an_enemy_is_an_error_that_names_a_line() {
    let project = Project::new(&sources());
    let lock = project.build().debug(true).lock(true).lock_state().unwrap().unwrap();
    let many: String = (0..100_000).map(|i| format!("{i:08x} raw x{i}.bin\n")).collect();
    for text in [
        b"\xff\xfe\0\0".to_vec(),
        b"\0".repeat(1 << 20),
        b"x".repeat(1 << 20),
        many.into_bytes(),
        [lock.expected.as_bytes(), lock.expected.as_bytes()].concat(),
        lock.expected.replace("readme.txt", "../../etc/passwd").into_bytes(),
        lock.expected.replace("readme.txt", "\u{1b}]0;pwned\u{7}").into_bytes(),
        b"<<<<<<< HEAD\n".repeat(10_000),
    ] {
        fs::write(&lock.file, &text).unwrap();
        let error = project.build().debug(true).lock(true).build().unwrap_err().to_string();
        assert!(error.contains("assets.lock"), "{error}");
        assert!(!error.contains('\u{1b}') && error.len() < 100_000, "{}", error.len());
        assert!(!project.out().join("game.rres").exists());
    }
}
