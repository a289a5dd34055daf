//! The import cache: what counts as unchanged, what is imported again, and the effects of damage.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rres_engine::cache::Cache;
use rres_format::PackView;
use rres_test_support::wait;

use super::{Project, files_below, sources};

#[test]
fn check_3_5_8_only_what_changed_is_imported_again() {
    let project = Project::new(&sources());
    assert_eq!(project.run().imported(), sources().len());
    assert_eq!(project.run().imported(), 0);
    project.write("levels/1.txt", b"changed");
    let report = project.run();
    let imported: Vec<_> = report.assets.iter().filter(|asset| !asset.cached).map(|asset| &asset.path).collect();
    assert_eq!(imported, ["levels/1.txt"]);
}

/// Two pictures of one pixel.
#[cfg(feature = "image")]
const ANIMATION: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

#[cfg(feature = "image")]
#[test]
fn a_build_from_the_cache_has_the_same_notes() {
    let project = Project::new(&[("b.gif", ANIMATION), ("ui/a.gif", ANIMATION), ("a.txt", b"")]);
    let line = "only the first picture of an animation is stored (2 files): b.gif (2 pictures), ui/a.gif (2 pictures)";
    let (first, second) = (project.run(), project.run());
    assert_eq!((first.imported(), second.imported()), (2, 0), "equal files are one blob");
    assert!(first.note_lines()[0].starts_with(line), "{:?}", first.note_lines());
    assert_eq!(second.notes, first.notes);
    assert_eq!(project.build().debug(true).build().unwrap().notes, first.notes);
    let report = project.build().rule("**/*.gif", |rule| rule.notes(false)).build().unwrap();
    assert_eq!((report.imported(), report.note_lines()), (0, Vec::new()));
}

#[cfg(feature = "font")]
#[test]
fn a_font_with_the_characters_of_the_texts_follows_them() {
    use rres_settings::CharSet;
    let font = include_bytes!("../../../crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");
    let project = Project::new(&[("fonts/a.ttf", font), ("text/en.txt", b"Hi"), ("other.txt", b"Z")]);
    let imported = || {
        let set = CharSet::Texts("text/**".into());
        let report = project.build().rule("fonts/*", move |rule| rule.font_chars([set.clone()])).build().unwrap();
        let imported = report.assets.iter().filter(|asset| !asset.cached).map(|asset| asset.path.clone());
        let module = fs::read_to_string(project.out().join("assets.rs")).unwrap();
        let glyphs = module.lines().find(|line| line.contains("glyphs at")).unwrap().trim();
        (imported.collect::<Vec<_>>(), glyphs.split([':', ',']).nth(1).unwrap().trim().to_owned())
    };
    assert_eq!(imported().1, "2 glyphs at 32 px");
    assert_eq!(imported().0, [""; 0]);
    project.write("text/en.txt", b"Hello");
    assert_eq!(imported(), (vec!["fonts/a.ttf".to_owned(), "text/en.txt".to_owned()], "4 glyphs at 32 px".to_owned()));
    // A new text matches.
    project.write("text/de.txt", b"Tag");
    assert_eq!(imported(), (vec!["fonts/a.ttf".to_owned(), "text/de.txt".to_owned()], "7 glyphs at 32 px".to_owned()));
    project.write("other.txt", b"another");
    assert_eq!(imported().0, ["other.txt"]);
}

#[test]
fn renamed_and_copied_files_are_not_imported_again() {
    let project = Project::new(&sources());
    project.run();
    fs::rename(project.assets().join("levels/1.txt"), project.assets().join("levels/first.txt")).unwrap();
    fs::copy(project.assets().join("levels/2.txt"), project.assets().join("copy.txt")).unwrap();
    assert_eq!(project.run().imported(), 0);
}

