//! Overlays: what they replace, what they may not replace, and what unmounting restores.

use std::cell::{Cell, RefCell};

use rres_runtime::{ErrorKind, Event, FromAsset, Handle, Live, MountId, Pack, PackOptions, Store, Text, packs_in};

use super::assets::{image, pack, text};
use super::{File, assert_message, id, store};

fn overlay(resources: impl IntoIterator<Item = rres_format::Resource<'static>>) -> Pack {
    PackOptions::default().from_bytes(pack(resources).to_vec().unwrap()).unwrap()
}

#[derive(Debug)]
struct Shouted(String);

impl FromAsset for Shouted {
    type Source = Text;
    type Error = String;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
        match text.as_str() {
            "" => Err("there is nothing to shout".to_owned()),
            text => Ok(Self(text.to_uppercase())),
        }
    }
}

#[test]
fn overlays_replace_and_restore_values_in_existing_handles() {
    let store = store(&pack([text("a.txt", "base"), text("b.txt", "base b")]));
    let events = store.events();
    let a: Handle<Text> = store.load(id("a.txt")).unwrap();
    let shouted: Handle<Shouted> = store.load(id("a.txt").into_type()).unwrap();
    let b: Handle<Text> = store.load(id("b.txt")).unwrap();
    let mut watch = a.watch();
    let first = store.mount(overlay([text("a.txt", "first"), text("new.txt", "new")])).unwrap();
    assert_eq!((a.get().as_str(), shouted.get().0.as_str(), b.get().as_str()), ("first", "FIRST", "base b"));
    assert_eq!((a.version(), shouted.version(), b.version()), (2, 2, 1));
    assert_eq!(watch.changed().unwrap().as_str(), "first");
    assert_eq!(store.load(id::<Text>("new.txt")).unwrap().get().as_str(), "new");
    let second = store.mount(overlay([text("a.txt", "second")])).unwrap();
    assert_eq!(a.get().as_str(), "second", "the overlay mounted last comes first");
    assert_eq!(
        store.mounts().to_string(),
        "1. a pack in memory: 1 asset, replaces 1\n2. a pack in memory: 2 assets, replaces 1\n3. a pack in memory: 2 assets\n"
    );
    assert!(store.unmount(first));
    assert_eq!(a.get().as_str(), "second");
    assert!(!store.unmount(first), "it is gone already");
    assert!(store.unmount(second));
    assert_eq!((a.get().as_str(), shouted.get().0.as_str()), ("base", "BASE"));
    assert!(store.load(id::<Text>("new.txt")).is_err());
    let changed = events.try_iter().filter(|event| matches!(event, Event::Changed(_))).count();
    assert_eq!(changed, 8, "a and what was made from it, four times");
}

#[test]
fn a_watcher_collects_what_has_changed_also_if_nothing_is_loaded() {
    let store = store(&pack([text("a.txt", "base"), text("b.txt", "base b")]));
    let watcher = store.watch();
    let changed = || {
        let mut paths: Vec<String> = watcher.changed().into_iter().filter_map(|id| store.path(id)).collect();
        paths.sort();
        paths
    };
    assert!(changed().is_empty());
    let a = store.mount(overlay([text("a.txt", "mod"), text("new.txt", "new")])).unwrap();
    assert_eq!(changed(), ["a.txt", "new.txt"]);
    assert!(changed().is_empty(), "they were taken");
    store.mount(overlay([text("a.txt", "another mod"), text("b.txt", "mod")])).unwrap();
    assert!(store.unmount(a));
    assert_eq!(changed(), ["a.txt", "b.txt"], "each once, and nothing that is gone");
    let late = store.watch();
    assert!(late.changed().is_empty(), "it was not there");
}

