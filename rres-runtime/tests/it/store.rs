//! Sharing and freeing assets, the program's own types, links.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rres_format::chunk::link::link_block;
use rres_format::{FourCc, Resource};
use rres_runtime::{AnyHandle, ErrorKind, FromAsset, Handle, Link, LinkError, Pack, Raw, Store, Text};

use super::assets::{image, pack, plain, raw, text};
use super::{assert_message, id, store};

#[test]
fn all_types_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Store>();
    shared::<Pack>();
    shared::<Handle<rres_runtime::Image>>();
    shared::<rres_runtime::WeakHandle<rres_runtime::Image>>();
    shared::<rres_runtime::ChangeWatcher<rres_runtime::Image>>();
    shared::<rres_runtime::PendingAsset<rres_runtime::Image>>();
    shared::<rres_runtime::Loading>();
    shared::<rres_runtime::LoadedGroup>();
    shared::<rres_runtime::Events>();
    shared::<rres_runtime::Stream>();
    shared::<rres_runtime::Error>();
    shared::<rres_runtime::Id<std::rc::Rc<()>>>();
}

#[test]
fn two_loads_share_one_asset_and_the_last_handle_frees_it() {
    let store = store(&pack([text("a.txt", "text")]));
    let one = store.load(id::<Text>("a.txt")).unwrap();
    let two = store.load(id::<Text>("a.txt")).unwrap();
    assert!(Arc::ptr_eq(&one.get(), &two.get()));
    assert!(Arc::ptr_eq(&one.clone().get(), &two.get()));
    assert_eq!((one.path(), one.resource()), ("a.txt", id::<Text>("a.txt").resource()));
    let weak = Arc::downgrade(&one.get());
    drop(one);
    assert!(weak.upgrade().is_some(), "the second handle keeps it");
    drop(two);
    assert!(weak.upgrade().is_none(), "nobody keeps it");
}

#[test]
fn a_store_tells_the_path_of_an_id() {
    let store = store(&pack([text("ui/a.txt", "text")]));
    let any = rres_runtime::AnyId::from(id::<Text>("ui/a.txt"));
    assert_eq!(
        (store.path(id::<Text>("ui/a.txt")), store.path(any)),
        (Some("ui/a.txt".into()), Some("ui/a.txt".into()))
    );
    assert_eq!(store.path(id::<Text>("b.txt")), None);
}

#[test]
fn handles_are_keys_of_maps() {
    let store = store(&pack([text("a.txt", "a"), text("b.txt", "b")]));
    let load = |path| store.load(id::<Text>(path)).unwrap();
    #[allow(clippy::mutable_key_type, reason = "handles are compared by their asset, not by its value")]
    let textures = HashMap::from([(load("a.txt"), 1), (load("b.txt"), 2)]);
    assert_eq!(textures.get(&load("b.txt")), Some(&2));
    let any: HashSet<AnyHandle> = textures.into_keys().map(AnyHandle::from).collect();
    assert!(any.contains(&load("a.txt").into()) && any.len() == 2);
}

static MADE: AtomicUsize = AtomicUsize::new(0);

struct Counted(String);

impl FromAsset for Counted {
    type Source = Text;
    type Error = String;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
        MADE.fetch_add(1, Ordering::Relaxed);
        Ok(Self(text.as_str().to_owned()))
    }
}

#[test]
fn a_freed_asset_is_made_again() {
    let store = store(&pack([text("a.txt", "text")]));
    let made = || MADE.load(Ordering::Relaxed);
    let before = made();
    let handle: Handle<Counted> = store.load(id("a.txt").into_type()).unwrap();
    let again: Handle<Counted> = store.load(id("a.txt").into_type()).unwrap();
    assert_eq!((made() - before, again.get().0.as_str()), (1, "text"));
    drop((handle, again));
    let _third: Handle<Counted> = store.load(id("a.txt").into_type()).unwrap();
    assert_eq!(made() - before, 2);
}

