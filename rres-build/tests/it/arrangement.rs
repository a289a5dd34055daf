//! Orders that a run has recorded, and places of an earlier pack that a new one keeps.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rres_format::PackView;
use rres_test_data::random::noise;

use super::Project;

/// Where each asset starts, by path.
fn offsets(pack: &Path) -> BTreeMap<String, u32> {
    let bytes = fs::read(pack).unwrap();
    let view = PackView::parse(&bytes).unwrap();
    view.check_index().unwrap();
    let entries = view.index().unwrap().entries().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.path.to_owned(), entry.offset)).collect()
}

/// The paths in the order in which a pack stores them.
fn order(pack: &Path) -> Vec<String> {
    let mut paths: Vec<(u32, String)> = offsets(pack).into_iter().map(|(path, offset)| (offset, path)).collect();
    paths.sort();
    paths.into_iter().map(|(_, path)| path).collect()
}

/// How many blocks of 4 KiB of a file another one does not have at the same place.
fn changed_blocks(old: &Path, new: &Path) -> usize {
    let [old, new] = [old, new].map(|file| fs::read(file).unwrap());
    let mut old = old.chunks(4096);
    new.chunks(4096).filter(|block| old.next() != Some(block)).count()
}

#[test]
fn a_recorded_order_applies_within_groups() {
    let project = Project::new(&[]);
    for path in ["a.bin", "b.bin", "c.bin", "level/a.bin", "level/b.bin", "level/c.bin"] {
        project.write(path, path.as_bytes());
    }
    let file = project.dir.path().join("order.txt");
    let settings =
        format!("[pack]\norder = {:?}\n\n[group.level]\ninclude = \"level/**\"\n", file.display().to_string());
    project.write("assets.toml", settings.as_bytes());

    let error = project.fail().to_string();
    assert!(error.contains("order.txt") && error.contains("RRES_RECORD"), "{error}");

    fs::write(&file, "c.bin\nlevel/c.bin\ngone.bin\nlevel/b.bin\nb.bin\n").unwrap();
    let report = project.run();
    let expected = ["level/c.bin", "level/b.bin", "level/a.bin", "c.bin", "b.bin", "a.bin"];
    assert_eq!(order(&report.packs[0]), expected);
    let note = &report.notes[0];
    assert!(note.topic.contains("order.txt names assets that do not exist"), "{note:?}");
    assert_eq!(note.assets, [("gone.bin".to_owned(), String::new())]);

    fs::write(&file, "a.bin\n").unwrap();
    assert_eq!(order(&project.run().packs[0])[3], "a.bin", "a new order makes a new pack");
}

/// Sixty files that do not compress, and what an edit makes of them: one grows, one shrinks, one goes, two come.
fn sixty() -> Project {
    let project = Project::new(&[]);
    let noise = noise(2_000_000);
    for number in 0..60_usize {
        project.write(&format!("{number:02}.bin"), &noise[number * 20_000..][..10_000 + number * 100]);
    }
    project
}

fn edit(project: &Project) {
    let noise = noise(100_000);
    project.write("10.bin", &noise[..40_000]);
    project.write("30.bin", &noise[..9_000]);
    fs::remove_file(project.assets().join("20.bin")).unwrap();
    project.write("05 and a half.bin", &noise[..5_000]);
    project.write("new/large.bin", &noise[..60_000]);
}

/// Builds, and keeps a copy of the pack.
fn build(project: &Project, copy: &str) -> PathBuf {
    let copy = project.dir.path().join(copy);
    fs::copy(&project.run().packs[0], &copy).unwrap();
    copy
}

#[test]
fn assets_keep_their_places_of_an_earlier_pack() {
    let project = sixty();
    let old = build(&project, "old.rres");
    edit(&project);
    let moved = build(&project, "moved.rres");
    let settings = format!("[pack]\nlayout_from = {:?}\n", old.display().to_string());
    project.write("assets.toml", settings.as_bytes());
    let kept = build(&project, "kept.rres");

    let [before, after] = [&old, &kept].map(|pack| offsets(pack));
    let changed: Vec<&str> =
        after.iter().filter(|(path, offset)| before.get(*path) != Some(*offset)).map(|(path, _)| &**path).collect();
    // The front index has grown by two entries, and takes the place of the first asset.
    assert_eq!(changed, ["00.bin", "05 and a half.bin", "10.bin", "new/large.bin"]);
    let [without, with] = [&moved, &kept].map(|pack| changed_blocks(&old, pack));
    assert!(with * 3 < without, "{with} and {without} of {} blocks", fs::metadata(&kept).unwrap().len() / 4096);
    // What has gone makes room for what has come.
    let [size, least] = [&kept, &moved].map(|pack| fs::metadata(pack).unwrap().len());
    assert!(size < least + 25_000, "{size} bytes, {least} without gaps");

    let bytes = fs::read(&kept).unwrap();
    let view = PackView::parse(&bytes).unwrap();
    for entry in view.index().unwrap().entries().map(|entry| entry.unwrap()) {
        let chunk = view.first_chunk_of(&entry).unwrap();
        let block = chunk.decode(&mut Default::default()).unwrap().into_bytes();
        assert!(block.ends_with(&fs::read(project.assets().join(entry.path)).unwrap()), "{}", entry.path);
    }
    let chunks = view.chunks().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(chunks.len(), usize::from(view.header().chunk_count));
    assert_eq!(fs::read(build(&project, "again.rres")).unwrap(), fs::read(&kept).unwrap());
    // The next version keeps the places of this one.
    let settings = format!("[pack]\nlayout_from = {:?}\n", kept.display().to_string());
    project.write("assets.toml", settings.as_bytes());
    project.write("40.bin", b"small");
    let next = build(&project, "next.rres");
    assert!(changed_blocks(&kept, &next) <= 8);
}

#[test]
fn a_layout_of_what_is_no_pack_is_refused() {
    let project = sixty();
    let file = project.dir.path().join("old.rres");
    let settings = format!("[pack]\nlayout_from = {:?}\n", file.display().to_string());
    project.write("assets.toml", settings.as_bytes());
    for bytes in [None, Some(b"no pack".as_slice())] {
        bytes.iter().for_each(|bytes| fs::write(&file, bytes).unwrap());
        let error = project.fail().to_string();
        assert!(error.contains("old.rres") && error.contains("layout_from"), "{error}");
    }
}