#[test]
fn what_is_made_from_a_value_is_made_again_once_for_each_change() {
    let store = store(&pack([text("a.txt", "7")]));
    let mut number = Live::new(&store.load(id::<Text>("a.txt")).unwrap(), |text| text.as_str().parse::<u32>());
    assert_eq!(number.get(), None, "nothing is made before the first update");
    assert_eq!((number.update(), number.update(), number.get()), (Ok(true), Ok(false), Some(&7)));
    let broken = store.mount(overlay([text("a.txt", "seven")])).unwrap();
    assert!(number.update().is_err());
    assert_eq!((number.update(), number.get()), (Ok(false), Some(&7)), "the previous value stays");
    store.mount(overlay([text("a.txt", "8")])).unwrap();
    assert_eq!((number.update(), number.get()), (Ok(true), Some(&8)));
    assert!(store.unmount(broken));
    assert_eq!(number.handle().path(), "a.txt");
    drop(number);
    assert!(store.loaded(id::<Text>("a.txt")).is_none(), "it kept the asset loaded, and nothing else does");
}

#[test]
fn a_value_that_could_not_be_made_at_first_is_made_after_the_next_change() {
    let store = store(&pack([text("a.txt", "seven")]));
    let mut number = Live::new(&store.load(id::<Text>("a.txt")).unwrap(), |text| text.as_str().parse::<u32>());
    assert!(number.update().is_err());
    assert_eq!((number.update(), number.get()), (Ok(false), None), "the error is reported once");
    store.mount(overlay([text("a.txt", "7")])).unwrap();
    assert_eq!((number.update(), number.get()), (Ok(true), Some(&7)));
}

#[test]
fn an_overlay_may_not_change_kind_or_path() {
    let store = store(&pack([text("a.txt", "base"), text("b.txt", "base b")]));
    let other_kind = overlay([text("b.txt", "fine"), image("a.txt", Default::default())]);
    assert_message(
        store.mount(other_kind),
        &[
            "\"a.txt\" (image) would replace \"a.txt\" (text); an overlay replaces an asset only with one of the same path and kind",
        ],
    );
    let other_path = overlay([text("c.txt", "").with_id(rres_format::ResourceId::from_path("a.txt"))]);
    let error = store.mount(other_path).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OverlayConflict { existing, .. } if existing == "a.txt"), "{error}");
    assert_eq!(error.asset().unwrap().path(), "c.txt");
    // A refused overlay changes nothing.
    assert_eq!(store.load(id::<Text>("b.txt")).unwrap().get().as_str(), "base b");
    assert_eq!(store.mounts().to_string().lines().count(), 1);
}

#[test]
fn an_asset_that_fails_to_load_from_an_overlay_keeps_its_value() {
    let store = store(&pack([text("a.txt", "base")]));
    let shouted: Handle<Shouted> = store.load(id("a.txt").into_type()).unwrap();
    let events = store.events();
    let empty = store.mount(overlay([text("a.txt", "")])).unwrap();
    assert_eq!((shouted.get().0.as_str(), shouted.version()), ("BASE", 1));
    let failed: Vec<String> = events
        .try_iter()
        .filter(|event| matches!(event, Event::ReloadFailed { .. }))
        .map(|event| event.to_string())
        .collect();
    assert_eq!(
        failed,
        ["a.txt: reload failed, keeping the previous version: asset \"a.txt\": there is nothing to shout"]
    );
    store.unmount(empty);
    assert_eq!((shouted.get().0.as_str(), shouted.version()), ("BASE", 2));
}

/// Panics if the text is empty.
struct First(char);

impl FromAsset for First {
    type Source = Text;
    type Error = String;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
        Ok(Self(text.as_str().chars().next().expect("there is a character")))
    }
}

