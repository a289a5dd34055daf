//! The import cache: what counts as the same, what is imported again, what damage does.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use rres_build::cache::Cache;

use super::{Project, files_below, sources};

#[test]
fn only_what_changed_is_imported_again() {
    let project = Project::new(&sources());
    assert_eq!(project.run().imported(), sources().len());
    project.write("levels/1.txt", b"changed");
    let report = project.run();
    let imported: Vec<_> = report.assets.iter().filter(|asset| !asset.cached).map(|asset| &asset.path).collect();
    assert_eq!(imported, ["levels/1.txt"]);
}

#[test]
fn a_rename_and_a_copy_are_not_imported_again() {
    let project = Project::new(&sources());
    project.run();
    fs::rename(project.assets().join("levels/1.txt"), project.assets().join("levels/first.txt")).unwrap();
    fs::copy(project.assets().join("levels/2.txt"), project.assets().join("copy.txt")).unwrap();
    assert_eq!(project.run().imported(), 0);
}

#[test]
fn another_output_directory_and_another_worktree_import_nothing() {
    let project = Project::new(&sources());
    project.build().debug(true).build().unwrap();
    let index = fs::read(project.out().join("game.dev.rres")).unwrap();
    for debug in [true, false] {
        let elsewhere = project.dir.path().join(format!("out {debug}"));
        assert_eq!(project.build().out_dir(&elsewhere).debug(debug).build().unwrap().imported(), 0);
    }
    let worktree = Project::new(&sources());
    assert_eq!(worktree.build().cache_dir(project.cache()).debug(true).build().unwrap().imported(), 0);
    assert_eq!(fs::read(worktree.out().join("game.dev.rres")).unwrap(), index);
    // What the record of the cache says of a changed file, or of a blob that is gone, is not believed.
    worktree.write("readme.txt", b"changed");
    fs::remove_dir_all(worktree.out()).unwrap();
    fs::remove_dir_all(project.cache().join("blobs")).unwrap();
    assert_eq!(worktree.build().cache_dir(project.cache()).debug(true).build().unwrap().imported(), sources().len());
}

#[test]
fn settings_that_matter_import_again_and_others_do_not() {
    let project = Project::new(&sources());
    project.run();
    project.write("assets.toml", b"[\"levels/1.txt\"]\nid = 0x1234\nrename = \"FIRST\"\n");
    assert_eq!(project.run().imported(), 0, "an id is no part of the imported form");
    project.write("assets.toml", b"[\"levels/1.txt\"]\ntext = { culture = \"en-US\" }\n");
    assert_eq!(project.run().imported(), 1);
}

type Damage = fn(&Path);

/// What may have happened to a file behind our back.
const DAMAGES: [(&str, Damage); 6] = [
    ("gone", |blob| fs::remove_file(blob).unwrap()),
    ("empty", |blob| fs::write(blob, b"").unwrap()),
    ("cut", |blob| rewrite(blob, |bytes| bytes.truncate(bytes.len() - 1))),
    ("flipped in front", |blob| rewrite(blob, |bytes| bytes[60] ^= 4)),
    ("flipped at the end", |blob| rewrite(blob, |bytes| *bytes.last_mut().unwrap() ^= 4)),
    ("a directory", |blob| {
        fs::remove_file(blob).unwrap();
        fs::create_dir_all(blob.join("deep")).unwrap();
    }),
];

fn rewrite(file: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(file).unwrap();
    change(&mut bytes);
    fs::write(file, bytes).unwrap();
}

#[test]
fn damaged_blobs_are_imported_again() {
    let project = Project::new(&sources());
    project.run();
    let pack = fs::read(project.out().join("game.rres")).unwrap();
    for (what, damage) in DAMAGES {
        let blobs = files_below(&project.cache().join("blobs"));
        blobs.iter().for_each(|blob| damage(blob));
        fs::remove_dir_all(project.out()).unwrap();
        let imported = project.run().imported();
        // A description is not read again where a record has it, and nothing else reads it.
        assert!(imported == sources().len() || what == "flipped in front", "{what}: {imported}");
        assert_eq!(fs::read(project.out().join("game.rres")).unwrap(), pack, "{what}");
    }
}