#[cfg(feature = "image")]
#[test]
fn equal_files_whose_inputs_follow_from_their_names_are_imported_each_by_itself() {
    use rres_format::ResourceId;
    use rres_format::chunk::image::ImageView;
    use rres_test_data::picture::png;
    let sheet = png(2, 1, &[1, 2]);
    let frames = |width: u32| {
        let frame = format!("{{\"frame\": {{\"x\": 0, \"y\": 0, \"w\": {width}, \"h\": 1}}}}");
        format!("{{\"frames\": [{frame}]}}").into_bytes()
    };
    let project = Project::new(&[
        ("stone.channels", b"r = \"*_ao.png\""),
        ("stone_ao.png", &png(1, 1, &[10])),
        ("wood.channels", b"r = \"*_ao.png\""),
        ("wood_ao.png", &png(1, 1, &[20])),
        ("cat.sheet.png", &sheet),
        ("cat.sheet.json", &frames(1)),
        ("dog.sheet.png", &sheet),
        ("dog.sheet.json", &frames(2)),
        ("assets.toml", b"[\"*.sheet.png\"]\nimage = { sheet = true }\n"),
    ]);
    let report = project.run();
    assert_eq!((report.imported(), project.run().imported()), (8, 0));
    let pack = fs::read(&report.packs[0]).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let pixel = |path| {
        let chunk = view.find(ResourceId::from_path(path)).unwrap().unwrap();
        let block = chunk.decode(&mut Default::default()).unwrap();
        ImageView::parse(block.view().unwrap()).unwrap().data()[0]
    };
    assert_eq!((pixel("stone.channels"), pixel("wood.channels")), (10, 20));
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
    // The cache's manifest is not trusted for a changed file or a missing blob.
    worktree.write("readme.txt", b"changed");
    fs::remove_dir_all(worktree.out()).unwrap();
    fs::remove_dir_all(project.cache().join("blobs")).unwrap();
    assert_eq!(worktree.build().cache_dir(project.cache()).debug(true).build().unwrap().imported(), sources().len());
}

#[test]
fn only_settings_that_affect_the_import_import_again() {
    let project = Project::new(&sources());
    project.run();
    project.write("assets.toml", b"[\"levels/1.txt\"]\nid = 0x1234\nrename = \"FIRST\"\n");
    assert_eq!(project.run().imported(), 0, "an id is not part of the imported form");
    project.write("assets.toml", b"[\"levels/1.txt\"]\ntext = { culture = \"en-US\" }\n");
    assert_eq!(project.run().imported(), 1);
}

type Damage = fn(&Path);

/// Damage that may happen to a file between two builds.
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
        // The description is not read if the manifest has it, and nothing else reads it.
        assert!(imported == sources().len() || what == "flipped in front", "{what}: {imported}");
        assert_eq!(fs::read(project.out().join("game.rres")).unwrap(), pack, "{what}");
    }
}

/// One flipped bit in every field of a chunk header that does not say how many bytes follow, and in those that do.
const HEADER_BITS: &[(&str, usize)] = &[
    ("kind", 0),
    ("id", 4),
    ("compression", 8),
    ("cipher", 9),
    ("flags", 10),
    ("packed size", 12),
    ("base size", 16),
    ("next offset", 20),
    ("reserved", 24),
    ("CRC", 28),
];

#[test]
fn a_flipped_bit_in_a_chunk_header_of_a_blob_is_never_shipped() {
    let project = Project::new(&sources());
    project.run();
    let pack = fs::read(project.out().join("game.rres")).unwrap();
    let build = |what: &str| {
        // With and without the manifest, which knows what the blobs contain.
        fs::remove_dir_all(project.out()).unwrap();
        if what.ends_with("alone") {
            fs::remove_dir_all(project.cache().join("manifests")).unwrap();
        }
        project.run();
        assert!(fs::read(project.out().join("game.rres")).unwrap() == pack, "{what}");
    };
    for (field, at) in HEADER_BITS {
        for how in ["", " alone"] {
            for blob in files_below(&project.cache().join("blobs")) {
                rewrite(&blob, |bytes| {
                    let last = *chunks(bytes).last().unwrap();
                    bytes[last + at] ^= 2;
                });
            }
            build(&format!("{field}{how}"));
        }
    }
    // Each blob has the contents of another one.
    let blobs = files_below(&project.cache().join("blobs"));
    for how in ["", " alone"] {
        let first = fs::read(&blobs[0]).unwrap();
        for pair in blobs.windows(2) {
            fs::copy(&pair[1], &pair[0]).unwrap();
        }
        fs::write(blobs.last().unwrap(), first).unwrap();
        build(&format!("another blob{how}"));
    }
}