#[test]
fn a_panic_while_a_value_is_made_again_is_a_failure_of_this_value_alone() {
    let store = store(&pack([text("a.txt", "a"), text("b.txt", "b"), text("c.txt", "c")]));
    let first = |path: &str| store.load(id(path).into_type::<First>()).unwrap();
    let handles = ["a.txt", "b.txt", "c.txt"].map(first);
    let events = store.events();
    let mount = store.mount(overlay([text("a.txt", "x"), text("b.txt", ""), text("c.txt", "z")])).unwrap();
    assert_eq!(handles.each_ref().map(|handle| handle.get().0), ['x', 'b', 'z']);
    let failed = events.try_iter().find_map(|event| match event {
        Event::ReloadFailed { path, error } => Some((path, error.to_string())),
        _ => None,
    });
    let message = "asset \"b.txt\": `from_asset` panicked: there is a character";
    assert_eq!(failed, Some(("b.txt".to_owned(), message.to_owned())));
    assert!(store.unmount(mount));
    assert_eq!(handles.map(|handle| handle.get().0), ['a', 'b', 'c']);
}

/// Made from the text whose path its own text is.
struct Linked(String);

impl FromAsset for Linked {
    type Source = Text;
    type Error = rres_runtime::Error;

    fn from_asset(text: &Text, store: &Store) -> Result<Self, rres_runtime::Error> {
        Ok(Self(store.load(id::<Text>(text.as_str()))?.get().as_str().to_owned()))
    }
}

#[test]
fn a_value_that_could_not_be_made_again_is_made_when_another_asset_is_the_cure() {
    let store = store(&pack([text("a.txt", "b.txt"), text("b.txt", "base"), text("c.txt", "base")]));
    let linked: Handle<Linked> = store.load(id("a.txt").into_type()).unwrap();
    let events = store.events();
    let failures = || events.try_iter().filter(|event| matches!(event, Event::ReloadFailed { .. })).count();
    store.mount(overlay([text("a.txt", "new.txt")])).unwrap();
    assert_eq!((linked.get().0.as_str(), linked.version(), failures()), ("base", 1, 1));
    store.mount(overlay([text("c.txt", "another")])).unwrap();
    assert_eq!((linked.get().0.as_str(), linked.version(), failures()), ("base", 1, 0), "one message");
    store.mount(overlay([text("new.txt", "new")])).unwrap();
    assert_eq!((linked.get().0.as_str(), linked.version(), failures()), ("new", 2, 0));
    store.mount(overlay([text("c.txt", "a third")])).unwrap();
    assert_eq!(linked.version(), 2, "it is made again once");
}

/// Tries to mount an overlay while it is made.
struct Mounting(String);

impl FromAsset for Mounting {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, store: &Store) -> Result<Self, String> {
        let refused = store.mount(overlay([text("b.txt", "never")])).expect_err("mounting is refused");
        Ok(Self(refused.to_string()))
    }
}

#[test]
fn own_types_cannot_mount_while_they_are_made() {
    let store = store(&pack([text("a.txt", "base")]));
    let made: Handle<Mounting> = store.load(id("a.txt").into_type()).unwrap();
    assert!(made.get().0.contains("cannot be mounted, nor languages set, within `from_asset`"), "{}", made.get().0);
    // Refused also when the value is made again because of a mount, which would wait for itself.
    store.mount(overlay([text("a.txt", "second")])).unwrap();
    assert_eq!((made.version(), store.find("b.txt").is_err()), (2, true));
}

thread_local! {
    /// What the next [`Leaving`] unmounts, and what came of it.
    static TO_UNMOUNT: RefCell<Option<(Store, MountId)>> = const { RefCell::new(None) };
    static WAS_UNMOUNTED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Unmounts an overlay when it is dropped.
struct Leaving;

impl FromAsset for Leaving {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, _: &Store) -> Result<Self, String> {
        Ok(Self)
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if let Some((store, mount)) = TO_UNMOUNT.take() {
            WAS_UNMOUNTED.set(Some(store.unmount(mount)));
        }
    }
}

