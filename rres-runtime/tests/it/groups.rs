//! Groups: loading many assets at once, with progress, errors and cancelling; switching and unloading.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rres_format::index::GroupSpec;
use rres_format::{Compression, PackBuilder, Resource, ResourceId};
use rres_runtime::__private::AssetType;
use rres_runtime::{
    AnyId, AssetKind, AssetList, ErrorKind, Group, Handle, Id, Image, Loading, PackOptions, Priority, Progress, Raw,
    Slot, Store, Text,
};
use rres_test_support::wait;

use super::assets::{chunk, image, pack, raw, text};
use super::lifetime::block_on;
use super::{File, id, open_with_types, store, until_empty};

#[derive(Clone, Copy, Debug)]
enum All {}

const fn text_id(id: u32) -> Id<Text> {
    Id::new(ResourceId(id), Slot(0))
}

fn any(id: u32) -> AnyId {
    text_id(id).into()
}

/// A store of texts with the ids 1 to `count`.
fn texts(count: u32) -> Store {
    store(&pack((1..=count).map(|i| text(&format!("{i}.txt"), &"text ".repeat(i as usize)).with_id(ResourceId(i)))))
}

const ALL: Group<All> = Group::new("all", &[1, 2, 3, 4, 5, 6, 7, 8]);
const LEFT: Group = Group::new("left", &[1, 2, 3, 4]);
const RIGHT: Group = Group::new("right", &[3, 4, 5, 6]);

/// A pack that was shipped with `--strip-unused` has a group of that name.
#[test]
fn a_path_that_a_stripped_pack_lacks_has_an_error_of_its_own() {
    let pack_with = |groups: &[&str]| {
        let mut pack = PackBuilder::new();
        pack.push(text("kept.txt", "kept").with_id(ResourceId(1)));
        groups.iter().for_each(|name| pack.push_group(GroupSpec { name: (*name).to_owned(), members: Vec::new() }));
        store(&pack)
    };
    let stripped = pack_with(&["rres:stripped"]);
    for error in [stripped.find("ui/gone.txt").unwrap_err(), stripped.find_typed::<Text>("ui/gone.txt").unwrap_err()] {
        assert!(matches!(error.kind(), ErrorKind::Stripped { path } if path == "ui/gone.txt"));
        assert!(
            error.to_string().contains("ship the game with --keep \"ui/gone.txt\" beside --strip-unused"),
            "{error}"
        );
    }
    assert!(matches!(stripped.folder("ui").unwrap_err().kind(), ErrorKind::Stripped { path } if path == "ui/**"));
    assert!(stripped.find("kept.txt").is_ok());
    assert!(matches!(pack_with(&[]).find("ui/gone.txt").unwrap_err().kind(), ErrorKind::NoSuchPath { .. }));
}

#[test]
fn a_group_gives_its_members_and_frees_them() {
    let store = texts(9);
    let group = store.load_group(ALL).wait().unwrap();
    let third: Handle<Text> = group.get(const { ALL.member(text_id(3)) });
    assert_eq!(third.get().as_str(), "text text text ");
    assert_eq!(group.find(text_id(4)).unwrap().path(), "4.txt");
    assert!(group.find(text_id(9)).is_none(), "not a member");
    assert_eq!((group.name(), group.iter().len(), store.stats().assets), ("all", 8, 8));
    assert!(group.bytes() > 8 * 16);
    drop(group);
    assert_eq!(store.stats().assets, 1);
    drop(third);
    assert_eq!((store.stats().assets, store.stats().bytes), (0, 0));
}

#[test]
fn folders_and_lists_are_groups_too() {
    let store = store(&pack([text("ui/a.txt", "a"), text("ui/deep/b.txt", "b"), text("uix.txt", "c")]));
    let paths = |members: AssetList| -> Vec<String> {
        store.load_group(members).wait().unwrap().iter().map(|handle| handle.path().to_owned()).collect()
    };
    assert_eq!(paths(store.folder("ui").unwrap().into()), ["ui/a.txt", "ui/deep/b.txt"]);
    assert_eq!(paths(store.folder("ui/deep/").unwrap().into()), ["ui/deep/b.txt"]);
    assert_eq!(paths([store.find("uix.txt").unwrap()].into_iter().collect()), ["uix.txt"]);
    assert_eq!(paths(Vec::<AnyId>::new().into()), [""; 0]);
}

