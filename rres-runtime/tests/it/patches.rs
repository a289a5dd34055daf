//! Patches: what they add, change and remove, what they fit, and that hostile ones do no harm.

use rres_format::delta::{DeltaSpec, DeltaTarget};
use rres_format::index::GroupSpec;
use rres_format::patch::{PackIdentity, PatchSpec, TargetPack};
use rres_format::{Compression, Header, PackBuilder, PackView, Resource, ResourceId, StoredChunk};
use rres_runtime::{ErrorKind, Event, Handle, Pack, PackOptions, Raw, Store, Text};
use rres_test_data::damage::{BITS, cuts, flipped};

use super::assets::{pack, raw, text};
use super::{assert_message, id};

/// What identifies a pack. The runtime does not read the hash.
pub(crate) fn identity(pack: &[u8]) -> PackIdentity {
    let index = PackView::parse(pack).unwrap().chunk_at(Header::SIZE as u32).unwrap();
    PackIdentity { index_crc: index.info.crc32, size: pack.len() as u64, hash: [0; 32] }
}

/// A patch from `old` to `new`.
pub(crate) fn patch(old: &[u8], new: &[u8], resources: Vec<Resource<'_>>, removed: &[&str]) -> Vec<u8> {
    patch_with_groups(old, new, resources, removed, Vec::new())
}

fn patch_with_groups(
    old: &[u8],
    new: &[u8],
    resources: Vec<Resource<'_>>,
    removed: &[&str],
    groups: Vec<GroupSpec>,
) -> Vec<u8> {
    let mut removed: Vec<ResourceId> = removed.iter().map(|path| ResourceId::from_path(path)).collect();
    removed.sort_unstable();
    let target = TargetPack {
        identity: identity(new),
        reserved: 0,
        additional_packs: 0,
        shares_equal: false,
        has_directory: true,
        steps: Vec::new(),
    };
    let spec = PatchSpec { base: vec![identity(old)], targets: vec![target], removed, groups, ..PatchSpec::default() };
    let set_hash = PackView::parse(new).unwrap().index().unwrap().set_hash();
    let mut builder = PackBuilder::new().set_hash(set_hash).patch(spec.block());
    resources.into_iter().for_each(|resource| builder.push(resource));
    builder.to_vec().unwrap()
}

/// The resource `path` of `new`, as its difference from the resource `base` of `old`.
fn delta(old: &[u8], base: &str, new: &[u8], path: &str) -> Resource<'static> {
    let find = |pack, path: &str| PackView::parse(pack).unwrap().find(ResourceId::from_path(path)).unwrap().unwrap();
    let (before, after) = (find(old, base), find(new, path));
    let block =
        |chunk: rres_format::ChunkView<'_>| chunk.decode(&mut Default::default()).unwrap().into_bytes().into_owned();
    let target = DeltaTarget {
        compression: after.info.compression,
        level: 0,
        packed_size: after.info.packed_size,
        packed_crc: after.info.crc32,
    };
    let spec = DeltaSpec { base: ResourceId::from_path(base), base_chunk: 0, base_block: &block(before), target };
    let stored = spec.encode(&block(after), 19).unwrap();
    let kind = PackOptions::default()
        .from_bytes(new)
        .unwrap()
        .entries()
        .find(|entry| entry.path == path)
        .unwrap()
        .kind
        .unwrap();
    let resource = Resource::new(path, vec![StoredChunk::delta(after, stored).unwrap()]).with_kind(kind);
    assert_eq!(resource.chunks[0].info().compression, Compression::DELTA);
    resource
}

/// A text that compresses badly and differs by its number in one place.
fn long(number: u32) -> String {
    let words: String = (0..2000u32).map(|i| format!("{:x} ", i.wrapping_mul(2_654_435_761))).collect();
    format!("{words}version {number} {words}")
}

fn open(bytes: &[u8]) -> Pack {
    PackOptions::default().from_bytes(bytes).unwrap()
}

/// Three versions of a game: in the second, one text changes, one is removed and one is added; in the third, two change.
fn versions() -> [Vec<u8>; 3] {
    let version = |resources: Vec<Resource<'static>>, hash| pack(resources).set_hash([hash; 16]).to_vec().unwrap();
    [
        version(vec![text("long.txt", &long(1)), text("same.txt", "same"), text("gone.txt", "gone")], 1),
        version(vec![text("long.txt", &long(2)), text("same.txt", "same"), text("new.txt", "new")], 2),
        version(vec![text("long.txt", &long(3)), text("same.txt", "same"), text("new.txt", "newer")], 3),
    ]
}

