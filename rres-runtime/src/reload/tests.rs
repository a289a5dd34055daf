use rres_format::AssetKind;
use rres_format::index::{EntrySpec, IndexBuilder, Meta, MetaKey};

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