#[test]
fn a_folder_that_no_asset_is_in_is_an_error() {
    let store = store(&pack([text("ui/a.txt", "a"), text("ui/deep/b.txt", "b"), text("uix.txt", "c")]));
    for (folder, near) in [
        ("uj", Some("ui")),
        ("deep", Some("ui/deep")),
        ("ui/dep/", Some("ui/deep")),
        ("levels/none", None),
        ("ui/a.txt", None),
        ("../ui", Some("ui")),
        ("/", Some("ui")),
    ] {
        let error = store.folder(folder).unwrap_err();
        let ErrorKind::NoSuchFolder { folder: named, nearest } = error.kind() else { panic!("{error}") };
        assert_eq!((named.as_str(), nearest.as_deref()), (folder, near.filter(|_| folder != "/")), "{error}");
    }
    assert_eq!(store.folder("uj").unwrap_err().to_string(), "no asset is in the folder \"uj\"; did you mean \"ui\"?");
    let all = |folder: &str| store.folder(folder).unwrap().len();
    assert_eq!([all(""), all("."), all("./ui"), all("ui\\deep"), all("ui/../ui")], [3, 3, 2, 1, 2]);
    assert!(Store::from_packs([]).folder("").unwrap().is_empty());
}

#[test]
fn a_group_is_found_by_its_name() {
    let id = |path: &str| ResourceId::from_path(path);
    let mut game = pack([text("b.txt", "b"), text("a.txt", "a"), text("c.txt", "c")]);
    game.push_group(GroupSpec { name: "level_1".to_owned(), members: vec![id("b.txt"), id("a.txt")] });
    game.push_group(GroupSpec { name: "level_2".to_owned(), members: vec![id("c.txt")] });
    let store = store(&game);
    let level = store.load_group(store.group("level_1").unwrap()).wait().unwrap();
    let paths: Vec<&str> = level.iter().map(|handle| handle.path()).collect();
    assert_eq!((level.name(), paths), ("level_1", vec!["a.txt", "b.txt"]));
    let error = store.group("level1").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoSuchGroup { nearest: Some(near), .. } if near == "level_1"), "{error}");
    assert_eq!(error.to_string(), "no group is called \"level1\"; did you mean \"level_1\"?");
    let error = store.group("music").unwrap_err();
    assert_eq!(error.to_string(), "no group is called \"music\"");
    assert_eq!(store.stats().assets, 2, "nothing was made for a group that does not exist");
}

#[test]
fn check_3_5_6_progress_is_exact_from_the_start_and_only_grows() {
    // 200 assets. Some depend on another one, which is not in the group.
    let mut resources: Vec<Resource<'static>> = (0..200u32)
        .map(|i| {
            let resource = raw(&format!("{i}.bin"), &vec![i as u8; 1000]).with_id(ResourceId(i + 1));
            Resource { dependencies: if i % 50 == 0 { vec![ResourceId(1000)] } else { Vec::new() }, ..resource }
        })
        .collect();
    resources.push(image("needed.png", Default::default()).with_id(ResourceId(1000)));
    let store = store(&pack(resources));
    let members: AssetList = (1..=200).map(|id| AnyId::new(ResourceId(id), Slot(0), AssetKind::Raw)).collect();
    let mut loading = store.load_group(members);
    let total = loading.progress();
    assert_eq!(total.assets_total, 201);
    let stored: u64 = store.mounts().entries().map(|entry| u64::from(entry.stored_size)).sum();
    assert_eq!(total.bytes_total, stored);
    let mut last = Progress::default();
    let group = loop {
        let now = loading.progress();
        assert!(now.assets >= last.assets && now.bytes >= last.bytes, "{now:?} after {last:?}");
        assert_eq!((now.assets_total, now.bytes_total), (total.assets_total, total.bytes_total));
        last = now;
        if let Some(group) = loading.poll() {
            break group.unwrap();
        }
        std::thread::yield_now();
    };
    let done = loading.progress();
    assert!(done.is_done() && done.bytes == stored && done.failed == 0 && done.fraction() == 1.0, "{done:?}");
    assert_eq!((group.iter().len(), store.stats().assets), (200, 201));
}