#[test]
fn verifying_finds_damage_removes_it_and_makes_the_builds_run_again() {
    let project = Project::new(&sources());
    for (what, damage) in DAMAGES {
        project.build().debug(true).build().unwrap();
        let roots = || files_below(&project.cache().join("roots")).len();
        assert_eq!(roots(), 1);
        let cache = Cache::at(project.cache());
        let verified = cache.verify().unwrap();
        assert_eq!((verified.sound, verified.removed.len(), roots()), (sources().len(), 0, 1), "{what}");
        damage(&files_below(&project.cache().join("blobs"))[3]);
        let verified = cache.verify().unwrap();
        let damaged = usize::from(what != "gone");
        assert_eq!((verified.sound, verified.removed.len()), (sources().len() - 1, damaged), "{what}");
        assert_eq!(roots(), 1 - damaged, "{what}");
        let built = project.build().debug(true).build().unwrap();
        assert_eq!(built.imported(), 1, "{what}");
    }
}

#[test]
fn pruned_blobs_make_the_builds_run_again_that_need_them() {
    let project = Project::new(&sources());
    project.build().debug(true).build().unwrap();
    let other = Project::new(&[("other.txt", b"another game")]);
    other.build().cache_dir(project.cache()).debug(true).build().unwrap();
    let roots = || files_below(&project.cache().join("roots"));
    assert_eq!(roots().len(), 2);
    // All but what the other game uses has not been used for a while.
    let cache = Cache::at(project.cache());
    let week = Duration::from_secs(8 * 24 * 3600);
    for blob in files_below(&project.cache().join("blobs")) {
        if !fs::read(&blob).unwrap().windows(12).any(|window| window == b"another game") {
            fs::File::options().write(true).open(blob).unwrap().set_modified(SystemTime::now() - week).unwrap();
        }
    }
    assert_eq!(cache.prune(0, week / 2).unwrap().files, sources().len());
    assert_eq!(cache.stats().unwrap().dev_indexes, [std::path::absolute(other.out().join("game.dev.rres")).unwrap()]);
    assert_eq!(roots().len(), 1);
    assert_eq!(project.build().debug(true).build().unwrap().imported(), sources().len());
}

#[test]
fn a_cache_that_cannot_be_written_gives_way_to_the_output_directory() {
    let project = Project::new(&sources());
    fs::write(project.cache(), "a file stands where the cache should").unwrap();
    project.run();
    assert!(!files_below(&project.out().join("blobs")).is_empty());
}

#[test]
fn no_temporary_files_stay() {
    let project = Project::new(&sources());
    project.run();
    project.build().debug(true).build().unwrap();
    for file in files_below(project.dir.path()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(!name.starts_with('.'), "{}", file.display());
    }
}

#[test]
fn builds_at_the_same_time_share_cache_and_work() {
    let project = Project::new(&sources());
    let imported: usize = std::thread::scope(|scope| {
        let builds: Vec<_> = (0..4)
            .map(|i| {
                let build = project.build().out_dir(project.dir.path().join(format!("out {i}")));
                scope.spawn(move || build.build().unwrap().imported())
            })
            .collect();
        builds.into_iter().map(|build| build.join().unwrap()).sum()
    });
    assert_eq!(imported, sources().len(), "what one imports the others take from the cache");
    let pack = |i: usize| fs::read(project.dir.path().join(format!("out {i}/game.rres"))).unwrap();
    assert!((1..4).all(|i| pack(i) == pack(0)));
}

/// Builds until the engine trusts the stamps of all files, which it does once they are older than the clock's tick.
fn settle(project: &Project) {
    let manifest = project.out().join("game.manifest");
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut size = 0;
    while Instant::now() < deadline {
        project.build().debug(true).build().unwrap();
        let now = fs::metadata(&manifest).unwrap().len();
        if now > 1000 && now == size {
            return;
        }
        size = now;
        std::thread::sleep(Duration::from_millis(500));
    }
    panic!("the manifest never settles");
}

#[test]
fn files_that_keep_size_and_time_are_still_seen_to_change() {
    let project = Project::new(&sources());
    settle(&project);
    assert_eq!(project.build().debug(true).build().unwrap().imported(), 0);

    // As `cp -p` of an older file does: another file, the same size, the same time.
    let file = project.assets().join("levels/1.txt");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    let len = fs::metadata(&file).unwrap().len() as usize;
    let other = project.dir.path().join("other");
    fs::write(&other, vec![b'x'; len]).unwrap();
    fs::File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
    fs::rename(&other, &file).unwrap();
    assert_eq!(project.build().debug(true).build().unwrap().imported(), 1);

    // A blob that is pruned behind the record's back is made again.
    settle(&project);
    fs::remove_dir_all(project.cache()).unwrap();
    assert_eq!(project.build().debug(true).build().unwrap().imported(), sources().len());
}
