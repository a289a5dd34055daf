use rres_test_data::damage::{cuts, replaced};

use super::*;

fn spec(path: &str, id: Option<u32>) -> EntrySpec {
    let mut meta = Meta::default();
    meta.set(MetaKey::FILTER, path.len() as u32);
    EntrySpec {
        id: id.map_or_else(|| ResourceId::from_path(path), ResourceId),
        path: path.to_owned(),
        kind: Some(AssetKind::Image),
        offset: 60,
        stored_size: 100,
        base_size: 200,
        chunk_count: 1,
        is_shared: false,
        meta,
        dependencies: vec![ResourceId(5)],
        headers_crc: 0,
        blob: 3,
    }
}

fn sample(count: usize) -> IndexBuilder {
    let mut entries: Vec<_> = (0..count).map(|i| spec(&format!("dir/asset {i}.png"), None)).collect();
    entries.push(spec("renamed.png", Some(5)));
    // "missing" is not in the index.
    let group = |name: &str, members: &[&str]| GroupSpec {
        name: name.to_owned(),
        members: members.iter().map(|path| ResourceId::from_path(path)).collect(),
    };
    let groups = vec![group("b", &["dir/asset 0.png", "missing"]), group("a", &[])];
    IndexBuilder { entries, groups, blobs: vec![[7; 32]; 4], set_hash: [9; 16], additional_packs: 0, is_patch: false }
}

#[test]
fn every_entry_is_found_by_id_slot_and_path() {
    for count in [1, 2, 3, 100, 5000] {
        let block = sample(count).block().unwrap();
        let index = IndexView::parse(&block).unwrap();
        assert_eq!(index.len(), count + 1);
        for entry in index.entries() {
            let entry = entry.unwrap();
            let slot = index.find(entry.id).unwrap();
            assert_eq!(index.find_path(entry.path), Some(slot), "{}", entry.path);
            assert_eq!(index.find_with_hint(entry.id, slot), Some(slot));
            assert_eq!(index.find_with_hint(entry.id, 0), Some(slot));
            assert_eq!(index.entry(slot).unwrap(), entry);
            assert_eq!(index.meta(slot).unwrap().get(MetaKey::FILTER), Some(entry.path.len() as u32));
            assert_eq!(index.dependencies(slot).unwrap().collect::<Vec<_>>(), [ResourceId(5)]);
            index.check(slot, 0).unwrap();
            assert_eq!(entry.blob, 3);
        }
        assert_eq!(index.find(ResourceId(5)), Some(0), "the smallest id has the first slot");
        assert_eq!(index.find(ResourceId(6)), None);
        assert_eq!(index.find_path("dir/asset"), None);
        assert_eq!(index.find_path("renamed.png"), Some(0));
        assert_eq!((index.set_hash(), index.blob(3), index.blob(4)), ([9; 16], Some([7; 32]), None));
        let groups: Vec<_> = index.groups().map(|g| g.unwrap()).collect();
        assert_eq!((groups[0].name, groups[1].name), ("a", "b"));
        let member = groups[1].slots().map(|slot| index.entry(slot).unwrap().path).collect::<Vec<_>>();
        assert_eq!(member, ["dir/asset 0.png"]);
    }
}

#[test]
fn an_empty_index_can_be_parsed() {
    let block = IndexBuilder::default().block().unwrap();
    let index = IndexView::parse(&block).unwrap();
    assert!(index.is_empty() && index.find(ResourceId(1)).is_none() && index.find_path("a").is_none());
}

#[test]
fn zero_and_duplicate_ids_are_errors() {
    let error = |entries| IndexBuilder { entries, ..IndexBuilder::default() }.block().unwrap_err();
    assert_eq!(error(vec![spec("a", Some(0))]), Error::ReservedId("a".to_owned()));
    let duplicate = error(vec![spec("a", Some(4)), spec("b", Some(9)), spec("c", Some(4))]);
    assert_eq!(duplicate.to_string(), "a and c share the id 0x00000004; give one of them an explicit id");
}

#[test]
fn lookups_in_a_damaged_index_do_not_panic() {
    let block = sample(20).block().unwrap();
    let probe = |bytes: &[u8]| {
        let Ok(index) = IndexView::parse(bytes) else { return };
        for slot in 0..index.len().min(64) as u32 + 1 {
            let _ = (index.entry(slot), index.meta(slot).map(|m| m.records().count()));
            let _ = index.dependencies(slot).map(Iterator::count);
        }
        for id in [0, 5, u32::MAX] {
            index.find(ResourceId(id));
        }
        index.find_path("dir/asset 3.png");
        index.groups().for_each(|group| drop(group.map(|g| g.slots().count())));
    };
    cuts(&block).for_each(probe);
    let header_end = 4 + 3 * 4 + layout::IndexHeaderRecord::SIZE;
    for mut bad in replaced(&block, 0..block.len(), &[0, 1, 0x7f, 0xff]) {
        probe(&bad);
        // With a CRC that fits, the damaged header is used.
        if let Ok(crc) = layout::header_crc(&bad) {
            bad[header_end - 4..header_end].copy_from_slice(&crc.to_le_bytes());
            probe(&bad);
        }
    }
}