#[test]
fn check_3_5_6_each_error_names_its_asset_and_the_rest_loads() {
    let mut bytes =
        pack((1..=8).map(|i| text(&format!("{i}.txt"), &format!("text {i}")).with_id(ResourceId(i)))).to_vec().unwrap();
    for broken in ["text 3", "text 7"] {
        let at = bytes.windows(6).position(|window| window == broken.as_bytes()).unwrap();
        bytes[at] ^= 1;
    }
    let store = Store::from_packs([rres_runtime::PackOptions::default().from_bytes(bytes).unwrap()]);
    let error = store.load_group(ALL).wait().unwrap_err();
    let mut said: Vec<String> = error.errors().iter().map(ToString::to_string).collect();
    said.sort();
    assert_eq!(said.len(), 2, "{error}");
    assert!(said[0].starts_with("asset \"3.txt\"") && said[1].starts_with("asset \"7.txt\""), "{said:?}");
    assert!(said.iter().all(|text| text.contains("crc32 is")), "{said:?}");
    assert!(error.to_string().starts_with("group \"all\": 2 of 8 assets are not loaded:\n  asset"), "{error}");
    let rest = error.into_rest();
    assert_eq!(rest.iter().len(), 6);
    assert_eq!(rest.find(text_id(8)).unwrap().get().as_str(), "text 8");
    // An asset that does not exist is an error, too.
    let missing = store.load_group([any(77), any(1)]).wait().unwrap_err();
    assert!(matches!(missing.errors()[0].kind(), ErrorKind::NotFound { id: ResourceId(77), .. }), "{missing}");
    assert_eq!(missing.into_rest().iter().len(), 1);
}

#[test]
fn check_3_5_6_cancelling_stops_within_one_asset_per_thread_and_is_reported() {
    let store = texts(5000);
    let members: AssetList = (1..=5000).map(any).collect();
    let loading = store.load_group(members.clone());
    loading.cancel();
    let begun = loading.progress().assets;
    let error = loading.wait().unwrap_err();
    assert!(matches!(error.errors().last().unwrap().kind(), ErrorKind::Cancelled), "{error}");
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let text = error.to_string();
    let loaded = error.into_rest();
    let not_loaded = 5000 - loaded.iter().len();
    assert!(text.starts_with(&format!("{not_loaded} of 5000 assets are not loaded:\n")), "{text}");
    assert!(loaded.iter().len() <= begun + threads, "{} after {begun}", loaded.iter().len());
    drop(loaded);
    // Dropping cancels, too. A cancelled asset can be loaded again.
    drop(store.load_group(members));
    let group = store.load_group([any(4999)]).wait().unwrap();
    assert_eq!(group.iter().len(), 1);
    drop(group);
    until_empty(&store);
}

#[test]
fn check_3_5_3_switching_loads_only_new_members_and_frees_the_others() {
    let store = texts(6);
    let shared = store.load(text_id(3)).unwrap();
    let left = store.load_group(LEFT).wait().unwrap();
    assert_eq!((store.stats().loads, store.stats().assets), (4, 4));
    let right = left.switch_to(RIGHT).wait().unwrap();
    assert_eq!(store.stats().loads, 6, "5 and 6 are new, 3 and 4 were loaded");
    assert_eq!(right.bytes(), store.stats().bytes, "nothing else is left");
    let alive: Vec<String> = store.dump().rows.into_iter().map(|row| row.path).collect();
    assert_eq!(alive, ["3.txt", "4.txt", "5.txt", "6.txt"]);
    assert_eq!(right.find(text_id(3)).unwrap(), shared);
    drop(right);
    assert_eq!(store.stats().assets, 1, "the handle outside keeps its asset");
    drop(shared);
    assert_eq!((store.stats().assets, store.stats().bytes), (0, 0));
}

