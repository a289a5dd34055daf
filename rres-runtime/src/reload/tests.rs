use rres_format::AssetKind;
use std::time::Duration;

use rres_format::index::{EntrySpec, IndexBuilder, Meta, MetaKey};

use super::rest::Unrest;
use super::*;

/// A dev index with one image, after this change of its entry.
fn index(change: impl FnOnce(&mut EntrySpec)) -> Vec<u8> {
    let mut entry = EntrySpec {
        id: ResourceId(7),
        path: "wall.png".to_owned(),
        kind: Some(AssetKind::Image),
        offset: 64,
        stored_size: 100,
        base_size: 200,
        chunk_count: 1,
        is_shared: false,
        meta: Meta::default(),
        dependencies: vec![ResourceId(8)],
        headers_crc: 0,
        blob: 0,
    };
    entry.meta.set(MetaKey::BUMP, 0);
    change(&mut entry);
    IndexBuilder { entries: vec![entry], blobs: vec![[7; 32], [8; 32]], ..IndexBuilder::default() }.block().unwrap()
}

#[test]
fn an_asset_differs_if_its_blob_or_what_the_index_says_of_it_does() {
    let before = index(|_| {});
    let is_alike = |change: fn(&mut EntrySpec)| {
        let after = index(change);
        let [before, after] = [&before, &after].map(|bytes| IndexView::parse(bytes).unwrap());
        content(&before, ResourceId(7)) == content(&after, ResourceId(7))
    };
    assert!(is_alike(|_| {}));
    assert!(is_alike(|entry| entry.path = "moved.png".to_owned()), "in lock mode a file that is moved keeps its id");
    assert!(!is_alike(|entry| entry.blob = 1));
    assert!(!is_alike(|entry| entry.offset = 128));
    assert!(!is_alike(|entry| entry.meta = Meta::default()), "it has no bumps any more");
    assert!(!is_alike(|entry| entry.meta.set(MetaKey::FRAME_TIME, 50)));
    assert!(!is_alike(|entry| entry.dependencies = vec![ResourceId(9)]), "other bumps");
    assert!(!is_alike(|entry| entry.id = ResourceId(9)), "it is new");
}

#[test]
fn each_file_waits_until_it_is_complete_whatever_others_do() {
    let start = Instant::now();
    let at = |ms| start + Duration::from_millis(ms);
    let mut unrest = Unrest::new(start);
    let mut add = |ms, path: &str, rest| {
        unrest.add(at(ms), vec![path.into()], Duration::from_millis(rest));
        (unrest.changed_at(), unrest.ends_at())
    };
    assert_eq!(add(0, "half.png", 1500), (at(0), at(1500)));
    assert_eq!(add(100, "other.txt", 8), (at(100), at(1500)), "another file is complete");
    assert_eq!(add(200, "half.png", 1500), (at(200), at(1700)), "more of it is written");
    assert_eq!(add(300, "half.png", 8), (at(300), at(308)), "it was closed");
    assert_eq!(add(305, "other.txt", 40), (at(305), at(345)));
    assert_eq!(add(310, "other.txt", 8), (at(310), at(318)));
    assert_eq!(add(2900, "half.png", 1500), (at(2900), at(3000)), "no wait is longer");
    unrest.add(at(2910), Vec::new(), Duration::from_millis(40));
    assert_eq!(unrest.ends_at(), at(3000));
}

#[test]
fn a_file_is_mended_when_it_has_no_fault_at_any_line() {
    let failures = |places: &[&str]| -> Failures {
        places.iter().map(|place| ((*place).to_owned(), "is wrong".to_owned())).collect()
    };
    let before = failures(&["assets/a.csv:3:1", "assets/b.csv:7", "assets/c.png", "assets/d.csv"]);
    let now = failures(&["assets/a.csv:4:9", "assets/c.png", "assets/d.csv:1"]);
    assert_eq!(mended(&before, &now), BTreeSet::from([&"assets/b.csv:7".to_owned()]));
    assert_eq!(mended(&before, &Failures::new()).len(), 4);
}

#[cfg(unix)]
#[test]
fn a_directory_in_the_place_of_the_watched_one_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("assets");
    let lead_to = |name: &str| {
        let _ = fs::remove_file(&link);
        fs::create_dir_all(dir.path().join(name)).unwrap();
        std::os::unix::fs::symlink(dir.path().join(name), &link).unwrap();
    };
    lead_to("first");
    let (mut watcher, _wakers) = DirectoryWatcher::new(vec![link.clone()]);
    assert!(!watcher.is_replaced());
    lead_to("second");
    assert!(watcher.is_replaced(), "the link leads elsewhere");
    watcher.watch();
    assert!(!watcher.is_replaced());
    fs::remove_file(&link).unwrap();
    assert!(watcher.is_replaced(), "it is gone");
    watcher.watch();
    lead_to("second");
    assert!(watcher.is_replaced(), "it is back");
}

#[cfg(unix)]
#[test]
fn files_that_links_lead_to_are_watched_and_their_neighbours_are_not() {
    use std::os::unix::fs::symlink;

    use super::links::{Linked, may_be_linked};

    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let [assets, shared, more] = ["assets", "shared", "more"].map(|name| root.join(name));
    [&assets, &shared, &more].into_iter().for_each(|dir| fs::create_dir(dir).unwrap());
    let files = [shared.join("a.png"), shared.join("b.png"), more.join("c.png"), assets.join("d.png")];
    files.iter().for_each(|file| fs::write(file, "").unwrap());
    symlink(&files[0], assets.join("a.png")).unwrap();
    symlink(&more, assets.join("more")).unwrap();
    symlink(&files[3], assets.join("again.png")).unwrap();
    symlink("nowhere", assets.join(".#a.png")).unwrap();
    symlink(&assets, assets.join("round")).unwrap();

    let linked = Linked::of(std::slice::from_ref(&assets));
    assert!(linked.dirs().eq([&*shared]), "the folder that is linked is watched as a part of the assets: {linked:?}");
    assert_eq!(files.each_ref().map(|file| linked.is_other(file)), [false, true, false, false]);
    let is_new_link = |name: &str| may_be_linked(&assets.join(name));
    assert_eq!(["a.png", "d.png", ".#a.png", "more"].map(is_new_link), [true, false, false, false]);
    symlink(&files[1], more.join("b.png")).unwrap();
    assert!(is_new_link("more"));
}

#[cfg(unix)]
#[test]
fn a_folder_elsewhere_that_is_replaced_is_watched_again() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let [assets, art] = ["assets", "art"].map(|name| root.join(name));
    [&assets, &art].into_iter().for_each(|dir| fs::create_dir(dir).unwrap());
    fs::write(art.join("a.png"), "").unwrap();
    std::os::unix::fs::symlink("../art/a.png", assets.join("a.png")).unwrap();
    let (mut watcher, _wakers) = DirectoryWatcher::new(vec![assets]);
    assert!(!watcher.is_replaced());
    fs::remove_dir_all(&art).unwrap();
    assert!(watcher.is_replaced(), "it is gone");
    watcher.watch();
    assert!(!watcher.is_replaced());
    fs::create_dir(&art).unwrap();
    assert!(watcher.is_replaced(), "it is back");
}