fn first_patch() -> Vec<u8> {
    let [one, two, _] = versions();
    patch(&one, &two, vec![delta(&one, "long.txt", &two, "long.txt"), text("new.txt", "new")], &["gone.txt"])
}

fn second_patch() -> Vec<u8> {
    let [_, two, three] = versions();
    patch(&two, &three, vec![delta(&two, "long.txt", &three, "long.txt"), text("new.txt", "newer")], &[])
}

/// What a store contains, by path.
fn contents(store: &Store) -> Vec<(String, String)> {
    let load = |id: rres_runtime::AnyId| store.load(id.typed::<Text>().unwrap()).unwrap().get().as_str().to_owned();
    let mounts = store.mounts();
    let mut contents: Vec<_> = mounts.entries().map(|entry| (entry.path.to_owned(), load(entry.id))).collect();
    contents.sort();
    contents
}

fn contents_of(bytes: &[u8]) -> Vec<(String, String)> {
    contents(&Store::from_packs([open(bytes)]))
}

#[test]
fn a_mounted_patch_gives_exactly_the_assets_of_the_new_pack() {
    let [one, two, _] = versions();
    let store = Store::from_packs([open(&one)]);
    let changed: Handle<Text> = store.load(id("long.txt")).unwrap();
    let removed: Handle<Text> = store.load(id("gone.txt")).unwrap();
    let events = store.events();
    let bytes = first_patch();
    assert!(bytes.len() < one.len() / 10, "{} bytes for a difference in one place", bytes.len());
    let mounted = store.mount(open(&bytes)).unwrap();
    assert_eq!(contents(&store), contents_of(&two));
    assert_eq!(changed.get().as_str(), long(2));
    assert!(store.find("gone.txt").is_err() && store.folder("").unwrap().len() == 3);
    assert!(matches!(store.load(id::<Text>("gone.txt")), Ok(handle) if handle.version() == 1), "it is still held");
    assert_eq!(removed.get().as_str(), "gone");
    let failed = |event: &Event| matches!(event, Event::ReloadFailed { .. });
    assert_eq!(events.try_iter().filter(failed).count(), 1, "the handle of the removed asset keeps its value");
    drop(removed);
    assert!(matches!(store.load(id::<Text>("gone.txt")).unwrap_err().kind(), ErrorKind::NotFound { .. }));
    let order = store.mounts().to_string();
    assert_eq!(order, "1. a pack in memory: 2 assets, replaces 1, removes 1\n2. a pack in memory: 3 assets\n");
    assert!(store.unmount(mounted));
    assert_eq!((contents(&store), changed.get().as_str()), (contents_of(&one), &*long(1)));
}

#[test]
fn patches_chain_in_their_order_and_no_other() {
    let [one, two, three] = versions();
    let store = Store::from_packs([open(&one)]);
    let wrong = ["the patch was made for another version than the mounted pack", "remove the patch"];
    assert_message(store.mount(open(&second_patch())), &wrong);
    assert_eq!(contents(&store), contents_of(&one), "a refused patch changes nothing");
    let first = store.mount(open(&first_patch())).unwrap();
    assert_message(store.mount(open(&first_patch())), &wrong);
    let second = store.mount(open(&second_patch())).unwrap();
    assert_eq!(contents(&store), contents_of(&three), "a difference from a difference");
    assert!(!store.unmount(first), "the second patch needs it");
    assert!(store.unmount(second) && contents(&store) == contents_of(&two));
    assert!(store.unmount(first) && contents(&store) == contents_of(&one));
    // Both at once, under one id.
    let both = store.mount_set([open(&first_patch()), open(&second_patch())]).unwrap();
    assert_eq!(contents(&store), contents_of(&three));
    assert!(store.unmount(both) && contents(&store) == contents_of(&one));
    assert_message(store.mount_set([open(&second_patch()), open(&first_patch())]), &wrong);
    assert_eq!(contents(&store), contents_of(&one));
}