#[test]
fn switching_keeps_what_members_of_both_groups_depend_on() {
    let model = |path, id| Resource { dependencies: vec![ResourceId(1)], ..text(path, "").with_id(ResourceId(id)) };
    let skin = text("skin.txt", "1").with_id(ResourceId(1));
    let store = store(&pack([skin, model("models/fox", 10), model("models/wolf", 11)]));
    let foxes = store.load_group([any(10)]).wait().unwrap();
    let before = store.stats().loads;
    let wolves = foxes.switch_to([any(11)]).wait().unwrap();
    assert_eq!(store.stats().loads, before + 1, "the skin was there");
    assert_eq!(store.stats().assets, 2);
    drop(wolves);
    assert_eq!(store.stats().assets, 0);
}

#[test]
fn check_3_5_5_unloading_is_refused_while_something_else_holds_a_member() {
    let model = Resource { dependencies: vec![ResourceId(1)], ..text("models/fox", "").with_id(ResourceId(10)) };
    let store = store(&pack([text("1.txt", "1").with_id(ResourceId(1)), model]));
    let textures = store.load_group([any(1)]).wait().unwrap();
    let models = store.load_group([any(10)]).wait().unwrap();
    let handle = store.load(text_id(1)).unwrap();
    let refused = textures.unload().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "group \"\" is not unloaded:\n  \"1.txt\" is held by \"models/fox\" and 1 other reference"
    );
    let textures = refused.into_group();
    drop(handle);
    let refused = textures.unload().unwrap_err();
    assert!(refused.to_string().ends_with("\"1.txt\" is held by \"models/fox\""), "{refused}");
    // Dropping the group lets go of it; the model keeps what it depends on.
    drop(refused.into_group());
    assert_eq!(store.stats().assets, 2);
    models.unload().unwrap();
    assert_eq!((store.stats().assets, store.stats().bytes), (0, 0));
    // A group that contains both frees both.
    store.load_group([any(1), any(10)]).wait().unwrap().unload().unwrap();
}

#[test]
fn a_group_that_lists_an_asset_twice_unloads() {
    let store = texts(2);
    let group = store.load_group([any(1), any(2), any(1)]).wait().unwrap();
    assert_eq!((group.iter().len(), store.stats().assets), (3, 2));
    let handle = store.load(text_id(1)).unwrap();
    let refused = group.unload().unwrap_err();
    assert_eq!(refused.to_string(), "group \"\" is not unloaded:\n  \"1.txt\" is held by 1 other reference");
    drop(handle);
    refused.into_group().unload().unwrap();
    assert_eq!(store.stats().assets, 0);
}

#[test]
fn groups_can_be_awaited_without_a_runtime_and_waited_for_with_a_deadline() {
    let store = texts(8);
    let group = block_on(store.load_group(ALL)).unwrap();
    assert_eq!(group.iter().len(), 8);
    drop(group);
    let mut loading = store.load_group_with(ALL, Priority::High);
    loading.set_priority(Priority::Low);
    let group = loading.wait_for(wait::LIMIT).expect("it loads").unwrap();
    assert_eq!(group.iter().len(), 8);
}

#[test]
fn a_group_is_handed_out_once() {
    let store = texts(8);
    let polled = || {
        let mut loading = store.load_group(ALL);
        let group = loop {
            if let Some(outcome) = loading.poll() {
                break outcome.unwrap();
            }
            std::thread::yield_now();
        };
        // A game may go on polling once a frame.
        assert!(loading.poll().is_none() && loading.poll().is_none());
        assert!(loading.wait_for(Duration::from_millis(1)).is_none());
        assert_eq!((group.iter().len(), loading.progress().assets), (8, 8));
        loading
    };
    for error in [polled().wait().unwrap_err(), block_on(polled()).unwrap_err()] {
        assert!(matches!(error.errors(), [error] if matches!(error.kind(), ErrorKind::GroupTaken)), "{error}");
        assert_eq!(error.to_string(), "group \"all\": the group was handed out already");
    }
    assert_eq!(store.stats().assets, 0, "a `Loading` that has handed out its group keeps nothing alive");
}