#[test]
fn a_value_that_a_mount_replaces_may_unmount_when_it_is_dropped() {
    let store = store(&pack([text("a.txt", "base"), text("b.txt", "base")]));
    let first = store.mount(overlay([text("b.txt", "first")])).unwrap();
    let b: Handle<Text> = store.load(id("b.txt")).unwrap();
    let leaving: Handle<Leaving> = store.load(id("a.txt").into_type()).unwrap();
    TO_UNMOUNT.set(Some((store.clone(), first)));
    store.mount(overlay([text("a.txt", "second")])).unwrap();
    assert_eq!((leaving.version(), WAS_UNMOUNTED.get()), (2, Some(true)));
    assert_eq!(b.get().as_str(), "base");
}

#[test]
fn a_failed_load_that_is_still_reserved_is_tried_again_after_a_change() {
    let store = store(&pack([text("a.txt", "")]));
    let pending = store.reserve(id("a.txt").into_type::<Shouted>());
    assert!(pending.wait().is_err());
    store.mount(overlay([text("a.txt", "better")])).unwrap();
    assert_eq!(pending.handle().unwrap().get().0, "BETTER");
}

#[test]
fn a_folder_of_mods_is_listed_by_name() {
    let file = File::new(&pack([text("a.txt", "mod")]));
    let folder = file.path().parent().unwrap().to_owned();
    std::fs::copy(file.path(), folder.join("b mod.rres")).unwrap();
    std::fs::write(folder.join("readme.txt"), "no pack").unwrap();
    assert_eq!(packs_in(&folder).unwrap(), [folder.join("b mod.rres"), folder.join("game.rres")]);
    assert!(packs_in(folder.join("gone")).unwrap().is_empty());
    let store = store(&pack([text("a.txt", "base")]));
    for mod_file in packs_in(&folder).unwrap() {
        store.mount(Pack::open(mod_file).unwrap()).unwrap();
    }
    assert_eq!(store.load(id::<Text>("a.txt")).unwrap().get().as_str(), "mod");
    let order = store.mounts().to_string();
    assert!(order.contains("game: 1 asset, replaces 1") && order.contains("b mod: 1 asset"), "{order}");
}

#[test]
fn a_replaced_overlay_keeps_its_place_and_what_is_alike() {
    let store = store(&pack([text("a.txt", "base"), text("b.txt", "base"), text("c.txt", "base")]));
    let handles: Vec<Handle<Text>> =
        ["a.txt", "b.txt", "c.txt"].map(|path| store.load(id::<Text>(path)).unwrap()).into();
    let values = || handles.iter().map(|handle| handle.get().as_str().to_owned()).collect::<Vec<_>>();
    let versions = || handles.iter().map(Handle::version).collect::<Vec<_>>();
    let lower = store.mount(overlay([text("a.txt", "1"), text("b.txt", "1"), text("c.txt", "1")])).unwrap();
    let upper = store.mount(overlay([text("a.txt", "upper")])).unwrap();
    assert_eq!((values(), versions()), (vec!["upper".into(), "1".into(), "1".into()], vec![3, 2, 2]));
    let other_kind = overlay([image("b.txt", Default::default())]);
    assert!(store.replace(lower, other_kind).is_err());
    assert_eq!(versions(), [3, 2, 2], "nothing has changed");
    let lower = store.replace(lower, overlay([text("a.txt", "2"), text("b.txt", "1")])).unwrap();
    assert_eq!(values(), ["upper", "1", "base"], "the other overlay is still above");
    assert_eq!(versions(), [3, 2, 3], "what is alike is not loaded again");
    assert!(store.unmount(upper));
    assert_eq!(values(), ["2", "1", "base"]);
    assert!(store.unmount(lower));
    let new = store.replace(lower, overlay([text("c.txt", "3")])).unwrap();
    assert_eq!(values(), ["base", "base", "3"], "it was not mounted, so the pack is mounted over all");
    assert!(store.unmount(new));
}

#[test]
fn packs_with_other_assets_have_other_checksums() {
    let of = |content: &str| store(&pack([text("a.txt", content)])).mounts().checksums();
    assert_eq!((of("a").len(), of("a")), (1, of("a")));
    assert_ne!(of("a"), of("b"));
}
