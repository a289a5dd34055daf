//! Several packs: sets that open as one, and packs laid over each other.

use rres_runtime::{Id, Pack, ResourceId, Store, Text};

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
fn hints_may_be_wrong() {
    let store = super::store(&pack([text("a.txt", "a"), text("b.txt", "b")]));
    for (path, hint) in
        [("a.txt", 0), ("a.txt", 1), ("b.txt", 0), ("b.txt", 1), ("a.txt", u32::MAX), ("b.txt", 1 << 16)]
    {
        let id: Id<Text> = Id::new(ResourceId::from_path(path).0, hint);
        assert_eq!(store.load(id).unwrap().path(), path, "hint {hint}");
    }
}

#[test]
fn hints_name_the_pack_in_their_high_half() {
    let one = |path: &str| Pack::from_bytes(pack([text(path, path)]).to_vec().unwrap()).unwrap();
    // The last one is the first to be asked.
    let store = Store::from_packs([one("second.txt"), one("first.txt")]);
    for (path, right) in [("first.txt", 0), ("second.txt", 1 << 16)] {
        for hint in [right, 0, 1, 1 << 16, 2 << 16, u32::MAX] {
            let id: Id<Text> = Id::new(ResourceId::from_path(path).0, hint);
            assert_eq!(store.load(id).unwrap().get().as_str(), path, "hint {hint:#x}");
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