static GO: AtomicBool = AtomicBool::new(false);
/// How many threads wait for it.
static BLOCKED: AtomicUsize = AtomicUsize::new(0);

/// Blocks the thread that makes it until `GO` is set.
#[derive(Debug)]
struct Gatekeeper;

impl rres_runtime::FromAsset for Gatekeeper {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, _: &Store) -> Result<Self, String> {
        BLOCKED.fetch_add(1, Ordering::Relaxed);
        while !GO.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        Ok(Self)
    }
}

#[test]
fn a_group_of_higher_priority_is_loaded_first() {
    let store = texts(200);
    // All threads of the pool are blocked until both groups are queued.
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let busy: Vec<_> = (0..threads).map(|i| store.reserve(text_id(150 + i as u32).into_type::<Gatekeeper>())).collect();
    busy.iter().for_each(|pending| pending.start());
    wait::until("all threads are blocked", || BLOCKED.load(Ordering::Relaxed) == threads);
    let later: Loading = store.load_group_with((1..=50).map(any).collect::<AssetList>(), Priority::Low);
    let mut first: Loading = store.load_group_with((51..=100).map(any).collect::<AssetList>(), Priority::High);
    assert_eq!((later.progress().assets, first.progress().assets), (0, 0));
    GO.store(true, Ordering::Relaxed);
    let done = first.wait_for(wait::LIMIT).expect("it loads").unwrap();
    assert_eq!(done.iter().len(), 50);
    let _rest = later.wait().unwrap();
    drop(busy);
}

#[test]
fn large_and_compressed_assets_load_in_groups() {
    if !rres_format::Compression::ZSTD.is_enabled() {
        return;
    }
    let bytes: Vec<u8> = (0..6_000_000u32).map(|i| (i / 1000) as u8).collect();
    let block = rres_format::chunk::raw::raw_block(".bin", &bytes);
    let large = |path: &str| {
        Resource::new(path, vec![chunk(rres_format::FourCc::RAWD, &block, rres_format::Compression::ZSTD)])
    };
    let store = store(&pack([large("a.bin"), large("b.bin"), large("c.bin")]));
    let ids: Vec<AnyId> = store.mounts().entries().map(|entry| entry.id).collect();
    let group = store.load_group(ids).wait().unwrap();
    for handle in group.iter() {
        assert!(handle.downcast::<Raw>().unwrap().get().bytes() == bytes, "{}", handle.path());
    }
}

#[test]
fn a_program_knows_the_types_of_its_own_assets_and_all_types_if_it_mounts_other_packs() {
    let own = File::new(&pack([text("a.txt", "a"), image("b.png", Compression::NONE)]).set_hash([3; 16]));
    let store = open_with_types(own.dir.path(), PackOptions::default(), const { &[AssetType::of::<Text>()] }).unwrap();
    let group = |folder: &str| store.load_group(AssetList::from(store.folder(folder).unwrap())).wait();
    let error = group("").unwrap_err();
    let kinds: Vec<_> = error.errors().iter().map(rres_runtime::Error::kind).collect();
    assert!(matches!(kinds[..], [ErrorKind::UnknownKind]), "{error}");
    // An id of the program has a type.
    assert_eq!(store.load(id::<Image>("b.png")).unwrap().get().mipmaps(), 1);

    store.mount(PackOptions::default().from_bytes(pack([raw("mod/c.dat", b"c")]).to_vec().unwrap()).unwrap()).unwrap();
    assert_eq!(group("").unwrap().iter().len(), 3);
}
