//! Importing into the cache without a pack: shares of a directory, and imports that are compared with the cache.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};

use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Source};
use rres_engine::Portion;

use super::{Project, files_below};

/// Returns other bytes each time, except of sources that are empty.
struct Dice;

impl Importer for Dice {
    fn describe(&self) -> Description {
        Description::new("dice", 1).reads(["dice"]).makes(AssetType::custom(*b"DICE", "crate::Dice"))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        static THROWS: AtomicU8 = AtomicU8::new(0);
        let throw = if source.bytes().is_empty() { 0 } else { THROWS.fetch_add(1, Ordering::Relaxed) };
        Ok(vec![Asset::custom(*b"DICE", vec![throw])])
    }
}

fn texts() -> Project {
    let project = Project::new(&[]);
    for number in 0..20 {
        project.write(&format!("texts/{number}.txt"), format!("text {number}").as_bytes());
    }
    project
}

#[test]
fn shares_together_are_what_a_build_needs() {
    let project = texts();
    let mut sources = 0;
    for number in 1..=3 {
        let done = project.build().import_only(&Portion::Share { number, of: 3 }).unwrap();
        assert_eq!((done.all, done.cached), (20, 0));
        assert!((5..=8).contains(&done.sources), "{}", done.sources);
        sources += done.sources;
    }
    assert_eq!(sources, 20);
    assert!(files_below(&project.out()).is_empty(), "no pack and no module is written");
    let report = project.run();
    assert_eq!((report.cached(), report.assets.len()), (20, 20));
    let again = project.build().import_only(&Portion::All).unwrap();
    assert_eq!((again.sources, again.cached), (20, 20));
}

#[test]
fn faults_of_a_share_are_reported_and_its_other_sources_are_imported() {
    let project = texts();
    project.write("texts/broken.txt", b"\xff\xfe\xfd");
    let error = project.build().import_only(&Portion::All).unwrap_err();
    assert!(error.to_string().contains("broken.txt"), "{error}");
    fs::remove_file(project.assets().join("texts/broken.txt")).unwrap();
    assert_eq!(project.build().import_only(&Portion::All).unwrap().cached, 20);
}

#[test]
fn a_check_finds_bytes_that_this_machine_does_not_make_and_removes_them() {
    let project = texts();
    let scratch = project.out().join("again");
    let check = |portion| project.build().check_imports(&portion, &scratch).unwrap();
    let whole = check(Portion::All);
    assert_eq!((whole.checked, whole.all, whole.differences.len()), (20, 20, 0), "{whole:?}");
    assert!(!scratch.exists(), "what was imported again is removed");
    let sample = check(Portion::Sample { fraction: 0.1, seed: 1 });
    assert_eq!((sample.checked, sample.differences.len()), (2, 0));
    let has = |file: &PathBuf| fs::read(file).unwrap().windows(6).any(|part| part == b"text 3");
    let blob = files_below(&project.cache().join("blobs")).into_iter().find(has).unwrap();
    let right = fs::read(&blob).unwrap();
    let position = right.windows(6).position(|part| part == b"text 3").unwrap();
    let mut wrong = right.clone();
    wrong[position] ^= 1;
    fs::write(&blob, &wrong).unwrap();
    // A game that uses it is built again.
    project.build().debug(true).build().unwrap();
    let roots = || files_below(&project.cache().join("roots")).len();
    assert_eq!(roots(), 1);
    let found = check(Portion::All);
    assert_eq!(roots(), 0);
    let [difference] = &found.differences[..] else { panic!("{found:?}") };
    assert_eq!((&*difference.path, &*difference.importer), ("texts/3.txt", "text decoder"));
    assert_eq!((difference.is_repeatable, difference.position), (true, position as u64));
    assert!(!blob.exists());
    assert!(check(Portion::All).differences.is_empty());
    assert_eq!(fs::read(&blob).unwrap(), right);
}

#[test]
fn a_check_names_the_importer_that_is_not_deterministic() {
    let project = texts();
    project.write("empty.dice", b"");
    project.write("red.dice", b"6");
    let check = project.build().importer(Dice).check_imports(&Portion::All, &project.out().join("again")).unwrap();
    assert_eq!((check.checked, check.of_script), (22, 0));
    let [difference] = &check.differences[..] else { panic!("{check:?}") };
    assert_eq!((&*difference.path, difference.is_repeatable), ("red.dice", false));
    assert!(difference.to_string().contains("the importer `dice` is not deterministic"), "{difference}");
}
