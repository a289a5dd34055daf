//! Several packs: pack sets, and packs over each other.

use rres_runtime::{Id, Pack, ResourceId, Slot, Store, Text};

use super::assets::{pack, text};
use super::id;

#[test]
fn the_last_of_several_packs_wins() {
    let packs = [["base", "base only"], ["patch", ""]].map(|[both, only]| {
        let mut resources = vec![text("both.txt", both)];
        if !only.is_empty() {
            resources.push(text("only.txt", only));
        }
        Pack::from_bytes(pack(resources).to_vec().unwrap()).unwrap()
    });
    let store = Store::from_packs(packs);
    assert_eq!(store.load(id::<Text>("both.txt")).unwrap().get().as_str(), "patch");
    assert_eq!(store.load(id::<Text>("only.txt")).unwrap().get().as_str(), "base only");
}

#[test]
fn slots_may_be_wrong() {
    let store = super::store(&pack([text("a.txt", "a"), text("b.txt", "b")]));
    for (path, hint) in
        [("a.txt", 0), ("a.txt", 1), ("b.txt", 0), ("b.txt", 1), ("a.txt", u32::MAX), ("b.txt", 1 << 16)]
    {
        let hint = Slot(hint);
        let id: Id<Text> = Id::new(ResourceId::from_path(path), hint);
        assert_eq!(store.load(id).unwrap().path(), path, "{hint:?}");
    }
}

#[test]
fn slots_contain_the_number_of_the_pack() {
    let one = |path: &str| Pack::from_bytes(pack([text(path, path)]).to_vec().unwrap()).unwrap();
    // The last one is searched first.
    let store = Store::from_packs([one("second.txt"), one("first.txt")]);
    for (path, right) in [("first.txt", Slot::in_set(0, 0)), ("second.txt", Slot::in_set(1, 0))] {
        for hint in [right, Slot(0), Slot(1), Slot::in_set(1, 0), Slot::in_set(2, 0), Slot(u32::MAX)] {
            let id: Id<Text> = Id::new(ResourceId::from_path(path), hint);
            assert_eq!(store.load(id).unwrap().get().as_str(), path, "{hint:?}");
        }
        let entry = store.find(path).unwrap();
        assert_eq!(entry, store.mounts().entries().find(|entry| entry.path == path).unwrap().id);
        assert_eq!(store.load(entry.typed::<Text>().unwrap()).unwrap().path(), path);
    }
}

#[test]
fn ids_of_entries_carry_the_kind() {
    let store = super::store(&pack([text("a.txt", "a")]));
    let mounts = store.mounts();
    let entry = mounts.entries().next().unwrap();
    assert_eq!((entry.path, entry.base_size), ("a.txt", 21));
    assert!(entry.id.typed::<rres_runtime::Image>().is_none());
    let id = entry.id.typed::<Text>().unwrap();
    assert_eq!(store.load(id).unwrap().get().as_str(), "a");
    assert_eq!(store.path(id.resource()).as_deref(), Some("a.txt"));
}