#[test]
fn the_dump_has_the_groups_of_the_newest_patch() {
    let group = |name: &str, paths: &[&str]| {
        let members = paths.iter().map(|path| ResourceId::from_path(path)).collect();
        GroupSpec { name: name.to_owned(), members }
    };
    let mut one = pack([text("a.txt", "a"), text("b.txt", "b")]);
    one.push_group(group("forest", &["a.txt", "b.txt"]));
    let one = one.to_vec().unwrap();
    let two = pack([text("a.txt", "a"), text("b.txt", "b"), text("c.txt", "c")]).to_vec().unwrap();
    let three = pack([text("a.txt", "a"), text("b.txt", "b"), text("c.txt", "new")]).to_vec().unwrap();
    let groups = vec![group("castle", &["b.txt", "c.txt"]), group("forest", &["a.txt", "c.txt"])];
    let first = patch_with_groups(&one, &two, vec![text("c.txt", "c")], &[], groups);
    let second = patch_with_groups(&two, &three, vec![text("c.txt", "new")], &[], vec![group("sea", &["c.txt"])]);
    // Another pack of the game's own, which the patches do not concern.
    let mut music = pack([text("music.txt", "music")]);
    music.push_group(group("music", &["music.txt"]));

    let store = Store::from_packs([open(&one), open(&music.to_vec().unwrap())]);
    let mut handles = Vec::new();
    let mut groups = || {
        handles =
            store.mounts().entries().map(|entry| store.load(entry.id.typed::<Text>().unwrap()).unwrap()).collect();
        let rows = store.dump().rows.into_iter();
        rows.map(|row| format!("{}: {}", row.path, row.groups.join(" "))).collect::<Vec<_>>()
    };
    let before = ["a.txt: forest", "b.txt: forest", "music.txt: music"];
    assert_eq!(groups(), before);
    let patches = store.mount(open(&first)).unwrap();
    let patched = ["a.txt: forest", "b.txt: castle", "c.txt: castle forest", "music.txt: music"];
    assert_eq!(groups(), patched);
    let newest = store.mount(open(&second)).unwrap();
    assert_eq!(groups(), ["a.txt: ", "b.txt: ", "c.txt: sea", "music.txt: music"]);
    assert!(store.unmount(newest));
    assert_eq!(groups(), patched);
    assert!(store.unmount(patches));
    assert_eq!(groups()[..2], before[..2]);
}

#[test]
fn mods_stay_over_patches() {
    let [one, two, _] = versions();
    let store = Store::from_packs([open(&one)]);
    let modded = [text("same.txt", "modded"), text("gone.txt", "back")];
    store.mount(open(&pack(modded).to_vec().unwrap())).unwrap();
    store.mount(open(&first_patch())).unwrap();
    let text = |path: &str| store.load(id::<Text>(path)).unwrap().get().as_str().to_owned();
    assert_eq!((text("same.txt"), text("long.txt")), ("modded".to_owned(), long(2)));
    assert_eq!(text("gone.txt"), "back", "the mod has an asset that the patch removes");
    assert_eq!(contents(&store).len(), contents_of(&two).len() + 1);
}

#[test]
fn a_difference_may_be_from_an_asset_at_another_path_and_be_streamed() {
    let bytes = |last: u8| (0..9000u32).map(|i| ((i * i) >> 7) as u8).chain([last]).collect::<Vec<u8>>();
    let one = pack([raw("old.bin", &bytes(1))]).to_vec().unwrap();
    let two = pack([raw("moved.bin", &bytes(2))]).to_vec().unwrap();
    let store = Store::from_packs([open(&one)]);
    let moved = patch(&one, &two, vec![delta(&one, "old.bin", &two, "moved.bin")], &["old.bin"]);
    store.mount(open(&moved)).unwrap();
    assert_eq!(store.load(id::<Raw>("moved.bin")).unwrap().get().bytes(), bytes(2));
    let mut streamed = Vec::new();
    std::io::Read::read_to_end(
        &mut store.stream(store.find_typed::<Raw>("moved.bin").unwrap()).unwrap(),
        &mut streamed,
    )
    .unwrap();
    assert_eq!(streamed, bytes(2));
}

