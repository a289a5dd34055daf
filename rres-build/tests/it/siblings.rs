//! Pictures and texts that a pack stores as what distinguishes them from similar ones of their folder.

use std::collections::BTreeMap;
use std::fs;

use rres_format::{Compression, PackView};
use rres_test_data::picture::bmp;
use rres_test_data::random::noise;

use super::{Project, files_below};

const SIZE: u32 = 40;

/// Frame `number` of an animation: noise, of which each frame moves a few rows.
fn frame(number: u8) -> Vec<u8> {
    let mut pixels = noise((SIZE * SIZE * 3) as usize);
    let row = SIZE as usize * 3;
    pixels[usize::from(number) * row..][..2 * row].fill(number);
    bmp(SIZE, SIZE, &pixels)
}

fn project(rules: &str) -> Project {
    let project = Project::new(&[]);
    for number in 0..6 {
        project.write(&format!("walk/{number}.bmp"), &frame(number));
    }
    project.write("assets.toml", rules.as_bytes());
    project
}

/// Builds the project, and returns the pack.
fn pack(project: &Project) -> Vec<u8> {
    fs::read(&project.run().packs[0]).unwrap()
}

/// The compression and the decoded block of each resource, by path.
fn contents(pack: &[u8]) -> BTreeMap<String, (Compression, Vec<u8>)> {
    let view = PackView::parse(pack).unwrap();
    let entries = view.index().unwrap().entries().map(|entry| entry.unwrap());
    let of = |entry: rres_format::index::Entry<'_>| {
        let chunk = view.first_chunk_of(&entry).unwrap();
        let block = chunk.decode(&mut Default::default()).unwrap().into_bytes().into_owned();
        (entry.path.to_owned(), (chunk.info.compression, block))
    };
    entries.map(of).collect()
}

/// The depth of each resource that has a sibling, by path.
fn depths(pack: &[u8]) -> Vec<(String, u8)> {
    let view = PackView::parse(pack).unwrap();
    let entries = view.index().unwrap().entries().map(|entry| entry.unwrap());
    let of = |entry: rres_format::index::Entry<'_>| {
        let sibling = view.first_chunk_of(&entry).unwrap().sibling().unwrap()?;
        Some((entry.path.to_owned(), sibling.depth()))
    };
    let mut depths: Vec<_> = entries.filter_map(of).collect();
    depths.sort();
    depths
}

fn paths(pack: &[u8]) -> Vec<String> {
    depths(pack).into_iter().map(|(path, _)| path).collect()
}

#[test]
fn the_frames_of_an_animation_are_stored_about_once() {
    let small = pack(&project(""));
    let large = pack(&project("[pack]\nsiblings = false\n"));
    let found = depths(&small);
    let walk = |numbers: std::ops::Range<u8>| numbers.map(|number| format!("walk/{number}.bmp")).collect::<Vec<_>>();
    assert_eq!(paths(&small), walk(1..6), "all but the first one");
    assert!(found.iter().all(|(_, depth)| (1..=3).contains(depth)), "{found:?}");
    assert!(paths(&large).is_empty());
    assert!(small.len() * 3 < large.len(), "{} and {} bytes", small.len(), large.len());
    // The same pixels.
    let blocks = |pack: &[u8]| contents(pack).into_iter().map(|(path, (_, block))| (path, block)).collect::<Vec<_>>();
    assert!(blocks(&small) == blocks(&large));
}

#[test]
fn the_same_pictures_give_the_same_pack_wherever_the_siblings_come_from() {
    let project = project("");
    let cold = pack(&project);
    fs::remove_dir_all(project.out()).unwrap();
    assert!(pack(&project) == cold, "from the cache");
    for threads in [1, 7] {
        let other = self::project("");
        let report = other.build().threads(threads).build().unwrap();
        assert!(fs::read(&report.packs[0]).unwrap() == cold, "from another cache, on {threads} threads");
    }
    // Each blob in turn is damaged: imported pictures, and those that were compared.
    let blobs: Vec<_> = files_below(&project.cache())
        .into_iter()
        .filter(|file| file.extension().is_some_and(|e| e == "rres"))
        .collect();
    assert_eq!(blobs.len(), 6 + 5);
    for blob in blobs {
        let mut bytes = fs::read(&blob).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&blob, bytes).unwrap();
        fs::remove_dir_all(project.out()).unwrap();
        assert!(pack(&project) == cold, "{}", blob.display());
    }
}

#[test]
fn what_may_be_loaded_without_the_other_is_not_a_sibling() {
    let groups = "[group.odd]\ninclude = [\"walk/1.bmp\", \"walk/3.bmp\"]\n[group.five]\ninclude = [\"walk/5.bmp\"]\n";
    let pack = pack(&project(groups));
    assert_eq!(paths(&pack), ["walk/2.bmp", "walk/3.bmp", "walk/4.bmp"]);
    let view = PackView::parse(&pack).unwrap();
    let of = |path| view.find(rres_format::ResourceId::from_path(path)).unwrap().unwrap().sibling().unwrap().unwrap();
    assert_eq!(of("walk/3.bmp").resource(), rres_format::ResourceId::from_path("walk/1.bmp"));
}

#[test]
fn other_readers_and_choices_get_pictures_by_themselves() {
    for rules in [
        "[pack]\ncompat = \"raylib\"\n",
        "[pack]\nprofile = \"speed\"\n",
        "[pack]\ncompression = \"zstd\"\n",
        "[\"walk/*\"]\nfilters = \"fast\"\n",
        "[\"walk/*\"]\ncompression = \"none\"\n",
    ] {
        assert!(paths(&pack(&project(rules))).is_empty(), "{rules}");
    }
    // A rule for some of them.
    let some = pack(&project("[\"walk/[0-2].bmp\"]\ncompression = \"zstd\"\n"));
    assert_eq!(paths(&some), ["walk/4.bmp", "walk/5.bmp"]);
}

#[test]
fn equal_pictures_share_their_chunk_and_may_be_siblings() {
    let project = project("");
    project.write("walk/9.bmp", &frame(2));
    let pack = pack(&project);
    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let shared = index.entries().map(|e| e.unwrap()).filter(|e| e.is_shared).map(|e| e.path).collect::<Vec<_>>();
    assert_eq!(shared.len(), 1, "{shared:?}");
    assert_eq!(paths(&pack), ["walk/1.bmp", "walk/3.bmp", "walk/4.bmp", "walk/5.bmp"]);
    assert!(contents(&pack)["walk/9.bmp"].1 == contents(&pack)["walk/2.bmp"].1);
}

#[test]
fn texts_have_siblings_of_their_own_sort() {
    let project = Project::new(&[]);
    let text = |number: u32| {
        let line = |i: u32| format!("item {:x} costs {number}\n", i.wrapping_mul(2_654_435_761));
        (0..30).map(line).collect::<String>().into_bytes()
    };
    for number in 0..3 {
        project.write(&format!("items/{number}.txt"), &text(number));
        project.write(&format!("other/{number}.txt"), &text(10 + number));
    }
    project.write("items/3.ini", &text(3));
    let pack = pack(&project);
    assert_eq!(paths(&pack), ["items/1.txt", "items/2.txt", "other/1.txt", "other/2.txt"]);
    assert!(contents(&pack)["items/2.txt"].1.ends_with(&text(2)));
}
