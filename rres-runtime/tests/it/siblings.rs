//! Assets that are stored as what distinguishes them from a similar one of their pack.

use rres_format::sibling::SiblingPlace;
use rres_format::{Decompressor, PackView, Resource, ResourceId, StoredChunk};
use rres_runtime::{Error, Pack, PackOptions, Store, Text};
use rres_test_data::damage::{BITS, flipped};

use super::assets::{pack, text};
use super::patches::patch;
use super::{assert_message, id};

/// Text `number` of a folder: they differ in their last word.
pub(crate) fn content(number: usize) -> String {
    let words: String = (0..600u32).map(|i| format!("{:x} ", i.wrapping_mul(2_654_435_761))).collect();
    format!("{words}{number}")
}

pub(crate) fn path(number: usize) -> String {
    format!("{number}.txt")
}

/// Text `number`, stored as what distinguishes it from text `sibling`, which has this depth.
fn after(sibling: usize, depth: u8, number: usize) -> Resource<'static> {
    let alone = pack(vec![text(&path(number), &content(number)), text(&path(sibling), &content(sibling))]);
    let alone = alone.to_vec().unwrap();
    let find = |number| PackView::parse(&alone).unwrap().find(ResourceId::from_path(&path(number))).unwrap().unwrap();
    let block = |number| find(number).decode(&mut Decompressor::default()).unwrap().into_bytes().into_owned();
    let place = SiblingPlace { resource: ResourceId::from_path(&path(sibling)), chunk: 0, depth };
    let chunk = StoredChunk::with_sibling(find(number), &block(number), place, &block(sibling), 9).unwrap();
    Resource::new(path(number), vec![chunk]).with_kind(rres_format::AssetKind::Text)
}

/// Text 0 stored by itself, texts 1 to 3 after the one before, and many after text 0.
pub(crate) fn folder() -> Vec<u8> {
    let mut resources = vec![text(&path(0), &content(0))];
    resources.extend((1..4).map(|number| after(number - 1, number as u8 - 1, number)));
    resources.extend((4..40).map(|number| after(0, 0, number)));
    pack(resources).to_vec().unwrap()
}

fn open(bytes: &[u8]) -> Pack {
    PackOptions::default().from_bytes(bytes).unwrap()
}

fn load(pack: &Pack, number: usize) -> Result<String, Error> {
    Ok(pack.load::<Text>(ResourceId::from_path(&path(number)))?.as_str().to_owned())
}

#[test]
fn each_one_loads_alone_and_with_others_in_any_order() {
    let bytes = folder();
    assert!(bytes.len() < 3 * content(0).len(), "{} bytes for 40 texts of {}", bytes.len(), content(0).len());
    for number in 0..40 {
        assert!(load(&open(&bytes), number).unwrap() == content(number), "text {number} alone");
    }
    let pack = open(&bytes);
    for number in (0..40).chain((0..40).rev()) {
        assert!(load(&pack, number).unwrap() == content(number), "text {number} after others");
    }
}

#[test]
fn threads_load_siblings_at_once() {
    let store = Store::from_packs([open(&folder())]);
    std::thread::scope(|scope| {
        for first in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in (first..40).chain(0..first) {
                    let text = store.load(id::<Text>(&path(number))).unwrap();
                    assert!(text.get().as_str() == content(number), "text {number}");
                }
            });
        }
    });
}

#[test]
fn damage_in_a_sibling_is_found_by_whatever_needs_it() {
    let bytes = folder();
    let first =
        PackView::parse(&bytes).unwrap().find(ResourceId::from_path(&path(0))).unwrap().unwrap().offset as usize;
    let mut damaged = bytes.clone();
    damaged[first + 100] ^= 1;
    for number in [0, 1, 3, 20] {
        assert_message(load(&open(&damaged), number), &[&path(number), "is damaged: crc32 is"]);
    }
    // No single flipped bit gives another text.
    let third = PackView::parse(&bytes).unwrap().find(ResourceId::from_path(&path(3))).unwrap().unwrap();
    for (place, pack) in flipped(&bytes, third.offset as usize..third.end() as usize, &BITS) {
        if let Ok(text) = PackOptions::default().from_bytes(pack).and_then(|pack| load(&pack, 3)) {
            assert!(text == content(3), "{place:?}");
        }
    }
}

#[test]
fn a_patch_has_siblings_in_the_pack_below() {
    let old = pack(vec![text(&path(0), &content(0)), text(&path(1), "old")]).to_vec().unwrap();
    let new = pack(vec![text(&path(0), &content(0)), after(0, 0, 1)]).to_vec().unwrap();
    let bytes = patch(&old, &new, vec![after(0, 0, 1)], &[]);
    let store = Store::from_packs([open(&old)]);
    store.mount(open(&bytes)).unwrap();
    assert!(store.load(id::<Text>(&path(1))).unwrap().get().as_str() == content(1));
    let needs = "it is stored as what distinguishes it from resource";
    assert_message(load(&open(&bytes), 1), &["1.txt", needs, "which is not in the pack"]);
}