#[test]
fn a_difference_from_other_bytes_is_refused_by_name() {
    let [one, two, _] = versions();
    // The same sizes and paths, so that only the contents tell the packs apart.
    let other = pack([text("long.txt", &long(7)), text("same.txt", "same"), text("gone.txt", "gone")])
        .set_hash([1; 16])
        .to_vec()
        .unwrap();
    let bytes = patch(&other, &two, vec![delta(&one, "long.txt", &two, "long.txt")], &[]);
    let store = Store::from_packs([open(&other)]);
    store.mount(open(&bytes)).unwrap();
    let texts = ["\"long.txt\"", "is stored as a difference from resource", "the patch was made for another version"];
    assert_message(store.load(id::<Text>("long.txt")), &texts);
    // Without the packs below it, a patch has no bytes for it.
    let alone = open(&first_patch());
    assert_message(alone.load::<Text>(ResourceId::from_path("long.txt")), &["mount the patch over that pack"]);
    assert_eq!(alone.load::<Text>(ResourceId::from_path("new.txt")).unwrap().as_str(), "new");
    assert!(alone.is_patch() && !open(&one).is_patch());
}

#[test]
fn hostile_patches_never_panic() {
    let [one, two, _] = versions();
    let good = first_patch();
    let (before, after) = (contents_of(&one), contents_of(&two));
    let try_one = |bytes: &[u8]| {
        let Ok(patch) = PackOptions::default().from_bytes(bytes) else { return };
        let store = Store::from_packs([open(&one)]);
        if store.mount(patch).is_err() {
            assert_eq!(contents(&store), before);
            return;
        }
        let mounts = store.mounts();
        for entry in mounts.entries() {
            let Some(typed) = entry.id.typed::<Text>() else { continue };
            // Whatever loads is right, unless only the name of the asset was changed.
            let Ok(text) = store.load(typed) else { continue };
            let text = text.get().as_str().to_owned();
            assert!(before.iter().chain(&after).any(|(_, known)| *known == text), "{}: {text:.40}", entry.path);
        }
    };
    cuts(&good).for_each(try_one);
    flipped(&good, 0..good.len(), &[0, 1, 0x7f, 0xff]).for_each(|(_, bad)| try_one(&bad));
}

/// The index of a patch decides whether an asset comes from the patch or from below, so damage there would show old contents.
#[test]
fn no_flipped_bit_of_a_patch_or_a_mod_shows_old_contents() {
    let old = pack([text("a.txt", "old"), text("b.txt", "same"), text("c.txt", "gone")]).to_vec().unwrap();
    let new = pack([text("a.txt", "new"), text("b.txt", "same")]).to_vec().unwrap();
    let patch = patch(&old, &new, vec![text("a.txt", "new")], &["c.txt"]);
    let a_mod = pack([text("a.txt", "new")]).to_vec().unwrap();
    let base = std::sync::Arc::<[u8]>::from(old.as_slice());
    let load = |overlay: &[u8]| -> Result<Vec<(String, String)>, rres_runtime::Error> {
        let store = Store::from_packs([open(&base)]);
        store.mount(PackOptions::default().from_bytes(overlay)?)?;
        let text = |path: &str| store.load(id::<Text>(path)).map(|text| text.get().as_str().to_owned());
        // An asset that is removed, or damaged, is an error.
        let c = text("c.txt").unwrap_or_else(|_| "none".to_owned());
        let (a, b) = (text("a.txt")?, text("b.txt")?);
        let listed: Vec<String> = store.mounts().entries().map(|entry| entry.path.to_owned()).collect();
        Ok(vec![("a".to_owned(), a), ("b".to_owned(), b), ("c".to_owned(), c), ("all".to_owned(), listed.join(" "))])
    };
    for overlay in [patch, a_mod] {
        let right = load(&overlay).unwrap();
        assert_eq!(right[0].1, "new");
        let check = |what: String, bytes: &[u8]| {
            let found = load(bytes);
            assert!(found.as_ref().map_or(true, |found| *found == right), "{what}: {found:?}");
        };
        flipped(&overlay, 0..overlay.len(), &BITS).for_each(|(place, bytes)| check(place.to_string(), &bytes));
        cuts(&overlay).for_each(|cut| check(format!("cut at {}", cut.len()), cut));
        for at in 0..overlay.len() {
            // Without its index, it looks like a pack of another program.
            for end in [32, 48, 64].map(|len| (at + len).min(overlay.len())) {
                let mut bytes = overlay.clone();
                bytes[at..end].fill(0);
                check(format!("{at}..{end} zeroed"), &bytes);
            }
        }
    }
}