/// The offsets of the chunk headers in a blob.
fn chunks(blob: &[u8]) -> Vec<usize> {
    PackView::parse(blob).unwrap().chunks().map(|chunk| chunk.unwrap().offset as usize).collect()
}

#[test]
fn verify_removes_damaged_blobs_and_makes_the_builds_run_again() {
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
fn pruning_makes_the_builds_that_need_the_blobs_run_again() {
    let project = Project::new(&sources());
    project.build().debug(true).build().unwrap();
    let other = Project::new(&[("other.txt", b"another game")]);
    other.build().cache_dir(project.cache()).debug(true).build().unwrap();
    let roots = || files_below(&project.cache().join("roots"));
    assert_eq!(roots().len(), 2);
    // Only the blobs of the other game have been used recently.
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
fn the_output_directory_is_used_if_the_cache_cannot_be_written() {
    let project = Project::new(&sources());
    fs::write(project.cache(), "a file in the place of the cache").unwrap();
    let report = project.run();
    assert!(report.note_lines().concat().contains("cannot be written, so imported assets are kept in"), "{report:?}");
    assert!(!project.out().join(".rres").exists());
    // A dev index refers to the blobs, and packs do not.
    project.build().debug(true).build().unwrap();
    let blobs = files_below(&project.out().join(".rres/blobs"));
    assert!(!blobs.is_empty());
    project.run();
    assert_eq!(
        files_below(&project.out().join(".rres/blobs")),
        blobs,
        "a release build keeps what a debug build needs"
    );
}

#[test]
fn no_temporary_files_are_left() {
    let project = Project::new(&sources());
    project.run();
    project.build().debug(true).build().unwrap();
    for file in files_below(project.dir.path()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(!name.starts_with('.'), "{}", file.display());
    }
}

#[test]
fn concurrent_builds_share_cache_and_work() {
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

/// Builds until the stamps of all files are trusted, which requires them to be older than a tick of the clock.
fn settle(project: &Project) {
    let manifest = || {
        let outputs = files_below(&project.cache().join("outputs"));
        outputs.into_iter().find(|file| file.extension().is_some_and(|extension| extension == "manifest")).unwrap()
    };
    let mut size = 0;
    wait::until("the manifest settles", || {
        project.build().debug(true).build().unwrap();
        let before = std::mem::replace(&mut size, fs::metadata(manifest()).unwrap().len());
        std::thread::sleep(Duration::from_millis(500));
        size > 1000 && size == before
    });
}

#[test]
fn changes_that_keep_size_and_time_are_detected() {
    let project = Project::new(&sources());
    settle(&project);
    assert_eq!(project.build().debug(true).build().unwrap().imported(), 0);

    // Like `cp -p` of an older file: another file with the same size and time.
    let file = project.assets().join("levels/1.txt");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    let len = fs::metadata(&file).unwrap().len() as usize;
    let other = project.dir.path().join("other");
    fs::write(&other, vec![b'x'; len]).unwrap();
    fs::File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
    fs::rename(&other, &file).unwrap();
    assert_eq!(project.build().debug(true).build().unwrap().imported(), 1);

    // A blob that was pruned without updating the manifest is created again.
    settle(&project);
    fs::remove_dir_all(project.cache()).unwrap();
    assert_eq!(project.build().debug(true).build().unwrap().imported(), sources().len());
}