/// Loads another asset while it is made.
#[derive(Debug)]
struct Level {
    rows: usize,
    tiles: Handle<rres_runtime::Image>,
}

#[derive(Debug)]
struct LevelError(std::num::ParseIntError);

impl std::fmt::Display for LevelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("line 1 is not a number of rows")
    }
}

impl std::error::Error for LevelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl FromAsset for Level {
    type Source = Text;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn from_asset(text: &Text, store: &Store) -> Result<Self, Self::Error> {
        let rows = text.as_str().trim().parse().map_err(LevelError)?;
        Ok(Self { rows, tiles: store.load(id("tiles.png"))? })
    }
}

#[test]
fn own_types_can_load_other_assets() {
    let store = store(&pack([text("1.txt", "12\n"), image("tiles.png", Default::default())]));
    let level: Handle<Level> = store.load(id("1.txt").into_type()).unwrap();
    assert_eq!((level.get().rows, level.path()), (12, "1.txt"));
    assert!(Arc::ptr_eq(&level.get().tiles.get(), &store.load(id("tiles.png")).unwrap().get()));
}

#[test]
fn errors_of_own_types_name_the_path_and_keep_their_cause() {
    let store = store(&pack([text("levels/1.txt", "twelve"), text("levels/2.txt", "1")]));
    let error = store.load(id("levels/1.txt").into_type::<Level>()).unwrap_err();
    assert_eq!(error.to_string(), "asset \"levels/1.txt\": line 1 is not a number of rows");
    assert!(matches!(error.kind(), ErrorKind::Conversion(_)));
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "invalid digit found in string");
    // An asset that `from_asset` cannot load is named, too.
    assert_message(
        store.load(id("levels/2.txt").into_type::<Level>()),
        &["asset \"levels/2.txt\": no asset with the id "],
    );
}

#[test]
fn one_asset_can_be_loaded_as_several_types() {
    let store = store(&pack([text("a.txt", "7"), image("tiles.png", Default::default())]));
    let text: Handle<Text> = store.load(id("a.txt")).unwrap();
    let level: Handle<Level> = store.load(id("a.txt").into_type()).unwrap();
    assert_eq!((text.get().as_str(), level.get().rows), ("7", 7));
}

#[test]
fn assets_outlive_their_store() {
    let store = store(&pack([raw("a.bin", b"kept")]));
    let handle: Handle<Raw> = store.load(id("a.bin")).unwrap();
    drop(store);
    assert_eq!(handle.get().bytes(), b"kept");
}

fn link(path: &str, to: &str) -> Resource<'static> {
    Resource::new(path, vec![plain(FourCc::LINK, &link_block(to))])
}

#[test]
fn links_lead_only_to_files_beside_the_program() {
    let exe = std::env::current_exe().unwrap();
    let name = exe.file_name().unwrap().to_str().unwrap();
    let outside =
        ["../secret.txt", "a/../../secret.txt", "/etc/passwd", r"..\secret.txt", r"C:\secret.txt", "\\x", "", "a\nb"];
    let links = outside.iter().enumerate().map(|(i, to)| link(&format!("bad {i}"), to));
    let store =
        store(&pack(links.chain([link("good", name), link("dots", &format!("./{name}")), link("gone", "gone.mp4")])));
    let follow = |path: &str| {
        let link: Handle<Link> = store.load(id(path)).unwrap();
        store.follow(&link.get())
    };
    assert_eq!(store.base_dir().as_deref(), exe.parent());
    assert_eq!(follow("good").unwrap(), exe);
    assert_eq!(follow("dots").unwrap(), exe);
    assert_message(follow("gone"), &["link to \"gone.mp4\" leads to ", "which does not exist"]);
    for (i, to) in outside.iter().enumerate() {
        let error = follow(&format!("bad {i}")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BadLink { reason: LinkError::Path(_), .. }), "{to:?}: {error}");
        assert!(error.to_string().contains("is not followed"), "{to:?}: {error}");
    }
}
