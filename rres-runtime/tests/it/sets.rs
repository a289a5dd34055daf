//! Several packs: pack sets, and packs over each other.

use rres_runtime::{ErrorKind, Id, PackOptions, ResourceId, Slot, Store, Text};

use super::assets::{pack, text};
use super::{File, id};

#[test]
fn the_last_of_several_packs_wins() {
    let packs = [["base", "base only"], ["patch", ""]].map(|[both, only]| {
        let mut resources = vec![text("both.txt", both)];
        if !only.is_empty() {
            resources.push(text("only.txt", only));
        }
        PackOptions::default().from_bytes(pack(resources).to_vec().unwrap()).unwrap()
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
    let one = |path: &str| PackOptions::default().from_bytes(pack([text(path, path)]).to_vec().unwrap()).unwrap();
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
fn an_id_of_another_store_names_its_asset_and_both_packs() {
    let (game, dlc) = (File::new(&pack([text("game.txt", "")])), File::new(&pack([text("dlc/boss.txt", "")])));
    let (of_game, of_dlc) = (Store::from_packs([game.open()]), Store::from_packs([dlc.open()]));
    let boss: Id<Text> = id("dlc/boss.txt");
    let expected = format!(
        "no asset with the id {} in {}; it belongs to \"dlc/boss.txt\" in {}, which another store of this program has open",
        boss.resource(),
        game.path().display(),
        dlc.path().display()
    );
    let error = of_game.load(boss).unwrap_err();
    assert_eq!((error.to_string(), error.file()), (expected.clone(), Some(&*game.path())));
    let ErrorKind::NotFound { elsewhere: Some(other), .. } = error.kind() else { panic!("{error}") };
    assert_eq!((&*other.path, other.file.as_deref()), ("dlc/boss.txt", Some(&*dlc.path())));
    // The same from a group, in the background, and from a stream.
    assert!(of_game.load_group([boss.into()]).wait().unwrap_err().to_string().ends_with(&expected));
    assert_eq!(of_game.load_async(boss).wait().unwrap_err().to_string(), expected);
    assert_eq!(of_game.stream(boss).unwrap_err().to_string(), expected);
    assert!(of_dlc.load(boss).is_ok());

    // Nobody knows whose it is when the other store is gone.
    drop(of_dlc);
    let expected = format!(
        "no asset with the id {} in {}; its file was removed, or it is a constant of another pack",
        boss.resource(),
        game.path().display()
    );
    assert_eq!(of_game.load(boss).unwrap_err().to_string(), expected);
}

#[test]
fn paths_are_found_as_people_type_them() {
    let store = super::store(&pack([text("ui/button.txt", ""), text("ui/icons/ok.txt", ""), text("readme.txt", "")]));
    let button = store.find("ui/button.txt").unwrap();
    for typed in ["./ui/button.txt", r"ui\button.txt", r".\ui\button.txt", "ui//button.txt", "ui/icons/../button.txt"] {
        assert_eq!(store.find(typed).unwrap(), button, "{typed}");
        assert_eq!(store.find_typed::<Text>(typed).unwrap().resource(), button.resource(), "{typed}");
        assert_eq!(store.mounts().find(typed).map(|entry| entry.path), Some("ui/button.txt"), "{typed}");
    }
    for wrong in ["/ui/button.txt", "../ui/button.txt", "UI/button.txt", "ui/button.txt/", "ui/button", "", "."] {
        // A slash at the end is the one that is harmless.
        assert_eq!(store.find(wrong).is_ok(), wrong.ends_with("txt/"), "{wrong:?}");
    }
    let error = store.find(r".\ui\buton.txt").unwrap_err().to_string();
    assert_eq!(error, "no asset at \".\\ui\\buton.txt\"; did you mean \"ui/button.txt\"?");

    let inside = |folder: &str| store.folder(folder).map_or(0, |ids| ids.len());
    for (folder, count) in [
        ("ui", 2),
        ("ui/", 2),
        ("./ui", 2),
        (r"ui\icons", 1),
        (r".\ui\icons\", 1),
        ("", 3),
        (".", 3),
        ("u", 0),
        ("..", 0),
    ] {
        assert_eq!(inside(folder), count, "{folder:?}");
    }
    let pack = PackOptions::default().from_bytes(pack([text("a/b.txt", "")]).to_vec().unwrap()).unwrap();
    assert_eq!(pack.find(r".\a\b.txt"), Some(ResourceId::from_path("a/b.txt")));
}

#[test]
fn paths_of_other_programs_are_found_as_they_are() {
    let foreign = pack([text(r"..\data\a.txt", "up"), text("./data/a.txt", "here")]).index(false);
    let store = super::store(&foreign);
    let read = |path: &str| store.load(store.find_typed::<Text>(path).unwrap()).unwrap().get().as_str().to_owned();
    assert_eq!((read(r"..\data\a.txt"), read("./data/a.txt")), ("up".to_owned(), "here".to_owned()));
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
    assert_eq!(store.mounts().entry(id.resource()).map(|asset| asset.path), Some("a.txt"));
}
